//! Drawn systems, and their descriptions.

use fusee_model::{
    Body, Component, ComponentId, Duration, Gate, GateId, Method, Origin, PrioritySource, Protocol,
    Release, ReleaseKind, Sourced, Step, System,
};

/// SplitMix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }
}

/// What a job does.
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
    pub(crate) offset: u64,
    pub(crate) script: Vec<Op>,
}

#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) protocol: Protocol,
    pub(crate) cores: usize,
    pub(crate) gates: usize,
    pub(crate) tasks: Vec<Task>,
}

/// The longest section.
const LONGEST: u64 = 4;

impl Drawn {
    /// Two to four cores with one to four tasks each. Few different numbers, so that much falls
    /// together.
    pub(crate) fn draw(dice: &mut Dice, protocol: Protocol) -> Drawn {
        let (cores, gates) = (2 + dice.below(3) as usize, 1 + dice.below(2) as usize);
        let mut tasks = Vec::new();
        for core in 0..cores {
            let count = 1 + dice.below(4);
            let mut priorities: Vec<u64> = (1..=5).collect();
            for _ in 0..count {
                let priority = priorities.remove(dice.below(priorities.len() as u64) as usize);
                let period = 8 + 4 * dice.below(8);
                let (offset, script) = (dice.below(10), script(dice, gates, protocol));
                tasks.push(Task { core, priority, period, offset, script });
            }
        }
        Drawn { protocol, cores, gates, tasks }
    }

    /// The highest priority of a gate's users on some cores.
    pub(crate) fn highest(&self, gate: usize, on: impl Fn(usize) -> bool) -> u64 {
        let uses = |task: &&Task| on(task.core) && task.script.contains(&Op::Ask(gate));
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    /// The highest priority of a local gate's users.
    pub(crate) fn local_ceiling(&self, core: usize) -> u64 {
        let uses = |task: &&Task| task.core == core && task.script.contains(&Op::Enter);
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    /// The description: a component with all tasks, one behind each gate, and a method for each
    /// length of a section. The gates between cores come first, then each core's own.
    pub(crate) fn system(&self) -> System {
        let gates = self.gates + self.cores;
        let protocol =
            |gate: usize| if gate < self.gates { self.protocol } else { Protocol::Fixed };
        System {
            name: "drawn".to_owned(),
            tasks: self.tasks.iter().enumerate().map(|(at, task)| self.task(at, task)).collect(),
            components: (0..=gates).map(component).collect(),
            gates: (0..gates).map(|at| gate(at, protocol(at))).collect(),
            cores: self.cores as u32,
            ..System::default()
        }
    }

    fn task(&self, at: usize, task: &Task) -> fusee_model::Task {
        let period = sourced(Duration(task.period));
        let release = Release {
            kind: ReleaseKind::Periodic,
            period,
            offset: Duration(task.offset),
            jitter: sourced(Duration::ZERO),
        };
        let mut steps = Vec::new();
        let mut script = task.script.iter();
        while let Some(op) = script.next() {
            let gate = match *op {
                Op::Work(time) => {
                    steps.push(compute(time));
                    continue;
                }
                Op::Ask(gate) => gate,
                Op::Enter => self.gates + task.core,
                Op::Leave => unreachable!("taken with its section"),
            };
            let (Some(Op::Work(time)), Some(Op::Leave)) = (script.next(), script.next()) else {
                unreachable!("a section is some work")
            };
            let (gate, method) = (GateId::from(gate), Some(*time as usize - 1));
            steps.push(Step::Invoke { gate, method, origin: Origin::NONE });
        }
        fusee_model::Task {
            name: format!("t{at}"),
            component: ComponentId::from(0),
            release: Some(release),
            deadline: Some(period),
            priority: sourced(task.priority as u8),
            priority_source: PrioritySource::Given,
            core: task.core as u32,
            budget: None,
            body: body(steps),
            origin: Origin::NONE,
        }
    }
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
        interfaces: Vec::new(),
        attributes: Vec::new(),
        code: fusee_model::Code::default(),
        origin: Origin::NONE,
    }
}

fn gate(at: usize, protocol: Protocol) -> Gate {
    let method = |time: u64| Method {
        name: format!("takes{time}"),
        body: body(vec![compute(time)]),
        origin: Origin::NONE,
    };
    Gate {
        name: format!("c{}.g", at + 1),
        component: ComponentId::from(at + 1),
        interface: "g".to_owned(),
        protocol: sourced(protocol),
        given_ceiling: None,
        methods: (1..=LONGEST).map(method).collect(),
        direct: false,
        given_threads: None,
        origin: Origin::NONE,
    }
}

/// Work and sections in any order. Who may be suspended at a global gate could find a local one
/// held, so under mpcp there is none.
fn script(dice: &mut Dice, gates: usize, protocol: Protocol) -> Vec<Op> {
    let mut script = Vec::new();
    for _ in 0..1 + dice.below(3) {
        if dice.below(2) == 0 {
            script.push(Op::Work(1 + dice.below(3)));
        }
        let local = protocol != Protocol::Mpcp && dice.below(4) == 0;
        match dice.below(3) {
            0 => continue,
            _ if local => script.push(Op::Enter),
            _ => script.push(Op::Ask(dice.below(gates as u64) as usize)),
        }
        script.push(Op::Work(1 + dice.below(LONGEST)));
        script.push(Op::Leave);
    }
    if script.is_empty() {
        script.push(Op::Work(1));
    }
    script
}
