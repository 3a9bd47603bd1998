//! Budgets that last for each job, checked by doing what they say.

use fusee_bounds::{Analysis, Obstacle, advise_budgets, analyze, diagnostics, lasting_budgets};
use fusee_generate::{Case, Mix, case};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, call, compute};

fn budget(amount: u64) -> Option<Budget> {
    let amount = Sourced { value: Duration(amount), origin: Origin::NONE };
    Some(Budget { amount, overrun: Overrun::Suspend })
}

fn analysis(system: &System, costs: &CostTable) -> Analysis {
    analyze(system, &Derived::of(system), costs)
}

fn lasting(system: &System, costs: &CostTable) -> Vec<(TaskId, Duration)> {
    lasting_budgets(system, &Derived::of(system), costs)
}

/// Returns the number of budgets that end in a job.
fn ends(analysis: &Analysis) -> usize {
    let ends =
        |bound: &Result<_, Obstacle>| matches!(bound, Err(Obstacle::Suspended { gate: None, .. }));
    analysis.tasks.iter().filter(|task| ends(&task.bound)).count()
}

fn with(system: &System, budgets: &[(TaskId, Duration)]) -> System {
    let mut changed = system.clone();
    for &(task, amount) in budgets {
        changed.tasks[task.index()].budget = budget(amount.ns());
    }
    changed
}

/// A job of 10 with a release of its own and one of the other's, of 2 each, and a path in progress.
#[test]
fn what_interrupts_counts_and_a_budget_that_is_just_used_up_is_too_small() {
    let costs = CostTable { release: Duration(2), ..CostTable::zero("board") };
    let mut system =
        Builder::default().task(9, 100, &[compute(5)]).task(1, 50, &[compute(10)]).system();
    system.tasks[1].budget = budget(12);
    let found = lasting(&system, &costs);
    assert_eq!(found, [(TaskId(1), Duration(10 + 2 + 2 + 2 + 1))]);
    let mut messages = diagnostics(&system, &analysis(&system, &costs), &|_| None);
    advise_budgets(&system, &analysis(&system, &costs), &found, &|_| None, &mut messages);
    let note = "the least budget that lasts for each job is `t1.budget = \"17 ns\";`";
    assert_eq!(messages[0].notes.last().map(String::as_str), Some(note));
    assert_eq!(ends(&analysis(&with(&system, &found), &costs)), 0);
    assert_eq!(ends(&analysis(&with(&system, &[(TaskId(1), Duration(16))]), &costs)), 1);
    // Where it lasts there is nothing to say, and nothing where no budget would last.
    assert_eq!(lasting(&with(&system, &found), &costs), []);
    system.tasks[1].body.steps = vec![compute(60)];
    assert_eq!(lasting(&system, &costs), [], "no job is over before the next release");
}

/// Two that share a gate need more together than each alone: a budget lets others through.
#[test]
fn budgets_are_raised_together() {
    let costs = CostTable { release: Duration(2), ..CostTable::zero("board") };
    let mut system = Builder::default()
        .gate(Protocol::Inherited, &[compute(4)])
        .task(9, 100, &[compute(5), call(0)])
        .task(5, 120, &[compute(7), call(0)])
        .task(1, 150, &[compute(10), call(0)])
        .system();
    for task in &mut system.tasks {
        task.budget = budget(5);
    }
    let found = lasting(&system, &costs);
    assert_eq!(found.len(), 3);
    let analysis = analysis(&with(&system, &found), &costs);
    assert!(analysis.is_schedulable());
}

/// So many drawn systems whose budgets end: with what is found none does, and with a tick less of
/// any of them one does.
#[test]
fn what_is_found_lasts_and_is_the_least() {
    let mix = Mix { budget: 80, costs: 80, utilisation: (10, 60), ..Mix::both_policies() };
    let (mut lasts, mut none) = (0, 0);
    for index in 0..given_or("LASTING_SYSTEMS", 300) {
        let Case { system, costs } = case(&mix, 83, index);
        if ends(&analysis(&system, &costs)) == 0 {
            continue;
        }
        let found = lasting(&system, &costs);
        if found.is_empty() {
            none += 1;
            continue;
        }
        let raised = raise(&system, &found);
        assert_eq!(ends(&analysis(&raised, &costs)), 0, "{index}: {found:?}\n{system:#?}");
        for &(task, least) in &found {
            let one = [(task, Duration(least.ns() - 1))];
            let less = analysis(&raise(&raised, &one), &costs);
            let own = less.tasks[task.index()].bound.as_ref();
            let felt = own.is_err() || lasting(&raise(&raised, &one), &costs) == [(task, least)];
            assert!(felt, "{index}: {task:?} {least}\n{system:#?}");
        }
        lasts += 1;
    }
    println!("{lasts} with budgets that last, {none} without");
    assert!(lasts > 50, "{lasts}");
}

/// Other amounts of budgets that are as they are.
fn raise(system: &System, budgets: &[(TaskId, Duration)]) -> System {
    let mut changed = system.clone();
    for &(task, amount) in budgets {
        let budget = changed.tasks[task.index()].budget.as_mut().expect("it has one");
        budget.amount.value = amount;
    }
    changed
}
