//! Descriptions with lock components, drawn.

use std::fmt::Write;

use fusee_generate::Random;

/// The grouping of components: all apart, the lock with its scheduler, or their client with both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    Apart,
    Lock,
    Together,
}

/// All of them.
pub(crate) const GROUPINGS: [Grouping; 3] = [Grouping::Apart, Grouping::Lock, Grouping::Together];

/// Locks that come with Fusee, `Lock` left out.
pub(crate) const KINDS: [&str; 3] = ["Pessimistic", "Optimistic", "Ceiling"];

/// The order of ready threads, and whether gates have ceilings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Priorities,
    /// Priorities, and gates around sections of locks are `ceiling`.
    Ceilings,
    Deadlines,
    /// Threads of such a scheduler, and perhaps tasks above it.
    Tree(&'static str),
    /// Priorities on one of two cores, with a gate between them that is asked for without a lock.
    Cores,
}

/// Schedulers that come with Fusee, each with the module that it is imported from.
const TREES: [(&str, &str); 4] = [
    ("FixedPriority", "fixed_priority"),
    ("EarliestDeadline", "earliest_deadline"),
    ("RoundRobin", "round_robin"),
    (TABLE, "partitions"),
];

/// The one in whose slots nobody else may lend.
const TABLE: &str = "Partitions";

/// Tasks that ask for nothing, above a tree, beside it and below it.
const BESIDE: [(&str, u64); 3] = [("above", 120), ("beside", TREE_PRIORITY), ("below", 50)];

/// The priority of a tree: tasks with one of their own are above it or below.
const TREE_PRIORITY: u64 = 100;

impl Order {
    fn draw(random: &mut Random) -> Order {
        match random.below(9) {
            0 | 1 => Order::Deadlines,
            2 => Order::Ceilings,
            3..6 => Order::Tree(random.pick(&TREES).expect("there are some").0),
            6 => Order::Cores,
            _ => Order::Priorities,
        }
    }

    /// Returns the locks that there can be: ceilings of locks are priorities, and no gate is around
    /// optimistic ones.
    fn kinds(self) -> &'static [&'static str] {
        match self {
            Order::Tree("EarliestDeadline") => &["Pessimistic", "Optimistic"],
            Order::Priorities | Order::Tree(_) | Order::Cores => &KINDS,
            Order::Ceilings => &["Pessimistic", "Ceiling"],
            Order::Deadlines => &["Pessimistic", "Optimistic"],
        }
    }

    /// Returns the protocol of a gate around sections of locks, or of one that is called last.
    fn protocol(self, random: &mut Random, around: bool) -> &'static str {
        let drawn = if random.chance(40) { random.below(3) as usize } else { 0 };
        match self {
            // A gate with a ceiling inside of a lock would have no bound.
            Order::Ceilings if around => "ceiling",
            Order::Priorities | Order::Ceilings | Order::Tree(_) | Order::Cores => PROTOCOLS[drawn],
            Order::Deadlines => BY_DEADLINE[drawn],
        }
    }
}

/// A description with what is drawn of it.
pub(crate) struct Plan {
    pub(crate) order: Order,
    pub(crate) kind: &'static str,
    pub(crate) grouping: Grouping,
    /// `true` if sections may be within each other.
    pub(crate) nests: bool,
    pub(crate) gates: Gates,
    pub(crate) text: String,
}

/// Gates that let one thread in: none, within sections only, or around them as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gates {
    None,
    Within,
    Around,
}

/// The number of inner stores: tasks and stores call them, and the first calls the second.
const INNER: u64 = 2;

/// Those of gates that let one thread in and raise it.
const PROTOCOLS: [&str; 3] = ["inherited", "fixed", "non_preemptive"];

/// The same by deadlines.
const BY_DEADLINE: [&str; 3] = ["inherited", "srp", "non_preemptive"];

/// The methods of a store that tasks call.
const METHODS: u64 = 3;

/// The ranges that times are drawn from, in nanoseconds.
#[derive(Clone, Copy)]
struct Times {
    /// The range of the time between calls.
    outside: u64,
    section: u64,
    /// The range of the time of the components' own code for a call.
    code: u64,
    period: (u64, u64),
    /// Locks that are asked for.
    locks: u64,
}

/// The state of drawing bodies.
#[derive(Clone, Copy)]
struct Draw {
    times: Times,
    nests: bool,
    gates: Gates,
    /// `true` if jobs call what is shared between cores.
    between: bool,
}

/// Long sections; next to nothing but asking; everything about as long.
const TIMES: [Times; 3] = [
    Times { outside: 200, section: 900, code: 8, period: (6_000, 40_000), locks: 3 },
    Times { outside: 20, section: 60, code: 40, period: (4_000, 20_000), locks: 1 },
    Times { outside: 150, section: 150, code: 100, period: (10_000, 50_000), locks: 2 },
];

fn time(random: &mut Random, most: u64) -> String {
    format!("\"{} ns\"", random.between(1, most.max(1)))
}

/// Returns the steps of a body inside of a lock.
fn section(random: &mut Random, lock: u64, inside: Vec<String>) -> Vec<String> {
    let mut list = vec![format!("\"lock locks.{lock}\"")];
    list.extend(inside);
    list.push(format!("\"unlock locks.{lock}\""));
    if random.chance(40) {
        list.push(format!("\"{} ns\"", random.between(1, 50)));
    }
    list
}

/// Sections of a body, one after the other or within each other, always in the order of numbers,
/// perhaps with gates in them that are entered last.
fn sections(random: &mut Random, draw: Draw) -> Vec<String> {
    let (times, mut list) = (draw.times, Vec::new());
    for _ in 0..random.between(1, 2) {
        let lock = 1 + random.below(times.locks);
        let mut inside = vec![time(random, times.section)];
        inside.extend(inner(random, draw, 60));
        if draw.nests && lock < times.locks && random.chance(50) {
            let mut own = vec![time(random, times.section)];
            own.extend(inner(random, draw, 30));
            let lock = random.between(lock + 1, times.locks);
            inside.extend(section(random, lock, own));
        }
        list.extend(section(random, lock, inside));
        list.extend(inner(random, draw, 20));
    }
    list
}

/// Perhaps a call of a store that asks for no locks.
fn inner(random: &mut Random, draw: Draw, share: u32) -> Option<String> {
    let some = draw.gates != Gates::None && random.chance(share);
    some.then(|| format!("\"i{}.m{}\"", random.below(INNER), random.below(METHODS)))
}

/// Perhaps a call of what is shared between cores.
fn elsewhere(random: &mut Random, draw: Draw) -> Option<String> {
    let some = draw.between && random.chance(40);
    some.then(|| format!("\"far.m{}\"", random.below(METHODS)))
}

/// Returns a task's job: calls of stores, and sections of its own where it has the interface,
/// perhaps with calls in them.
fn job(random: &mut Random, (stores, asks): (u64, bool), draw: Draw) -> Vec<String> {
    let Draw { times, nests, .. } = draw;
    let mut list = vec![time(random, times.outside)];
    list.extend(elsewhere(random, draw));
    for _ in 0..random.between(1, 2) {
        let call = format!("\"s{}.m{}\"", random.below(stores), random.below(METHODS));
        if !asks || random.chance(50) {
            list.push(call);
        } else if nests && random.chance(50) {
            let inside = vec![time(random, times.section / 4), call];
            list.extend(section(random, 0, inside));
        } else {
            list.extend(sections(random, draw));
        }
        list.extend(inner(random, draw, 30));
        list.extend(elsewhere(random, draw));
        if random.chance(60) {
            list.push(time(random, times.outside));
        }
    }
    list
}

/// System `index` of a seed.
pub(crate) fn plan(seed: u64, index: u64) -> Plan {
    let random = &mut Random::new(seed ^ 0x0001_0cc5, index);
    let order = Order::draw(random);
    let kind = *random.pick(order.kinds()).expect("some");
    let grouping = *random.pick(&GROUPINGS).expect("one of three");
    let times = *random.pick(&TIMES).expect("one of three");
    let nests = kind != "Optimistic" && random.chance(60);
    let gates = match random.below(4) {
        _ if order == Order::Ceilings => Gates::Around,
        0 | 1 => Gates::None,
        2 if kind != "Optimistic" => Gates::Around,
        _ => Gates::Within,
    };
    let between = order == Order::Cores;
    let draw = Draw { times, nests, gates, between };
    let locking = if kind == "Optimistic" { "OptimisticLocking" } else { "Locking" };
    let tasks = random.between(2, 6);
    // A direct connection has one client.
    let stores = if grouping == Grouping::Together { 1 } else { random.between(1, 2) };
    let asks: Vec<bool> =
        (0..tasks).map(|_| grouping != Grouping::Together && random.chance(30)).collect();
    let imports: String =
        TREES.iter().map(|(_, module)| format!("import <fusee/{module}.camkes>;\n")).collect();
    let mut text = format!(
        "import <std_connector.camkes>;\nimport <fusee/locks.camkes>;\n{imports}\
         component Alone {{ control; }}\n\
         procedure Calls {{ void m0(); void m1(); void m2(); }};\n\
         component Inner {{ provides Calls calls; maybe uses Calls next; }}\n\
         component Store {{ provides Calls calls; uses {locking} locks;{} }}\n\
         component Shared {{ provides Calls calls; }}\n\
         component Far {{ control; uses Calls far; }}\n",
        inner_uses(gates)
    );
    for (task, &asks) in asks.iter().enumerate() {
        let uses = if asks { format!(" uses {locking} locks;") } else { String::new() };
        let stores: String = (0..stores).map(|store| format!(" uses Calls s{store};")).collect();
        let inner = inner_uses(gates);
        // Writing to a string cannot fail.
        let far = if between { " uses Calls far;" } else { "" };
        let _ = writeln!(text, "component T{task} {{ control;{stores}{inner}{far}{uses} }}");
    }
    text += "assembly {\n    composition {\n";
    text += &composition((kind, grouping), (stores, &asks));
    if gates != Gates::None {
        text += &inner_composition(grouping, (stores, tasks));
    }
    if between {
        text += &far_composition(tasks);
    }
    if let Order::Tree(kind) = order {
        text += &format!("        component {kind} root;\n");
        text += &BESIDE.map(|(name, _)| format!("        component Alone {name};\n")).concat();
    }
    text += "    }\n    configuration {\n";
    let mut set = |line: String| text += &format!("        {line};\n");
    let mut priorities: Vec<u64> = (0..tasks).map(|at| 10 + at).collect();
    // Some are as urgent as each other, at all times or where they are due together.
    if random.chance(30) {
        let other = random.below(tasks) as usize;
        priorities[0] = 10 + other as u64;
    }
    let (least, most) = times.period;
    let (common, alike) = (random.between(least, most), if random.chance(40) { 70 } else { 0 });
    for at in (1..priorities.len()).rev() {
        priorities.swap(at, random.below(at as u64 + 1) as usize);
    }
    let below = placed(random, order, &mut priorities);
    below.settings.into_iter().for_each(&mut set);
    if between {
        far_settings(random, times, tasks).into_iter().for_each(&mut set);
    }
    for (task, &asks) in asks.iter().enumerate() {
        let period = if random.chance(alike) { common } else { random.between(least, most) };
        set(format!("t{task}.period = \"{} ns\"", tasks * period));
        set(format!("t{task}.priority = {}", priorities[task]));
        set(format!("t{task}.calls = [{}]", job(random, (stores, asks), draw).join(", ")));
    }
    for store in 0..stores {
        let around = gates == Gates::Around && random.chance(80);
        let protocol = if around { order.protocol(random, true) } else { "propagated" };
        set(format!("s{store}.calls_priority_protocol = \"{protocol}\""));
        for method in 0..METHODS {
            let list = match around && random.chance(30) {
                true => vec![time(random, times.section)],
                false => sections(random, draw),
            };
            set(format!("s{store}.calls_m{method}_calls = [{}]", list.join(", ")));
        }
    }
    for store in (0..INNER).filter(|_| gates != Gates::None) {
        let protocol = order.protocol(random, false);
        set(format!("inner{store}.calls_priority_protocol = \"{protocol}\""));
        for method in 0..METHODS {
            let mut list = vec![time(random, times.section)];
            let calls = store == 0 && random.chance(40);
            list.extend(calls.then(|| format!("\"next.m{}\"", random.below(METHODS))));
            set(format!("inner{store}.calls_m{method}_calls = [{}]", list.join(", ")));
        }
    }
    for interface in ["keeper.locks", "scheduler.scheduling"] {
        set(format!("{interface}_wcet = {}", time(random, times.code)));
        set(format!("{interface}_priority_protocol = \"propagated\""));
    }
    if order == Order::Deadlines {
        set("system.policy = \"earliest_deadline\"".to_owned());
    }
    if kind == "Ceiling" {
        for lock in 0..=times.locks {
            // Those of all who may ask for it.
            set(format!("keeper.ceiling_{lock} = {}", below.top));
        }
    }
    text += "    }\n}\n";
    Plan { order, kind, grouping, nests, gates, text }
}

/// The place of tasks in a tree.
struct Below {
    settings: Vec<String>,
    /// The highest priority of all tasks for the kernel.
    top: u64,
}

/// Places tasks below a scheduler, if there is one; some stay above it, where they may lend.
fn placed(random: &mut Random, order: Order, priorities: &mut [u64]) -> Below {
    let tasks = priorities.len();
    let Order::Tree(kind) = order else {
        return Below { settings: Vec::new(), top: 9 + tasks as u64 };
    };
    let mut settings = vec![format!("root.priority = {TREE_PRIORITY}")];
    for (name, priority) in BESIDE {
        let (period, time) = (random.between(5_000, 40_000), random.between(1, 600));
        settings.push(format!("{name}.priority = {priority}"));
        settings.push(format!("{name}.period = \"{period} ns\""));
        settings.push(format!("{name}.calls = [\"{time} ns\"]"));
    }
    let (mut slots, mut sum) = (Vec::new(), 0);
    for (task, priority) in priorities.iter_mut().enumerate() {
        if task > 0 && kind != TABLE && random.chance(25) {
            *priority += TREE_PRIORITY;
            continue;
        }
        settings.push(format!("t{task}.scheduler = \"root\""));
        let slot = random.between(200, 3_000);
        slots.push(format!("\"{slot} ns to t{task}\""));
        sum += slot;
    }
    if kind == TABLE {
        settings.push(format!("root.delegates = [{}]", slots.join(", ")));
        let every = sum + random.below(1 + sum / 4);
        settings.push(format!("root.delegates_every = \"{every} ns\""));
    }
    if kind == "RoundRobin" {
        settings.push(format!("root.quantum = {}", random.between(10_000, 20_000)));
    }
    Below { settings, top: TREE_PRIORITY + 9 + tasks as u64 }
}

/// Returns what is shared between cores, and a task of the other core that calls it.
fn far_composition(tasks: u64) -> String {
    let ends: String = (0..tasks).map(|task| format!("from t{task}.far, ")).collect();
    format!(
        "        component Shared shared;\n        component Far far;\n        \
         connection seL4RPCCall f({ends}from far.far, to shared.calls);\n"
    )
}

/// Places all tasks but that one on one core.
fn far_settings(random: &mut Random, times: Times, tasks: u64) -> Vec<String> {
    let mut settings: Vec<String> = (0..tasks).map(|task| format!("t{task}.core = 1")).collect();
    let (least, most) = times.period;
    settings.push(format!("far.period = \"{} ns\"", random.between(least, most)));
    settings.push(format!("far.priority = {}", random.between(10, 30)));
    settings.push(format!("far.calls = [{}, \"far.m0\"]", time(random, times.outside)));
    let protocol = if random.chance(50) { "msrp" } else { "mrsp" };
    settings.push(format!("shared.calls_priority_protocol = \"{protocol}\""));
    for method in 0..METHODS {
        let section = time(random, times.section / 2);
        settings.push(format!("shared.calls_m{method}_calls = [{section}]"));
    }
    settings
}

/// Returns the interfaces of components that call stores without locks.
fn inner_uses(gates: Gates) -> String {
    let some = gates != Gates::None;
    (0..INNER).filter(|_| some).map(|store| format!(" uses Calls i{store};")).collect()
}

/// Stores without locks, and who calls them.
pub(crate) fn inner_composition(grouping: Grouping, (stores, tasks): (u64, u64)) -> String {
    let client = if grouping == Grouping::Together { "lock." } else { "" };
    let mut text = String::new();
    for store in 0..INNER {
        text += &format!("        component Inner inner{store};\n");
        let mut ends: Vec<String> =
            (0..stores).map(|s| format!("from {client}s{s}.i{store}")).collect();
        ends.extend((0..tasks).map(|task| format!("from t{task}.i{store}")));
        ends.extend((store == 1).then(|| "from inner0.next".to_owned()));
        let ends = ends.join(", ");
        text +=
            &format!("        connection seL4RPCCall n{store}({ends}, to inner{store}.calls);\n");
    }
    text
}

/// Instances and their connections.
pub(crate) fn composition(
    (kind, grouping): (&str, Grouping),
    (stores, asks): (u64, &[bool]),
) -> String {
    let mut text = String::new();
    let mut line = |line: String| text += &format!("        {line}\n");
    for task in 0..asks.len() {
        line(format!("component T{task} t{task};"));
    }
    let own: Vec<String> = (0..stores).map(|store| format!("component Store s{store};")).collect();
    let locks = format!("component Lock{kind} keeper; component LockScheduler scheduler;");
    let (client, lock) = match grouping {
        Grouping::Apart => ("", ""),
        Grouping::Lock => ("", "lock."),
        Grouping::Together => ("lock.", "lock."),
    };
    match grouping {
        Grouping::Apart => line(format!("{} {locks}", own.join(" "))),
        Grouping::Lock => line(format!("{} group lock {{ {locks} }}", own.join(" "))),
        Grouping::Together => line(format!("group lock {{ {} {locks} }}", own.join(" "))),
    }
    let connector = |direct: bool| if direct { "seL4DirectCall" } else { "seL4RPCCall" };
    for store in 0..stores {
        let ends: Vec<String> =
            (0..asks.len()).map(|task| format!("from t{task}.s{store}")).collect();
        line(format!(
            "connection seL4RPCCall c{store}({}, to {client}s{store}.calls);",
            ends.join(", ")
        ));
    }
    let mut ends: Vec<String> =
        (0..stores).map(|store| format!("from {client}s{store}.locks")).collect();
    let tasks = (0..asks.len()).filter(|&task| asks[task]);
    ends.extend(tasks.map(|task| format!("from t{task}.locks")));
    let calls = connector(grouping == Grouping::Together);
    line(format!("connection {calls} l({}, to {lock}keeper.locks);", ends.join(", ")));
    let calls = connector(grouping != Grouping::Apart);
    line(format!(
        "connection {calls} k(from {lock}keeper.scheduler, to {lock}scheduler.scheduling);"
    ));
    text
}
