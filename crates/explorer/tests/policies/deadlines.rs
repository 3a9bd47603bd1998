//! Earliest deadline first.
//!
//! The simulator computes every effective deadline anew from the rules: no queue, no tree, no floor
//! in a frame.

mod definition;

use fusee_explorer::Store;
use fusee_generate::Random;
use fusee_kernel::{
    ComponentIndex, EarliestDeadline, Event, GateIndex, Kernel, NEVER, Protocol, Release, Tables,
    ThreadConfig, Time,
};

use crate::scripted::{self, Op, Schedule, Scripted};
use crate::{assert_alike, assert_defects_show};
use definition::simulate;

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

impl Drawn {
    fn draw(dice: &mut Random, only_floors: bool) -> Drawn {
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

/// Returns the shortest relative deadline of a gate's users.
fn shortest(tasks: &[Task], gate: usize) -> Time {
    let uses = |task: &&Task| task.script.contains(&Op::Enter(gate));
    tasks.iter().filter(uses).map(|task| task.deadline).min().unwrap_or(NEVER)
}

/// Returns the preemption level of a relative deadline: how many of the tasks have a longer one.
fn level(tasks: &[Task], deadline: Time) -> u8 {
    tasks.iter().filter(|task| task.deadline > deadline).count() as u8
}

impl Task {
    fn draw(dice: &mut Random, gates: usize) -> Task {
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

fn with_tables<T>(system: &Drawn, with: impl FnOnce(&Tables<'_>) -> T) -> T {
    let thread = |task: &Task| ThreadConfig {
        component: ComponentIndex(0),
        priority: level(&system.tasks, task.deadline),
        core: 0,
        release: Release::Periodic { period: task.period, offset: task.offset },
        deadline: task.deadline,
        budget: None,
    };
    let threads: Vec<ThreadConfig> = system.tasks.iter().map(thread).collect();
    scripted::with_tables(&threads, system.gates.iter().copied(), system.slice, with)
}

fn drive(system: &Drawn, tables: &Tables<'_>) -> Result<Schedule, String> {
    let scripts = system.tasks.iter().map(|task| &*task.script).collect();
    Scripted::<EarliestDeadline>::start(tables, scripts)?.run()
}

/// So many drawn systems; the first that differs.
fn compare(seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let mut blocked = 0;
    for seed in seeds {
        let system = Drawn::draw(&mut Random::new(seed, 0), seed % 3 == 0);
        let (should, waits) = simulate(&system);
        let is = with_tables(&system, |tables| drive(&system, tables))
            .map_err(|why| format!("seed {seed}: {why}\n{system:#?}"))?;
        is.is(&should).map_err(|why| format!("seed {seed} {why}\n{system:#?}"))?;
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
    assert_alike("EDF_SYSTEMS", "somebody waits at a gate", compare);
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
    assert_defects_show("deadlines", compare);
}
