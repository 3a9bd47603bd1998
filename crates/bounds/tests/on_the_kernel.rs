//! Systems beside the campaign: releases by events, tasks that run once.

use fusee_bounds::analyze;
use fusee_generate::{Case, Mix, Random, case};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, compute};

/// Ways to run a system.
fn runs(system: &System, costs: &CostTable, random: &mut Random) -> Vec<Options> {
    let longest =
        system.tasks.iter().filter_map(|t| t.release.as_ref()).map(|r| r.period.value.ns()).max();
    let duration = Duration(longest.unwrap_or(1) * 20);
    let base = Options { duration, costs: costs.clone(), most_events: 4000, ..Options::default() };
    let mut runs = vec![base.clone()];
    for seed in 0..6 {
        let execution = if seed % 2 == 0 { Execution::Worst } else { Execution::Random };
        runs.push(Options { releases: Releases::Drawn, execution, seed, ..base.clone() });
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, longest.unwrap_or(1))));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed, ..base.clone() });
    }
    runs
}

/// Lets a notification release the last task, and perhaps takes the first one's period away.
fn change(system: &mut System, index: u64) -> bool {
    let emitted = (system.tasks.iter().map(|t| &t.body))
        .chain(system.gates.iter().flat_map(|g| g.methods.iter().map(|m| &m.body)))
        .flat_map(|b| &b.steps)
        .find_map(|s| if let Step::Emit(id) = s { Some(*id) } else { None });
    let (Some(id), Some(task)) = (emitted, system.tasks.last_mut()) else { return false };
    if let Some(release) = &mut task.release {
        release.kind = ReleaseKind::Notification(id);
        release.jitter.value = Duration::ZERO;
    }
    if index.is_multiple_of(3) && system.tasks.len() > 2 {
        system.tasks[0].release = None;
        system.tasks[0].deadline = None;
    }
    true
}

#[test]
fn event_releases_and_single_jobs_keep_their_bounds() {
    let mix = Mix { emit: 70, wait: 0, tasks: (2, 6), utilisation: (10, 80), ..Mix::default() };
    let changed = (0..500).filter_map(|index| {
        let mut case = case(&mix, 31, index);
        change(&mut case.system, index).then_some((index, case))
    });
    let attacked = attack(31, changed);
    assert!(attacked > 3000, "{attacked}");
}

/// Budgets that end in the instant of an operation: the signal of an overrun, and that nobody pays
/// for who comes to run, are kernel entries of their own.
#[test]
fn ends_of_budgets_are_paid_for() {
    let mix = Mix { budget: 80, exact: 90, costs: 100, utilisation: (10, 80), ..Mix::default() };
    let cases = given_or("FUSEE_CASES", 250);
    let attacked = attack(57, (0..cases).map(|index| (index, case(&mix, 57, index))));
    assert!(attacked > 6 * cases, "{attacked}");
}

/// Returns the number of bounds that hold in runs of systems drawn with this seed.
fn attack(seed: u64, cases: impl Iterator<Item = (u64, Case)>) -> u64 {
    let mut attacked = 0;
    for (index, Case { system, costs }) in cases {
        let analysis = analyze(&system, &Derived::of(&system), &costs);
        for options in runs(&system, &costs, &mut Random::new(seed, index)) {
            let outcome = simulate(&system, &options).expect("a system that can be run");
            for (task, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
                let Some(bound) = task.response() else { continue };
                let longest = seen.latest();
                assert!(
                    longest <= bound,
                    "case {index}, {options:?}: {longest} > {bound}, {task:#?}"
                );
                attacked += 1;
            }
        }
    }
    attacked
}

/// A signal's path releases a task on behalf of a less urgent one.
#[test]
fn released_by_a_lower_task_with_kernel_costs() {
    let mut system =
        Builder::default().task(9, 50, &[compute(5)]).task(1, 60, &[compute(10)]).system();
    system.notifications.push(Notification {
        name: "n".into(),
        counting: false,
        origin: Origin::NONE,
    });
    system.tasks[1].body.steps.push(Step::Emit(NotificationId(0)));
    if let Some(release) = &mut system.tasks[0].release {
        release.kind = ReleaseKind::Notification(NotificationId(0));
    }
    let mut costs = CostTable::zero("board");
    (costs.release, costs.signal, costs.completion) = (Duration(2), Duration(3), Duration(1));
    let analysis = analyze(&system, &Derived::of(&system), &costs);
    let run = Options { duration: Duration(3000), costs, ..Options::default() };
    let outcome = simulate(&system, &run).unwrap();
    assert!(outcome.tasks[0].jobs > 40);
    for (task, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
        assert!(seen.responses.longest <= task.response().unwrap(), "{seen:?} {task:?}");
    }
}

/// A signal that comes too early sets the timer, and the deferred release comes besides: both are
/// paid for.
#[test]
fn early_signals_are_counted_besides_the_releases_that_they_cause() {
    let release = Duration(2);
    let with = |emissions: usize| {
        let mut system =
            Builder::default().task(9, 50, &[compute(5)]).task(1, 400, &[compute(10)]).system();
        system.notifications.push(Notification {
            name: "n".into(),
            counting: false,
            origin: Origin::NONE,
        });
        system.tasks[1].body.steps.extend(vec![Step::Emit(NotificationId(0)); emissions]);
        if let Some(release) = &mut system.tasks[0].release {
            release.kind = ReleaseKind::Notification(NotificationId(0));
        }
        let costs = CostTable { release, ..CostTable::zero("board") };
        let analysis = analyze(&system, &Derived::of(&system), &costs);
        let outcome =
            simulate(&system, &Options { duration: Duration(8000), costs, ..Options::default() })
                .unwrap();
        for (task, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
            assert!(
                seen.responses.longest <= task.response().unwrap(),
                "{emissions}: {seen:?} {task:?}"
            );
        }
        assert_eq!(
            outcome.tasks[0].jobs,
            20 * emissions as u64,
            "each signal is a job, early ones later"
        );
        analysis.tasks[1].bound.as_ref().unwrap().kernel
    };
    let (one, two, three) = (with(1), with(2), with(3));
    assert_eq!(
        (two, three),
        (Duration(one.ns() + release.ns()), Duration(two.ns() + release.ns()))
    );
}
