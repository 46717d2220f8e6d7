# runq: the course's generator, its probes and its tests. `make help` lists the targets.
# DEV=1 turns warnings into errors, SAN=1 builds with the sanitizers into a folder of its own.

CC      ?= cc
CFLAGS  ?= -O2 -g3
BUILD   ?= build
PYTHON  ?= python3
WASM_CC ?= clang

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wundef -Wvla \
	-Wwrite-strings -Wcast-qual -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wimplicit-fallthrough -Wformat=2 -Wswitch-enum
ifneq (,$(findstring gcc,$(shell $(CC) --version 2>/dev/null | head -n 1)))
WARN += -Wlogical-op -Wduplicated-cond
endif
ifdef DEV
WARN += -Werror
endif
ifdef SAN
KIND := /san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

OUT  := $(BUILD)$(KIND)
# Ours first, the user's last, so that theirs win.
BASE := -std=c11 -D_POSIX_C_SOURCE=200809L -Igenerator -include generator/base/banned.h $(WARN) -fno-common -pthread $(SANFLAGS)
COMPILE = $(CC) $(BASE) $(DEFS) -MMD -MP $(LIBFLAGS) $(CPPFLAGS) $(CFLAGS)

# The probe needs libc alone: its sources are these and no others. Of the simulator it reads the scenario language.
PROBE_SRC := $(wildcard generator/probe/*.c generator/base/*.c generator/text/json*.c generator/model/run*.c \
	generator/model/probe_info*.c generator/model/hist*.c generator/model/trace*.c generator/sim/words.c \
	generator/sim/parse*.c generator/sim/print.c)
MAINS := generator/cli/main.c generator/probe/main.c
ALL_SRC := $(wildcard generator/*/*.c)
LIB_SRC := $(filter-out $(MAINS),$(ALL_SRC))
HEADERS := $(wildcard generator/*/*.h)
UNIT    := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))

# A command is told by what it makes; V=1 shows it whole.
Q = $(if $(V),,@echo "  $@";)
obj = $(patsubst generator/%.c,$(OUT)/obj/%.o,$(1))
TOOL_BUILD := $(shell cat $(sort $(PROBE_SRC)) 2>/dev/null | sha256sum | cut -c1-64)
# A picture drawn by the same sources from the same rows need not be drawn again.
DRAW_SRC := $(sort $(wildcard generator/chart/*.[ch] generator/base/buf*.c generator/model/series*.[ch] generator/model/format.[ch] generator/model/stats.[ch]))
DRAW_BUILD := $(shell cat $(DRAW_SRC) 2>/dev/null | sha256sum | cut -c1-16)
LIBS = $(shell pkg-config --libs libcmark sqlite3 gdlib) -lm

all: $(OUT)/runq $(OUT)/runq-probe ## build runq and runq-probe

runq-probe: $(OUT)/runq-probe ## build the probe alone: cc, make and libc are enough

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

course: ## packages, build, quick measurement of this machine (again with MEASURE=1), site
	@sh .ci/packages course
	@+$(MAKE) --no-print-directory all
	@sh .ci/course $(OUT)

check: ## install the test packages and run every test
	@sh .ci/packages course check
	@+$(MAKE) --no-print-directory tests
	@sh tests/run $(OUT)

check-long: ## another kernel, other compilers and machines, fuzzing, independent tools: about half an hour
	@sh .ci/packages course check long
	@+$(MAKE) --no-print-directory tests
	@sh tests/long $(OUT)

tests: all $(OUT)/sim.wasm $(OUT)/unit/sim_draw $(UNIT:%=$(OUT)/unit/%)

bench: all ## measure the builder and its charts beside others': ratios from alternating runs
	@sh .ci/packages course bench
	@+$(MAKE) --no-print-directory $(OUT)/bench/chart $(OUT)/bench/sim $(OUT)/sim.wasm
	@python3 tests/bench $(OUT)

kernel-check: all ## record the simulator's scenarios on this kernel, as root on an idle machine: ten minutes
	@python3 tests/kernel-check $(OUT)

lint: ## clang-tidy and cppcheck, as configured
	@sh .ci/packages course check
	@sh tests/lint $(ALL_SRC)

format: ## rewrite the C files with clang-format
	clang-format -i $(ALL_SRC) $(HEADERS) $(wildcard tests/unit/*.c)

clean: ## remove what was built; measurements in data/ stay
	rm -rf $(BUILD)

# clang and the linker never see a half-written library.
$(OUT)/librunq.a: $(call obj,$(LIB_SRC))
	@rm -f $@
	$(Q)ar rcs $@ $^

$(OUT)/runq: $(call obj,generator/cli/main.c) $(OUT)/librunq.a
	$(Q)$(CC) $(SANFLAGS) -pthread $(CFLAGS) $(LDFLAGS) $^ $(LIBS) $(LDLIBS) -o $@

# Objects of the probe are built apart: without the libraries' flags, so that absent -dev packages cannot matter.
$(OUT)/runq-probe: $(patsubst generator/%.c,$(OUT)/probe/%.o,$(PROBE_SRC))
	$(Q)$(CC) $(SANFLAGS) -pthread $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(OUT)/obj/%.o: LIBFLAGS = $(shell pkg-config --cflags libcmark sqlite3 gdlib)
$(OUT)/obj/%.o: generator/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c $< -o $@

$(OUT)/probe/%.o: generator/%.c Makefile
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c $< -o $@

# Affinity, futexes and the scheduler's own calls are GNU extensions.
$(OUT)/obj/probe/%.o $(OUT)/probe/probe/%.o: DEFS += -D_GNU_SOURCE
# Anonymous memory entered POSIX later than the version asked for.
$(OUT)/obj/base/arena_os.o $(OUT)/probe/base/arena_os.o: DEFS += -D_DEFAULT_SOURCE
# syncfs is Linux's.
$(OUT)/obj/app/output.o: DEFS += -D_GNU_SOURCE
# realpath is in POSIX, but only as part of its XSI option.
$(OUT)/obj/base/file_inside.o $(OUT)/probe/base/file_inside.o: DEFS += -D_XOPEN_SOURCE=700

# The record says which sources measured, and with what.
$(OUT)/obj/probe/tool.o $(OUT)/probe/probe/tool.o: DEFS += -DRUNQ_BUILD='"$(TOOL_BUILD)"'
$(OUT)/obj/probe/tool.o $(OUT)/probe/probe/tool.o: $(PROBE_SRC)

$(OUT)/obj/chart/gd_digest.o: DEFS += -DRUNQ_DRAWING='"$(DRAW_BUILD)"'
$(OUT)/obj/chart/gd_digest.o: $(DRAW_SRC)

# The smallest program: what the exec ladder starts. Static and without a C library, embedded in the probe.
$(OUT)/noop: generator/probe/noop/noop.c
	@mkdir -p $(@D)
	$(Q)$(CC) -Os -static -nostdlib -nostartfiles -ffreestanding -fno-stack-protector -fno-pie -Wl,--build-id=none $< -o $@
$(OUT)/obj/probe/noop.o $(OUT)/probe/probe/noop.o: DEFS += -DRUNQ_NOOP='"$(OUT)/noop"'
$(OUT)/obj/probe/noop.o $(OUT)/probe/probe/noop.o: $(OUT)/noop

$(OUT)/unit/%: tests/unit/%.c $(OUT)/librunq.a
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -Wno-missing-prototypes $< $(OUT)/librunq.a -lcmocka -ljansson $(LIBS) $(LDLIBS) -o $@

# The simulator for the page. -ffreestanding keeps the compiler from turning mem.c's loops into calls of themselves.
WASM_SRC := $(wildcard generator/sim/*.c) tests/wasm/mem.c
$(OUT)/sim.wasm: $(WASM_SRC) $(wildcard generator/sim/*.h) Makefile
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) --target=wasm32 -std=c11 -Oz -ffreestanding -nostdlib -nostdinc -isystem "$$($(WASM_CC) -print-resource-dir)/include" \
		-isystem tests/wasm -Igenerator $(WASM_SRC) -Wl,--no-entry -Wl,--strip-all -o $@

# It goes into runq where clang and wasm-ld can make it (packages clang, lld). They are no part of `make course`: half a gigabyte
# for a reader who wants figures of this machine; pages then show simulations as still pictures.
ifneq (,$(and $(shell command -v $(WASM_CC)),$(shell command -v wasm-ld || ls /usr/lib/llvm-*/bin/wasm-ld 2>/dev/null)))
$(OUT)/obj/app/sim_wasm.o: DEFS += -DRUNQ_SIM_WASM='"$(OUT)/sim.wasm"'
$(OUT)/obj/app/sim_wasm.o: $(OUT)/sim.wasm
endif

$(OUT)/bench/%: tests/lib/bench_%.c $(OUT)/librunq.a
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $< $(OUT)/librunq.a $(LIBS) $(LDLIBS) -o $@

$(OUT)/fuzz/%: tests/fuzz/%.c $(OUT)/librunq.a
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -fsanitize=fuzzer $< $(OUT)/librunq.a $(LIBS) $(LDLIBS) -o $@

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
.DELETE_ON_ERROR:
.PHONY: all runq-probe help course check check-long tests bench kernel-check lint format clean
