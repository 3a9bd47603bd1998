//! Drawn descriptions with components that are not trusted.
//!
//! One, two or four cores; priorities or deadlines decide, or each on its cores, or a tree of
//! schedulers on one core. Honest tasks use stores and are released by clocks and events. Hostile
//! ones have connections like everybody's: to stores, and to events that release honest tasks of
//! their own core and of others. Nearly all of them have a budget that suspends them, or a
//! scheduler. What they execute is for campaigns to say.

mod promise;
mod tree;

pub use promise::{Honest, held, honest};

use std::fmt::Write;

use fusee_generate::Random;
use fusee_model::Policy::{self, EarliestDeadline, FixedPriority};

/// The properties that systems are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of cores that one may have.
    pub cores: &'static [u64],
    /// `true` if deadlines may decide, and systems of one core may have schedulers.
    pub all_policies: bool,
    /// The shortest period, in microseconds: the longest is six times as long.
    pub shortest: u64,
}

/// A description with components that are not trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawn {
    /// The text of the description.
    pub text: String,
    /// The number of cores that it has.
    pub cores: u64,
    /// The policy of each core below no scheduler.
    pub policies: Vec<Policy>,
    /// The scheduler that all but a few tasks are below.
    pub root: Option<&'static str>,
    /// Honest tasks with a slot of a table for themselves.
    pub alone: Vec<String>,
}

const KINDS: &str = "procedure Data { void go(); };
component Honest { control; maybe uses Data one; maybe uses Data two; }
component Woken { control; consumes Signal signal; }
component Store { provides Data data; maybe uses Data behind; }
component Thief { provides Data data; }
component Clock { control; emits Signal tells; }
component Hostile {
    control;
    maybe uses Data one;
    maybe uses Data two;
    maybe emits Signal signal;
    maybe consumes Signal wakes;
    attribute int way = 0;
    attribute int seed = 0;
}
";

/// Returns the system with this number of a seed.
pub fn drawn(shape: Shape, seed: u64, index: u64) -> Drawn {
    let random = &mut Random::new(seed, index);
    let mut draft = Draft::new(random, shape);
    match draft.drawn.root {
        Some(_) => tree::fill(&mut draft, random),
        None => draft.fill(random),
    }
    draft.finish()
}

/// A drawn store.
#[derive(Debug)]
struct Store {
    /// Its core, if only tasks of that use it.
    core: Option<u64>,
    trusted: bool,
    /// `true` if its method may call another store's, or be called by that.
    nests: bool,
    /// The execution time of its method.
    time: String,
    kind: &'static str,
    /// The lines about it.
    lines: Vec<String>,
    users: Vec<String>,
}

/// A description under way.
struct Draft {
    drawn: Drawn,
    shape: Shape,
    imports: String,
    instances: String,
    settings: String,
    stores: Vec<Store>,
    /// `true` if the first store calls the second.
    nested: bool,
    events: u64,
}

/// Microseconds, as a description has them.
fn us(time: u64) -> String {
    format!("\"{time} us\"")
}

/// A task of a draft.
#[derive(Debug, Clone)]
struct Place {
    name: String,
    core: u64,
    /// `true` if it is below a scheduler, which may limit it.
    scheduled: bool,
    /// `true` if it may use stores.
    calls: bool,
}

impl Draft {
    fn new(random: &mut Random, shape: Shape) -> Self {
        let cores = random.pick(shape.cores).copied().unwrap_or(1);
        let decided = if shape.all_policies { random.below(3) } else { 1 };
        let policies = (0..cores).map(|core| match decided {
            0 => EarliestDeadline,
            2 if cores > 1 && core % 2 == 0 => EarliestDeadline,
            _ => FixedPriority,
        });
        let root = (cores == 1 && decided == 2).then(|| tree::root(random));
        Self {
            drawn: Drawn { cores, root, policies: policies.collect(), ..Drawn::default() },
            shape,
            imports: String::from("import <std_connector.camkes>;\n"),
            instances: String::new(),
            settings: String::new(),
            stores: Vec::new(),
            nested: false,
            events: 0,
        }
    }

    fn import(&mut self, file: &str) {
        let line = format!("import <fusee/{file}.camkes>;\n");
        if !self.imports.contains(&line) {
            self.imports += &line;
        }
    }

    fn set(&mut self, line: &str) {
        let _ = writeln!(self.settings, "        {line};");
    }

    fn instance(&mut self, kind: &str, name: &str) {
        let _ = writeln!(self.instances, "        component {kind} {name};");
    }

    fn policy(&self, core: u64) -> Policy {
        self.drawn.policies[core as usize]
    }

    /// A system in which the kernel alone decides.
    fn fill(&mut self, random: &mut Random) {
        let cores = self.drawn.cores;
        for core in 0..cores {
            self.local_store(random, core);
        }
        if cores > 1 {
            self.store_of_all(random);
        } else {
            self.local_store(random, 0);
            self.nest(random);
        }
        for number in 0..random.between(cores.max(2), cores + 2) {
            // One at least is on each core.
            let core = number % cores;
            let place = self.place_on(random, core, (&format!("honest{number}"), 120));
            self.honest(random, &place);
        }
        for number in 0..random.between(1, 1 + cores) {
            let place = self.place(random, &format!("hostile{number}"), 200);
            self.hostile(random, &place);
        }
    }

    /// Returns a period in microseconds.
    fn period(&self, random: &mut Random) -> u64 {
        random.between(self.shape.shortest, 6 * self.shape.shortest)
    }

    /// Microseconds up to such a part of the shortest period.
    fn part(&self, random: &mut Random, of: u64) -> u64 {
        random.between(1, (self.shape.shortest / of).max(2))
    }

    /// Returns the core of a task, and its highest urgency.
    fn place(&mut self, random: &mut Random, name: &str, best: u64) -> Place {
        let core = random.below(self.drawn.cores);
        self.place_on(random, core, (name, best))
    }

    /// Places a task that is above the tree, if there is one.
    fn place_above(&mut self, random: &mut Random, name: &str) {
        match self.drawn.root {
            Some(_) => self.set(&format!("{name}.priority = {}", random.between(120, 180))),
            None => _ = self.place(random, name, 120),
        }
    }

    fn place_on(&mut self, random: &mut Random, core: u64, (name, best): (&str, u64)) -> Place {
        if self.drawn.cores > 1 {
            self.set(&format!("{name}.core = {core}"));
        }
        if self.policy(core) == FixedPriority {
            self.set(&format!("{name}.priority = {}", random.between(2, best)));
        }
        Place { name: name.to_owned(), core, scheduled: false, calls: true }
    }

    /// A store for one core, nearly always with code that is trusted and takes as long as it says.
    fn local_store(&mut self, random: &mut Random, core: u64) {
        let protocols: &[&str] = match (self.policy(core), self.drawn.cores) {
            (EarliestDeadline, _) => {
                &["inherited", "srp", "inherited", "srp", "non_preemptive", "fifo"]
            }
            (FixedPriority, 1) => {
                &["inherited", "fixed", "ceiling", "ceiling", "non_preemptive", "fifo"]
            }
            (FixedPriority, _) => &["inherited", "fixed", "inherited", "fixed", "non_preemptive"],
        };
        let protocol = match random.chance(20) {
            true => "propagated",
            false => random.pick(protocols).copied().unwrap_or("inherited"),
        };
        let trusted = !random.chance(8);
        self.store(random, (Some(core), protocol, trusted));
    }

    /// A store of which tasks of all cores are let in one at a time.
    fn store_of_all(&mut self, random: &mut Random) {
        let is_mixed = self.drawn.policies.contains(&EarliestDeadline);
        let protocol =
            if is_mixed { "msrp" } else { ["msrp", "mrsp", "mpcp"][random.below(3) as usize] };
        self.store(random, (None, protocol, true));
    }

    fn store(&mut self, random: &mut Random, (core, protocol, trusted): (Option<u64>, &str, bool)) {
        let name = format!("store{}", self.stores.len());
        let kind = if trusted { "Store" } else { "Thief" };
        let time = us(self.part(random, 20));
        let mut lines = vec![
            format!("{name}.data_priority_protocol = \"{protocol}\""),
            format!("{name}.data_go_wcet = {time}"),
        ];
        lines.extend((!trusted).then(|| format!("{name}.trusted = false")));
        // A ceiling is of tasks, which alone enter there.
        let nests = trusted && protocol != "ceiling";
        self.stores.push(Store { core, trusted, nests, time, kind, lines, users: Vec::new() });
    }

    /// Perhaps the first store's method calls the second's.
    fn nest(&mut self, random: &mut Random) {
        if self.stores.iter().all(|store| store.nests) && random.chance(25) {
            let call = format!("store0.data_go_calls = [{}, \"behind.go\"]", self.stores[0].time);
            self.stores[0].lines.push(call);
            self.nested = true;
        }
    }

    /// Calls of stores that a task may reach, with their chances in percent: those of its core, and
    /// that of all.
    fn calls(
        &mut self,
        random: &mut Random,
        place: &Place,
        (local, of_all): (u32, u32),
    ) -> Vec<String> {
        let mut calls = Vec::new();
        let mut gates = ["one", "two"].into_iter();
        for store in &mut self.stores {
            let chance = match store.core {
                _ if !place.calls => 0,
                Some(core) if core == place.core => local,
                Some(_) => 0,
                None => of_all,
            };
            if !random.chance(chance) {
                continue;
            }
            let Some(gate) = gates.next() else { break };
            store.users.push(format!("{}.{gate}", place.name));
            calls.push(format!("\"{gate}.go\""));
        }
        calls
    }

    /// Returns `true` if a task calls a store that is not trusted.
    fn trusts_nobody(&self, name: &str) -> bool {
        let of =
            |store: &&Store| store.users.iter().any(|user| user.starts_with(&format!("{name}.")));
        self.stores.iter().filter(of).any(|store| !store.trusted)
    }

    /// A task that does what it says.
    fn honest(&mut self, random: &mut Random, place: &Place) {
        let name = &place.name;
        self.instance("Honest", name);
        let calls = self.calls(random, place, (45, 45));
        let period = self.period(random);
        let wcet = period * random.between(2, 18) / 100;
        self.set(&format!("{name}.period = {}", us(period)));
        if random.chance(30) {
            self.set(&format!("{name}.deadline = {}", us(period * random.between(60, 99) / 100)));
        }
        let (first, second) = (wcet - wcet / random.between(1, 4), wcet / 4 + 1);
        let steps = [vec![us(first.max(1))], calls, vec![us(second)]].concat();
        self.set(&format!("{name}.calls = [{}]", steps.join(", ")));
        if !place.scheduled && (random.chance(20) || self.trusts_nobody(name)) {
            self.set(&format!("{name}.budget = {}", us(wcet * 3 / 2 + self.shape.shortest / 5)));
            self.set(&format!("{name}.overrun = \"suspend\""));
        }
    }

    /// A task that states little and does anything.
    fn hostile(&mut self, random: &mut Random, place: &Place) {
        let name = &place.name;
        let sleeps = random.chance(6);
        self.instance("Hostile", name);
        self.set(&format!("{name}.way = {}", random.below(4)));
        self.set(&format!("{name}.seed = {}", random.between(1, 1 << 30)));
        let mut calls = self.calls(random, place, (35, 6));
        let period = self.period(random);
        let budget = period * random.between(3, 20) / 100;
        self.set(&format!("{name}.trusted = false"));
        self.set(&format!("{name}.period = {}", us(period)));
        let unlimited = !place.scheduled && random.chance(4);
        if !place.scheduled && !unlimited {
            self.set(&format!("{name}.budget = {}", us(budget)));
            self.set(&format!("{name}.overrun = \"suspend\""));
        }
        // What nothing limits is told, and takes from slots, too.
        if unlimited || (!place.scheduled && sleeps) {
            self.drawn.alone.clear();
        }
        let on_fault = ["continue", "restart", "restart", "dead"][random.below(4) as usize];
        self.set(&format!("{name}.on_fault = \"{on_fault}\""));
        if random.chance(60) {
            self.woken(random, place, period);
            calls.push("\"emit signal\"".to_owned());
        }
        if sleeps {
            self.clock(random, place, period);
        }
        let stated = us(1 + budget / random.between(2, 8));
        let steps = [vec![stated], calls].concat();
        self.set(&format!("{name}.calls = [{}]", steps.join(", ")));
    }

    fn connect(&mut self, from: &str, to: &str) {
        let event = self.events;
        self.events += 1;
        let connection = format!("connection seL4Notification n{event}");
        let _ = writeln!(self.instances, "        {connection}(from {from}, to {to});");
    }

    /// An honest task that a hostile one releases.
    fn woken(&mut self, random: &mut Random, by: &Place, period: u64) {
        let name = format!("woken{}", self.events);
        self.instance("Woken", &name);
        self.connect(&format!("{}.signal", by.name), &format!("{name}.signal"));
        self.place_above(random, &name);
        self.set(&format!("{name}.arrival = \"event signal\""));
        let period = period * random.between(2, 12) / 6;
        self.set(&format!("{name}.period = {}", us(period)));
        self.set(&format!("{name}.calls = [{}]", us(period * random.between(1, 12) / 100)));
    }

    /// An honest task that signals what a hostile one may wait for.
    fn clock(&mut self, random: &mut Random, to: &Place, period: u64) {
        let name = format!("clock{}", self.events);
        self.instance("Clock", &name);
        self.connect(&format!("{name}.tells"), &format!("{}.wakes", to.name));
        self.place_above(random, &name);
        self.set(&format!("{name}.period = {}", us(period / random.between(1, 4))));
        self.set(&format!("{name}.calls = [{}, \"emit tells\"]", us(self.part(random, 30))));
    }

    fn finish(mut self) -> Drawn {
        let mut connections = String::new();
        let mut stores = std::mem::take(&mut self.stores);
        if self.nested && !stores[0].users.is_empty() {
            stores[1].users.push("store0.behind".to_owned());
        }
        for (number, store) in stores.iter().enumerate().filter(|(_, own)| !own.users.is_empty()) {
            self.instance(store.kind, &format!("store{number}"));
            store.lines.iter().for_each(|line| self.set(line));
            let from: Vec<String> = store.users.iter().map(|user| format!("from {user}")).collect();
            let _ = writeln!(
                connections,
                "        connection seL4RPCCall c{number}({}, to store{number}.data);",
                from.join(", ")
            );
        }
        for core in 0..self.drawn.cores {
            if self.policy(core) == EarliestDeadline {
                self.set(&format!("system.core{core}_policy = \"earliest_deadline\""));
            }
        }
        self.drawn.text = format!(
            "{}{KINDS}assembly {{\n    composition {{\n{}{connections}    }}\n    \
             configuration {{\n{}    }}\n}}\n",
            self.imports, self.instances, self.settings
        );
        self.drawn
    }
}
