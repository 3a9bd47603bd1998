//! Descriptions of systems in which many wait for few gates.

use std::fmt::Write;

use fusee_generate::Random;

/// The way in which it is decided who runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    Priorities,
    Deadlines,
    /// Tasks in slots, and others above and below.
    Slots,
    /// A scheduler by priority in a slot, and tasks in the others.
    Guest,
    /// Threads of such a scheduler, and others above and below.
    Tree(&'static str),
    /// Gates on the first of two cores, whose signals end waits on the second.
    Cores,
    /// Gates that tasks of both cores ask for.
    Between,
}

const ORDERS: [Order; 8] = [
    Order::Priorities,
    Order::Deadlines,
    Order::Slots,
    Order::Guest,
    Order::Tree("FixedPriority"),
    Order::Tree("EarliestDeadline"),
    Order::Tree("RoundRobin"),
    Order::Cores,
];

/// A drawn description.
pub(crate) struct Plan {
    pub(crate) order: Order,
    pub(crate) text: String,
}

/// The stores, each of which may call those before it.
const STORES: u64 = 3;
const METHODS: u64 = 3;

/// The priority of a scheduler; tasks of their own are above it or below.
const TREE_PRIORITY: u64 = 100;

/// Sizes of a system, in microseconds.
#[derive(Clone, Copy)]
struct Times {
    /// The longest piece of code outside of gates, and within one.
    outside: u64,
    section: u64,
    period: (u64, u64),
    clock: (u64, u64),
}

const TIMES: [Times; 3] = [
    Times { outside: 5, section: 20, period: (900, 3_000), clock: (60, 300) },
    Times { outside: 20, section: 6, period: (400, 1_500), clock: (40, 200) },
    Times { outside: 12, section: 12, period: (600, 900), clock: (100, 700) },
];

/// The place of a task beside a scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// There is none, or the task has a higher priority than it.
    Above,
    Dispatched,
    /// The task has a lower priority.
    Below,
}

/// The parts of a system that are drawn first.
struct Shape {
    order: Order,
    times: Times,
    tasks: u64,
    places: Vec<Place>,
    protocols: Vec<&'static str>,
    /// The store in one of whose methods a signal is waited for.
    waiting_store: Option<u64>,
    /// Tasks that wait in their jobs, each for a clock of its own.
    waiting: Vec<bool>,
    /// The task that asks again and again, where each of the others asks once, and all for little
    /// else.
    asking: Option<u64>,
    extras: Extras,
}

/// The parts that are drawn apart, so that the rest of a system is the same without them.
struct Extras {
    /// Two tasks each have one priority.
    are_equal: bool,
    /// The time slice of equals, in microseconds.
    slice: Option<u64>,
    /// The longest delay of a release, in percent of the period.
    jitter: Vec<u64>,
    /// The budget of a task's jobs, in percent of its period.
    budgets: Vec<Option<u64>>,
    /// Tasks whose clock releases them instead of being waited for.
    released: Vec<bool>,
    /// Deadlines decide on the second core.
    by_deadline: bool,
}

impl Extras {
    fn draw(random: &mut Random, tasks: u64) -> Self {
        let are_equal = random.chance(25);
        let share = if random.chance(50) { 30 } else { 0 };
        let jitter =
            |random: &mut Random| if random.chance(share) { random.between(1, 40) } else { 0 };
        let has_budgets = random.chance(20);
        let budget =
            |random: &mut Random| (has_budgets && random.chance(60)).then(|| random.between(5, 40));
        Extras {
            are_equal,
            slice: (are_equal && random.chance(50)).then(|| random.between(5, 120)),
            jitter: (0..tasks).map(|_| jitter(random)).collect(),
            budgets: (0..tasks).map(|_| budget(random)).collect(),
            released: (0..tasks).map(|_| random.chance(25)).collect(),
            by_deadline: random.chance(25),
        }
    }

    /// Returns the settings of a task with this period, in microseconds, that a scheduler
    /// dispatches or the kernel.
    fn of_task(
        &self,
        task: u64,
        (period, is_released): (u64, bool),
        is_dispatched: bool,
    ) -> Vec<String> {
        let part = |percent: u64| period * percent / 100;
        let jitter = part(self.jitter[task as usize]);
        let mut lines = Vec::new();
        if jitter > 0 && !is_released {
            lines.push(format!("t{task}.jitter = \"{jitter} us\""));
        }
        if let Some(percent) = self.budgets[task as usize].filter(|_| !is_dispatched) {
            lines.push(format!("t{task}.budget = \"{} us\"", part(percent).max(1)));
        }
        lines
    }
}

impl Shape {
    fn draw(random: &mut Random, more: &mut Random) -> Self {
        let order = *random.pick(&ORDERS).expect("there are some");
        let order = if more.chance(15) { Order::Between } else { order };
        let tasks = random.between(3, 10);
        let share = match order {
            Order::Cores => 60,
            // If one task waits, few of the others have a bound.
            Order::Between => 10,
            _ if random.chance(50) => 0,
            _ => 30,
        };
        let place = |random: &mut Random| match (scheduler(order), random.below(20)) {
            (Some(_), 0..13) => Place::Dispatched,
            (Some(_), 13..16) => Place::Below,
            _ => Place::Above,
        };
        let asking = random.chance(40).then(|| random.below(tasks));
        // Below schedulers nobody can be helped who waits inside of a gate.
        let waits_inside = scheduler(order).is_none() && random.chance(30);
        let waits_inside = waits_inside && order != Order::Between;
        Shape {
            order,
            times: *random.pick(&TIMES).expect("there are some"),
            tasks,
            places: (0..tasks).map(|_| place(random)).collect(),
            protocols: (0..STORES).map(|store| protocol(random, order, store)).collect(),
            waiting_store: waits_inside.then(|| random.below(STORES)),
            waiting: (0..tasks).map(|task| asking == Some(task) || random.chance(share)).collect(),
            asking,
            extras: Extras::draw(more, tasks),
        }
    }

    /// Returns `true` if signals of its clock release a task.
    fn is_released(&self, task: u64) -> bool {
        self.waiting[task as usize] && self.extras.released[task as usize]
    }

    /// Returns how many of the stores the methods of another may call: the first so many. Within a
    /// gate between cores there are no others that exclude anybody.
    fn inner(&self, store: u64) -> u64 {
        let is_outer = is_between(self.protocols[store as usize]);
        if is_outer || self.protocols[1] == "mpcp" && self.order == Order::Between {
            1
        } else {
            store
        }
    }

    /// Returns how many of the stores a task may call: the first so many.
    ///
    /// Those that a second core has are between both. There are none on it otherwise, and below a
    /// scheduler's priority a lender would buy its priority. Who is in no slot of a table lends to
    /// nobody in one.
    fn stores(&self, task: u64) -> u64 {
        let table = scheduler(self.order) == Some("Partitions");
        match self.places[task as usize] {
            _ if self.order == Order::Cores && task % 2 == 1 => 0,
            _ if self.order == Order::Between && task % 2 == 1 => 2,
            Place::Below => 0,
            Place::Above if table => u64::from(self.protocols[0] != "inherited"),
            Place::Above | Place::Dispatched => STORES,
        }
    }
}

/// Returns `true` if a protocol orders the users of several cores.
fn is_between(protocol: &str) -> bool {
    matches!(protocol, "msrp" | "mrsp" | "mpcp")
}

/// Returns the protocol of a store, most often one that keeps the others waiting the longest.
fn protocol(random: &mut Random, order: Order, store: u64) -> &'static str {
    let all: &[&str] = match order {
        Order::Deadlines => &["inherited", "inherited", "srp", "non_preemptive"],
        Order::Priorities | Order::Cores => {
            &["inherited", "inherited", "fixed", "fixed", "non_preemptive", "propagated"]
        }
        Order::Between => match store {
            0 => &["propagated"],
            1 => &["msrp", "msrp", "mrsp", "mpcp"],
            _ => &["inherited", "fixed", "msrp", "mrsp", "mpcp"],
        },
        Order::Slots | Order::Guest | Order::Tree(_) => {
            &["inherited", "inherited", "fixed", "fixed", "propagated"]
        }
    };
    random.pick(all).expect("there are some")
}

fn scheduler(order: Order) -> Option<&'static str> {
    match order {
        Order::Slots | Order::Guest => Some("Partitions"),
        Order::Tree(kind) => Some(kind),
        Order::Priorities | Order::Deadlines | Order::Cores | Order::Between => None,
    }
}

fn time(random: &mut Random, most: u64) -> String {
    format!("\"{} us\"", random.between(1, most))
}

/// Returns a call of one of the first stores.
fn call(random: &mut Random, stores: u64) -> String {
    format!("\"s{}.m{}\"", random.below(stores), random.below(METHODS))
}

/// Returns a method of a store: code, perhaps a call of a store before it, perhaps a wait.
fn method(random: &mut Random, shape: &Shape, store: u64, waits: bool) -> String {
    let mut steps = vec![time(random, shape.times.section)];
    if store > 0 && random.chance(50) {
        steps.push(call(random, shape.inner(store)));
        steps.push(time(random, shape.times.section / 3));
    }
    if waits {
        let at = random.between(1, steps.len() as u64) as usize;
        steps.insert(at, "\"wait inside\"".to_owned());
    }
    steps.join(", ")
}

/// Returns a job: several requests with code between them, perhaps a wait between two.
fn job(random: &mut Random, shape: &Shape, task: u64) -> String {
    let (outside, requests) = match shape.asking {
        Some(asking) if asking == task => (2, random.between(2, 9)),
        Some(_) => (3, 1),
        None if random.chance(20) => (shape.times.outside, random.between(4, 7)),
        None => (shape.times.outside, random.between(0, 3)),
    };
    // All ask for one store, or two.
    let few = if shape.asking.is_some() { 1 + shape.tasks % 2 } else { STORES };
    let mut steps = vec![time(random, outside)];
    for _ in 0..requests {
        if shape.stores(task) > 0 {
            steps.push(call(random, shape.stores(task).min(few)));
        }
        if random.chance(60) {
            steps.push(time(random, outside));
        }
    }
    if shape.waiting[task as usize] && !shape.is_released(task) {
        let most = if shape.asking.is_some() { 1 } else { steps.len() as u64 };
        let at = random.between(1, most) as usize;
        steps.insert(at, "\"wait tick\"".to_owned());
    }
    steps.join(", ")
}

/// Draws system `index` of a seed.
pub(crate) fn plan(seed: u64, index: u64) -> Plan {
    let random = &mut Random::new(seed ^ 0x0c0_47e4d, index);
    let shape = Shape::draw(random, &mut Random::new(seed ^ 0x3e_7a5, index));
    let mut text = head(&shape);
    text += "assembly {\n    composition {\n";
    text += &composition(&shape);
    text += "    }\n    configuration {\n";
    for line in settings(random, &shape) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "        {line};");
    }
    text += "    }\n}\n";
    Plan { order: shape.order, text }
}

/// Returns the imports and the types of components.
fn head(shape: &Shape) -> String {
    let mut text = "import <std_connector.camkes>;\n".to_owned();
    for module in ["partitions", "fixed_priority", "earliest_deadline", "round_robin"] {
        text += &format!("import <fusee/{module}.camkes>;\n");
    }
    text += "procedure Calls { void m0(); void m1(); void m2(); };\n\
             component Clock { control; emits Tick tick; }\n";
    for store in 0..STORES {
        let uses: String = (0..store).map(|before| format!(" uses Calls s{before};")).collect();
        let waits = shape.waiting_store == Some(store);
        let inside = if waits { " consumes Tick inside;" } else { "" };
        text += &format!("component S{store} {{ provides Calls calls;{uses}{inside} }}\n");
    }
    for (task, waits) in shape.waiting.iter().enumerate() {
        let stores = 0..shape.stores(task as u64);
        let uses: String = stores.map(|store| format!(" uses Calls s{store};")).collect();
        let tick = if *waits { " consumes Tick tick;" } else { "" };
        text += &format!("component T{task} {{ control;{uses}{tick} }}\n");
    }
    text
}

/// Returns the instances and their connections.
fn composition(shape: &Shape) -> String {
    let mut text = String::new();
    let mut line = |line: String| text += &format!("        {line};\n");
    if let Some(kind) = scheduler(shape.order) {
        line(format!("component {kind} root"));
    }
    if shape.order == Order::Guest {
        line("component FixedPriority guest".to_owned());
    }
    for store in 0..STORES {
        line(format!("component S{store} store{store}"));
        let tasks = (0..shape.tasks).filter(|&task| store < shape.stores(task));
        let clients = tasks.map(|task| format!("from t{task}.s{store}"));
        let stores = (store + 1..STORES).map(|behind| format!("from store{behind}.s{store}"));
        let from: Vec<String> = clients.chain(stores).collect();
        if !from.is_empty() {
            let from = from.join(", ");
            line(format!("connection seL4RPCCall c{store}({from}, to store{store}.calls)"));
        }
    }
    for task in 0..shape.tasks {
        line(format!("component T{task} t{task}"));
        if shape.waiting[task as usize] {
            line(format!("component Clock e{task}"));
            line(format!(
                "connection seL4Notification n{task}(from e{task}.tick, to t{task}.tick)"
            ));
        }
    }
    if let Some(store) = shape.waiting_store {
        line("component Clock inner".to_owned());
        line(format!("connection seL4Notification n(from inner.tick, to store{store}.inside)"));
    }
    text
}

/// Returns the settings of all instances.
fn settings(random: &mut Random, shape: &Shape) -> Vec<String> {
    let mut lines = Vec::new();
    if shape.order == Order::Deadlines {
        lines.push("system.policy = \"earliest_deadline\"".to_owned());
    }
    // The bounds of the other protocols rest on priorities.
    let is_msrp = shape.protocols[1..].iter().all(|protocol| *protocol == "msrp");
    if shape.order == Order::Between && is_msrp && shape.extras.by_deadline {
        lines.push("system.core1_policy = \"earliest_deadline\"".to_owned());
    }
    for store in 0..STORES {
        let protocol = shape.protocols[store as usize];
        lines.push(format!("store{store}.calls_priority_protocol = \"{protocol}\""));
        let waiting = (shape.waiting_store == Some(store)).then(|| random.below(METHODS));
        for at in 0..METHODS {
            let steps = method(random, shape, store, waiting == Some(at));
            lines.push(format!("store{store}.calls_m{at}_calls = [{steps}]"));
        }
    }
    if shape.waiting_store.is_some() {
        clock(random, shape, ("inner", None), &mut lines);
    }
    schedule(random, shape, &mut lines);
    if let (Order::Priorities | Order::Cores, Some(slice)) = (shape.order, shape.extras.slice) {
        lines.push(format!("system.time_slice = \"{slice} us\""));
    }
    for task in 0..shape.tasks {
        let (least, most) = shape.times.period;
        // Few tasks leave less time than many.
        let period = random.between(least, most) * (1 + shape.tasks / 4);
        if shape.is_released(task) {
            lines.push(format!("t{task}.arrival = \"event tick\""));
        } else {
            lines.push(format!("t{task}.period = \"{period} us\""));
        }
        if random.chance(60) {
            let deadline = random.between(period / 3, period);
            lines.push(format!("t{task}.deadline = \"{deadline} us\""));
        }
        lines.push(format!("t{task}.calls = [{}]", job(random, shape, task)));
        let rank = if shape.extras.are_equal { task / 2 } else { task };
        let priority = match shape.places[task as usize] {
            Place::Above => 120 + rank,
            Place::Dispatched | Place::Below => 10 + rank,
        };
        // Threads in slots, and tasks by deadlines, make no use of it.
        lines.push(format!("t{task}.priority = {priority}"));
        if matches!(shape.order, Order::Cores | Order::Between) {
            lines.push(format!("t{task}.core = {}", task % 2));
        }
        let is_dispatched = shape.places[task as usize] == Place::Dispatched;
        lines.extend(shape.extras.of_task(task, (period, shape.is_released(task)), is_dispatched));
        if shape.waiting[task as usize] {
            let own = shape.is_released(task).then_some(period);
            clock(random, shape, (&format!("e{task}"), own), &mut lines);
        }
    }
    lines
}

/// Adds the settings of a clock: more urgent than all, but on several cores perhaps a little late.
/// Its period is given, in microseconds, or drawn.
fn clock(
    random: &mut Random,
    shape: &Shape,
    (name, given): (&str, Option<u64>),
    lines: &mut Vec<String>,
) {
    let (least, most) = shape.times.clock;
    let period = random.between(least, most);
    lines.push(format!("{name}.period = \"{} us\"", given.unwrap_or(period)));
    lines.push(format!("{name}.calls = [\"1 us\", \"emit tick\"]"));
    match shape.order {
        Order::Deadlines => lines.push(format!("{name}.deadline = \"{} us\"", period.min(30))),
        Order::Cores | Order::Between => {
            lines.push(format!("{name}.core = 0"));
            lines.push(format!("{name}.priority = {}", random.between(9, 60)));
            if random.chance(60) {
                lines.push(format!("{name}.deadline = \"{} us\"", random.between(10, period)));
            }
        }
        _ => lines.push(format!("{name}.priority = {}", random.between(180, 250))),
    }
}

/// Adds the settings of schedulers, and who is dispatched by which.
fn schedule(random: &mut Random, shape: &Shape, lines: &mut Vec<String>) {
    let Some(kind) = scheduler(shape.order) else { return };
    lines.push(format!("root.priority = {TREE_PRIORITY}"));
    let is_dispatched = |task: &u64| shape.places[*task as usize] == Place::Dispatched;
    let dispatched = (0..shape.tasks).filter(is_dispatched);
    let in_guest = |task: u64| shape.order == Order::Guest && task.is_multiple_of(2);
    for task in dispatched.clone() {
        let above = if in_guest(task) { "guest" } else { "root" };
        lines.push(format!("t{task}.scheduler = \"{above}\""));
    }
    if kind != "Partitions" {
        return;
    }
    let own = dispatched.filter(|&task| !in_guest(task)).map(|task| format!("t{task}"));
    let guest = (shape.order == Order::Guest).then(|| "guest".to_owned());
    lines.extend(guest.iter().map(|guest| format!("{guest}.scheduler = \"root\"")));
    let mut every = random.below(40);
    let mut slot = |to: String| {
        let length = random.between(10, 40);
        every += length;
        format!("\"{length} us to {to}\"")
    };
    let slots: Vec<String> = guest.into_iter().chain(own).map(&mut slot).collect();
    lines.push(format!("root.delegates = [{}]", slots.join(", ")));
    lines.push(format!("root.delegates_every = \"{every} us\""));
}
