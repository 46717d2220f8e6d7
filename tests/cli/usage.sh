# Help, unknown names, exit status.
. tests/lib/tap.sh

check "--help lists the commands" runs 0 runq --help
for command in build probe import runs class check db; do
	check "--help names $command" matches "$T/out" "^  $command "
done
for command in build import runs class check db; do
	check "$command --help prints its usage" runs 0 runq "$command" --help
	check "$command --help names every option's meaning" has "$T/out" "usage: runq $command" "-C DIR" "--db FILE" "--help"
done
check "probe --help is the probe's own" runs 0 runq probe --help
check "no command is wrong usage" runs 2 runq
check "an unknown command is wrong usage" runs 2 runq bild
check "and names the nearest" has "$T/err" "unknown command 'bild', did you mean 'build'"
check "an unknown option is wrong usage" runs 2 runq build --strickt
check "and names the nearest" has "$T/err" "unknown option '--strickt', did you mean '--strict'"
check "an unknown option before the command too" runs 2 runq --bd x
check "and is named" has "$T/err" "unknown option '--bd'"
check "an unknown verb is wrong usage" runs 2 runq runs lst
check "and names the nearest" has "$T/err" "unknown 'lst', did you mean 'list'"
check "a missing value is wrong usage" runs 2 runq build --machine
check "and is said" has "$T/err" "option '--machine' wants a value: KEY"
check "a value for a flag is wrong usage" runs 2 runq build --strict=yes
check "an option twice is wrong usage" runs 2 runq build --jobs 1 --jobs 2
check "a number out of range is wrong usage" runs 2 runq build --jobs 0
check "a stray word is wrong usage" runs 2 runq build everything
check "a folder without a course is the environment's fault" runs 3 runq -C "$T" runs list
check "and says what to do" has "$T/err" "is no course folder" "use -C DIR"
check "and makes no data folder there" test ! -e "$T/data"
check "a full disk is not a success" sh -c '"$1" --help >/dev/full 2>"$2"; test $? -eq 3' - "$OUT/runq" "$T/err"
finish
