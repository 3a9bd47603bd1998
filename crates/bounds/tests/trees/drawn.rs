//! Random systems with schedulers that are components.

use fusee_generate::Random;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute, sourced};

/// A drawn system, in the order of its tasks.
struct Draft {
    builder: Builder,
    schedulers: Vec<Scheduler>,
    /// The changes to each task: its release, its deadline, a quantum.
    tasks: Vec<Changed>,
    gates: usize,
    /// Gates for threads of one tree.
    shared: Vec<usize>,
    /// Those of them that are found free, which anybody may use.
    free: Vec<usize>,
}

#[derive(Clone, Copy)]
enum Changed {
    Scheduler { quantum: u64 },
    Thread { kind: ReleaseKind, jitter: u64, deadline: u64 },
}

const CHOOSERS: [Algorithm; 3] =
    [Algorithm::FixedPriority, Algorithm::EarliestDeadline, Algorithm::RoundRobin];

/// Those of roots.
const ROOTS: [Algorithm; 4] = [CHOOSERS[0], CHOOSERS[1], CHOOSERS[2], Algorithm::DeferrableServer];

/// System `index` of `seed`.
pub(crate) fn system(seed: u64, index: u64) -> System {
    let random = &mut Random::new(seed, index);
    let (mut draft, share) = Draft::begun(random);
    for _ in 0..=random.below(4) / 3 {
        let priority = random.between(1, 3) as Priority * 10;
        if random.chance(60) {
            let root = draft.scheduler(Algorithm::Partitions, priority);
            draft.table(random, (root, 0), share);
        } else if let Some(&algorithm) = random.pick(&ROOTS) {
            let root = draft.scheduler(algorithm, priority);
            draft.choose(random, root, share / 2);
        }
    }
    draft.finish(random)
}

/// Returns a system with one tree, whose threads share gates, with tasks above it where that may
/// be.
pub(crate) fn sharing(seed: u64, index: u64) -> System {
    shared_by(Protocol::Inherited, seed, index)
}

/// The same at gates of the priority ceiling protocol.
pub(crate) fn barring(seed: u64, index: u64) -> System {
    shared_by(Protocol::Ceiling, seed, index)
}

fn shared_by(protocol: Protocol, seed: u64, index: u64) -> System {
    let random = &mut Random::new(seed, index);
    let (mut draft, share) = Draft::begun(random);
    draft.share(random, protocol);
    let priority = random.between(1, 3) as Priority * 10;
    if random.chance(50) {
        let root = draft.scheduler(Algorithm::Partitions, priority);
        draft.table(random, (root, 0), share);
    } else if let Some(&algorithm) = random.pick(&CHOOSERS) {
        let root = draft.scheduler(algorithm, priority);
        draft.choose(random, root, share / 2);
        for _ in 0..random.below(3) {
            let period = random.between(8, 60);
            let steps = draft.steps(random, (period * share / 400).max(1));
            let above = priority + random.between(1, 5) as Priority;
            let kind = ReleaseKind::Periodic;
            let changed = Changed::Thread { kind, jitter: 0, deadline: period };
            draft.add(above, (period, &steps), changed);
        }
    }
    draft.finish(random)
}

/// Returns a system with a tree or two, whose threads share gates that are found free with tasks
/// above and below; perhaps threads of the first share others that inherit.
pub(crate) fn holding(seed: u64, index: u64) -> System {
    let random = &mut Random::new(seed, index);
    let (mut draft, share) = Draft::begun(random);
    draft.free(random);
    for number in 0..=random.below(4) / 3 {
        if number > 0 {
            draft.shared = draft.free.clone();
        }
        let priority = random.between(1, 3) as Priority * 10;
        if random.chance(60) {
            let root = draft.scheduler(Algorithm::Partitions, priority);
            draft.table(random, (root, 0), share);
        } else if let Some(&algorithm) = random.pick(&CHOOSERS) {
            let root = draft.scheduler(algorithm, priority);
            draft.choose(random, root, share / 2);
        }
    }
    draft.shared = draft.free.clone();
    for _ in 0..random.below(3) {
        let period = random.between(8, 60);
        let steps = draft.steps(random, (period * share / 400).max(1));
        let changed = Changed::Thread { kind: ReleaseKind::Periodic, jitter: 0, deadline: period };
        draft.add(random.between(1, 7) as Priority * 5, (period, &steps), changed);
    }
    draft.finish(random)
}

/// The same where each tree is a server's.
pub(crate) fn served(seed: u64, index: u64) -> System {
    let random = &mut Random::new(seed, index);
    let (mut draft, share) = Draft::begun(random);
    for _ in 0..=random.below(4) / 3 {
        let priority = random.between(1, 3) as Priority * 10;
        let root = draft.scheduler(Algorithm::DeferrableServer, priority);
        draft.choose(random, root, share / 2);
    }
    draft.finish(random)
}

/// The same where threads of a tree have time of their own, whose releases may be late; perhaps
/// others share gates, and perhaps there is another tree.
pub(crate) fn serving(seed: u64, index: u64) -> System {
    let random = &mut Random::new(seed, index);
    let (mut draft, share) = Draft::begun(random);
    if random.chance(30) {
        draft.share(random, Protocol::Inherited);
    }
    let priority = random.between(1, 3) as Priority * 10;
    let root = draft.scheduler(Algorithm::PriorityServers, priority);
    draft.serve(random, root, share / 2);
    if draft.shared.is_empty() && random.chance(40) {
        let priority = random.between(1, 3) as Priority * 10;
        let algorithm = *random.pick(&ROOTS).expect("there are some");
        let root = draft.scheduler(algorithm, priority);
        draft.choose(random, root, share / 3);
    }
    draft.finish(random)
}

impl Draft {
    /// Gates and tasks of the kernel's own, and how much of the core all may ask for, in percent.
    fn begun(random: &mut Random) -> (Self, u64) {
        let gates = random.below(2) as usize;
        let mut builder = Builder::default();
        for _ in 0..gates {
            let protocol = if random.chance(50) { Protocol::Inherited } else { Protocol::Fixed };
            builder = builder.gate(protocol, &[compute(random.between(1, 3))]);
        }
        let (schedulers, tasks) = (Vec::new(), Vec::new());
        let mut draft =
            Draft { builder, schedulers, tasks, gates, shared: Vec::new(), free: Vec::new() };
        let share = random.between(10, 90);
        for _ in 0..random.below(4) {
            draft.kernels(random, share);
        }
        (draft, share)
    }

    /// Gates of a tree's threads, each perhaps with a call of the one before it.
    fn share(&mut self, random: &mut Random, protocol: Protocol) {
        for number in 0..=random.below(3) as usize {
            let gate = self.gates + number;
            let mut steps = vec![compute(random.between(1, 4))];
            if number > 0 && random.chance(40) {
                steps.push(call(gate - 1));
            }
            let builder = std::mem::take(&mut self.builder);
            self.builder = builder.gate(protocol, &steps);
            self.shared.push(gate);
        }
    }

    /// Gates of which some are found free, each perhaps with a call of one before it: inside of one
    /// that is found free all are.
    fn free(&mut self, random: &mut Random) {
        for number in 0..=random.below(3) as usize {
            let gate = self.gates + number;
            let mut steps = vec![compute(random.between(1, 4))];
            let is_free = number == 0 || random.chance(70);
            let inner = if is_free { &self.free } else { &self.shared };
            if let Some(&inner) = random.pick(inner).filter(|_| random.chance(40)) {
                steps.push(call(inner));
            }
            let protocol = match (is_free, random.below(3)) {
                (false, _) => Protocol::Inherited,
                (true, 0) => Protocol::NonPreemptive,
                (true, 1) => Protocol::Srp,
                (true, _) => Protocol::Fixed,
            };
            let builder = std::mem::take(&mut self.builder);
            self.builder = builder.gate(protocol, &steps);
            self.shared.push(gate);
            if is_free {
                self.free.push(gate);
            }
        }
    }

    /// Returns the steps of a thread: it executes for so long, and perhaps calls a gate or two.
    fn steps(&self, random: &mut Random, need: u64) -> Vec<Step> {
        if self.shared.is_empty() {
            return vec![compute(need)];
        }
        let before = random.between(0, need);
        let mut steps = vec![compute(before)];
        for _ in 0..random.below(3) {
            steps.push(call(*random.pick(&self.shared).expect("there are some")));
        }
        steps.push(compute(need - before));
        steps
    }

    fn next(&self) -> TaskId {
        TaskId::from(self.tasks.len())
    }

    fn add(&mut self, priority: Priority, (period, steps): (u64, &[Step]), changed: Changed) {
        let builder = std::mem::take(&mut self.builder);
        self.builder = builder.task(priority, period, steps);
        self.tasks.push(changed);
    }

    /// A task of the kernel's own.
    fn kernels(&mut self, random: &mut Random, share: u64) {
        let period = random.between(8, 60);
        let mut steps = vec![compute((period * share / 400).max(1))];
        if self.gates > 0 && random.chance(60) {
            steps.push(call(0));
        }
        let kind = if random.chance(30) { ReleaseKind::Sporadic } else { ReleaseKind::Periodic };
        let jitter = if random.chance(30) { random.below(period / 2) } else { 0 };
        let priority = random.between(1, 7) as Priority * 5;
        self.add(priority, (period, &steps), Changed::Thread { kind, jitter, deadline: period });
    }

    fn scheduler(&mut self, algorithm: Algorithm, priority: Priority) -> TaskId {
        let task = self.next();
        self.add(priority, (1, &[]), Changed::Scheduler { quantum: 1 });
        let threads = Vec::new();
        self.schedulers.push(Scheduler {
            task,
            algorithm,
            threads,
            every: None,
            delegates: Vec::new(),
        });
        task
    }

    fn own(&mut self, scheduler: TaskId) -> &mut Scheduler {
        let own = self.schedulers.iter_mut().find(|own| own.task == scheduler);
        own.expect("it was added")
    }

    /// A thread that needs a share of the core, in percent.
    fn thread(&mut self, random: &mut Random, scheduler: TaskId, share: u64) {
        let period = random.between(8, 80);
        let need = (period * random.between(0, share) / 100).max(1);
        // Those that order by releases are exact about them.
        let algorithm = self.own(scheduler).algorithm;
        let by_priority = matches!(
            algorithm,
            Algorithm::FixedPriority | Algorithm::DeferrableServer | Algorithm::PriorityServers
        );
        let exact = by_priority || algorithm == Algorithm::EarliestDeadline;
        let late = !exact && random.chance(30);
        let jitter = if late { random.below(period / 2) } else { 0 };
        let by_event = by_priority && random.chance(30);
        let kind = match (late && random.chance(50)) || by_event {
            true => ReleaseKind::Sporadic,
            false => ReleaseKind::Periodic,
        };
        let deadline = random.between(period / 2, period).max(1);
        let task = self.next();
        let priority = random.between(1, 3) as Priority;
        let changed = Changed::Thread { kind, jitter, deadline };
        let steps = self.steps(random, need);
        self.add(priority, (period, &steps), changed);
        self.own(scheduler).threads.push(sourced(task));
    }

    fn choose(&mut self, random: &mut Random, scheduler: TaskId, share: u64) {
        if let Changed::Scheduler { quantum } = &mut self.tasks[scheduler.index()] {
            *quantum = random.between(1, 12);
        }
        for _ in 0..=random.below(3) {
            self.thread(random, scheduler, share);
        }
    }

    /// Threads of which some have time of their own, which may be too little.
    fn serve(&mut self, random: &mut Random, scheduler: TaskId, share: u64) {
        let (mut delegates, mut total) = (Vec::new(), 0);
        for number in 0..=random.below(4) {
            let to = self.next();
            if number > 0 && random.chance(40) {
                self.thread(random, scheduler, share);
                continue;
            }
            let period = random.between(8, 80);
            let need = (period * random.between(0, share) / 100).max(1);
            let jitter = if random.chance(30) { random.below(period) } else { 0 };
            let by_event = random.chance(50);
            let kind = if by_event { ReleaseKind::Sporadic } else { ReleaseKind::Periodic };
            let changed = Changed::Thread { kind, jitter, deadline: period };
            let priority = random.between(1, 3) as Priority;
            self.add(priority, (period, &[compute(need)]), changed);
            self.own(scheduler).threads.push(sourced(to));
            let amount = need * random.between(1, 4) + random.below(2);
            total += amount;
            delegates.push(Delegation { to, amount: sourced(Duration(amount)), priority });
        }
        let every = total + random.below(30);
        let own = self.own(scheduler);
        (own.every, own.delegates) = (Some(sourced(Duration(every))), delegates);
        if let Changed::Scheduler { quantum } = &mut self.tasks[scheduler.index()] {
            *quantum = random.between(1, 12);
        }
    }

    /// The table of a scheduler with what is in its slots.
    fn table(&mut self, random: &mut Random, (scheduler, depth): (TaskId, u32), share: u64) {
        let mut members = Vec::new();
        for _ in 0..=random.below(3) {
            let member = self.next();
            match random.below(6) {
                0..3 => self.thread(random, scheduler, share / 2),
                3 if depth < 2 => {
                    self.scheduler(Algorithm::Partitions, 1);
                    self.own(scheduler).threads.push(sourced(member));
                    self.table(random, (member, depth + 1), share / 2);
                }
                drawn => {
                    self.scheduler(CHOOSERS[drawn as usize % 3], 1);
                    self.own(scheduler).threads.push(sourced(member));
                    self.choose(random, member, share / 3);
                }
            }
            members.push(member);
        }
        let mut delegates = Vec::new();
        let mut total = 0;
        for _ in 0..=random.below(4) {
            let to = *random.pick(&members).expect("there are some");
            let amount = random.between(1, 8);
            total += amount;
            delegates.push(Delegation { to, amount: sourced(Duration(amount)), priority: 1 });
        }
        let every = total + random.below(1 + total / 2);
        let own = self.own(scheduler);
        (own.every, own.delegates) = (Some(sourced(Duration(every))), delegates);
    }

    fn finish(self, random: &mut Random) -> System {
        let mut system = self.builder.system();
        for (task, changed) in system.tasks.iter_mut().zip(&self.tasks) {
            match *changed {
                Changed::Scheduler { quantum } => {
                    (task.release, task.deadline) = (None, None);
                    let value = Value::Integer(quantum.into());
                    let quantum = Attribute { name: "quantum".into(), value, origin: Origin::NONE };
                    let look = Attribute { name: "look".into(), ..quantum.clone() };
                    let amount = |name: &str, amount: u64| Attribute {
                        name: name.into(),
                        value: Value::Integer(amount.into()),
                        origin: Origin::NONE,
                    };
                    let every = random.between(4, 30);
                    let capacity = amount("capacity", random.between(1, every));
                    let given = [quantum, look, amount("every", every), capacity];
                    system.components[task.component.index()].attributes.extend(given);
                }
                Changed::Thread { kind, jitter, deadline } => {
                    if let Some(release) = &mut task.release {
                        release.kind = kind;
                        release.jitter = sourced(Duration(jitter));
                        release.offset = Duration(random.below(10));
                    }
                    task.deadline = Some(sourced(Duration(deadline)));
                }
            }
        }
        system.schedulers = self.schedulers;
        system.schedulers.sort_by_key(|own| own.task);
        system
    }
}

/// A system in a few lines, to be read.
pub(crate) fn text(system: &System) -> String {
    let mut text = String::new();
    for (id, task) in system.task_ids() {
        let above = system.scheduler_of(id).map(|own| own.task.index());
        let release = task.release.as_ref().map(|release| {
            let (period, jitter) = (release.period.value.ns(), release.jitter.value.ns());
            (release.kind, period, release.offset.ns(), jitter)
        });
        let deadline = task.deadline.map(|deadline| deadline.value.ns());
        let steps = &task.body.steps;
        text += &format!("{} priority {}", id.index(), task.priority.value);
        text += &format!(" below {above:?} {release:?} due {deadline:?} {steps:?}\n");
    }
    for own in &system.schedulers {
        let slots: Vec<_> =
            own.delegates.iter().map(|gift| (gift.to.index(), gift.amount.value.ns())).collect();
        let every = own.every.map(|every| every.value.ns());
        text += &format!("{} {:?} {slots:?} in {every:?}\n", own.task.index(), own.algorithm);
    }
    for gate in &system.gates {
        text += &format!("{:?} {:?}\n", gate.protocol.value, gate.methods[0].body.steps);
    }
    text
}
