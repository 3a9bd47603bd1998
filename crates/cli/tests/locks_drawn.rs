//! Drawn systems with locks that are components, booted: no bound exceeded.
//!
//! They are written as descriptions; tasks and their server are stubs that execute their times and
//! ask for locks where their lists say so, and the locks are those that come with Fusee.
//! `BOOTED_LOCKS` says how many; then the seed is a fresh one, unless `BOOTED_SEED` gives it.
//! `BOOTED_FIRST` is the first one's number, so that a single one can be run again.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fusee_generate::Random;
use fusee_measure::locks::{GROUPINGS, placed};
use fusee_testing::{Campaign, Held, Tool};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// In `make test`.
const FEW: u64 = 3;
/// Their seed.
const SEED: u64 = 20_261_127;

/// The methods of the server that all tasks call.
const METHODS: u64 = 4;

/// Lists of calls as a description has them.
#[derive(Default)]
struct List(Vec<String>);

impl List {
    fn time(&mut self, random: &mut Random, most: u64) {
        self.0.push(format!("\"{} ns\"", random.between(500, most.max(600))));
    }

    fn text(&self) -> String {
        format!("[{}]", self.0.join(", "))
    }
}

/// What a method does: perhaps something, and a section or two, one after the other.
fn method(random: &mut Random, locks: u64, longest: u64) -> String {
    let mut list = List::default();
    for _ in 0..random.between(0, 2) {
        if random.chance(50) {
            list.time(random, longest);
        }
        let lock = random.below(locks);
        list.0.push(format!("\"lock locks.{lock}\""));
        list.time(random, longest);
        list.0.push(format!("\"unlock locks.{lock}\""));
    }
    list.time(random, 2_000);
    list.text()
}

/// System `index` of `seed`: tasks that call a server, whose methods ask for locks.
fn drawn(seed: u64, index: u64) -> String {
    let random = &mut Random::new(seed, index);
    let kind = ["pessimistic", "ceiling"][random.below(2) as usize];
    let (grouping, _) = GROUPINGS[random.below(3) as usize];
    let place = placed(kind, grouping, "Server server");
    // Jobs that are long beside what locks take, or next to nothing but locks.
    let (longest, slowest) = if random.chance(50) { (3_000, 3_000) } else { (200_000, 10_000) };
    let tasks = random.between(2, 6);
    let (mut instances, mut ends, mut settings) = (place.text, String::new(), String::new());
    let mut set = |line: String| settings += &format!("        {line};\n");
    for task in 0..tasks {
        let period = random.between(slowest / 4, slowest);
        let mut list = List::default();
        for _ in 0..random.between(1, 2) {
            list.time(random, longest);
            list.0.push(format!("\"calls.m{}\"", random.below(METHODS)));
        }
        list.time(random, longest);
        let _ = write!(instances, "\n        component Job job{task};");
        let _ = write!(ends, "from job{task}.calls, ");
        set(format!("job{task}.period = \"{period} us\""));
        set(format!("job{task}.offset = \"{} ns\"", random.below(period * 1000)));
        set(format!("job{task}.priority = {}", random.between(10, 14)));
        set(format!("job{task}.calls = {}", list.text()));
    }
    let locks = random.between(1, 3);
    for at in 0..METHODS {
        set(format!("server.calls_m{at}_calls = {}", method(random, locks, longest)));
    }
    if kind == "ceiling" {
        (0..locks).for_each(|lock| set(format!("keeper.ceiling_{lock} = 14")));
    }
    for (interface, time) in [("keeper.locks", "2 us"), ("scheduler.scheduling", "1 us")] {
        set(format!("{interface}_wcet = \"{time}\""));
    }
    for interface in ["server.calls", "keeper.locks", "scheduler.scheduling"] {
        set(format!("{interface}_priority_protocol = \"propagated\""));
    }
    let methods: String = (0..METHODS).map(|at| format!(" void m{at}();")).collect();
    let ends = format!("c({}, to {}.calls)", ends.trim_end_matches(", "), place.client);
    format!(
        "import <std_connector.camkes>;\nimport <fusee/locks.camkes>;\n\
         procedure Calls {{{methods} }};\n\
         component Server {{ provides Calls calls; uses Locking locks; }}\n\
         component Job {{ control; uses Calls calls; }}\n\
         assembly {{\n    composition {{\n        {instances}\n        \
         connection seL4RPCCall {ends};\n    }}\n    configuration {{\n{settings}    }}\n}}\n"
    )
}

/// Boots a system; what the command says of it.
fn boot(text: &str, folder: &Path) -> Result<Value, String> {
    std::fs::create_dir_all(folder).expect("a scratch folder");
    std::fs::write(folder.join("drawn.camkes"), text).expect("a scratch file");
    let arguments = "run drawn.camkes --platform qemu-rv64 --stubs --json --for 100ms -o build";
    let run = FUSEE.run_in(folder, &arguments.split(' ').collect::<Vec<_>>());
    let said = || String::from_utf8_lossy(&run.stderr).into_owned();
    serde_json::from_slice(&run.stdout).map_err(|error| format!("{error}\n{}", said()))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("locks-drawn-{name}"))
}

#[test]
fn drawn_systems_with_lock_components_keep_their_bounds() {
    let campaign = Campaign::asked("BOOTED_LOCKS", "BOOTED", (FEW, SEED));
    let Campaign { seed, first, count } = campaign;
    println!("{campaign:?}");
    let folder = folder(&format!("{seed}-{first}"));
    let (mut broken, mut held) = (Vec::new(), Held::default());
    for index in campaign.systems() {
        let text = drawn(seed, index);
        let wrong = boot(&text, &folder).map_or_else(|why| vec![why], |run| held.judge(&run));
        if !wrong.is_empty() {
            println!("system {index} of seed {seed}:\n{text}\n  {}", wrong.join("\n  "));
            broken.push(index);
        }
    }
    println!("{held:?}");
    assert!(
        broken.is_empty(),
        "of seed {seed}, systems {broken:?}: again by BOOTED_SEED, BOOTED_FIRST, BOOTED_LOCKS"
    );
    assert!(held.bounds >= count, "only {held:?} for {count} systems");
}
