# Everything that a developer does; `make` alone lists it.
.POSIX:
.PHONY: help setup demo test lint soundness bench fuzz costs campaign virtual book

CARGO = ./scripts/cargo
FUZZ_SECONDS = 600
CALLS = 1000000
SYSTEMS = 100000
SETS = 20000
BOOTS = 300
ROCKETS = 50
HOSTILE = 2000
HOSTILE_BOOTS = 200

help:
	@echo "make demo       the Mars Pathfinder's priority inversion, found and repaired"
	@echo "make test       everything that continuous integration checks"
	@echo "make lint       formatting, clippy and tidy only"
	@echo "make setup      install what is missing (Debian 12); the others call it themselves"
	@echo "make soundness  100,000 random systems: no bound may be exceeded (SYSTEMS=100000);"
	@echo "                then task sets for each schedulability test and protocol (SETS=20000),"
	@echo "                and random systems on the booted kernel (BOOTS=300), some of two cores"
	@echo "                that run at the same time (ROCKETS=50); systems with hostile code, too,"
	@echo "                simulated (HOSTILE=2000) and booted (HOSTILE_BOOTS=200)"
	@echo "make bench      the numbers of the book's benchmark page"
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
	CHAIN_SYSTEMS=$(SETS) CHAIN_SEED=$$(date +%s) $(CARGO) test --quiet --release --locked --package fusee-soundness --test chains -- --nocapture
	DESCRIBED_SYSTEMS=$(SETS) DESCRIBED_SEED=$$(date +%s) $(CARGO) test --quiet --release --locked --package fusee-soundness --test described -- --nocapture
	ATTRIBUTE_DESCRIPTIONS=10000 ATTRIBUTE_SEED=$$(date +%s) $(CARGO) test --quiet --release --locked --package fusee-adl --test attributes -- --nocapture
	HOSTILE_SYSTEMS=$(HOSTILE) $(CARGO) test --quiet --release --locked --package fusee-soundness --test hostile -- --nocapture
	LOCK_SYSTEMS=$(SETS) LOCK_SEED=$$(date +%s) $(CARGO) test --quiet --release --locked --package fusee-soundness --test drawn_locks -- --nocapture
	EDF_SYSTEMS=$(SETS) PCP_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-explorer --test policies
	$(CARGO) test --quiet --locked --package fusee-kernel-build --test size --test registers -- --ignored
	LARGE_SYSTEMS=1 $(CARGO) test --quiet --release --locked --package fusee-explorer --test cores --test systems
	TCAP_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-explorer --test tcaps_random --test lending
	ONE_CORE_SETS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-analysis --test one_core
	CORES_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-sim --test cores
	FREE_SYSTEMS=1000 COSTLY_SYSTEMS=1000 MIXED_SYSTEMS=$(SYSTEMS) DIFFERING_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-bounds --test cores -- --nocapture
	FUSEE_CASES=5000 $(CARGO) test --quiet --release --locked --package fusee-bounds --test attacked
	WAITING_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-bounds --test deadline_waits -- --nocapture
	BITS_APART=1 $(CARGO) test --quiet --release --locked --package fusee-image --test mutations
	TREE_SYSTEMS=$(SETS) SERVER_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-bounds --test trees -- --nocapture
	SIGNAL_SYSTEMS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-bounds --test signals -- --nocapture
	MULTICORE_SETS=$(SETS) $(CARGO) test --quiet --release --locked --package fusee-analysis --test multicore
	DOMINANCE_SETS=10000 $(CARGO) test --quiet --release --locked --package fusee-analysis --test dominance -- --nocapture
	@./scripts/setup test
	$(CARGO) test --quiet --release --locked --package fusee-wcet -- --ignored --nocapture
	VEXRISCV_PATHS=100000 $(CARGO) test --quiet --locked --package fusee --test edf --test measure --test protocols --test rocket --test rocket_cores --test rocket_storms --test shipped_schedulers --test vexriscv --test vexriscv_agrees --test vexriscv_proved --test vexriscv_slow --test wcet_kernel -- --ignored
	ROCKET_SYSTEMS=$(ROCKETS) $(CARGO) test --quiet --locked --package fusee --test rocket_drawn -- --include-ignored --nocapture
	HOSTILE_CALLS=$(CALLS) $(CARGO) test --quiet --locked --package fusee --test hostile_scheduler -- --nocapture
	BOOTED_TREES=100 $(CARGO) test --quiet --locked --package fusee --test trees_drawn -- --nocapture
	BOOTED_LOCKS=100 $(CARGO) test --quiet --locked --package fusee --test locks_drawn -- --nocapture
	BOOTED_HOSTILE=$(HOSTILE_BOOTS) BOOTED_HOSTILE_32=50 ROCKET_HOSTILE=$(ROCKETS) $(CARGO) test --quiet --locked --package fusee --test hostile_drawn -- --include-ignored --nocapture
	BOOTED_SYSTEMS=$(BOOTS) $(CARGO) test --quiet --locked --package fusee --test drawn -- --nocapture
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
