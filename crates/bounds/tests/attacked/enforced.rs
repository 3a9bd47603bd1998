//! The part of tasks with budgets, and of untrusted code, in others' bounds.

use fusee_bounds::{Analysis, Obstacle, analyze, diagnostics, resting};
use fusee_generate::{Mix, Random, case};
use fusee_model::Protocol::{Ceiling, Fifo, Fixed, Inherited, NonPreemptive, Propagated, Srp};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{
    Budget, Duration, Overrun, Policy, Protocol, Step, System, TOP_PRIORITY, TaskId,
};
use fusee_testing::systems::{Builder, call, compute, sourced};

use crate::attack::{Runs, Tally, attack_pairs, cases};

fn limited(mut system: System, task: usize, amount: u64, overrun: Overrun) -> System {
    system.tasks[task].budget = Some(Budget { amount: sourced(Duration(amount)), overrun });
    system
}

fn untrusted(mut system: System, task: usize) -> System {
    let component = system.tasks[task].component;
    system.components[component.index()].trusted = false;
    system
}

fn by_deadline(mut system: System) -> System {
    system.settings.policy = Some(sourced(Policy::EarliestDeadline));
    system
}

fn bounds(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("free"))
}

fn responses(system: &System) -> Vec<Option<u64>> {
    bounds(system).tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

/// A task's stated demand is its own matter; the demand that its budget allows concerns all others.
#[test]
fn others_count_the_budget_and_a_task_itself_what_it_is_said_to_take() {
    let tasks = || Builder::default().task(9, 20, &[compute(1)]).task(1, 100, &[compute(6)]);
    let with = |amount, overrun| responses(&limited(tasks().system(), 0, amount, overrun));
    assert_eq!(responses(&tasks().system()), [Some(1), Some(7)]);
    assert_eq!(with(3, Overrun::Suspend), [Some(1), Some(9)]);
    assert_eq!(with(15, Overrun::Suspend), [Some(1), Some(36)], "6 in what two periods leave");
    // These end nothing.
    assert_eq!(with(3, Overrun::Continue), [Some(1), Some(7)]);
    // An equal counts it as well.
    let equals = Builder::default().task(5, 20, &[compute(1)]).task(5, 100, &[compute(6)]);
    assert_eq!(responses(&limited(equals.system(), 0, 3, Overrun::Suspend)), [Some(7), Some(9)]);
    // Who never interrupts is not counted at all.
    let below = Builder::default().task(1, 20, &[compute(1)]).task(9, 100, &[compute(6)]);
    assert_eq!(responses(&limited(below.system(), 0, 3, Overrun::Suspend)), [Some(7), Some(6)]);
}

#[test]
fn under_earliest_deadline_a_trusted_task_takes_its_budget_by_its_own_deadlines() {
    let tasks = || Builder::default().task(0, 50, &[compute(1)]).task(0, 20, &[compute(6)]);
    let system = || by_deadline(limited(tasks().system(), 0, 4, Overrun::Suspend));
    assert_eq!(responses(&by_deadline(tasks().system())), [Some(7), Some(6)]);
    // Due at 50 it is before the third job of the other at most.
    assert_eq!(responses(&system()), [Some(7), Some(6)]);
    // One that goes on with an old job is before all of them.
    assert_eq!(responses(&untrusted(system(), 0)), [Some(7), Some(10)]);
}

/// Budgets that end are no reason to give no bounds to others, whatever the kernel costs.
#[test]
fn others_have_bounds_beside_a_budget_that_ends_where_the_kernel_costs_time() {
    let tasks = Builder::default().task(9, 2_000, &[compute(100)]).task(1, 10_000, &[compute(60)]);
    let system = limited(tasks.system(), 0, 50, Overrun::Suspend);
    let costs = CostTable {
        release: Duration(3),
        completion: Duration(2),
        budget_end: Duration(4),
        ..CostTable::zero("board")
    };
    let analysis = analyze(&system, &Derived::of(&system), &costs);
    assert!(matches!(analysis.tasks[0].bound, Err(Obstacle::Suspended { .. })));
    let bound = analysis.tasks[1].response().expect("a bound").ns();
    // Twice the budget, and what the kernel does; not the stated time.
    assert!((160..260).contains(&bound), "{bound}");
}

/// A section of code that is not trusted lasts as long as the budget of who is in it.
#[test]
fn a_section_of_untrusted_code_is_as_long_as_its_budget() {
    let system = || {
        let gates = Builder::default().gate(Protocol::Inherited, &[compute(2)]);
        let tasks = gates.task(9, 100, &[compute(3), call(0)]).task(1, 200, &[call(0)]);
        limited(tasks.task(5, 150, &[compute(1)]).system(), 1, 30, Overrun::Suspend)
    };
    assert_eq!(responses(&system())[2], Some(1 + 5 + 2));
    let mut hostile = system();
    hostile.components[0].trusted = false;
    let analysis = bounds(&hostile);
    assert_eq!(analysis.tasks[2].response(), Some(Duration(1 + 5 + 30)));
    // Nothing ends the code that the urgent one runs there: that is said, and of whom.
    let told = diagnostics(&hostile, &analysis, &|_| None);
    let told: Vec<&str> =
        told.iter().filter(|d| d.code.0 == "F0624").map(|d| d.message.as_str()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("`t0`") && told[0].contains("`t2`"), "{told:?}");
    // The other one's own job takes as long as that code does.
    assert!(told[1].contains("bound of `t1` rests on what is said of `t1`"), "{told:?}");
}

#[test]
fn what_rests_on_untrusted_code_without_a_limit_is_said() {
    let tasks = || Builder::default().task(9, 20, &[compute(1)]).task(1, 100, &[compute(6)]);
    let told = |system: &System| {
        let all = diagnostics(system, &bounds(system), &|_| None);
        all.into_iter().filter(|d| d.code.0 == "F0624").count()
    };
    assert_eq!(told(&tasks().system()), 0);
    assert_eq!(told(&untrusted(tasks().system(), 0)), 1);
    assert_eq!(told(&untrusted(limited(tasks().system(), 0, 3, Overrun::Continue), 0)), 1);
    assert_eq!(told(&untrusted(limited(tasks().system(), 0, 3, Overrun::Suspend), 0)), 0);
    assert_eq!(told(&untrusted(tasks().system(), 1)), 0, "nobody is below it");
}

/// One that is suspended in a gate lets another one wait there, and both are raised then.
#[test]
fn untrusted_code_that_is_suspended_where_it_is_raised_lets_sections_come_twice() {
    let system = |protocol| {
        let gates = Builder::default().gate(protocol, &[compute(7)]);
        let urgent = gates.task(9, 100, &[compute(3), call(0)]);
        let both = urgent.task(7, 110, &[call(0), compute(5)]).task(1, 90, &[compute(9), call(0)]);
        untrusted(limited(both.system(), 2, 30, Overrun::Suspend), 2)
    };
    let bound = |system: &System| bounds(system).tasks[0].bound.clone();
    let is_refused = |system: &System| {
        let hostile = TaskId::from(2);
        matches!(bound(system), Err(Obstacle::Suspended { task, .. }) if task == hostile)
    };
    assert!(is_refused(&system(Fixed)) && is_refused(&system(NonPreemptive)));
    assert!(is_refused(&by_deadline(system(Srp))));
    // Who waits at these enters by its own urgency, and who holds them is raised by who waits.
    for protocol in [Inherited, Ceiling] {
        assert!(bound(&system(protocol)).is_ok(), "{protocol:?}");
    }
    let mut trusted = system(Fixed);
    trusted.components.iter_mut().for_each(|component| component.trusted = true);
    assert_eq!(responses(&trusted)[0], Some(3 + 7 + 7));
    // Nobody else waits there.
    let mut alone = system(Fixed);
    alone.tasks[1].body.steps.remove(0);
    assert_eq!(responses(&alone)[0], Some(3 + 7 + 7));
}

/// A task that enters no gate with such code is barred by its ceiling all the same.
#[test]
fn a_ceiling_bars_others_for_as_long_as_untrusted_code_likes() {
    let system = |protocol, code: bool| {
        let gates = Builder::default().gate(Ceiling, &[compute(2)]).gate(protocol, &[compute(3)]);
        let both = gates.task(9, 100, &[call(0), call(1), compute(4)]).task(3, 200, &[call(0)]);
        let mut system = limited(both.system(), 0, 30, Overrun::Suspend);
        system.components[1].trusted = !code;
        bounds(&system).tasks[1].bound.clone()
    };
    let barred = system(Ceiling, true);
    assert!(matches!(barred, Err(Obstacle::Suspended { gate: Some(_), .. })), "{barred:?}");
    assert!(system(Ceiling, false).is_ok());
    assert!(system(Inherited, true).is_ok(), "it never waits there");
}

/// Returns the tasks whose bounds rest on statements about code that is not trusted.
fn rests(system: &System) -> Vec<usize> {
    resting(system, &bounds(system)).into_iter().map(TaskId::index).collect()
}

/// An endless job is before all others in the end, however short their deadlines are.
#[test]
fn where_deadlines_decide_all_of_the_core_rest_on_code_that_nothing_ends() {
    let tasks = || Builder::default().task(9, 20, &[compute(1)]).task(1, 100, &[compute(6)]);
    let hostile = || untrusted(tasks().system(), 1);
    assert_eq!(rests(&hostile()), [0_usize; 0]);
    assert_eq!(rests(&by_deadline(hostile())), [0]);
    assert_eq!(rests(&by_deadline(untrusted(tasks().system(), 0))), [1]);
    let ends =
        |system: System, task| rests(&by_deadline(limited(system, task, 9, Overrun::Suspend)));
    assert_eq!(ends(hostile(), 1), [0_usize; 0]);
    assert_eq!(ends(hostile(), 0), [0], "the budget of another one ends nothing");
    let mut apart = by_deadline(hostile());
    apart.tasks[1].core = 1;
    assert_eq!(rests(&apart), [0_usize; 0], "it is on another core");
}

/// Whoever is in such code is as late as that is, with a budget too: nothing says when it comes
/// back before that ends.
#[test]
fn who_calls_code_that_is_not_trusted_rests_on_it_whatever_limits_the_caller() {
    let system = |protocol| {
        let gates = Builder::default().gate(protocol, &[compute(2)]);
        let tasks = gates.task(9, 100, &[compute(3), call(0)]).task(1, 200, &[compute(5)]);
        let mut system = tasks.system();
        system.components[0].trusted = false;
        system
    };
    for protocol in [Inherited, Propagated, Fixed] {
        assert_eq!(rests(&system(protocol)), [0, 1]);
        let ended = limited(system(protocol), 0, 30, Overrun::Suspend);
        assert_eq!(rests(&ended), [0], "others count the budget");
        let watched = limited(system(protocol), 0, 30, Overrun::Continue);
        assert_eq!(rests(&watched), [0, 1]);
    }
    let mut trusted = system(Inherited);
    trusted.components[0].trusted = true;
    assert_eq!(rests(&trusted), [0_usize; 0]);
}

/// Returns a system of which some tasks run code that is not trusted, within budgets; and the same
/// as such code can be.
fn hostile(policy: Policy, mix: &Mix, seed: u64, index: u64) -> (System, System) {
    let mut said = case(mix, seed, index).system;
    said.settings.policy = Some(sourced(policy));
    let mut random = Random::new(seed ^ 0x5eed, index);
    let mut done = said.clone();
    for task in 0..said.tasks.len() {
        let Some(release) = said.tasks[task].release.clone() else { continue };
        if !random.chance(40) {
            continue;
        }
        let amount = random.between(1, (release.period.value.ns() / 3).max(1));
        said = untrusted(limited(said, task, amount, Overrun::Suspend), task);
        done = untrusted(limited(done, task, amount, Overrun::Suspend), task);
        done.tasks[task].body.steps = storm(&mut random, &said, TaskId::from(task), amount);
    }
    (said, done)
}

/// Returns the steps of a job that uses its gates and events in any order, as often as it likes,
/// and may never end.
fn storm(random: &mut Random, said: &System, task: TaskId, amount: u64) -> Vec<Step> {
    let given: Vec<Step> = said.task(task).body.steps.clone();
    let others: Vec<&Step> =
        given.iter().filter(|step| !matches!(step, Step::Compute { .. })).collect();
    let mut steps = Vec::new();
    for _ in 0..random.between(0, 6) {
        steps.push(compute(random.between(0, amount)));
        if !others.is_empty() {
            steps.push(others[random.between(0, others.len() as u64 - 1) as usize].clone());
        }
    }
    let last = if random.chance(50) { 10_000 } else { amount };
    steps.push(compute(random.between(0, last)));
    steps
}

fn campaign(policy: Policy, protocols: &'static [(Protocol, u32)], seed: u64) -> Tally {
    let mix = Mix {
        costs: 0,
        wait: 0,
        time_slice: 0,
        tasks: (2, 5),
        gates: (0, 4),
        protocols,
        mutex: 0,
        utilisation: (20, 70),
        ..Mix::default()
    };
    let pairs = (0..cases(500)).map(|index| hostile(policy, &mix, seed, index));
    attack_pairs(Runs { variants: 8, shuffled: 3 }, pairs)
}

#[test]
fn no_hostile_task_keeps_another_above_its_bound_under_fixed_priorities() {
    let protocols = &[(Propagated, 3), (Fixed, 2), (Inherited, 4), (Ceiling, 2), (Fifo, 1)];
    campaign(Policy::FixedPriority, protocols, 57).assert_at_least(100, 200);
}

#[test]
fn no_hostile_task_keeps_another_above_its_bound_under_earliest_deadline() {
    let protocols = &[(Propagated, 3), (Inherited, 4), (Srp, 3), (NonPreemptive, 1)];
    campaign(Policy::EarliestDeadline, protocols, 58).assert_at_least(100, 200);
}

/// Such a task alone at the top, where nothing but its budget is between it and the others.
#[test]
fn the_most_urgent_may_be_hostile() {
    for seed in 0..40 {
        let mut random = Random::new(seed, 3);
        let (period, amount) = (random.between(10, 40), random.between(2, 9));
        let tasks = Builder::default().task(TOP_PRIORITY, period, &[compute(1)]);
        let tasks = tasks.task(9, 97, &[compute(random.between(1, 20))]);
        let tasks = tasks.task(5, 211, &[compute(random.between(1, 40))]);
        let said = untrusted(limited(tasks.system(), 0, amount, Overrun::Suspend), 0);
        let mut done = said.clone();
        done.tasks[0].body.steps = vec![compute(1_000)];
        let runs = Runs { variants: 4, shuffled: 3 };
        attack_pairs(runs, [(said, done)].into_iter()).assert_at_least(0, 1);
    }
}
