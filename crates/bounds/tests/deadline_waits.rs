//! Waits for events where deadlines decide: by hand, and drawn systems.

use fusee_bounds::{Analysis, Theorem, analyze};
use fusee_generate::{Case, Mix, Random, case};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, call, compute};

fn by_deadline(builder: Builder, events: usize) -> System {
    let mut system = builder.system();
    let value = Policy::EarliestDeadline;
    system.settings.policy = Some(Sourced { value, origin: Origin::NONE });
    for event in 0..events {
        let (name, origin) = (format!("e{event}"), Origin::NONE);
        system.notifications.push(Notification { name, counting: false, origin });
    }
    system
}

fn emit(event: usize) -> Step {
    Step::Emit(NotificationId::from(event))
}

fn wait(event: usize) -> Step {
    Step::Wait(NotificationId::from(event))
}

fn bounds(system: &System) -> Analysis {
    let costs = CostTable { policy: Policy::EarliestDeadline, ..CostTable::zero("free") };
    analyze(system, &Derived::of(system), &costs)
}

fn responses(system: &System) -> Vec<Option<u64>> {
    bounds(system).tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

/// Returns a clock of 40, who waits for it, and a third one.
fn clock(third: &[Step], waiting: &[Step]) -> System {
    let tasks = Builder::default()
        .gate(Protocol::Srp, &[compute(3)])
        .task(0, 40, &[compute(1), emit(0)])
        .task(0, 220, waiting)
        .task(0, 60, third);
    by_deadline(tasks, 1)
}

/// Returns a task that works in a section every 300, a clock of 400 that uses another section of
/// the same gate, and a task that waits for the clock in 800: waits that execute would make each
/// other longer, until nothing fits.
fn beside_a_gate(last: &[Step]) -> System {
    let waiting: Vec<Step> = [compute(10), wait(0)].into_iter().chain(last.to_vec()).collect();
    let tasks = Builder::default()
        .gate(Protocol::Srp, &[compute(9)])
        .task(0, 300, &[compute(50), call(0)])
        .task(0, 400, &[compute(10), call(0), emit(0), compute(5)])
        .task(0, 800, &waiting);
    by_deadline(tasks, 1)
}

#[test]
fn a_wait_is_no_execution() {
    for last in [&[call(0), compute(2)][..], &[compute(2)], &[call(0)]] {
        let found = bounds(&beside_a_gate(last));
        let response = |task: usize| found.tasks[task].response().expect("a bound").ns();
        assert!(response(0) <= 300 && response(1) <= 400 && response(2) <= 800);
        let bound = found.tasks[2].bound.as_ref().expect("a bound");
        assert_eq!(bound.event_time().ns(), 400 + response(1));
        // Whose window a waiting job is in does not see its wait.
        let clock = found.tasks[1].bound.as_ref().expect("a bound");
        assert_eq!(clock.theorem, Theorem::DemandWithSuspension);
        assert_eq!(clock.event_time(), Duration::ZERO);
    }
}

/// Behind the wait a section can be in progress of a job that is due later, also of one whose
/// relative deadline is shorter.
#[test]
fn sections_can_be_in_progress_behind_each_wait() {
    let with = |third: &[Step], waiting: &[Step]| responses(&clock(third, waiting))[1];
    let waiting = [compute(1), wait(0), compute(2)];
    let apart = with(&[compute(23)], &waiting).expect("a bound");
    let behind = with(&[compute(20), call(0)], &waiting).expect("a bound");
    assert_eq!(behind - apart, 2 * 3, "once at its release, once behind the wait");
    let twice = [compute(1), wait(0), wait(0), compute(2)];
    let one = with(&[compute(20)], &twice).expect("a bound");
    let both = with(&[compute(17), call(0)], &twice).expect("a bound");
    assert_eq!(both - one, 3 * 3, "and behind the other");
}

/// Whoever waits for longer than till its next release has no bound, and the others have none of
/// whose windows it may be in; who is due before it could ever be under way has one.
#[test]
fn a_wait_beyond_the_period_has_no_bound() {
    let mut system = clock(&[compute(15)], &[compute(1), wait(0), compute(2)]);
    system.tasks[1].release.as_mut().expect("it has one").period.value = Duration(50);
    assert_eq!(responses(&system)[1], None);
}

/// Returns a job that goes on after a wait, and asks for a gate so often, and tasks that come
/// before that and wait there: each is due earlier than those that came before it. With it when
/// each task begins.
fn queue(random: &mut Random, protocol: Protocol) -> (System, Vec<Duration>) {
    let (others, section) = (random.between(1, 8), random.between(4, 30));
    let period = 100 + others * section;
    let asks = (0..random.between(1, 8)).flat_map(|_| [call(0), compute(1)]);
    let job: Vec<Step> = [compute(1), wait(0)].into_iter().chain(asks).collect();
    let mut tasks = Builder::default()
        .gate(protocol, &[compute(section)])
        .task(0, period, &[compute(1), emit(0)])
        .task(0, 20 * period, &job);
    let signal = period - 1;
    let mut starts = vec![signal, signal - random.between(30, 80)];
    for other in (0..others).rev() {
        tasks = tasks.task(0, 20 * period, &[compute(1), call(0)]);
        starts.push(signal.saturating_sub(2 * other + random.below(4)));
    }
    let mut system = by_deadline(tasks, 1);
    for (at, task) in system.tasks.iter_mut().enumerate().skip(1) {
        let relative = if at == 1 { 10 * period } else { 20 * period - 10 * at as u64 };
        task.deadline = Some(Sourced { value: Duration(relative), origin: Origin::NONE });
    }
    (system, starts.into_iter().map(Duration).collect())
}

/// A job that goes on after a wait and asks again and again finds the gate with one waiter after
/// the other, because it is handed on; at a gate with a floor nobody waits.
#[test]
fn a_gate_that_is_handed_on_is_found_held_again() {
    let (mut seen, mut floors) = (0, 0);
    for index in 0..200 {
        for protocol in [Protocol::Inherited, Protocol::Srp, Protocol::NonPreemptive] {
            let (system, starts) = queue(&mut Random::new(73, index), protocol);
            let found = bounds(&system);
            let bound = found.tasks[1].response().expect("a bound");
            let (releases, costs) = (Releases::Phased { starts }, CostTable::zero("free"));
            let duration = Duration(100_000);
            let options = Options { releases, costs, duration, ..Options::default() };
            let outcome = simulate(&system, &options).expect("a system that can be run");
            for (task, run) in found.tasks.iter().zip(&outcome.tasks) {
                let within = task.response().is_none_or(|bound| run.latest() <= bound);
                assert!(within, "{index} {protocol:?}: {} {task:#?}", run.latest());
            }
            let share = outcome.tasks[1].latest().ns() * 100 / bound.ns();
            match protocol {
                Protocol::Inherited => seen = seen.max(share),
                _ => floors = floors.max(share),
            }
        }
    }
    assert!(seen >= 70 && floors >= 60, "runs come near: {seen} and {floors} per cent");
}

/// Lets some tasks wait for events that others signal by the clock.
fn add_waits(system: &mut System, random: &mut Random) -> bool {
    let periodic = |task: &Task| {
        task.release.as_ref().is_some_and(|release| release.kind == ReleaseKind::Periodic)
    };
    let clocks: Vec<usize> =
        (0..system.tasks.len()).filter(|&task| periodic(&system.tasks[task])).collect();
    let Some(&clock) = random.pick(&clocks) else { return false };
    let mut any = false;
    for task in (0..system.tasks.len()).filter(|&task| task != clock) {
        if !random.chance(50) || system.tasks[task].release.is_none() {
            continue;
        }
        let event = NotificationId::from(system.notifications.len());
        let (name, origin) = (format!("awaited{task}"), Origin::NONE);
        system.notifications.push(Notification { name, counting: random.chance(30), origin });
        insert(random, &mut system.tasks[clock].body, Step::Emit(event));
        insert(random, &mut system.tasks[task].body, Step::Wait(event));
        system.tasks[task].budget = None;
        // Long enough for a wait.
        let long = system.tasks[clock].release.as_ref().map_or(1, |r| r.period.value.ns());
        let release = system.tasks[task].release.as_mut().expect("it has one");
        let times = random.between(1, 4);
        release.period.value = Duration(release.period.value.ns().max(long * times));
        if let Some(deadline) = &mut system.tasks[task].deadline {
            deadline.value = Duration(random.between(long, 4 * long));
        }
        any = true;
    }
    any
}

fn insert(random: &mut Random, body: &mut Body, step: Step) {
    let at = random.below(body.steps.len() as u64 + 1) as usize;
    body.steps.insert(at, step);
}

fn emits(task: &Task) -> bool {
    task.body.steps.iter().any(|step| matches!(step, Step::Emit(_)))
}

fn runs(system: &System, costs: &CostTable, random: &mut Random) -> Vec<Options> {
    let periods = system.tasks.iter().filter_map(|task| task.release.as_ref());
    let longest = periods.map(|release| release.period.value.ns()).max().unwrap_or(1);
    let duration = Duration(longest * 20);
    let base = Options { duration, costs: costs.clone(), most_events: 4000, ..Options::default() };
    let mut runs = vec![base.clone()];
    for seed in 0..6 {
        let execution = if seed % 2 == 0 { Execution::Worst } else { Execution::Random };
        runs.push(Options { releases: Releases::Drawn, execution, seed, ..base.clone() });
        // Whoever signals comes for the first time within its period, as it says itself.
        let first = |task: &Task| match &task.release {
            Some(release) if emits(task) => release.period.value.ns() - 1,
            _ => longest,
        };
        let starts = system.tasks.iter().map(|task| Duration(random.between(0, first(task))));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed, ..base.clone() });
    }
    runs
}

/// So many drawn systems on the kernel; how many of their bounds count waits as none.
#[test]
fn waits_by_deadline_keep_their_bounds() {
    let mix =
        Mix { by_deadline: 100, wait: 0, tasks: (2, 5), utilisation: (10, 80), ..Mix::default() };
    let (mut held, mut apart, mut closest) = (0_u64, 0_u64, 0.0_f64);
    for index in 0..given_or("WAITING_SYSTEMS", 300) {
        let Case { mut system, costs } = case(&mix, 71, index);
        let random = &mut Random::new(72, index);
        if !add_waits(&mut system, random) {
            continue;
        }
        let analysis = analyze(&system, &Derived::of(&system), &costs);
        let is_apart = |task: &&fusee_bounds::TaskBound| {
            task.bound.as_ref().is_ok_and(|b| b.theorem == Theorem::DemandWithSuspension)
        };
        let count = analysis.tasks.iter().filter(is_apart).count() as u64;
        if analysis.tasks.iter().all(|task| task.response().is_none()) {
            continue;
        }
        apart += count;
        for options in runs(&system, &costs, random) {
            let outcome = simulate(&system, &options).expect("a system that can be run");
            for (task, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
                let Some(bound) = task.response() else { continue };
                let longest = seen.latest();
                assert!(
                    longest <= bound,
                    "case {index}, {options:?}: {longest} > {bound}, {task:#?}\n{system:#?}"
                );
                if is_apart(&task) {
                    closest = closest.max(longest.ns() as f64 / bound.ns().max(1) as f64);
                }
                held += 1;
            }
        }
    }
    println!("{held} bounds held, {apart} count waits as none, closest {closest:.3}");
    assert!(held > 1000 && apart > 100, "{held}, {apart}");
}
