//! The priority ceiling protocol.
//!
//! The simulator asks the definition each time: an entry is granted to whose base priority is above
//! the ceilings of all gates that *others* hold, and effective priorities are computed anew from
//! who waits for whom: no stack of ceilings, no floor in a frame, no ready queue. Gates are entered
//! in any order, and nobody waits for another in a circle all the same.

mod definition;

use fusee_generate::Random;
use fusee_kernel::{
    Budget, ComponentIndex, Event, FixedPriority, GateIndex, Mutation, NEVER, Overrun,
    PriorityCeiling, Protocol, Release, Status, Tables, ThreadConfig, Time,
};

use crate::scripted::{self, END, Op, Schedule, Scripted};
use crate::{assert_alike, assert_defects_show};
use definition::simulate;
use fusee_explorer::Store;

#[derive(Debug, Clone)]
struct Task {
    period: Time,
    offset: Time,
    priority: u8,
    script: Vec<Op>,
}

/// The protocols of a system's gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinds {
    Ceiling,
    Fixed,
    Inherited,
}

/// The place of gates of other protocols among those of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Others {
    Nowhere,
    /// Nothing is entered within them.
    Inside,
    /// They are entered within nothing.
    Outside,
}

#[derive(Debug, Clone)]
struct Drawn {
    tasks: Vec<Task>,
    gates: Vec<Kinds>,
    slice: Time,
}

impl Drawn {
    fn draw(dice: &mut Random, others: Others) -> Drawn {
        let ceilings = 2 + dice.below(3) as usize;
        let mut gates = vec![Kinds::Ceiling; ceilings];
        if others != Others::Nowhere {
            let kinds = [Kinds::Fixed, Kinds::Inherited];
            gates.extend((0..1 + dice.below(2)).map(|_| kinds[dice.below(2) as usize]));
        }
        let count = 2 + dice.below(4);
        let tasks = (0..count).map(|_| Task::draw(dice, &gates, others)).collect();
        Drawn { tasks, gates, slice: [NEVER, 1, 2][dice.below(3) as usize] }
    }

    fn scripts(&self) -> Vec<&[Op]> {
        self.tasks.iter().map(|task| &*task.script).collect()
    }

    /// Returns the highest base priority of a gate's users.
    fn ceiling(&self, gate: usize) -> u8 {
        let uses = |task: &&Task| task.script.contains(&Op::Enter(gate));
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    fn protocol(&self, gate: usize) -> Protocol {
        let ceiling = self.ceiling(gate);
        match self.gates[gate] {
            Kinds::Ceiling => Protocol::Ceiling { ceiling },
            // Whoever has inherited on its way must not be above it.
            Kinds::Fixed => Protocol::Fixed { ceiling: 7 },
            Kinds::Inherited => Protocol::Inherited,
        }
    }
}

impl Task {
    fn draw(dice: &mut Random, gates: &[Kinds], others: Others) -> Task {
        let mut script = Vec::new();
        let mut held: Vec<usize> = Vec::new();
        for _ in 0..1 + dice.below(3) {
            script.extend(std::iter::repeat_n(Op::Work, dice.below(3) as usize));
            let next = dice.below(gates.len() as u64) as usize;
            let is_other = |gate: usize| gates[gate] != Kinds::Ceiling;
            let misplaced = match others {
                Others::Outside => is_other(next) && !held.is_empty(),
                _ => held.last().is_some_and(|&gate| is_other(gate)),
            };
            if !held.contains(&next) && !misplaced && dice.below(4) > 0 {
                held.push(next);
                script.push(Op::Enter(next));
                script.extend(std::iter::repeat_n(Op::Work, dice.below(3) as usize));
            }
            if dice.below(2) == 0 && held.pop().is_some() {
                script.push(Op::Leave);
            }
        }
        script.extend(held.iter().map(|_| Op::Leave));
        let period = 8 + dice.below(20);
        Task { period, offset: dice.below(10), priority: 1 + dice.below(5) as u8, script }
    }
}

fn with_tables<T>(system: &Drawn, with: impl FnOnce(&Tables<'_>) -> T) -> T {
    with_budgets(system, None, with)
}

/// Returns a drawn system's tables, with a budget for each task.
fn with_budgets<T>(
    system: &Drawn,
    budget: Option<Budget>,
    with: impl FnOnce(&Tables<'_>) -> T,
) -> T {
    let thread = |task: &Task| ThreadConfig {
        component: ComponentIndex(0),
        priority: task.priority,
        core: 0,
        release: Release::Periodic { period: task.period, offset: task.offset },
        deadline: NEVER,
        budget,
    };
    let threads: Vec<ThreadConfig> = system.tasks.iter().map(thread).collect();
    let protocols = (0..system.gates.len()).map(|gate| system.protocol(gate));
    scripted::with_tables(&threads, protocols, system.slice, with)
}

fn drive(system: &Drawn, tables: &Tables<'_>) -> Result<Schedule, String> {
    Scripted::<PriorityCeiling>::start(tables, system.scripts())?.run()
}

/// So many drawn systems; the first that differs.
fn compare(seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let mut waited = 0;
    for seed in seeds {
        let others = [Others::Nowhere, Others::Inside, Others::Outside][(seed % 3) as usize];
        let system = Drawn::draw(&mut Random::new(seed, 0), others);
        let (should, most) = simulate(&system);
        let is = with_tables(&system, |tables| drive(&system, tables))
            .map_err(|why| format!("seed {seed}: {why}\n{system:#?}"))?;
        is.is(&should).map_err(|why| format!("seed {seed} {why}\n{system:#?}"))?;
        // The theorem about the protocol.
        if others == Others::Nowhere && most > 1 {
            return Err(format!("seed {seed}: a job waits for {most} lower ones\n{system:#?}"));
        }
        waited += usize::from(most > 0);
    }
    Ok(waited)
}

#[test]
fn drawn_systems_have_the_schedule_of_the_rules() {
    assert_alike("PCP_SYSTEMS", "somebody waits for a ceiling", compare);
}

/// Two tasks that take two gates in opposite orders: the higher is kept from the first one, which
/// is free.
#[test]
fn opposite_orders_end() {
    use Op::{Enter, Leave, Work};
    let task = |priority, offset, [first, second]: [usize; 2]| Task {
        period: 50,
        offset,
        priority,
        script: vec![Enter(first), Work, Enter(second), Work, Leave, Leave],
    };
    let tasks = vec![task(1, 0, [0, 1]), task(2, 1, [1, 0])];
    let system = Drawn { gates: vec![Kinds::Ceiling; 2], tasks, slice: NEVER };
    let schedule = with_tables(&system, |tables| drive(&system, tables)).expect("it runs");
    assert_eq!(schedule.ticks[..4], [Some(0), Some(0), Some(1), Some(1)]);
    assert_eq!(schedule.completions[..2], [(4, 1, 3), (4, 0, 4)]);
}

/// A task that holds a lower ceiling is in nobody's way who is above that: who has waited for the
/// upper one is judged first, and enters at once. If the holder below inherited first, and went
/// before its equal, the most urgent task would wait a second time. So it is with two that wait,
/// and with a third ceiling between.
#[test]
fn who_has_waited_is_judged_before_who_is_in_the_way() {
    use Op::{Enter, Leave, Work};
    let task = |priority, offset, script: &[Op]| Task {
        period: 90,
        offset,
        priority,
        script: script.to_vec(),
    };
    let (user, long) = ([Enter(0), Work, Leave], [Enter(0), Work, Work, Work, Leave]);
    let tasks = vec![
        task(1, 0, &long),
        task(2, 60, &user),
        task(3, 1, &[Enter(1), Work, Work, Leave, Work]),
        task(4, 2, &[Enter(1), Work, Leave]),
    ];
    let plain = Drawn { gates: vec![Kinds::Ceiling; 2], tasks, slice: NEVER };
    let mut two = plain.clone();
    two.tasks.push(task(4, 2, &[Enter(1), Work, Leave]));
    let mut three = plain.clone();
    three.gates.push(Kinds::Ceiling);
    three.tasks[1] = task(2, 1, &[Enter(2), Work, Leave]);
    three.tasks[0].script = vec![Enter(0), Work, Enter(2), Work, Work, Leave, Leave];
    three.tasks[2].offset = 2;
    three.tasks[3].offset = 3;
    let ticks = |system: &Drawn| {
        let schedule = with_tables(system, |tables| drive(system, tables)).expect("it runs");
        assert!(schedule.is(&simulate(system).0).is_ok(), "{system:#?}");
        schedule.ticks[..8]
            .iter()
            .map(|task| task.map_or('-', |task| (b'0' + task as u8) as char))
            .collect::<String>()
    };
    assert_eq!(ticks(&plain), "0223200-");
    assert_eq!([ticks(&two), ticks(&three)], ["02243200", "00223201"]);
    for system in [plain, two, three] {
        let wrong =
            Mutation::HeirFirst.during(|| with_tables(&system, |tables| drive(&system, tables)));
        assert!(wrong.map_or(true, |schedule| schedule.is(&simulate(&system).0).is_err()));
    }
}

/// A kernel without the protocol refuses its gates.
#[test]
fn other_policies_refuse_it() {
    let tasks = vec![Task { period: 9, offset: 0, priority: 1, script: Vec::new() }];
    let system = Drawn { gates: vec![Kinds::Ceiling], tasks, slice: NEVER };
    with_tables(&system, |tables| {
        let refused = Store::<FixedPriority>::start(tables).expect_err("it has none");
        assert_eq!(refused, fusee_kernel::TableError::Gate(GateIndex(0)));
    });
}

/// Runs a system in which gates fail now and then; after each event the kernel checks its own
/// state, and the core never idles while somebody could go on.
fn fail_now_and_then(
    dice: &mut Random,
    system: &Drawn,
    tables: &Tables<'_>,
) -> Result<u64, String> {
    let mut scripted = Scripted::<PriorityCeiling>::start(tables, system.scripts())?;
    let mut faults = 0;
    for now in 0..END {
        while let Some((event, _)) = scripted.handle(now, || dice.below(8) == 0)? {
            faults += u64::from(event == Event::Fault);
        }
        let any = |wanted: &[Status]| {
            scripted.store.threads.iter().any(|thread| wanted.contains(&thread.status))
        };
        let stuck = any(&[Status::AtGate]) && !any(&[Status::Ready, Status::Suspended]);
        if scripted.work().is_none() && stuck {
            return Err(format!("at {now} all wait for each other"));
        }
    }
    Ok(faults)
}

#[test]
fn faults_and_budgets_leave_the_state_whole() {
    let budget = Budget { amount: 3, overrun: Overrun::Suspend };
    let mut faults = 0;
    for seed in 0..2_000 {
        let mut dice = Random::new(seed, 0);
        let system = Drawn::draw(&mut dice, Others::Inside);
        for budget in [None, Some(budget)] {
            let run = |tables: &Tables<'_>| fail_now_and_then(&mut dice, &system, tables);
            let found = with_budgets(&system, budget, run);
            faults += found.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{system:#?}"));
        }
    }
    println!("{faults} faults");
    assert!(faults > 1_000, "{faults}");
}

#[test]
fn each_defect_of_the_protocol_shows() {
    assert_defects_show("ceilings", compare);
}
