//! Policies beside simulators in unit steps, on drawn systems.
//!
//! A definition computes everything anew each time it is asked, and shares no code with the kernel;
//! one simulator, which knows neither, asks it. Kernel paths take no time here, so kernel and
//! simulator must give the same schedule. After each event the kernel also checks its own state.

#![expect(clippy::print_stdout, reason = "what has been compared is for people")]

mod ceilings;
mod deadlines;
mod scripted;
mod unit_step;

use std::ops::Range;

use fusee_kernel::Mutation;

/// Compares so many drawn systems as a variable of the environment says; in more than a twentieth
/// of them what is counted must happen, or they mean little.
fn assert_alike(
    variable: &str,
    counted: &str,
    compare: impl Fn(Range<u64>) -> Result<usize, String>,
) {
    let systems = fusee_testing::given_or(variable, 2_000);
    let found = compare(0..systems).unwrap_or_else(|why| panic!("{why}"));
    println!("{systems} systems, in {found} of them {counted}");
    assert!(found as u64 > systems / 20, "too little contention to mean anything: {found}");
}

/// Each seeded defect of a module makes some drawn system differ.
fn assert_defects_show(module: &str, compare: impl Fn(Range<u64>) -> Result<usize, String>) {
    for defect in Mutation::of(module) {
        let why = defect.during(|| compare(0..50_000)).expect_err(defect.what());
        println!("{}: {}", defect.what(), why.lines().next().unwrap_or_default());
    }
}
