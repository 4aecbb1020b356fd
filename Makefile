# SPDX-License-Identifier: GPL-2.0
# The user's verbs. What is compiled into the module is in Kbuild; everything
# about guests is in vm/. Each verb sets up what it needs.

KERNEL ?=
PROFILE ?=
TRACE ?=
TEST ?= all
LIMIT ?= 8G

run_options := $(if $(KERNEL),--kernel $(KERNEL)) $(if $(PROFILE),--profile $(PROFILE)) \
	$(if $(filter-out 0 n no,$(TRACE)),--trace)
kernel_option := $(if $(KERNEL),--kernel $(KERNEL))

# make -jN reads the same as JOBS=N; without a number nothing is said.
JOBS ?= $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))

export KDIR KSRC MIRROR MODULES JOBS

.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
.PHONY: module help matrix test check check-all plan diff unit kunit oracle contracts-page selftests probe shell bench \
	tools placement broken misfits mutants style kernels update clean prune cache-prune distclean

module:	 ## pinprobe.ko for the guest's kernel, into build/KERNEL/ (default)
	@vm/module $(kernel_option)

help:	 ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' Makefile | expand -t 20
	@echo '  variables: KERNEL=name (make kernels), PROFILE=name (vm/profiles), TRACE=1,'
	@echo '  KDIR=kernel you built, or KERNEL=./bzImage MODULES=folder of its modules,'
	@echo '  KSRC=kernel source for kselftest, MIRROR=Debian mirror'

matrix:	 ## the causal matrix: ibv_reg_mr on held pages, in a guest; TRACE=1 adds the kernel's path
	@vm/run $(run_options) --suite matrix

test:	 ## guest tests only: TEST=suite or program of vm/suites (default all)
	@vm/run $(run_options) --suite $(TEST)

check:	 ## the test command: W=1 and sparse, unit tests, all guest tests
	@vm/check

check-all: ## every kernel with every profile: SUITE=matrix for that alone, JOBS=guests at a time
	@vm/check-all $(if $(SUITE),--suite $(SUITE)) $(if $(KERNEL),--kernel '$(KERNEL)') \
		$(if $(PROFILE),--profile '$(PROFILE)')

plan:	 ## what check-all boots, as JSON for a CI matrix: FORMAT=github, gitlab, text; SHARDS=N
	@vm/plan --format $(or $(FORMAT),github) $(if $(SHARDS),--shards $(SHARDS)) \
		$(if $(SUITE),--suite $(SUITE)) $(if $(KERNEL),--kernel '$(KERNEL)') \
		$(if $(PROFILE),--profile '$(PROFILE)')

diff:	 ## what differs between two kernels or results: A=debian-6.12 B=debian-7.3
	@vm/diff $(if $(PROFILE),--profile $(PROFILE)) $(if $(SUITE),--suite $(SUITE)) $(A) $(B)

oracle:	 ## what a pin must do, from the tables: Q="ext4 shared write longterm 6.8"
	@vm/oracle $(or $(Q),--help)

contracts-page: ## Documentation/what-may-be-pinned.rst, of the tables
	@vm/oracle --page

unit:	 ## host-side unit tests of the runner
	@vm/unit

kunit:	 ## KUnit tests of the module's pure functions, in KERNEL (default: debug)
	@vm/run $(if $(KERNEL)$(KDIR),$(run_options),--kernel debug $(run_options)) --suite kunit

selftests: ## the guest programs, into build/selftests/
	@vm/selftests $(kernel_option)

tools:	 ## the command pinprobe, for this host, into build/host/tools/
	@vm/tools

probe:	 ## what the compat probes found in the guest's kernel
	@vm/module $(kernel_option) --probe

shell:	 ## the same guest with a prompt
	@vm/shell $(run_options)

placement: ## where memory lies as a guest of each profile fills up: table and chart
	@vm/placement $(kernel_option) $(if $(PROFILE),--profile $(PROFILE))

bench:	 ## times: matrix warm, RESOLVE, PIN and pinprobe explain against none
	@vm/bench $(run_options)

broken:	 ## guests that panic, hang, flood, … on purpose: each must end as it should
	@vm/broken $(kernel_option)

misfits: ## guests that are not what their profile asks for: each must end with 125
	@vm/misfits $(kernel_option)

mutants: ## modules that are wrong on purpose: each must be caught, and by which test
	@vm/mutants $(kernel_option)

style:	 ## checkpatch and shellcheck
	@vm/style

kernels: ## known kernels, and what is in the cache
	@vm/store list

update:	 ## fetch the kernels in the cache again where the archive has newer ones
	@vm/store update

clean:	 ## remove build/
	@rm -rf build

prune: ## remove from the cache what no table names any more
	@vm/store prune

cache-prune: ## remove what was not used for longest until the cache is below LIMIT=8G
	@vm/store limit $(LIMIT)

distclean: clean ## remove build/ and the cache
	@vm/store clear
