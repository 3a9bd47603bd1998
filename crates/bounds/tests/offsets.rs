//! Systems whose periodic tasks come at their offsets.
//!
//! `OFFSET_SYSTEMS` says how many systems are drawn, `OFFSET_SEED` which; `make soundness` asks for
//! 10,000.

use fusee_bounds::{Analysis, Theorem, analyze, analyze_at_offsets};
use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, call, compute, sourced};

fn analysis(system: &System, costs: &CostTable) -> Analysis {
    analyze_at_offsets(system, &Derived::of(system), costs)
}

/// Returns the bounds that hold for all offsets.
fn anywhere(system: &System, costs: &CostTable) -> Analysis {
    analyze(system, &Derived::of(system), costs)
}

fn free() -> CostTable {
    CostTable::zero("offsets")
}

fn responses(analysis: &Analysis) -> Vec<Option<u64>> {
    analysis.tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

fn release(system: &mut System, task: usize) -> &mut Release {
    system.tasks[task].release.as_mut().expect("a release")
}

fn at_offsets(mut system: System, offsets: &[u64]) -> System {
    for (task, &offset) in offsets.iter().enumerate() {
        release(&mut system, task).offset = Duration(offset);
    }
    system
}

/// Returns a chain over memory, or over the events that release its tasks.
fn chain(system: &System, tasks: &[usize]) -> Chain {
    let link = |(at, &task): (usize, &usize)| {
        let event = system.tasks[task].release_event();
        let signals = |&event: &NotificationId| {
            system.emitters(event).any(|emitter| at > 0 && emitter.index() == tasks[at - 1])
        };
        let link = match (at, event.filter(signals)) {
            (0, _) => ChainLink::Start,
            (_, Some(event)) => ChainLink::Event(event),
            _ => ChainLink::Memory(DataportId::from(0)),
        };
        ChainStage { task: TaskId::from(task), link }
    };
    let stages = tasks.iter().enumerate().map(link).collect();
    Chain { name: "chain".into(), stages, within: None, age: None, origin: Origin::NONE }
}

/// Lets a task signal an event at the end of its job, which releases another one.
fn releases(system: &mut System, emitter: usize, task: usize, apart: u64) {
    let event = NotificationId::from(system.notifications.len());
    let (name, origin) = (format!("e{}", event.index()), Origin::NONE);
    system.notifications.push(Notification { name, counting: true, origin });
    system.tasks[emitter].body.steps.push(Step::Emit(event));
    let release = release(system, task);
    release.kind = ReleaseKind::Notification(event);
    (release.offset, release.jitter.value) = (Duration::ZERO, Duration::ZERO);
    release.period.value = Duration(apart);
}

/// Nine tasks of a brake: four wheels and a speed every 5 ms, pedal, torque, slip and actuator
/// every 10 ms; in microseconds.
fn brake() -> System {
    let system = Builder::default()
        .task(9, 5_000, &[compute(300)])
        .task(8, 5_000, &[compute(300)])
        .task(7, 5_000, &[compute(300)])
        .task(6, 5_000, &[compute(300)])
        .task(5, 5_000, &[compute(500)])
        .task(4, 10_000, &[compute(400)])
        .task(3, 10_000, &[compute(900)])
        .task(2, 10_000, &[compute(700)])
        .task(1, 10_000, &[compute(240)])
        .system();
    let mut system = at_offsets(system, &[0, 0, 0, 0, 1_500, 0, 2_500, 4_000, 4_700]);
    system.chains.push(chain(&system, &[3, 4, 7, 8]));
    system
}

/// A change that the last wheel misses is read at 5,000, and again by the speed at 6,500; slip and
/// actuator come every 10 ms, so they see it at 14,000 and 14,700.
#[test]
fn a_brake_answers_as_its_clocks_are_laid_out() {
    let system = brake();
    let bounds = analysis(&system, &free());
    let expected = [300, 600, 900, 1_200, 500, 2_100, 900, 700, 240];
    assert_eq!(responses(&bounds), expected.map(Some));
    assert_eq!(bounds.chains[0].reaction, Ok(Duration(5_000 + 9_940)));
    assert_eq!(bounds.chains[0].age, Ok(Duration(4_940)));
    let theorem = |task: usize| bounds.tasks[task].bound.as_ref().map(|bound| bound.theorem);
    assert_eq!((theorem(0), theorem(8)), (Ok(Theorem::ResponseTime), Ok(Theorem::Offsets)));
    let duration = Duration(200_000);
    let options = Options { duration, releases: Releases::Drawn, ..Options::default() };
    let outcome = simulate(&system, &options).expect("it runs");
    let seen: Vec<u64> = outcome.tasks.iter().map(|task| task.latest().ns()).collect();
    assert_eq!(seen, expected);
    let chain = &outcome.chains[0];
    assert!(chain.reactions > 10 && chain.reaction_max <= Duration(14_940), "{chain:?}");
    assert!(chain.age_max <= Duration(4_940), "{chain:?}");
    let bounds = anywhere(&system, &free());
    assert_eq!(responses(&bounds)[8], Some(3_940));
    assert_eq!(bounds.chains[0].reaction, Ok(Duration(30_000 + 1_200 + 1_700 + 3_700 + 3_940)));
}

/// The parts of a bound from offsets are those of its window.
#[test]
fn parts_are_told_from_the_window_that_counts() {
    let bounds = analysis(&brake(), &free());
    let bound = bounds.tasks[5].bound.as_ref().expect("a bound");
    assert_eq!((bound.window, bound.own), (Duration(2_100), Duration(400)));
    assert_eq!(bound.interference.iter().map(|part| part.jobs).sum::<u64>(), 5);
    assert_eq!(bound.interference_time(), Duration(1_700));
}

/// Jitter takes the distance away that an offset keeps, as far as it reaches.
#[test]
fn jitter_reaches_over_an_offset() {
    let with = |jitter: u64| {
        let system = Builder::default().task(2, 10, &[compute(3)]).task(1, 10, &[compute(2)]);
        let mut system = at_offsets(system.system(), &[0, 4]);
        release(&mut system, 0).jitter = sourced(Duration(jitter));
        responses(&analysis(&system, &free()))[1]
    };
    // Released at 2 it is over at 5, and the other one, which comes at 4, at 7.
    assert_eq!([0, 1, 2, 3, 4, 5].map(with), [2, 2, 3, 4, 5, 5].map(Some));
}

/// A task that somebody outside releases comes at any time.
#[test]
fn sporadic_tasks_have_no_offset() {
    let system = Builder::default().task(2, 10, &[compute(3)]).task(1, 10, &[compute(2)]);
    let mut system = at_offsets(system.task(0, 20, &[compute(1)]).system(), &[0, 4, 5]);
    release(&mut system, 0).kind = ReleaseKind::Sporadic;
    release(&mut system, 0).offset = Duration::ZERO;
    assert_eq!(responses(&analysis(&system, &free()))[..2], [Some(3), Some(5)]);
}

/// A reader on another core waits for its own clock, which counts from the same start.
#[test]
fn chains_between_cores_follow_both_clocks() {
    let system = Builder::default().task(2, 10, &[compute(2)]).task(1, 10, &[compute(1)]);
    let mut system = at_offsets(system.system(), &[0, 3]);
    system.tasks[1].core = 1;
    system.chains.push(chain(&system, &[0, 1]));
    // A change that is missed at 0 is read at 10, and handed on from 13 to 14.
    assert_eq!(analysis(&system, &free()).chains[0].reaction, Ok(Duration(14)));
    assert_eq!(anywhere(&system, &free()).chains[0].reaction, Ok(Duration(10 + 2 + 10 + 1)));
    let options =
        Options { duration: Duration(200), releases: Releases::Drawn, ..Options::default() };
    let outcome = simulate(&system, &options).expect("it runs");
    assert!(outcome.chains[0].reaction_max <= Duration(14), "{:?}", outcome.chains[0]);
}

/// A task that waits suspended can be under way anywhere: with it in the window no start is tried.
#[test]
fn windows_with_suspended_jobs_begin_anywhere() {
    let with = |wait: &[Step]| {
        let event = NotificationId::from(0);
        let second = [&[compute(1)], wait, &[compute(2)]].concat();
        let system = Builder::default()
            .task(9, 10, &[compute(2), Step::Emit(event)])
            .task(8, 100, &second)
            .task(1, 90, &[compute(4)]);
        let mut system = at_offsets(system.system(), &[0, 3, 45]);
        let (name, origin) = ("e".to_owned(), Origin::NONE);
        system.notifications.push(Notification { name, counting: false, origin });
        (responses(&analysis(&system, &free())), responses(&anywhere(&system, &free())))
    };
    let (known, all) = with(&[Step::Wait(NotificationId::from(0))]);
    assert_eq!((&known, &all), (&all, &vec![Some(2), Some(19), Some(9)]));
    let (known, all) = with(&[]);
    // The last one comes at 405 in the job from 403 to 406.
    assert_eq!((known[2], all[2]), (Some(5), Some(9)));
    assert_eq!((known[1], all[1]), (Some(3), Some(5)));
}

/// A task that an event releases comes between the clock behind it and its emitter's response.
#[test]
fn events_come_from_the_clock_behind_them() {
    let with = |offset: u64| {
        let system = Builder::default().task(1, 20, &[compute(3)]).task(3, 20, &[compute(2)]).task(
            2,
            20,
            &[compute(4)],
        );
        let mut system = at_offsets(system.system(), &[0, 0, offset]);
        releases(&mut system, 0, 1, 20);
        responses(&analysis(&system, &free()))[2]
    };
    // The emitter responds by 9, or by 5, together with all that comes until then.
    assert_eq!([2, 12].map(with), [6, 4].map(Some));
}

fn pick(random: &mut Random, from: &[u64]) -> u64 {
    *random.pick(from).expect("not empty")
}

/// A system of up to six tasks, most of them by clocks with offsets; some share a gate, some
/// are released by others, some come from outside.
fn drawn(random: &mut Random) -> System {
    let protocols = [Protocol::Inherited, Protocol::Fixed, Protocol::NonPreemptive];
    let section = random.between(1, 3);
    let protocol = *random.pick(&protocols).expect("one of three");
    let mut builder = Builder::default().gate(protocol, &[compute(section)]);
    let count = random.between(2, 6);
    let load = random.between(30, 95);
    for task in 0..count {
        let period = pick(random, &[10, 20, 20, 30, 40, 60]);
        let wcet = (period * load / 100 / count).max(1);
        let mut steps = vec![compute(wcet)];
        if random.chance(20) && wcet > 1 {
            steps = vec![compute(wcet / 2), call(0), compute(wcet - wcet / 2)];
        }
        let priority = if random.chance(15) { 3 } else { (count - task) as Priority };
        builder = builder.task(priority, period, &steps);
    }
    let mut system = builder.system();
    for task in 0..count as usize {
        let jitter = if random.chance(20) { random.below(6) } else { 0 };
        let (sporadic, offset) = (random.chance(10), random.chance(75));
        let release = release(&mut system, task);
        release.jitter = sourced(Duration(jitter));
        if sporadic {
            release.kind = ReleaseKind::Sporadic;
        } else if offset {
            release.offset = Duration(random.below(release.period.value.ns()));
        }
    }
    for task in 1..count as usize {
        let emitter = random.below(task as u64) as usize;
        let by_clock = system.tasks[emitter].release_event().is_none();
        if random.chance(20) && by_clock {
            let apart = system.tasks[emitter].release.as_ref().expect("a release").period.value;
            let apart = random.between(1, apart.ns());
            releases(&mut system, emitter, task, apart);
        }
    }
    let calls = |task: &Task| task.body.steps.contains(&call(0));
    if random.chance(25) && !system.tasks.iter().any(calls) {
        // Gates of several cores are not in question here.
        system.tasks.iter_mut().skip(1).step_by(2).for_each(|task| task.core = 1);
    }
    for _ in 0..2 {
        let length = random.between(1, 3.min(count)) as usize;
        let first = random.below(count) as usize;
        let tasks: Vec<usize> = (0..length).map(|at| (first + at) % count as usize).collect();
        let chain = chain(&system, &tasks);
        system.chains.push(chain);
    }
    system
}

fn costs(random: &mut Random) -> CostTable {
    let mut table = free();
    if random.chance(25) {
        (table.release, table.completion) = (Duration(random.below(2)), Duration(random.below(2)));
    }
    table
}

fn runs(random: &mut Random, costs: &CostTable) -> Vec<Options> {
    let base = Options {
        releases: Releases::Drawn,
        duration: Duration(1_200),
        costs: costs.clone(),
        most_events: 2_000,
        ..Options::default()
    };
    let run = |round: u32| {
        let execution = if round % 4 == 3 { Execution::Random } else { Execution::Worst };
        Options { execution, seed: random.bits(), ..base.clone() }
    };
    (0..8).map(run).collect()
}

/// Counts of the bounds that were drawn, and of the runs beside them.
#[derive(Debug, Default)]
struct Tally {
    bounded: usize,
    /// Bounds that rest on offsets.
    tighter: usize,
    reached: usize,
    /// For each bound that rests on offsets how much of it was seen, in percent.
    seen: Vec<u64>,
    chains: usize,
    /// Chains whose reaction is bounded below the sum of the longest waits.
    followed: usize,
    /// For each of these how much of its bound was seen, in percent.
    reactions: Vec<u64>,
}

fn median(of: &mut [u64]) -> u64 {
    of.sort_unstable();
    of.get(of.len() / 2).copied().unwrap_or(0)
}

impl Tally {
    fn attack(&mut self, random: &mut Random, index: u64) {
        let system = drawn(random);
        let costs = costs(random);
        let bounds = analysis(&system, &costs);
        let anywhere = anywhere(&system, &costs);
        let mut longest = vec![0; system.tasks.len()];
        let mut reactions = vec![0; system.chains.len()];
        for options in runs(random, &costs) {
            let outcome = simulate(&system, &options).expect("it runs");
            for (at, (task, bound)) in outcome.tasks.iter().zip(&bounds.tasks).enumerate() {
                longest[at] = task.latest().ns().max(longest[at]);
                let most = bound.response().map_or(u64::MAX, Duration::ns);
                assert!(
                    longest[at] <= most,
                    "system {index}, task {at}: {} of {most}\n{options:?}\n{:#?}\n{:#?}",
                    longest[at],
                    system.tasks,
                    bound
                );
            }
            for (at, (chain, bound)) in outcome.chains.iter().zip(&bounds.chains).enumerate() {
                if !chain.observable {
                    continue;
                }
                reactions[at] = chain.reaction_max.ns().max(reactions[at]);
                let reaction = chain.reaction_max.max(chain.oldest);
                let above = bound.reaction.is_ok_and(|most| reaction > most)
                    || bound.age.is_ok_and(|most| chain.age_max > most);
                let tasks = &system.tasks;
                assert!(!above, "system {index}: {chain:#?} {bound:#?}\n{options:?}\n{tasks:#?}");
            }
        }
        let both = bounds.tasks.iter().zip(&anywhere.tasks).zip(&longest);
        for ((bound, anywhere), &seen) in both {
            let Some(most) = bound.response() else { continue };
            let below = anywhere.response().is_none_or(|other| most < other);
            assert!(below || anywhere.response() == Some(most), "system {index}: {system:#?}");
            self.bounded += 1;
            self.reached += usize::from(seen == most.ns());
            if below {
                self.tighter += 1;
                self.seen.push(seen * 100 / most.ns());
            }
        }
        let both = bounds.chains.iter().zip(&anywhere.chains).zip(&reactions);
        for ((bound, anywhere), &seen) in both {
            let Ok(most) = bound.reaction else { continue };
            self.chains += 1;
            if anywhere.reaction.is_ok_and(|other| most < other) {
                self.followed += 1;
                self.reactions.push(seen * 100 / most.ns());
            }
        }
    }
}

#[test]
fn no_response_and_no_chain_is_above_its_bound() {
    let (systems, seed) = (given_or("OFFSET_SYSTEMS", 300), given_or("OFFSET_SEED", 62));
    let mut tally = Tally::default();
    for index in 0..systems {
        tally.attack(&mut Random::new(seed, index), index);
    }
    let (seen, reactions) = (median(&mut tally.seen), median(&mut tally.reactions));
    println!(
        "{systems} systems: {} bounds, {} reached, {} below those for all offsets (median seen \
         {seen} %); {} chains, {} below the sums (median seen {reactions} %)",
        tally.bounded, tally.reached, tally.tighter, tally.chains, tally.followed
    );
    assert!(tally.tighter * 10 > tally.bounded && tally.followed * 5 > tally.chains);
    assert!(tally.reached * 2 > tally.bounded, "bounds are loose, or runs miss them");
    assert!(seen >= 90 && reactions >= 60, "{seen} {reactions}");
}
