//! Drawn systems, and their descriptions.

use fusee_generate::Random;
use fusee_model::{
    Body, Component, ComponentId, Duration, Gate, GateId, Lock, Method, Origin, Policy,
    PrioritySource, Protocol, Release, ReleaseKind, Settings, Sourced, Step, System,
};

/// An operation of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Work(u64),
    /// At a global gate.
    Ask(usize),
    /// Into the local gate.
    Enter,
    /// Out of the gate it is in.
    Leave,
}

#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) core: usize,
    /// On its core nobody else has it.
    pub(crate) priority: u64,
    pub(crate) period: u64,
    pub(crate) deadline: u64,
    pub(crate) offset: u64,
    pub(crate) script: Vec<Op>,
}

#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    /// The policy of each core.
    pub(crate) policies: Vec<Policy>,
    /// The protocol of the gates between cores.
    pub(crate) protocol: Protocol,
    pub(crate) cores: usize,
    pub(crate) gates: usize,
    /// The protocol of each core's own gate.
    pub(crate) locals: Vec<Protocol>,
    pub(crate) tasks: Vec<Task>,
}

/// The longest section.
const LONGEST: u64 = 4;

impl Drawn {
    /// Two to four cores with one to four tasks each. Few different numbers, so that much falls
    /// together.
    pub(crate) fn draw(dice: &mut Random, protocol: Protocol) -> Drawn {
        let (cores, gates) = (2 + dice.below(3) as usize, 1 + dice.below(2) as usize);
        Drawn::of(dice, protocol, (cores, gates))
    }

    /// The same by deadlines, half of which are before the end of the period. Between cores is
    /// `msrp`, or nothing; local gates are `srp` or non-preemptive.
    pub(crate) fn draw_deadlines(dice: &mut Random, is_shared: bool) -> Drawn {
        let (cores, gates) = (2 + dice.below(3) as usize, 1 + dice.below(2) as usize);
        let gates = if is_shared { gates } else { 0 };
        let mut drawn = Drawn::of(dice, Protocol::Msrp, (cores, gates));
        (0..cores).for_each(|core| drawn.goes_by_deadlines(dice, core));
        drawn
    }

    /// The same with `msrp` between cores of both policies.
    pub(crate) fn draw_both(dice: &mut Random) -> Drawn {
        let (cores, gates) = (2 + dice.below(3) as usize, 1 + dice.below(2) as usize);
        let mut drawn = Drawn::of(dice, Protocol::Msrp, (cores, gates));
        let first = dice.below(2) as usize;
        (first..cores).step_by(2).for_each(|core| drawn.goes_by_deadlines(dice, core));
        drawn
    }

    /// Deadlines decide on a core.
    fn goes_by_deadlines(&mut self, dice: &mut Random, core: usize) {
        self.policies[core] = Policy::EarliestDeadline;
        for task in self.tasks.iter_mut().filter(|task| task.core == core) {
            task.deadline -= dice.below(2) * dice.below(task.period / 2);
        }
        let all = [Protocol::Srp, Protocol::Srp, Protocol::NonPreemptive];
        self.locals[core] = all[dice.below(3) as usize];
    }

    fn of(dice: &mut Random, protocol: Protocol, (cores, gates): (usize, usize)) -> Drawn {
        let mut tasks = Vec::new();
        for core in 0..cores {
            let count = 1 + dice.below(4);
            let mut priorities: Vec<u64> = (1..=5).collect();
            for _ in 0..count {
                let priority = priorities.remove(dice.below(priorities.len() as u64) as usize);
                let period = 8 + 4 * dice.below(8);
                let (offset, script) = (dice.below(10), script(dice, gates, protocol));
                let deadline = period;
                tasks.push(Task { core, priority, period, deadline, offset, script });
            }
        }
        let (policies, locals) = (vec![Policy::FixedPriority; cores], vec![Protocol::Fixed; cores]);
        Drawn { policies, protocol, cores, gates, locals, tasks }
    }

    /// The highest priority of a gate's users on some cores.
    pub(crate) fn highest(&self, gate: usize, on: impl Fn(usize) -> bool) -> u64 {
        let uses = |task: &&Task| on(task.core) && task.script.contains(&Op::Ask(gate));
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    /// Returns the highest priority of a local gate's users.
    pub(crate) fn local_ceiling(&self, core: usize) -> u64 {
        let uses = |task: &&Task| task.core == core && task.script.contains(&Op::Enter);
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    /// Returns the shortest relative deadline of a local gate's users.
    pub(crate) fn shortest(&self, core: usize) -> u64 {
        let uses = |task: &&Task| task.core == core && task.script.contains(&Op::Enter);
        self.tasks.iter().filter(uses).map(|task| task.deadline).min().unwrap_or(u64::MAX)
    }

    /// Returns `true` if some task of a core asks at a gate inside the local one.
    fn is_inside(&self, gate: usize, core: usize) -> bool {
        self.inside(core).any(|(inside, _)| inside == gate)
    }

    fn of_core(&self, core: usize) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(move |task| task.core == core)
    }

    /// Returns the ceiling of a gate on a core under mrsp: its highest user there, and whoever may
    /// wait for the local gate in which one of them asks.
    pub(crate) fn ceiling(&self, gate: usize, core: usize) -> u64 {
        let raised = if self.is_inside(gate, core) { self.local_ceiling(core) } else { 0 };
        self.highest(gate, |other| other == core).max(raised)
    }

    /// Returns the description: a component with all tasks, one behind each gate, and a method for
    /// each length of a section. The gates between cores come first, then each core's own, with a
    /// method more for each way in which its tasks ask inside.
    pub(crate) fn system(&self) -> System {
        let gates = self.gates + self.cores;
        System {
            name: "drawn".to_owned(),
            tasks: self.tasks.iter().enumerate().map(|(at, task)| self.task(at, task)).collect(),
            components: (0..=gates).map(|at| self.component(at)).collect(),
            gates: (0..gates).map(|at| self.gate(at)).collect(),
            settings: Settings {
                core_policies: (0..).zip(self.policies.iter().copied().map(sourced)).collect(),
                ..Settings::default()
            },
            ..System::default()
        }
    }

    /// Returns `true` if the gates between cores are mutexes, which asks nobody anything: half of
    /// them under the protocol that mutexes have.
    fn has_mutexes(&self) -> bool {
        self.protocol == Protocol::Msrp && self.tasks.len().is_multiple_of(2)
    }

    /// Returns the component of all tasks, or the one behind a gate.
    fn component(&self, at: usize) -> Component {
        let mut component = component(at);
        if (1..=self.gates).contains(&at) && self.has_mutexes() {
            component.code.locks.push(Lock::mutex("g".to_owned()));
        }
        component
    }

    fn task(&self, at: usize, task: &Task) -> fusee_model::Task {
        let period = sourced(Duration(task.period));
        let release = Release {
            kind: ReleaseKind::Periodic,
            period,
            offset: Duration(task.offset),
            jitter: sourced(Duration::ZERO),
        };
        let sections = sections(&task.script);
        let steps = sections.map(|section| self.step(task.core, section)).collect();
        fusee_model::Task {
            name: format!("t{at}"),
            component: ComponentId::from(0),
            release: Some(release),
            deadline: Some(sourced(Duration(task.deadline))),
            priority: sourced(task.priority as u8),
            priority_source: PrioritySource::Given,
            core: task.core as u32,
            budget: None,
            body: body(steps),
            origin: Origin::NONE,
        }
    }

    fn step(&self, core: usize, section: Section) -> Step {
        let invoke = |gate: usize, method: usize| {
            let (gate, method) = (GateId::from(gate), Some(method));
            Step::Invoke { gate, method, lock: None, origin: Origin::NONE }
        };
        match section {
            Section::None(time) => compute(time),
            Section::Global(gate, time) => invoke(gate, time as usize - 1),
            Section::Local(time) => invoke(self.gates + core, time as usize - 1),
            Section::Inside(gate, time) => {
                let number = self.inside(core).position(|inside| inside == (gate, time));
                invoke(self.gates + core, LONGEST as usize + number.expect("it is one of them"))
            }
        }
    }

    /// Iterates over the requests of a core's tasks inside its local gate: the gate, and the
    /// length.
    fn inside(&self, core: usize) -> impl Iterator<Item = (usize, u64)> {
        let all = self.of_core(core).flat_map(|task| sections(&task.script));
        all.filter_map(|section| match section {
            Section::Inside(gate, time) => Some((gate, time)),
            _ => None,
        })
    }

    fn gate(&self, at: usize) -> Gate {
        let method = |(name, steps): (String, Vec<Step>)| {
            let (body, origin) = (body(steps), Origin::NONE);
            Method { name, body, origin }
        };
        let mut methods: Vec<_> =
            (1..=LONGEST).map(|time| (format!("takes{time}"), vec![compute(time)])).collect();
        let core = at.checked_sub(self.gates);
        for (gate, time) in core.into_iter().flat_map(|core| self.inside(core)) {
            let asks = self.step(0, Section::Global(gate, time));
            methods.push((format!("asks{}", methods.len()), vec![compute(1), asks, compute(1)]));
        }
        Gate {
            name: format!("c{}.g", at + 1),
            component: ComponentId::from(at + 1),
            interface: "g".to_owned(),
            protocol: sourced(core.map_or(self.protocol, |core| self.locals[core])),
            given_ceiling: None,
            methods: methods.into_iter().map(method).collect(),
            direct: false,
            given_threads: None,
            origin: Origin::NONE,
        }
    }
}

/// A piece of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    None(u64),
    Global(usize, u64),
    Local(u64),
    /// At a global gate inside the local one, with a tick before and after it.
    Inside(usize, u64),
}

/// Returns the pieces of a script.
fn sections(script: &[Op]) -> impl Iterator<Item = Section> {
    let mut rest = script;
    std::iter::from_fn(move || {
        let (section, length) = match *rest {
            [] => return None,
            [Op::Enter, Op::Work(1), Op::Ask(gate), Op::Work(time), ..] => {
                (Section::Inside(gate, time), 7)
            }
            [Op::Enter, Op::Work(time), ..] => (Section::Local(time), 3),
            [Op::Ask(gate), Op::Work(time), ..] => (Section::Global(gate, time), 3),
            [Op::Work(time), ..] => (Section::None(time), 1),
            ref other => unreachable!("{other:?}"),
        };
        rest = &rest[length..];
        Some(section)
    })
}

fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::NONE }
}

fn compute(time: u64) -> Step {
    Step::Compute { best: Duration(time), worst: Duration(time) }
}

fn body(steps: Vec<Step>) -> Body {
    Body { steps, wcet_origin: Some(Origin::NONE), ..Body::default() }
}

fn component(at: usize) -> Component {
    Component {
        name: format!("c{at}"),
        kind: "C".to_owned(),
        control: at == 0,
        hardware: false,
        domain: 0.into(),
        on_fault: fusee_model::OnFault::Continue,
        startup: None,
        dependencies: false,
        trusted: true,
        lock_component: None,
        interfaces: Vec::new(),
        attributes: Vec::new(),
        code: fusee_model::Code::default(),
        origin: Origin::NONE,
    }
}

/// Work and sections in any order. Who may be suspended at a global gate could find a local one
/// held, so under mpcp there is none.
fn script(dice: &mut Random, gates: usize, protocol: Protocol) -> Vec<Op> {
    let mut script = Vec::new();
    for _ in 0..1 + dice.below(3) {
        if dice.below(2) == 0 {
            script.push(Op::Work(1 + dice.below(3)));
        }
        let local = gates == 0 || protocol != Protocol::Mpcp && dice.below(4) == 0;
        let (gate, length) = (dice.below(gates.max(1) as u64) as usize, 1 + dice.below(LONGEST));
        let asks = [Op::Ask(gate), Op::Work(length), Op::Leave];
        match dice.below(3) {
            0 => continue,
            chosen if local && (chosen == 1 || gates == 0) => {
                script.extend([Op::Enter, Op::Work(length), Op::Leave])
            }
            _ if local => {
                script.extend([Op::Enter, Op::Work(1)]);
                script.extend(asks);
                script.extend([Op::Work(1), Op::Leave]);
            }
            _ => script.extend(asks),
        }
    }
    if script.is_empty() {
        script.push(Op::Work(1));
    }
    script
}
