#!/bin/sh
# Twenty kills at random moments leave nothing, and the kernel's deadline bandwidth is as it was: 40 % is still admitted.
# Usage: tests/check-long/killed.sh BUILD-FOLDER
set -u
OUT=${1:?the build folder}
REPO=$(cd "$(dirname "$0")/../.." && pwd)
case $OUT in /*) ;; *) OUT=$REPO/$OUT ;; esac
TMP=$(mktemp -d /tmp/runq-killed.XXXXXX)
trap 'rm -rf "$TMP"' EXIT
cp "$OUT/runq-probe" "$TMP/probe-under-test"
. "$REPO/tests/lib/killed.sh"

failed=0
if killed "$TMP/probe-under-test" 20; then echo "ok twenty kills leave nothing"; else
	echo "not ok twenty kills leave nothing"
	failed=1
fi
"$TMP/probe-under-test" run deadline --quick -o "$TMP/after.json" >"$TMP/out" 2>&1
if ! grep -q -e 'accounting inconsistent' -e 'so much deadline bandwidth' "$TMP/out"; then
	echo "ok deadline bandwidth is as it was"
else
	echo "not ok deadline bandwidth is as it was"
	sed 's/^/# /' "$TMP/out"
	failed=1
fi
exit "$failed"
