# Everything that a developer does; `make` alone lists it.
.POSIX:
.PHONY: help setup demo test lint soundness bench bench-compare fuzz costs campaign virtual book

CARGO = ./scripts/cargo
# Campaigns in the size that CONTRIBUTING.md lists.
FULL = CAMPAIGN=full $(CARGO)
FUZZ_SECONDS = 600
CALLS = 1000000
SYSTEMS = 100000

help:
	@echo "make demo       the Mars Pathfinder's priority inversion, found and repaired"
	@echo "make test       everything that continuous integration checks"
	@echo "make lint       formatting, clippy and tidy only"
	@echo "make setup      install what is missing (Debian 12); the others call it themselves"
	@echo "make soundness  100,000 random systems: no bound may be exceeded (SYSTEMS=100000);"
	@echo "                then every campaign in full: task sets for each schedulability test"
	@echo "                and protocol, systems on the booted kernel and on cores in Verilog,"
	@echo "                hostile code. CONTRIBUTING.md lists them; one shorter: BOOTED_SYSTEMS=30"
	@echo "make bench      the numbers of the book's benchmark page"
	@echo "make bench-compare  the rates of schedulability tests beside those that are kept"
	@echo "make fuzz       ten minutes of each target in fuzz/ (FUZZ_SECONDS=600), then 1,000,000"
	@echo "                random system calls on the booted kernel (CALLS=1000000)"
	@echo "make costs      measures the kernel again; rewrites the cost tables and the book's"
	@echo "make campaign   boots 400 random task sets and puts the results into the book"
	@echo "make virtual    sweeps a driver domain's time and draws the book's figures of it"
	@echo "make book       the book, to target/book"

setup:
	@./scripts/setup test

demo:
	@./fusee demo

lint: setup
	$(CARGO) fmt --all --check
	cd os && ../scripts/cargo fmt --all --check
	$(CARGO) clippy --quiet --workspace --all-targets --locked -- -D warnings
	$(CARGO) run --quiet --locked --package fusee-tidy
	$(CARGO) check --quiet --locked --manifest-path fuzz/Cargo.toml --no-default-features --target-dir target
	./scripts/lint-kernel
	./scripts/lint-scripts

test: lint
	./scripts/test-rust ./scripts/test-python

soundness:
	@./scripts/setup build
	$(CARGO) run --quiet --release --locked --package fusee-soundness -- --systems $(SYSTEMS)
	$(CARGO) run --quiet --release --locked --package fusee-soundness -- --systems $(SYSTEMS) --described
	CHAIN_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-soundness --test chains -- --nocapture
	DESCRIBED_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-soundness --test described -- --nocapture
	CONTENDED_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-soundness --test contended -- --nocapture
	ATTRIBUTE_DESCRIPTIONS=10000 ATTRIBUTE_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-adl --test attributes -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-soundness --test hostile -- --nocapture
	LOCK_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-soundness --test drawn_locks -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-explorer --test policies
	$(FULL) test --quiet --locked --package fusee-kernel-build --test size --test registers -- --ignored
	$(FULL) test --quiet --release --locked --package fusee-explorer --test cores --test systems --test trees
	$(FULL) test --quiet --release --locked --package fusee-explorer --test tcaps_random --test lending
	$(FULL) test --quiet --release --locked --package fusee-analysis --test one_core
	$(FULL) test --quiet --release --locked --package fusee-sim --test cores
	$(FULL) test --quiet --release --locked --package fusee-bounds --test cores -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-bounds --test attacked
	OFFSET_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-bounds --test offsets -- --nocapture
	ROW_SEED=$$(date +%s) $(FULL) test --quiet --release --locked --package fusee-bounds --test rows -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-analysis --lib -- dag event_loops mixed_criticality --nocapture
	$(FULL) test --quiet --release --locked --package fusee-bounds --test deadline_waits -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-image --test mutations
	$(FULL) test --quiet --release --locked --package fusee-bounds --test trees -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-bounds --test signals -- --nocapture
	$(FULL) test --quiet --release --locked --package fusee-analysis --test multicore
	$(FULL) test --quiet --release --locked --package fusee-analysis --test no_length
	$(FULL) test --quiet --release --locked --package fusee-analysis --test dominance -- --nocapture
	@./scripts/setup test
	$(FULL) test --quiet --release --locked --package fusee-wcet -- --ignored --nocapture
	$(FULL) test --quiet --release --locked --package fusee-wcet --test entry --test loops
	$(FULL) test --quiet --locked --package fusee --test below_trees --test edf --test measure --test protocols --test rocket --test rocket_cores --test rocket_storms --test shipped_schedulers --test timer_first --test vexriscv --test vexriscv_agrees --test vexriscv_proved --test vexriscv_slow --test wcet_kernel -- --ignored
	$(FULL) test --quiet --locked --package fusee --test rocket_drawn -- --include-ignored --nocapture
	$(FULL) test --quiet --locked --package fusee --test hostile_scheduler -- --nocapture
	$(FULL) test --quiet --locked --package fusee --test trees_drawn -- --nocapture
	$(FULL) test --quiet --locked --package fusee --test locks_drawn -- --nocapture
	$(FULL) test --quiet --locked --package fusee --test hostile_drawn -- --include-ignored --nocapture
	$(FULL) test --quiet --locked --package fusee --test drawn -- --nocapture
	./fusee campaign target/campaign
	./fusee virtual --ticks 1000 --booted target/virtual

bench:
	@./scripts/setup test
	./fusee measure --in target/measure --figure target/queues.svg
	$(CARGO) bench --quiet --locked --package fusee --bench command_line
	$(CARGO) bench --quiet --locked --package fusee-sim --bench events
	$(CARGO) bench --quiet --locked --package fusee-wcet --bench scale
	$(CARGO) bench --quiet --locked --package fusee-analysis --bench one_core
	$(CARGO) bench --quiet --locked --package fusee-analysis --bench multicore
	./scripts/bench-python

bench-compare:
	@./scripts/setup build
	$(CARGO) bench --quiet --locked --package fusee-analysis --bench one_core
	$(CARGO) bench --quiet --locked --package fusee-analysis --bench multicore
	./scripts/bench-compare

fuzz:
	@./scripts/setup fuzz
	./scripts/fuzz parser $(FUZZ_SECONDS)
	./scripts/fuzz model $(FUZZ_SECONDS)
	./scripts/fuzz kernel $(FUZZ_SECONDS)
	./scripts/fuzz elf $(FUZZ_SECONDS)
	STORM_CALLS=$(CALLS) $(CARGO) test --quiet --locked --package fusee --test storm -- --nocapture

costs:
	@./scripts/setup test
	./scripts/renew-costs
	./scripts/renew-kernel

virtual:
	@./scripts/setup build
	./fusee virtual --figures book/src/figures/virtual

campaign:
	@./scripts/setup test
	./scripts/renew-campaign

book:
	@./scripts/setup build
	@mkdir -p target
	@./fusee explain --json 2>/dev/null >target/rules.json
	@$(CARGO) run --quiet --release --locked --manifest-path book/builder/Cargo.toml --target-dir target -- \
		book target <target/rules.json
