//! Earliest deadline first on drawn systems, beside a simulator in unit steps.
//!
//! The simulator goes on in unit steps, computes every effective deadline anew from the rules each
//! time it asks, and shares no code with the kernel: no queue, no tree, no floor in a frame. Kernel
//! paths take no time here, so both must give the same schedule. After each event the kernel also
//! checks its own state.

use std::collections::VecDeque;

use fusee_explorer::{Store, Tape};
use fusee_kernel::{
    Capability, ComponentConfig, ComponentIndex, EarliestDeadline, Event, GateConfig, GateIndex,
    GateKind, Kernel, Kind, Mutation, NEVER, OnFault, Protocol, Release, Tables, ThreadConfig,
    Time,
};

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Work,
    Enter(usize),
    Leave,
}

#[derive(Debug, Clone)]
struct Task {
    period: Time,
    offset: Time,
    deadline: Time,
    script: Vec<Op>,
}

#[derive(Debug, Clone)]
struct Drawn {
    tasks: Vec<Task>,
    gates: Vec<Protocol>,
    slice: Time,
}

const BACKLOG: u16 = 3;
const END: Time = 80;

impl Drawn {
    fn draw(dice: &mut Dice, only_floors: bool) -> Drawn {
        let gates = 1 + dice.below(3) as usize;
        let tasks = (0..2 + dice.below(4)).map(|_| Task::draw(dice, gates)).collect::<Vec<_>>();
        let kinds = if only_floors { 2 } else { 4 };
        let gates = (0..gates)
            .map(|gate| match dice.below(kinds) {
                0 => Protocol::Srp { ceiling: level(&tasks, shortest(&tasks, gate)) },
                1 => Protocol::NonPreemptive,
                2 => Protocol::Inherited,
                _ => Protocol::Fifo,
            })
            .collect();
        Drawn { tasks, gates, slice: [NEVER, 1, 2][dice.below(3) as usize] }
    }
}

/// The shortest relative deadline of a gate's users.
fn shortest(tasks: &[Task], gate: usize) -> Time {
    let uses = |task: &&Task| task.script.contains(&Op::Enter(gate));
    tasks.iter().filter(uses).map(|task| task.deadline).min().unwrap_or(NEVER)
}

/// The preemption level of a relative deadline: how many of the tasks have a longer one.
fn level(tasks: &[Task], deadline: Time) -> u8 {
    tasks.iter().filter(|task| task.deadline > deadline).count() as u8
}

impl Task {
    fn draw(dice: &mut Dice, gates: usize) -> Task {
        let mut script = Vec::new();
        let mut held = Vec::new();
        for _ in 0..1 + dice.below(3) {
            script.extend(std::iter::repeat_n(Op::Work, dice.below(3) as usize));
            let next = held.last().map_or(0, |gate| gate + 1) + dice.below(2) as usize;
            if next < gates && dice.below(3) > 0 {
                held.push(next);
                script.push(Op::Enter(next));
                script.extend(std::iter::repeat_n(Op::Work, dice.below(3) as usize));
            }
            if dice.below(2) == 0 && held.pop().is_some() {
                script.push(Op::Leave);
            }
        }
        script.extend(held.iter().map(|_| Op::Leave));
        // Few different numbers, so that deadlines are often equal.
        if dice.below(3) > 0 {
            let [period, deadline] = [0, 0].map(|_| 8 + 4 * dice.below(3));
            return Task { period, offset: 4 * dice.below(3), deadline, script };
        }
        let period = 6 + dice.below(14);
        let deadline = [2 + dice.below(period), period, period / 2, NEVER]
            [(dice.below(9) / 3 + dice.below(2)) as usize];
        Task { period, offset: dice.below(8), deadline, script }
    }
}

/// Who runs in each tick, and every completion: when, whose, and its response time.
#[derive(Debug, Default, PartialEq, Eq)]
struct Schedule {
    ticks: Vec<Option<usize>>,
    completions: Vec<(Time, usize, Time)>,
}

// The simulator.

#[derive(Debug, Clone, Default)]
struct Job {
    /// Nominal arrivals, that of the job under way first.
    arrivals: VecDeque<Time>,
    at: usize,
    /// Gates held, and the deadline that each brings by itself.
    held: Vec<(usize, Time)>,
    waits: Option<usize>,
    /// Place among equals, in the ready queue or at a gate.
    place: i64,
    slice: Time,
}

struct Simulator<'d> {
    system: &'d Drawn,
    jobs: Vec<Job>,
    effective: Vec<Time>,
    running: Option<usize>,
    front: i64,
    back: i64,
    now: Time,
    blocked: bool,
}

impl Simulator<'_> {
    fn run(system: &Drawn) -> (Schedule, bool) {
        let jobs = vec![Job::default(); system.tasks.len()];
        let effective = vec![NEVER; jobs.len()];
        let mut simulator = Simulator {
            system,
            jobs,
            effective,
            running: None,
            front: 0,
            back: 0,
            now: 0,
            blocked: false,
        };
        let mut schedule = Schedule::default();
        while simulator.now < END {
            let mut due = (0..system.tasks.len())
                .filter(|&task| simulator.is_due(task))
                .collect::<VecDeque<_>>();
            loop {
                match simulator.running {
                    Some(task) if simulator.op(task) != Some(Op::Work) => {
                        simulator.step(task, &mut schedule)
                    }
                    _ if !due.is_empty() => {
                        due.pop_front().into_iter().for_each(|task| simulator.release(task))
                    }
                    Some(task) if simulator.jobs[task].slice == 0 => simulator.rotate(task),
                    _ => break,
                }
                simulator.settle();
            }
            schedule.ticks.push(simulator.running);
            if let Some(task) = simulator.running {
                simulator.jobs[task].at += 1;
                let slice = &mut simulator.jobs[task].slice;
                *slice = if *slice == NEVER { NEVER } else { *slice - 1 };
            }
            simulator.now += 1;
        }
        (schedule, simulator.blocked)
    }

    fn is_due(&self, task: usize) -> bool {
        let Task { period, offset, .. } = self.system.tasks[task];
        self.now >= offset && (self.now - offset).is_multiple_of(period)
    }

    fn op(&self, task: usize) -> Option<Op> {
        self.system.tasks[task].script.get(self.jobs[task].at).copied()
    }

    fn go_back(&mut self, task: usize) {
        self.back += 1;
        self.jobs[task].place = self.back;
    }

    fn go_front(&mut self, task: usize) {
        self.front -= 1;
        self.jobs[task].place = self.front;
    }

    fn release(&mut self, task: usize) {
        let job = &mut self.jobs[task];
        // The job under way does not count among those that wait.
        if job.arrivals.len() <= usize::from(BACKLOG) {
            job.arrivals.push_back(self.now);
        }
        if job.arrivals.len() == 1 {
            self.begin(task);
        }
    }

    fn begin(&mut self, task: usize) {
        self.jobs[task].at = 0;
        self.jobs[task].slice = self.system.slice;
        self.effective[task] = self.base(task);
        self.go_back(task);
    }

    fn base(&self, task: usize) -> Time {
        self.jobs[task]
            .arrivals
            .front()
            .map_or(NEVER, |at| at.saturating_add(self.system.tasks[task].deadline))
    }

    fn holder(&self, gate: usize) -> Option<usize> {
        (0..self.jobs.len()).find(|&task| self.jobs[task].held.iter().any(|held| held.0 == gate))
    }

    fn take(&mut self, task: usize, gate: usize) {
        let own = match self.system.gates[gate] {
            Protocol::Srp { .. } => self.now.saturating_add(shortest(&self.system.tasks, gate)),
            Protocol::NonPreemptive => 0,
            _ => NEVER,
        };
        self.jobs[task].held.push((gate, own));
        self.jobs[task].at += 1;
    }

    fn step(&mut self, task: usize, schedule: &mut Schedule) {
        match self.op(task) {
            Some(Op::Enter(gate)) if self.holder(gate).is_none() => self.take(task, gate),
            Some(Op::Enter(gate)) => {
                self.blocked = true;
                self.jobs[task].waits = Some(gate);
                self.go_back(task);
                self.running = None;
            }
            Some(Op::Leave) => {
                self.jobs[task].at += 1;
                let gate = self.jobs[task].held.pop().expect("a gate").0;
                self.hand_on(gate);
            }
            Some(Op::Work) => {}
            None => {
                let arrival = self.jobs[task].arrivals.pop_front().expect("a job");
                schedule.completions.push((self.now, task, self.now - arrival));
                self.running = None;
                self.effective[task] = NEVER;
                if !self.jobs[task].arrivals.is_empty() {
                    self.begin(task);
                }
            }
        }
    }

    fn hand_on(&mut self, gate: usize) {
        let waiters = (0..self.jobs.len()).filter(|&task| self.jobs[task].waits == Some(gate));
        let fifo = self.system.gates[gate] == Protocol::Fifo;
        let rank =
            |&task: &usize| (if fifo { 0 } else { self.effective[task] }, self.jobs[task].place);
        if let Some(next) = waiters.min_by_key(rank) {
            self.jobs[next].waits = None;
            self.take(next, gate);
            if self.jobs[next].held.len() > 1 {
                self.go_front(next)
            } else {
                self.go_back(next)
            }
            self.effective[next] = self.derive()[next];
        }
    }

    /// All effective deadlines, from nothing.
    fn derive(&self) -> Vec<Time> {
        let active = |task: usize| !self.jobs[task].arrivals.is_empty();
        let mut of: Vec<Time> = (0..self.jobs.len()).map(|task| self.base(task)).collect();
        for _ in 0..of.len() {
            for task in 0..of.len() {
                for &(gate, own) in &self.jobs[task].held {
                    let inherits = self.system.gates[gate] != Protocol::Fifo;
                    let waits = |other: &usize| {
                        inherits && active(*other) && self.jobs[*other].waits == Some(gate)
                    };
                    let most =
                        (0..of.len()).filter(waits).map(|other| of[other]).min().unwrap_or(NEVER);
                    of[task] = of[task].min(own).min(most);
                }
            }
        }
        of
    }

    /// Effective deadlines take effect, then the earliest runs.
    fn settle(&mut self) {
        let derived = self.derive();
        for (task, &deadline) in derived.iter().enumerate() {
            if deadline != self.effective[task] {
                self.effective[task] = deadline;
                match self.jobs[task].waits {
                    // It queues anew, behind its equals there.
                    Some(gate) if self.system.gates[gate] != Protocol::Fifo => self.go_back(task),
                    Some(_) => {}
                    None if self.running != Some(task) => self.go_front(task),
                    None => {}
                }
            }
        }
        let ready = |task: &usize| {
            !self.jobs[*task].arrivals.is_empty() && self.jobs[*task].waits.is_none()
        };
        let rank = |task: &usize| (self.effective[*task], self.jobs[*task].place);
        let best = (0..self.jobs.len())
            .filter(ready)
            .filter(|&task| self.running != Some(task))
            .min_by_key(rank);
        match (self.running, best) {
            (Some(current), Some(best)) if self.effective[best] < self.effective[current] => {
                self.go_front(current);
                self.running = Some(best);
            }
            (None, best) => self.running = best,
            _ => {}
        }
    }

    fn rotate(&mut self, task: usize) {
        self.jobs[task].slice = self.system.slice;
        let floor = |gate: usize| {
            matches!(self.system.gates[gate], Protocol::Srp { .. } | Protocol::NonPreemptive)
        };
        let pinned = self.jobs[task].held.iter().any(|held| floor(held.0));
        let ready = |other: &usize| {
            *other != task
                && !self.jobs[*other].arrivals.is_empty()
                && self.jobs[*other].waits.is_none()
        };
        let equal = (0..self.jobs.len())
            .filter(ready)
            .any(|other| self.effective[other] == self.effective[task]);
        if equal && !pinned {
            self.go_back(task);
            self.running = None;
        }
    }
}

// The kernel.

/// A drawn system's tables: gate n is component n + 1, whose slots lead to all gates; so do the
/// homes'.
fn with_tables<T>(system: &Drawn, with: impl FnOnce(&Tables<'_>) -> T) -> T {
    let capabilities: Vec<Capability> =
        (0..system.gates.len()).map(|gate| Capability::Gate(GateIndex(gate as u16))).collect();
    let component = ComponentConfig { on_fault: OnFault::Continue, capabilities: &capabilities };
    let components = vec![component; system.gates.len() + 1];
    let gate = |(index, &protocol): (usize, &Protocol)| GateConfig {
        component: ComponentIndex(index as u16 + 1),
        protocol,
        stacks: 1,
        kind: GateKind::Interface,
    };
    let gates: Vec<GateConfig> = system.gates.iter().enumerate().map(gate).collect();
    let thread = |task: &Task| ThreadConfig {
        component: ComponentIndex(0),
        priority: level(&system.tasks, task.deadline),
        core: 0,
        release: Release::Periodic { period: task.period, offset: task.offset },
        deadline: task.deadline,
        budget: None,
    };
    let threads: Vec<ThreadConfig> = system.tasks.iter().map(thread).collect();
    let tables = Tables {
        threads: &threads,
        gates: &gates,
        notifications: &[],
        components: &components,
        interrupts: &[],
        depth: 4,
        chain: 16,
        backlog: BACKLOG,
        time_slice: system.slice,
        cores: 1,
        levels: 8,
    };
    with(&tables)
}

fn drive(system: &Drawn, tables: &Tables<'_>) -> Result<Schedule, String> {
    let mut store =
        Store::<EarliestDeadline>::start(tables).map_err(|error| format!("{error:?}"))?;
    let mut at = vec![0; system.tasks.len()];
    let mut schedule = Schedule::default();
    for now in 0..END {
        loop {
            let mut tape = Tape::default();
            let mut kernel = Kernel::resume(*tables, store.memory(), &mut tape);
            let current = kernel.current();
            let op = current
                .is_some()
                .then(|| system.tasks[current.at()].script.get(at[current.at()]).copied());
            let event = match op {
                Some(Some(Op::Enter(gate))) => Event::Invoke(gate as u16),
                Some(Some(Op::Leave)) => Event::Return,
                Some(None) => Event::Complete,
                _ if kernel.next_timer() <= now => Event::Timer,
                _ => break,
            };
            kernel
                .handle(now, event)
                .map_err(|error| format!("{event:?} is refused at {now}: {error:?}"))?;
            kernel.check().map_err(|broken| format!("after {event:?} at {now}: {broken:?}"))?;
            if current.is_some() && event != Event::Timer {
                at[current.at()] = if event == Event::Complete { 0 } else { at[current.at()] + 1 };
            }
            for record in tape.records.iter().filter(|record| record.kind == Kind::Complete) {
                schedule.completions.push((record.time, record.thread.at(), record.value));
            }
        }
        let running = store.running();
        schedule.ticks.push(running);
        if let Some(task) = running {
            at[task] += 1;
        }
    }
    Ok(schedule)
}

/// So many drawn systems; the first that differs.
fn compare(seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let mut blocked = 0;
    for seed in seeds {
        let system = Drawn::draw(&mut Dice(seed), seed % 3 == 0);
        let (should, waits) = Simulator::run(&system);
        let is = with_tables(&system, |tables| drive(&system, tables))
            .map_err(|why| format!("seed {seed}: {why}\n{system:#?}"))?;
        if is != should {
            let tick = is.ticks.iter().zip(&should.ticks).position(|(is, should)| is != should);
            let (is, should) = (&is.ticks, &should.ticks);
            return Err(format!(
                "seed {seed} differs at {tick:?}\n{is:?}\n{should:?}\n{system:#?}"
            ));
        }
        // Whoever runs finds every gate free.
        if seed % 3 == 0 && waits {
            return Err(format!("seed {seed}: a gate with a floor is found held\n{system:#?}"));
        }
        blocked += usize::from(waits);
    }
    Ok(blocked)
}

#[test]
fn drawn_systems_have_the_schedule_of_the_rules() {
    let systems =
        std::env::var("EDF_SYSTEMS").map_or(2_000, |systems| systems.parse().expect("a number"));
    let blocked = compare(0..systems).unwrap_or_else(|why| panic!("{why}"));
    println!("{systems} systems, in {blocked} of them somebody waits at a gate");
    assert!(blocked as u64 > systems / 20, "too little contention to mean anything: {blocked}");
}

/// The timer's interrupt comes two ticks late, after the gate is taken: the floor counts from the
/// release all the same.
#[test]
fn a_late_timer_finds_no_gate_held() {
    let task = |offset, deadline| Task {
        period: 50,
        offset,
        deadline,
        script: vec![Op::Enter(0), Op::Work, Op::Leave],
    };
    let tasks = vec![task(0, 30), task(3, 5)];
    let system =
        Drawn { gates: vec![Protocol::Srp { ceiling: level(&tasks, 5) }], tasks, slice: NEVER };
    with_tables(&system, |tables| {
        let mut store = Store::<EarliestDeadline>::start(tables).expect("the tables are right");
        let mut kernel = Kernel::resume(*tables, store.memory(), ());
        for (now, event) in [(0, Event::Timer), (5, Event::Invoke(0)), (5, Event::Timer)] {
            kernel.handle(now, event).expect("nothing is refused");
        }
        assert_eq!(kernel.current().at(), 0, "who is inside goes on, and both are due at 8");
        kernel.handle(6, Event::Return).expect("it comes back");
        assert_eq!(kernel.current().at(), 1);
    });
}

/// A policy refuses gates of the other's protocols.
#[test]
fn fixed_ceilings_are_refused() {
    let tasks = vec![Task { period: 9, offset: 0, deadline: 9, script: Vec::new() }];
    let system = Drawn { gates: vec![Protocol::Fixed { ceiling: 1 }], tasks, slice: NEVER };
    with_tables(&system, |tables| {
        let refused = Store::<EarliestDeadline>::start(tables).expect_err("it has none");
        assert_eq!(refused, fusee_kernel::TableError::Gate(GateIndex(0)));
    });
}

#[test]
fn each_defect_of_the_policy_shows() {
    for (defect, module, what) in
        Mutation::ALL.iter().filter(|(_, module, _)| *module == "deadlines")
    {
        let why = defect.during(|| compare(0..50_000)).expect_err(what);
        println!("{module}: {what}: {}", why.lines().next().unwrap_or_default());
    }
}
