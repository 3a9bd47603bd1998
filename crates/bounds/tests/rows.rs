//! Tasks that release each other in a row on one core.
//!
//! `ROW_SYSTEMS` says how many systems are drawn, `ROW_SEED` which; `make soundness` asks for
//! 10,000.

use fusee_bounds::{Analysis, analyze};
use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, call, compute, sourced};

fn analysis(system: &System, costs: &CostTable) -> Analysis {
    analyze(system, &Derived::of(system), costs)
}

/// Lets each of these tasks signal at the end of its job, which releases the next one, at distances
/// of so much; and a chain from the first to the last.
fn in_a_row(mut system: System, tasks: &[usize], apart: &[u64]) -> System {
    let start = ChainStage { task: TaskId::from(tasks[0]), link: ChainLink::Start };
    let mut stages = vec![start];
    for (pair, &apart) in tasks.windows(2).zip(apart) {
        let event = NotificationId::from(system.notifications.len());
        let (name, origin) = (format!("e{}", event.index()), Origin::NONE);
        system.notifications.push(Notification { name, counting: true, origin });
        system.tasks[pair[0]].body.steps.push(Step::Emit(event));
        let release = system.tasks[pair[1]].release.as_mut().expect("a release");
        release.kind = ReleaseKind::Notification(event);
        (release.offset, release.jitter.value) = (Duration::ZERO, Duration::ZERO);
        release.period.value = Duration(apart);
        stages.push(ChainStage { task: TaskId::from(pair[1]), link: ChainLink::Event(event) });
    }
    let origin = Origin::NONE;
    let chain = Chain { name: "row".into(), stages, within: None, age: None, origin };
    system.chains.push(chain);
    system
}

/// The responses of the tasks of the row added up, and its bound.
fn sum_and_bound(system: &System, tasks: &[usize]) -> [u64; 2] {
    let bounds = analysis(system, &CostTable::zero("rows"));
    let response = |&task: &usize| bounds.tasks[task].response().expect("a bound").ns();
    let sum = tasks.iter().map(response).sum();
    let chain = &bounds.chains[0];
    let parts: u64 = chain.age_parts.iter().map(|part| part.time.ns()).sum();
    assert_eq!(chain.age, Ok(Duration(parts)), "parts are all of it");
    [sum, parts]
}

/// The oldest data that runs at all phases of the first task and a third one show.
fn oldest(system: &System, free: &[usize]) -> u64 {
    let period = |task: usize| system.tasks[task].release.as_ref().expect("one").period.value.ns();
    let mut starts = vec![0; system.tasks.len()];
    let mut oldest = 0;
    loop {
        let all = starts.iter().copied().map(Duration).collect();
        let releases = Releases::Phased { starts: all };
        let options = Options { duration: Duration(1_000), releases, ..Options::default() };
        oldest = simulate(system, &options).expect("it runs").chains[0].age_max.ns().max(oldest);
        let Some(&next) = free.iter().find(|&&task| starts[task] + 1 < period(task)) else {
            return oldest;
        };
        starts[next] += 1;
        free.iter().take_while(|&&task| task != next).for_each(|&task| starts[task] = 0);
    }
}

/// Three tasks by falling priority: each response has the tasks before it, which have just ended.
#[test]
fn a_row_is_done_once() {
    let system = Builder::default()
        .task(3, 100, &[compute(10)])
        .task(2, 100, &[compute(15)])
        .task(1, 100, &[compute(20)])
        .system();
    let rows = [[100, 100], [60, 60], [100, 50]];
    for apart in rows {
        let system = in_a_row(system.clone(), &[0, 1, 2], &apart);
        // 10, 10 + 15, 10 + 15 + 20.
        assert_eq!(sum_and_bound(&system, &[0, 1, 2]), [80, 45], "{apart:?}");
        assert_eq!(oldest(&system, &[0]), 45, "{apart:?}");
    }
}

/// A task above comes once in the row, unless the kernel defers a release until it comes again.
#[test]
fn what_is_deferred_meets_others_again() {
    let row = |apart: u64| {
        let system = Builder::default()
            .task(5, 40, &[compute(10)])
            .task(3, 50, &[compute(6)])
            .task(2, 50, &[compute(7)])
            .system();
        in_a_row(system, &[1, 2], &[apart])
    };
    // 16 + 23: with distances that never defer, 10 + 6 + 7.
    assert_eq!(sum_and_bound(&row(20), &[1, 2]), [16 + 23, 23]);
    assert_eq!(oldest(&row(20), &[0, 1]), 23);
    // With 50 apart a late release keeps the next one as late, where the other comes again.
    assert_eq!(sum_and_bound(&row(50), &[1, 2]), [16 + 23, 16 + 17]);
    assert!(oldest(&row(50), &[0, 1]) > 23);
}

/// Rising priorities: the first one's level is that of all; a lower section blocks once.
#[test]
fn the_lowest_task_decides_the_level() {
    let system = Builder::default()
        .gate(Protocol::Fixed, &[compute(4)])
        .task(2, 60, &[compute(5)])
        .task(4, 60, &[compute(3), call(0), compute(1)])
        .task(3, 60, &[compute(6)])
        .task(1, 300, &[compute(2), call(0)])
        .system();
    let system = in_a_row(system, &[0, 1], &[20]);
    let [sum, bound] = sum_and_bound(&system, &[0, 1]);
    // 5 and 8 of its own, 6 above the first, and 4 in the gate once.
    assert_eq!(bound, 5 + 8 + 6 + 4);
    assert!(sum > bound, "{sum}");
}

/// Responses add up if the next job can come before the row is over.
#[test]
fn rows_longer_than_a_period_add_up() {
    let row = |apart: u64| {
        let system = Builder::default()
            .task(9, 40, &[compute(12)])
            .task(3, 40, &[compute(8)])
            .task(2, 40, &[compute(9)])
            .system();
        sum_and_bound(&in_a_row(system, &[1, 2], &[apart]), &[1, 2])
    };
    // Deferred to 20, the second one could take until 41.
    assert_eq!(row(40), [20 + 29, 20 + 29]);
    // 20 apart, nothing is deferred.
    assert_eq!(row(20), [20 + 29, 29]);
}

fn pick(random: &mut Random, from: &[u64]) -> u64 {
    *random.pick(from).expect("not empty")
}

/// A row of two to four tasks and up to three others, some of which share a gate.
fn drawn(random: &mut Random) -> (System, Vec<usize>) {
    let protocols = [Protocol::Inherited, Protocol::Fixed, Protocol::NonPreemptive];
    let protocol = *random.pick(&protocols).expect("one of three");
    let mut builder = Builder::default().gate(protocol, &[compute(random.between(1, 3))]);
    let (length, others) = (random.between(2, 4), random.between(0, 3));
    let (count, load) = (length + others, random.between(20, 80));
    let period = pick(random, &[20, 30, 40, 60]);
    for task in 0..count {
        let period = if task < length { period } else { pick(random, &[10, 20, 30, 50, 70]) };
        let wcet = (period * load / 100 / count).max(1);
        let mut steps = vec![compute(wcet)];
        if random.chance(30) && wcet > 1 {
            steps = vec![compute(wcet / 2), call(0), compute(wcet - wcet / 2)];
        }
        let priority = random.between(1, 6) as Priority;
        builder = builder.task(priority, period, &steps);
    }
    let mut system = builder.system();
    for task in (0..count as usize).filter(|&task| task == 0 || task >= length as usize) {
        let jitter = if random.chance(20) { random.below(6) } else { 0 };
        system.tasks[task].release.as_mut().expect("one").jitter = sourced(Duration(jitter));
    }
    let row: Vec<usize> = (0..length as usize).collect();
    let apart =
        row.iter().map(|_| if random.chance(50) { period } else { random.between(1, period) });
    let apart: Vec<u64> = apart.collect();
    let mut system = in_a_row(system, &row, &apart);
    // Some signal in the middle of their jobs.
    for &task in &row {
        if random.chance(20) {
            system.tasks[task].body.steps.push(compute(1));
        }
    }
    (system, row)
}

fn costs(random: &mut Random) -> CostTable {
    let mut table = CostTable::zero("rows");
    if random.chance(25) {
        (table.release, table.completion) = (Duration(random.below(2)), Duration(random.below(2)));
        table.signal = Duration(random.below(2));
    }
    table
}

fn runs(random: &mut Random, system: &System, costs: &CostTable) -> Vec<Options> {
    let base = Options {
        duration: Duration(900),
        costs: costs.clone(),
        most_events: 2_000,
        ..Options::default()
    };
    let run = |round: u32| {
        // Anywhere, or all together but for a little.
        let start = |task: &Task| match &task.release {
            Some(_) if round.is_multiple_of(2) => random.below(4),
            Some(release) => random.below(release.period.value.ns()),
            None => 0,
        };
        let starts = system.tasks.iter().map(start).map(Duration).collect();
        let drawn = round % 4 == 3;
        let releases = if drawn { Releases::Drawn } else { Releases::Phased { starts } };
        let execution = if round % 3 == 2 { Execution::Random } else { Execution::Worst };
        Options { releases, execution, seed: random.bits(), ..base.clone() }
    };
    (0..12).map(run).collect()
}

#[test]
fn no_row_is_above_its_bound() {
    let (systems, seed) = (given_or("ROW_SYSTEMS", 300), given_or("ROW_SEED", 62));
    let (mut bounded, mut below, mut reached) = (0, 0, 0);
    let mut seen_of: Vec<u64> = Vec::new();
    for index in 0..systems {
        let random = &mut Random::new(seed, index);
        let (system, row) = drawn(random);
        let costs = costs(random);
        let bounds = analysis(&system, &costs);
        let Ok(most) = bounds.chains[0].age else { continue };
        let mut oldest = Duration::ZERO;
        for options in runs(random, &system, &costs) {
            let outcome = simulate(&system, &options).expect("it runs");
            let chain = &outcome.chains[0];
            if !chain.observable {
                continue;
            }
            oldest = chain.age_max.max(oldest);
            let reaction = bounds.chains[0].reaction;
            assert!(
                oldest <= most && reaction.is_ok_and(|bound| chain.reaction_max <= bound),
                "system {index} of {seed}: {chain:#?}\n{:#?}\n{options:?}\n{:#?}",
                bounds.chains[0],
                system.tasks
            );
        }
        let response = |&task: &usize| bounds.tasks[task].response().expect("a bound").ns();
        let sum: u64 = row.iter().map(response).sum();
        if oldest == Duration::ZERO {
            continue;
        }
        bounded += 1;
        reached += u64::from(oldest == most);
        if most.ns() < sum {
            below += 1;
            seen_of.push(oldest.ns() * 100 / most.ns());
        }
    }
    seen_of.sort_unstable();
    let median = seen_of.get(seen_of.len() / 2).copied().unwrap_or(0);
    println!(
        "{systems} rows: {bounded} bounds, {reached} reached, {below} below the sum of responses \
         (median seen {median} %)"
    );
    assert!(bounded * 2 > systems && below * 2 > bounded, "{bounded} {below}");
    assert!(reached * 20 > bounded && median >= 60, "{reached} {median}");
}
