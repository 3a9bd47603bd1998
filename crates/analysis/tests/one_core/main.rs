//! Tests for one core against an independent machine that goes tick by tick.
//!
//! For every test: random sets that it accepts, run in several patterns of
//! arrivals; no response may be above its bound. Where a test bounds responses, some
//! response must be exactly at its bound in a good part of the sets, so that a bound
//! one tick too short would be noticed; where it only gives a verdict, deadlines are
//! the bounds. `ONE_CORE_SETS` sets the number of sets for each test.

mod campaign;
mod exactness;
mod machine;
mod program;

use campaign::{Features, campaign};
use fusee_analysis::registry::by_name;
use machine::Policy;

/// Sets for each test.
fn count() -> u64 {
    fusee_testing::given_or("ONE_CORE_SETS", 300)
}

/// Runs a campaign; in at least `reached` percent of the sets a bound must be reached.
fn sound(name: &str, policy: Policy, features: Features, reached: u64) {
    let test = by_name(name).unwrap_or_else(|| panic!("{name} is not in the registry"));
    let outcome = campaign(test, policy, features, count());
    let share = 100 * outcome.reached / outcome.accepted.max(1);
    assert!(
        share >= reached,
        "{name}: a bound is reached in {share} % of {} sets only",
        outcome.accepted
    );
}

const NONE: Features = Features {
    implicit_deadlines: false,
    jitter: false,
    suspension: false,
    long_deadlines: false,
    thresholds: false,
    resources: false,
    nesting: false,
    equal_priorities: false,
    no_length: false,
};
const RESOURCES: Features =
    Features { resources: true, jitter: true, long_deadlines: true, ..NONE };
const NESTED: Features = Features { nesting: true, ..RESOURCES };

#[test]
fn utilization_bounds() {
    let features = Features { implicit_deadlines: true, equal_priorities: true, ..NONE };
    sound("fp-hyperbolic", Policy::FixedPriority, features, 0);
    sound("edf-utilization", Policy::StackResource, features, 0);
}

#[test]
fn response_time_analysis() {
    let features = Features { jitter: true, equal_priorities: true, ..NONE };
    sound("fp-rta", Policy::FixedPriority, features, 90);
    sound(
        "fp-rta-arbitrary",
        Policy::FixedPriority,
        Features { long_deadlines: true, ..features },
        90,
    );
}

#[test]
fn suspension() {
    let features = Features { suspension: true, jitter: true, equal_priorities: true, ..NONE };
    sound("fp-suspension", Policy::FixedPriority, features, 50);
}

#[test]
fn thresholds() {
    let features = Features { thresholds: true, jitter: true, long_deadlines: true, ..NONE };
    sound("fp-thresholds", Policy::FixedPriority, features, 80);
}

#[test]
fn non_preemptive() {
    let features = Features { jitter: true, long_deadlines: true, ..NONE };
    sound("fp-non-preemptive", Policy::NonPreemptive, features, 80);
}

#[test]
fn non_preemptive_sections() {
    sound("fp-npcs", Policy::NonPreemptiveSections, RESOURCES, 50);
    sound("fp-npcs", Policy::NonPreemptiveSections, NESTED, 50);
}

#[test]
fn priority_inheritance() {
    for name in ["fp-pip", "fp-pip-matching"] {
        sound(name, Policy::Inheritance, RESOURCES, 50);
        sound(name, Policy::Inheritance, NESTED, 50);
    }
}

#[test]
fn priority_ceiling() {
    sound("fp-pcp", Policy::Ceiling, RESOURCES, 50);
    sound("fp-pcp", Policy::Ceiling, NESTED, 50);
}

#[test]
fn immediate_ceiling() {
    for name in ["fp-ipcp", "fp-srp"] {
        sound(name, Policy::ImmediateCeiling, RESOURCES, 50);
        sound(name, Policy::ImmediateCeiling, NESTED, 50);
    }
}

#[test]
fn earliest_deadline_first() {
    let features = Features { jitter: true, long_deadlines: true, ..NONE };
    for name in ["edf-demand", "edf-qpa"] {
        sound(name, Policy::StackResource, features, 1);
    }
    sound("edf-response-times", Policy::StackResource, features, 80);
}

#[test]
fn earliest_deadline_first_with_resources() {
    let features = Features { jitter: false, ..RESOURCES };
    let nested = Features { jitter: false, ..NESTED };
    for name in ["edf-srp", "edf-srp-density"] {
        sound(name, Policy::StackResource, features, 0);
        sound(name, Policy::StackResource, nested, 0);
    }
    sound("edf-npcs", Policy::EdfNonPreemptiveSections, RESOURCES, 0);
    sound("edf-npcs", Policy::EdfNonPreemptiveSections, NESTED, 0);
}

/// Tests of fixed priorities, and of EDF, with their machines.
const FIXED: [(&str, Policy); 11] = [
    ("fp-hyperbolic", Policy::FixedPriority),
    ("fp-rta", Policy::FixedPriority),
    ("fp-rta-arbitrary", Policy::FixedPriority),
    ("fp-suspension", Policy::FixedPriority),
    ("fp-thresholds", Policy::FixedPriority),
    ("fp-non-preemptive", Policy::NonPreemptive),
    ("fp-npcs", Policy::NonPreemptiveSections),
    ("fp-pip", Policy::Inheritance),
    ("fp-pip-matching", Policy::Inheritance),
    ("fp-pcp", Policy::Ceiling),
    ("fp-ipcp", Policy::ImmediateCeiling),
];
const BY_DEADLINE: [(&str, Policy); 6] = [
    ("edf-demand", Policy::StackResource),
    ("edf-qpa", Policy::StackResource),
    ("edf-response-times", Policy::StackResource),
    ("edf-srp", Policy::StackResource),
    ("edf-srp-density", Policy::StackResource),
    ("edf-npcs", Policy::EdfNonPreemptiveSections),
];

#[test]
fn jobs_of_no_length_complete_when_they_are_dispatched() {
    for (name, policy) in FIXED.into_iter().chain(BY_DEADLINE) {
        let shares = ["npcs", "pip", "pcp", "ipcp", "srp"].iter().any(|p| name.contains(p));
        let features = Features {
            no_length: true,
            implicit_deadlines: name == "fp-hyperbolic",
            thresholds: name == "fp-thresholds",
            resources: shares,
            jitter: !name.contains("srp") && name != "fp-hyperbolic",
            equal_priorities: name != "fp-thresholds",
            suspension: name == "fp-suspension",
            ..NONE
        };
        sound(name, policy, features, 0);
    }
}
