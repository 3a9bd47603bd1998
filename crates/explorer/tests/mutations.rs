//! The explorer finds each of six seeded defects, by a shortest history.
#![expect(clippy::print_stdout, reason = "the histories are for people")]

use fusee_explorer::{System, explore, systems};
use fusee_kernel::{Kernel, Mutation};

fn finds(system: &System, prepare: fn(&mut Kernel<'_>), steps: usize, what: &str) {
    let wrong = System { prepare, ..*system };
    let violation = explore(&wrong, 1_000_000).violation.expect("the defect is found");
    println!("{}", violation.history(&wrong));
    assert!(violation.what.contains(what), "{}", violation.what);
    assert_eq!(violation.steps.len(), steps, "a shortest history");
}

#[test]
fn a_lost_hand_off() {
    let prepare = |kernel: &mut Kernel<'_>| kernel.mutate(Mutation::LostHandOff);
    finds(&systems::NESTED, prepare, 5, "a lost wake-up");
}

#[test]
fn a_saved_priority_that_is_restored() {
    let prepare = |kernel: &mut Kernel<'_>| kernel.mutate(Mutation::SavedPriority);
    finds(&systems::NESTED, prepare, 6, "effective priority is");
}

#[test]
fn a_boost_that_is_not_transitive() {
    let prepare = |kernel: &mut Kernel<'_>| kernel.mutate(Mutation::ShallowBoost);
    finds(&systems::NESTED, prepare, 7, "effective priority is");
}

#[test]
fn last_in_first_out_among_equals() {
    let prepare = |kernel: &mut Kernel<'_>| kernel.mutate(Mutation::LastInFirstOut);
    finds(&systems::EQUALS, prepare, 7, "which came first");
}

#[test]
fn a_gate_leaked_by_a_fault() {
    let prepare = |kernel: &mut Kernel<'_>| kernel.mutate(Mutation::LeakedGate);
    finds(&systems::FAULTS, prepare, 3, "is held by");
}

#[test]
fn a_component_that_is_entered_half_restored() {
    let prepare = |kernel: &mut Kernel<'_>| kernel.mutate(Mutation::HalfRestored);
    finds(&systems::FAULTS, prepare, 3, "half restored");
}
