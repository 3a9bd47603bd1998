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
/// The seed of the systems.
const SEED: u64 = 20_261_126;

/// The schedulers that choose.
const CHOOSERS: [&str; 3] = ["FixedPriority", "EarliestDeadline", "RoundRobin"];

/// Those that keep their threads within a time.
const SERVERS: [&str; 2] = ["DeferrableServer", "PriorityServers"];

const IMPORTS: [&str; 7] = [
    "locks",
    "partitions",
    "fixed_priority",
    "earliest_deadline",
    "round_robin",
    "deferrable_server",
    "priority_servers",
];

const KINDS: &str = "import <std_connector.camkes>;
procedure Data { void go(); };
component Job { control; }
component Client { control; uses Data data; }
component Device { control; emits Signal happened; }
component Driver { control; consumes Signal interrupt; }
";

/// The protocols of the store, or its locks, that are drawn: whoever is inside is lent to, or is
/// not interrupted.
const SHARINGS: [&str; 7] =
    ["inherited", "fixed", "srp", "non_preemptive", "ceiling", "LockPessimistic", "LockCeiling"];
/// The protocols at which threads lend.
const LENDING: [&str; 2] = ["inherited", "ceiling"];

/// Returns `true` if who waits for the store lends its time to who has it.
fn lends(protocol: &str) -> bool {
    LENDING.contains(&protocol) || KEEPERS.contains(&protocol)
}

/// The settings of a store whose lock is a component.
const LOCKED: &str = "        store.data_priority_protocol = \"propagated\";
        store.data_go_calls = [\"lock locks.0\", \"4 us\", \"unlock locks.0\"];
        keeper.locks_priority_protocol = \"propagated\"; keeper.locks_wcet = \"2 us\";
        scheduler.scheduling_priority_protocol = \"propagated\";
        scheduler.scheduling_wcet = \"1 us\";
";
/// The locks: who waits for them lends as well.
const KEEPERS: [&str; 2] = ["LockPessimistic", "LockCeiling"];

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
    /// `true` if jobs below schedulers use a store, one at a time.
    shares: bool,
    /// Those that do.
    clients: Vec<String>,
    /// The protocol of the store, or its lock.
    protocol: &'static str,
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
        let asks = self.shares && random.chance(60);
        let name = self.add(if asks { "Client" } else { "Job" });
        let period = random.between(times.periods.0, times.periods.1);
        let most = (period * share.max(1) * 10).max(3_000);
        let execution = random.between(1_500, most);
        self.set(&format!("{name}.period = \"{period} us\""));
        self.set(&format!("{name}.offset = \"{} ns\"", random.below(period * 1000)));
        if asks {
            let before = random.between(500, execution - 500);
            let after = execution - before;
            self.set(&format!("{name}.calls = [\"{before} ns\", \"data.go\", \"{after} ns\"]"));
            self.clients.push(name.clone());
        } else {
            self.set(&format!("{name}.calls = [\"{execution} ns\"]"));
        }
        name
    }

    /// A job that an interrupt releases, or what stands for one.
    fn driver(&mut self, random: &mut Random, (times, share): (Times, u64)) -> String {
        let (device, driver) = (self.add("Device"), self.add("Driver"));
        let connection = format!("connection seL4Notification raised{}", self.tasks);
        let ends = format!("from {device}.happened, to {driver}.interrupt");
        let _ = writeln!(self.instances, "        {connection}({ends});");
        let period = random.between(times.periods.0, times.periods.1);
        let execution = random.between(1_500, (period * share.max(1) * 10).max(3_000));
        self.set(&format!("{device}.priority = 200"));
        self.set(&format!("{device}.period = \"{period} us\""));
        self.set(&format!("{device}.offset = \"{} ns\"", random.below(period * 1000)));
        self.set(&format!("{device}.calls = [\"1 us\", \"emit happened\"]"));
        self.set(&format!("{driver}.arrival = \"event interrupt\""));
        self.set(&format!("{driver}.calls = [\"{execution} ns\"]"));
        driver
    }

    /// One of the kernel's own.
    fn own_job(&mut self, random: &mut Random, times: (Times, u64), priority: u64) {
        // Only who is above the tree may lend.
        self.shares &= priority > 100 || !lends(self.protocol);
        let name = self.job(random, times);
        self.set(&format!("{name}.priority = {priority}"));
    }

    /// A server for all of its jobs together, or with servers for some of them.
    fn server(&mut self, random: &mut Random, (times, share): (Times, u64)) -> String {
        let kind = SERVERS[random.below(2) as usize];
        let name = self.add(kind);
        self.language(random, &name);
        let (every, count) = (random.between(1_000, 8_000), random.between(1, 6));
        let mut given = Vec::new();
        for _ in 0..count {
            let own = (times, share / count);
            let job = match random.chance(30) {
                true => self.driver(random, own),
                false => self.job(random, own),
            };
            self.set(&format!("{job}.scheduler = \"{name}\""));
            self.set(&format!("{job}.priority = {}", random.between(1, 4)));
            if given.is_empty() || random.chance(60) {
                let amount = random.between(20, (every * 8 / 10 / count).max(30));
                given.push(format!("\"{amount} us to {job}\""));
            }
        }
        if kind == "DeferrableServer" {
            let capacity = random.between(every * 200, every * 900);
            self.set(&format!("{name}.every = {}", every * 1000));
            self.set(&format!("{name}.capacity = {capacity}"));
        } else {
            self.set(&format!("{name}.delegates = [{}]", given.join(", ")));
            self.set(&format!("{name}.delegates_every = \"{every} us\""));
        }
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

    /// Returns what the store asks, its instances with their connections, and its settings.
    fn store(&self) -> (&'static str, String, String) {
        if self.clients.is_empty() {
            return ("", String::new(), String::new());
        }
        let clients = self.clients.iter().map(|client| format!("from {client}.data"));
        let all = clients.collect::<Vec<_>>().join(", ");
        let store = format!(
            "        component Store store;
        connection seL4RPCCall access({all}, to store.data);\n"
        );
        let kind = self.protocol;
        if !KEEPERS.contains(&kind) {
            let section = format!(
                "        store.data_priority_protocol = \"{kind}\";
        store.data_go_wcet = \"4 us\";\n"
            );
            return ("", store, section);
        }
        let store = format!(
            "{store}        group lock {{
            component {kind} keeper; component LockScheduler scheduler;
        }}
        connection seL4RPCCall locks(from store.locks, to lock.keeper.locks);
        connection seL4DirectCall asks(from lock.keeper.scheduler, to lock.scheduler.scheduling);\n"
        );
        (" uses Locking locks;", store, LOCKED.to_owned())
    }

    fn text(&self) -> String {
        let imports = IMPORTS.map(|name| format!("import <fusee/{name}.camkes>;\n")).concat();
        let (uses, store, section) = self.store();
        let kinds = format!("{KINDS}component Store {{ provides Data data;{uses} }}\n");
        format!(
            "{imports}{kinds}assembly {{\n    composition {{\n{}{store}    }}\n    configuration \
             {{\n{}{section}    }}\n}}\n",
            self.instances, self.settings
        )
    }
}

/// System `index` of `seed`: a tree with a root that chooses, a table or a server, and tasks of the
/// kernel's above and below.
fn drawn(seed: u64, index: u64) -> String {
    let random = &mut Random::new(seed, index);
    let times = if random.chance(50) { SHORT } else { LONG };
    let mut draft = Draft::default();
    let root = match random.below(3) {
        0 => draft.server(random, (times, times.share)),
        kind => {
            draft.shares = random.chance(50);
            draft.protocol = random.pick(&SHARINGS).expect("there are some");
            let root = match kind {
                1 => draft.chooser(random, (times, times.share)),
                _ => draft.table(random, (times, times.share)),
            };
            // What the kernel's own lend would be in nobody's slots.
            draft.shares &= kind == 1 || !lends(draft.protocol);
            root
        }
    };
    if draft.protocol == "LockCeiling" && draft.instances.contains("EarliestDeadline") {
        // Ceilings are priorities.
        draft.protocol = "LockPessimistic";
    }
    draft.set(&format!("{root}.priority = 100"));
    for priority in [150, 100, 50] {
        if random.chance(40) {
            draft.own_job(random, (times, times.share / 4), priority);
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
