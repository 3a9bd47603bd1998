//! Drawn systems below schedulers, booted: no bound exceeded.
//!
//! They are written as descriptions and built from them alone, each component a stub that executes
//! its times; the schedulers are those that come with Fusee. `BOOTED_TREES` says how many; then the
//! seed is a fresh one, unless `BOOTED_SEED` gives it. `BOOTED_FIRST` is the first one's number, so
//! that a single one can be run again.

use std::fmt::Write;
use std::path::Path;

use fusee_generate::Random;
use fusee_testing::{Drawn, Tool};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// In `make test`.
const FEW: u64 = 3;
/// Their seed.
const SEED: u64 = 20_261_126;

/// The schedulers that choose.
const CHOOSERS: [&str; 3] = ["FixedPriority", "EarliestDeadline", "RoundRobin"];

/// Periods and shares of the core that a system's times are drawn from, in microseconds and
/// percent.
#[derive(Clone, Copy)]
struct Times {
    periods: (u64, u64),
    share: u64,
}

/// Jobs that are long beside what deciding takes.
const LONG: Times = Times { periods: (3_000, 20_000), share: 70 };
/// Next to nothing but decisions, so that a bound leaves little room for anything else.
const SHORT: Times = Times { periods: (500, 3_000), share: 4 };

/// A description under way.
#[derive(Default)]
struct Draft {
    instances: String,
    settings: String,
    tasks: usize,
}

impl Draft {
    fn add(&mut self, kind: &str) -> String {
        let name = format!("{}{}", kind.to_lowercase(), self.tasks);
        self.tasks += 1;
        let _ = writeln!(self.instances, "        component {kind} {name};");
        name
    }

    fn set(&mut self, line: &str) {
        let _ = writeln!(self.settings, "        {line};");
    }

    /// A job that needs up to a share of the core.
    fn job(&mut self, random: &mut Random, (times, share): (Times, u64)) -> String {
        let name = self.add("Job");
        let period = random.between(times.periods.0, times.periods.1);
        let most = (period * share.max(1) * 10).max(3_000);
        let execution = random.between(1_500, most);
        self.set(&format!("{name}.period = \"{period} us\""));
        self.set(&format!("{name}.offset = \"{} ns\"", random.below(period * 1000)));
        self.set(&format!("{name}.calls = [\"{execution} ns\"]"));
        name
    }

    fn language(&mut self, random: &mut Random, scheduler: &str) {
        let language = if random.chance(30) { "rust" } else { "c" };
        self.set(&format!("{scheduler}.language = \"{language}\""));
    }

    /// A scheduler that chooses among some jobs.
    fn chooser(&mut self, random: &mut Random, (times, share): (Times, u64)) -> String {
        let kind = CHOOSERS[random.below(3) as usize];
        let name = self.add(kind);
        self.language(random, &name);
        let count = random.between(1, 6);
        for _ in 0..count {
            let job = self.job(random, (times, share / count));
            self.set(&format!("{job}.scheduler = \"{name}\""));
            if kind == "FixedPriority" {
                self.set(&format!("{job}.priority = {}", random.between(1, 4)));
            }
        }
        if kind == "RoundRobin" {
            self.set(&format!("{name}.quantum = {}", random.between(100_000, 1_000_000)));
        }
        name
    }

    /// A table with what is in its slots.
    fn table(&mut self, random: &mut Random, (times, share): (Times, u64)) -> String {
        let name = self.add("Partitions");
        self.language(random, &name);
        let slots = random.between(1, 3);
        let mut given = Vec::new();
        let mut total = 0;
        for _ in 0..slots {
            let amount = random.between(300, 2_000);
            let own = (times, share / slots / 2);
            let member = match random.chance(50) {
                true => self.job(random, own),
                false => self.chooser(random, own),
            };
            self.set(&format!("{member}.scheduler = \"{name}\""));
            given.push(format!("\"{amount} us to {member}\""));
            total += amount;
        }
        total += random.below(300);
        self.set(&format!("{name}.delegates = [{}]", given.join(", ")));
        self.set(&format!("{name}.delegates_every = \"{total} us\""));
        name
    }

    fn text(&self) -> String {
        let imports = ["partitions", "fixed_priority", "earliest_deadline", "round_robin"];
        let imports = imports.map(|name| format!("import <fusee/{name}.camkes>;\n")).concat();
        format!(
            "{imports}component Job {{ control; }}\nassembly {{\n    composition {{\n{}    }}\n    \
             configuration {{\n{}    }}\n}}\n",
            self.instances, self.settings
        )
    }
}

/// System `index` of `seed`: a tree with a root that chooses, or a table, and tasks of the kernel's
/// above and below.
fn drawn(seed: u64, index: u64) -> String {
    let random = &mut Random::new(seed, index);
    let times = if random.chance(50) { SHORT } else { LONG };
    let mut draft = Draft::default();
    let root = match random.chance(50) {
        true => draft.chooser(random, (times, times.share)),
        false => draft.table(random, (times, times.share)),
    };
    draft.set(&format!("{root}.priority = 100"));
    for priority in [150, 100, 50] {
        if random.chance(40) {
            let name = draft.job(random, (times, times.share / 4));
            draft.set(&format!("{name}.priority = {priority}"));
        }
    }
    draft.text()
}

/// Boots so many of them, if nothing else is asked for.
fn hold(platform: &'static str, few: u64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trees-drawn-{platform}"));
    let count = "BOOTED_TREES";
    Drawn { platform, count, few, seed: SEED, draw: drawn, code: &[] }.hold(FUSEE, &folder);
}

#[test]
fn drawn_systems_below_schedulers_keep_their_bounds() {
    hold("qemu-rv64", FEW);
}

#[test]
fn drawn_systems_below_schedulers_keep_their_bounds_on_32_bits() {
    hold("qemu-rv32", 1);
}
