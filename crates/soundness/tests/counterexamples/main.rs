//! Systems of which a bound was once wrong.
//!
//! A run exceeded it, or it was given where nothing is known. Each is a file beside this one. Times
//! are exact, and tasks begin at their offsets.

use fusee_bounds::{Analysis, analyze};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Options, Releases, simulate};

macro_rules! read {
    ($name:literal) => {
        fusee_soundness::read($name, include_str!(concat!($name, ".camkes")))
            .unwrap_or_else(|wrong| panic!("{}: {wrong}", $name))
    };
}

fn bounds(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("free"))
}

/// Runs a system, and returns for each task whether it has a bound.
fn held(name: &str, system: &System) -> Vec<bool> {
    let found = bounds(system);
    let options =
        Options { releases: Releases::Drawn, duration: Duration(5_000_000), ..Options::default() };
    let outcome = simulate(system, &options).expect("it can be run");
    let tasks = found.tasks.iter().zip(&outcome.tasks);
    let held = tasks.map(|(task, seen)| {
        let (bound, latest) = (task.response(), seen.latest());
        let own = &system.task(task.task).name;
        assert!(
            bound.is_none_or(|bound| latest <= bound),
            "{name}: `{own}` took {latest}: {task:?}"
        );
        bound.is_some()
    });
    held.collect()
}

/// Returns whether a task has a bound.
fn is_bounded(system: &System, task: &str) -> bool {
    let found = bounds(system);
    let own = found.tasks.iter().find(|own| system.task(own.task).name == task);
    own.unwrap_or_else(|| panic!("there is no `{task}`")).response().is_some()
}

#[test]
fn no_bound_is_exceeded() {
    for (name, system) in [
        ("wait_inside_fixed", read!("wait_inside_fixed")),
        ("two_borrowers_in_slots", read!("two_borrowers_in_slots")),
        ("gate_inside_fixed_in_slots", read!("gate_inside_fixed_in_slots")),
        ("gate_inside_fixed_in_a_guest", read!("gate_inside_fixed_in_a_guest")),
    ] {
        let held = held(name, &system);
        assert!(held.iter().any(|&held| held), "{name}: some have bounds");
    }
    // Not everything is bounded there, and what is must hold.
    held("handed_on_after_a_wait", &read!("handed_on_after_a_wait"));
}

/// A job that is over behind its deadline may signal another core once too often, and that is
/// refused. Nobody may count on such a signal.
#[test]
fn signals_that_may_be_refused_end_no_wait() {
    let (signals, question) = (read!("refused_signals"), read!("refused_question"));
    held("refused_signals", &signals);
    held("refused_question", &question);
    assert!(!is_bounded(&signals, "w") && is_bounded(&signals, "e"));
    assert!(!is_bounded(&question, "w"));
    let chains = bounds(&read!("refused_in_a_chain")).chains;
    assert!(chains.iter().all(|chain| chain.reaction.is_err()), "{chains:?}");
}

/// Waits of which nobody knows how long they are keep all from having bounds that may wait for
/// whoever waits.
#[test]
fn unknown_waits_reach_as_far_as_gates_do() {
    assert!(!is_bounded(&read!("semaphore_inside_a_gate"), "h"));
    assert!(!is_bounded(&read!("mutex_inside_a_gate"), "h"));
    assert!(!is_bounded(&read!("callback_inside_a_gate"), "j"));
    assert!(is_bounded(&read!("callback_inside_a_gate"), "e"));
    assert!(!is_bounded(&read!("semaphore_in_a_tree"), "d"));
    assert!(!is_bounded(&read!("semaphore_of_one"), "n"));
}
