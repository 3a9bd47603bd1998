//! The drawn plan of a description.

use fusee_generate::Random;

/// Something that a job or a method does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It executes for so long.
    Time(u64),
    /// It signals an event.
    Emit(usize),
    /// It waits for an event.
    Wait(usize),
    /// It invokes a store.
    Put(usize),
}

/// The way in which a task is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    Clock {
        offset: u64,
        jitter: u64,
    },
    Sporadic,
    /// Signals of an event; the description may leave the period to the emitter.
    Event {
        event: usize,
        named: bool,
    },
}

/// A task in a component of its own.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) period: u64,
    pub(crate) arrival: Arrival,
    pub(crate) priority: Option<u64>,
    pub(crate) core: usize,
    pub(crate) job: Vec<Entry>,
}

/// A passive component with one method.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(crate) protocol: &'static str,
    pub(crate) method: Vec<Entry>,
}

/// The consumer of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consumer {
    Task(usize),
    Store(usize),
}

/// A whole system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) tasks: Vec<Task>,
    pub(crate) stores: Vec<Store>,
    /// The consumer of each event.
    pub(crate) events: Vec<Consumer>,
    /// Memory that one task writes and another one reads.
    pub(crate) memory: Vec<(usize, usize)>,
    pub(crate) chains: Vec<String>,
    /// Cores on which deadlines decide.
    pub(crate) by_deadline: Vec<bool>,
}

impl Plan {
    fn is_by_deadline(&self, task: usize) -> bool {
        self.by_deadline[self.tasks[task].core]
    }
}

/// System `index` of a seed.
pub(crate) fn plan(seed: u64, index: u64) -> Plan {
    let random = &mut Random::new(seed ^ 0xde5c_71be, index);
    let policies =
        if random.chance(30) { [random.chance(70), random.chance(70)] } else { [false; 2] };
    let mut plan = Plan { by_deadline: policies.to_vec(), ..Plan::default() };
    let has_waits = random.chance(80);
    tasks(random, if has_waits { (5, 45) } else { (15, 85) }, &mut plan);
    stores(random, &mut plan);
    releases(random, &mut plan);
    if has_waits {
        waits(random, &mut plan);
    }
    priorities(random, &mut plan);
    links(random, &mut plan);
    plan
}

fn tasks(random: &mut Random, load: (u64, u64), plan: &mut Plan) {
    let cores = if random.chance(70) { 1 } else { 2 };
    let count = random.between(2, 3 + cores) as usize + cores as usize - 1;
    let periods = *random.pick(&[(8, 40), (20, 120), (100, 2000)]).expect("one of three");
    let total = random.between(load.0, load.1) * cores;
    let shares = random.split(total * 100, count);
    for (at, share) in shares.into_iter().enumerate() {
        let period = random.between(periods.0, periods.1);
        let wcet = (period * share / 10_000).max(1);
        // Each core has a task.
        let core = if at < cores as usize { at } else { random.below(cores) as usize };
        let (offset, jitter) =
            (chance_of(random, 20, period / 2), chance_of(random, 25, period / 3));
        let arrival = match random.below(8) {
            0 => Arrival::Sporadic,
            _ => Arrival::Clock { offset, jitter },
        };
        plan.tasks.push(Task { period, arrival, priority: None, core, job: pieces(random, wcet) });
    }
}

/// Up to a limit, or nothing.
fn chance_of(random: &mut Random, chance: u32, most: u64) -> u64 {
    if random.chance(chance) { random.between(0, most) } else { 0 }
}

/// Returns an execution time in one to three pieces.
fn pieces(random: &mut Random, wcet: u64) -> Vec<Entry> {
    let count = random.between(1, 3) as usize;
    let parts = random.split(wcet, count);
    parts.into_iter().filter(|&part| part > 0).map(Entry::Time).collect()
}

fn insert(random: &mut Random, job: &mut Vec<Entry>, from: usize, entry: Entry) -> usize {
    let at = random.between(from as u64, job.len() as u64) as usize;
    job.insert(at, entry);
    at
}

/// Stores that tasks share.
fn stores(random: &mut Random, plan: &mut Plan) {
    for store in 0..random.below(3) as usize {
        let users: Vec<usize> = (0..plan.tasks.len()).filter(|_| random.chance(45)).collect();
        let shared = users.iter().any(|&user| plan.tasks[user].core != plan.tasks[users[0]].core);
        let by_deadline = match users.is_empty() {
            true => plan.by_deadline.contains(&true),
            false => users.iter().any(|&user| plan.is_by_deadline(user)),
        };
        let protocols: &[&str] = match (shared, by_deadline) {
            (true, true) => &["msrp"],
            (true, false) => &["msrp", "mrsp", "mpcp"],
            (false, true) => &["inherited", "srp", "non_preemptive", "propagated"],
            (false, false) => &["inherited", "inherited", "fixed", "propagated"],
        };
        let protocol = *random.pick(protocols).expect("one of several");
        let least = users.iter().map(|&user| plan.tasks[user].period).min().unwrap_or(10);
        let section = random.between(1, (least / 6).max(1));
        let method = pieces(random, section);
        plan.stores.push(Store { protocol, method });
        for user in users {
            for _ in 0..random.between(1, 2) {
                insert(random, &mut plan.tasks[user].job, 0, Entry::Put(store));
            }
        }
    }
}

/// Lets events release tasks: by one or two emitters, each of which signals once or more.
fn releases(random: &mut Random, plan: &mut Plan) {
    for task in 1..plan.tasks.len() {
        if !random.chance(35) {
            continue;
        }
        let event = event_of(plan, Consumer::Task(task));
        let first = random.below(task as u64) as usize;
        let second = random.below(task as u64) as usize;
        let mut emitters = vec![first];
        emitters.extend(Some(second).filter(|&second| second != first && random.chance(60)));
        let mut most = 0.0;
        for &emitter in &emitters {
            let times = *random.pick(&[1, 1, 1, 2, 3]).expect("one of five");
            for _ in 0..times {
                signal(random, plan, emitter, event);
            }
            let signals: u64 = signals(plan, emitter, event);
            most += signals as f64 / plan.tasks[emitter].period as f64;
        }
        let enough = ((1.0 / most) as u64).max(1);
        let own = plan.tasks[task].period;
        let own_signals = plan.tasks[first].job.iter().filter(|one| **one == Entry::Emit(event));
        let once =
            emitters.len() == 1 && own_signals.count() == 1 && signals(plan, first, event) == 1;
        let period = match random.below(10) {
            0 => own,
            1..=3 => enough,
            _ => random.between((enough / 4).max(1), enough),
        };
        let named = !(once && random.chance(25));
        plan.tasks[task].period = if named { period } else { plan.tasks[first].period };
        plan.tasks[task].arrival = Arrival::Event { event, named };
    }
}

/// Returns the number of signals of an event by a job of a task, stores included.
fn signals(plan: &Plan, task: usize, event: usize) -> u64 {
    let own = |entry: &Entry| u64::from(*entry == Entry::Emit(event));
    let each = |entry: &Entry| match *entry {
        Entry::Put(store) => plan.stores[store].method.iter().map(own).sum(),
        _ => own(entry),
    };
    plan.tasks[task].job.iter().map(each).sum()
}

/// A task signals: itself, or now and then in a store that nobody else invokes.
fn signal(random: &mut Random, plan: &mut Plan, emitter: usize, event: usize) {
    let used = |task: &Task, store| task.job.contains(&Entry::Put(store));
    let own = (0..plan.stores.len()).find(|&store| {
        plan.tasks.iter().enumerate().all(|(at, task)| (at == emitter) == used(task, store))
    });
    match own.filter(|_| random.chance(50)) {
        Some(store) => insert(random, &mut plan.stores[store].method, 0, Entry::Emit(event)),
        None => insert(random, &mut plan.tasks[emitter].job, 0, Entry::Emit(event)),
    };
}

/// Lets a task wait in its job: for a task that arrives by itself, or for the answer of one that it
/// releases.
fn waits(random: &mut Random, plan: &mut Plan) {
    if random.chance(50) {
        waits_in_store(random, plan);
    }
    for _ in 0..random.between(1, 2) {
        let waiter = random.below(plan.tasks.len() as u64) as usize;
        let mut others: Vec<usize> = (0..plan.tasks.len()).filter(|&at| at != waiter).collect();
        others.retain(|&at| !leads_to(plan, waiter, at) || random.chance(10));
        let Some(&other) = random.pick(&others) else { continue };
        let free = !matches!(plan.tasks[other].arrival, Arrival::Event { .. });
        if free && random.chance(55) && !emits(plan, other) && !waits_for_anything(plan, other) {
            asks(random, plan, waiter, other);
        } else {
            polls(random, plan, waiter, other);
        }
    }
}

/// Whoever invokes a new store waits there, for the clock or for an answer.
fn waits_in_store(random: &mut Random, plan: &mut Plan) {
    let other = random.below(plan.tasks.len() as u64) as usize;
    let core = plan.tasks[random.below(plan.tasks.len() as u64) as usize].core;
    let mut waiters: Vec<usize> = (0..plan.tasks.len()).collect();
    waiters.retain(|&at| at != other && plan.tasks[at].core == core && !leads_to(plan, at, other));
    while waiters.len() > 1 && random.chance(30) {
        waiters.swap_remove(random.below(waiters.len() as u64) as usize);
    }
    let Some(least) = waiters.iter().map(|&waiter| plan.tasks[waiter].period).min() else { return };
    let store = plan.stores.len();
    let protocols = ["inherited", "inherited", "fixed", "propagated"];
    let protocol = *random.pick(&protocols).expect("one of four");
    let protocol = if plan.is_by_deadline(waiters[0]) { "propagated" } else { protocol };
    let section = random.between(1, (least / 10).max(1));
    let method = pieces(random, section);
    plan.stores.push(Store { protocol, method });
    for &waiter in &waiters {
        insert(random, &mut plan.tasks[waiter].job, 0, Entry::Put(store));
    }
    let free = !matches!(plan.tasks[other].arrival, Arrival::Event { .. });
    let answers =
        free && random.chance(40) && !emits(plan, other) && !waits_for_anything(plan, other);
    let event = event_of(plan, Consumer::Store(store));
    insert(random, &mut plan.tasks[other].job, 0, Entry::Emit(event));
    let at = insert(random, &mut plan.stores[store].method, 0, Entry::Wait(event));
    if answers {
        let request = event_of(plan, Consumer::Task(other));
        plan.stores[store].method.insert(at, Entry::Emit(request));
        plan.tasks[other].arrival = Arrival::Event { event: request, named: true };
        plan.tasks[other].period = random.between(1, least / 3 + 1);
    } else if random.chance(85) {
        let least = plan.tasks[other].period * random.between(5, 25);
        let clock = |task: &Task| !matches!(task.arrival, Arrival::Event { .. });
        for waiter in waiters {
            let task = &mut plan.tasks[waiter];
            task.period = if clock(task) { task.period.max(least) } else { task.period };
        }
    }
}

fn emits(plan: &Plan, task: usize) -> bool {
    (0..plan.events.len()).any(|event| signals(plan, task, event) > 0)
}

fn waits_for_anything(plan: &Plan, task: usize) -> bool {
    plan.tasks[task].job.iter().any(|entry| matches!(entry, Entry::Wait(_)))
}

/// Returns `true` if signals of one task release another, perhaps over others, or let it go on.
fn leads_to(plan: &Plan, from: usize, to: usize) -> bool {
    let mut seen = vec![false; plan.tasks.len()];
    let mut ahead = vec![from];
    while let Some(at) = ahead.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            let next = (0..plan.events.len()).filter(|&event| signals(plan, at, event) > 0);
            ahead.extend(next.flat_map(|event| goes_on(plan, event)));
        }
    }
    false
}

/// Returns the tasks that an event releases or lets go on.
fn goes_on(plan: &Plan, event: usize) -> Vec<usize> {
    match plan.events[event] {
        Consumer::Task(task) => vec![task],
        Consumer::Store(store) => users(plan, store),
    }
}

fn users(plan: &Plan, store: usize) -> Vec<usize> {
    let uses = |&task: &usize| plan.tasks[task].job.contains(&Entry::Put(store));
    (0..plan.tasks.len()).filter(uses).collect()
}

fn event_of(plan: &mut Plan, consumer: Consumer) -> usize {
    plan.events.push(consumer);
    plan.events.len() - 1
}

/// A task waits for the next signal of one that has its own arrivals, mostly faster ones.
fn polls(random: &mut Random, plan: &mut Plan, waiter: usize, other: usize) {
    let event = event_of(plan, Consumer::Task(waiter));
    if random.chance(85) && !matches!(plan.tasks[waiter].arrival, Arrival::Event { .. }) {
        let least = plan.tasks[other].period * random.between(2, 7);
        plan.tasks[waiter].period = plan.tasks[waiter].period.max(least);
    }
    let times = *random.pick(&[1, 1, 2]).expect("one of three");
    for _ in 0..times {
        signal(random, plan, other, event);
    }
    for _ in 0..*random.pick(&[1, 1, 1, 2]).expect("one of four") {
        insert(random, &mut plan.tasks[waiter].job, 0, Entry::Wait(event));
    }
}

/// A task releases another one and waits for its answer.
fn asks(random: &mut Random, plan: &mut Plan, client: usize, server: usize) {
    let request = event_of(plan, Consumer::Task(server));
    let answer = event_of(plan, Consumer::Task(client));
    let job = &mut plan.tasks[client].job;
    let at = insert(random, job, 0, Entry::Emit(request));
    insert(random, job, at + 1, Entry::Wait(answer));
    insert(random, &mut plan.tasks[server].job, 0, Entry::Emit(answer));
    let period = plan.tasks[client].period;
    let apart = if random.chance(85) {
        random.between(1, period / 2 + 1)
    } else {
        plan.tasks[server].period
    };
    plan.tasks[server].period = apart;
    plan.tasks[server].arrival = Arrival::Event { event: request, named: true };
}

/// Different ones mostly, some equal, and in some systems those that deadlines give.
fn priorities(random: &mut Random, plan: &mut Plan) {
    if random.chance(20) {
        return;
    }
    let levels = if random.chance(20) { 2 } else { plan.tasks.len() as u64 };
    let mut all: Vec<u64> = (0..plan.tasks.len() as u64).map(|at| 10 + at % levels).collect();
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at as u64 + 1) as usize);
    }
    for (task, priority) in plan.tasks.iter_mut().zip(all) {
        task.priority = (!plan.by_deadline[task.core]).then_some(priority);
    }
}

/// Draws the beginning of a chain: often a signal that releases a task.
fn start(random: &mut Random, plan: &Plan) -> usize {
    let releases = |task: usize| {
        plan.tasks.iter().any(|other| match other.arrival {
            Arrival::Event { event, .. } => signals(plan, task, event) > 0,
            _ => false,
        })
    };
    let emitters: Vec<usize> = (0..plan.tasks.len()).filter(|&task| releases(task)).collect();
    let emitter = random.pick(&emitters).copied().filter(|_| random.chance(60));
    emitter.unwrap_or_else(|| random.below(plan.tasks.len() as u64) as usize)
}

/// Memory between tasks, and chains along events, memory and stores.
fn links(random: &mut Random, plan: &mut Plan) {
    let count = plan.tasks.len();
    let by_event = |plan: &Plan, from: usize, to: usize| match plan.tasks[to].arrival {
        Arrival::Event { event, .. } => signals(plan, from, event) > 0,
        _ => false,
    };
    for from in 0..count {
        for to in 0..count {
            if from != to && !by_event(plan, from, to) && random.chance(30) {
                plan.memory.push((from, to));
            }
        }
    }
    for _ in 0..3 {
        let mut way = vec![start(random, plan)];
        let mut name = format!("t{}", way[0]);
        for _ in 0..random.below(4) {
            let last = way[way.len() - 1];
            let next: Vec<usize> = (0..count)
                .filter(|&to| !way.contains(&to))
                .filter(|&to| by_event(plan, last, to) || plan.memory.contains(&(last, to)))
                .collect();
            let events: Vec<usize> =
                next.iter().copied().filter(|&to| by_event(plan, last, to)).collect();
            let preferred = random.pick(&events).copied().filter(|_| random.chance(70));
            let Some(to) = preferred.or_else(|| random.pick(&next).copied()) else { break };
            way.push(to);
            name += &format!(" -> t{to}");
        }
        plan.chains.push(name);
    }
}
