//! No thread runs in another's slot, and each has its slots.

use fusee_bounds::Analysis;
use fusee_generate::Random;
use fusee_kernel::Kind;
use fusee_model::*;
use fusee_sim::{Options, Recording, simulate};
use fusee_testing::systems::{Builder, compute, sourced};

use crate::drawn;

/// The slots of a table whose thread runs, and whose slot it runs in.
struct Table<'s> {
    root: &'s Scheduler,
    /// The root's own thread that is above it, or itself.
    branch: TaskId,
}

/// Returns the table at the root of a thread's tree; none: it is a scheduler, or in no table.
fn table(system: &System, thread: TaskId) -> Option<Table<'_>> {
    let above = system.schedulers_above(thread);
    let root = *above.last()?;
    let branch = if above.len() > 1 { above[above.len() - 2].task } else { thread };
    let in_table = root.algorithm == Algorithm::Partitions && system.scheduler(thread).is_none();
    in_table.then_some(Table { root, branch })
}

impl Table<'_> {
    /// Returns `true` if a stretch is in one of the branch's slots, the table having begun then.
    fn has(&self, begun: u64, (from, to): (u64, u64)) -> bool {
        let every = self.root.every.expect("a table has a period").value.ns();
        let place = (from - begun) % every;
        let mut start = 0;
        self.root.delegates.iter().any(|slot| {
            let end = start + slot.amount.value.ns();
            let within = start <= place && place + (to - from) <= end;
            start = end;
            within && slot.to == self.branch
        })
    }
}

/// Holds each stretch of a run against the tables; how many were in one.
fn hold(system: &System, options: &Options) -> u64 {
    let recording = Recording::Window { from: Duration::ZERO, to: options.duration };
    let options = Options { recording, ..options.clone() };
    let records = simulate(system, &options).expect("it ran").records;
    let switches: Vec<(u64, usize)> = (records.iter())
        .filter(|record| record.kind == Kind::Switch)
        .map(|record| (record.time, record.thread.at()))
        .collect();
    let begun =
        |root: TaskId| switches.iter().find(|(_, thread)| *thread == root.index()).map(|own| own.0);
    let mut held = 0;
    for pair in switches.windows(2) {
        let ((from, thread), (to, _)) = (pair[0], pair[1]);
        if from == to || thread >= system.tasks.len() {
            continue;
        }
        let Some(table) = table(system, TaskId::from(thread)) else { continue };
        let begun = begun(table.root.task).expect("it dispatches");
        assert!(
            table.has(begun, (from, to)),
            "{thread} ran from {from} to {to}, the table began at {begun}\n{}",
            drawn::text(system)
        );
        held += 1;
    }
    held
}

#[test]
fn nobody_runs_in_anothers_slot() {
    let mut held = 0;
    for index in 0..150 {
        let system = drawn::system(5, index);
        for options in crate::runs(&system, &mut Random::new(5, index)).iter().take(2) {
            held += hold(&system, options);
        }
    }
    println!("{held} stretches in slots");
    assert!(held > 10_000, "{held}");
}

/// Three tables, one in another's slot, whose periods do not fit together: what one has for the
/// next is less than that one's slot at times.
#[test]
fn a_table_in_a_table_in_a_table_has_its_slots() {
    let wanted = [compute(30)];
    let mut system = (0..3)
        .fold(Builder::default(), |builder, _| builder.task(9, 1, &[]))
        .task(1, 400, &wanted)
        .task(1, 400, &wanted)
        .system();
    for task in &mut system.tasks[..3] {
        (task.release, task.deadline) = (None, None);
    }
    let scheduler = |own: usize, slots: &[(usize, u64)], every: u64| Scheduler {
        task: TaskId::from(own),
        algorithm: Algorithm::Partitions,
        threads: slots.iter().map(|&(to, _)| sourced(TaskId::from(to))).collect(),
        every: Some(sourced(Duration(every))),
        delegates: (slots.iter())
            .map(|&(to, amount)| Delegation {
                to: TaskId::from(to),
                amount: sourced(Duration(amount)),
                priority: 1,
            })
            .collect(),
    };
    system.schedulers = vec![
        scheduler(0, &[(1, 6)], 8),
        scheduler(1, &[(2, 9), (4, 4)], 13),
        scheduler(2, &[(3, 5)], 7),
    ];
    let options = Options { duration: Duration(4_000), ..Options::default() };
    let outcome = simulate(&system, &options).expect("it ran");
    for task in [3, 4] {
        let seen = &outcome.tasks[task];
        assert_eq!((seen.jobs, seen.misses), (10, 0), "{task}: {:?}", outcome.tasks);
    }
    assert!(hold(&system, &options) > 100);
    let analysis: Analysis = crate::analysis(&system);
    assert!(analysis.tasks[3].response().is_none(), "nobody has said how long it takes");
}
