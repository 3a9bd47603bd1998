//! The part of the campaign that every test run makes.

use fusee_bounds::TaskBound;
use fusee_generate::{Mix, case};
use fusee_model::Duration;
use fusee_soundness::{Campaign, Effort, Findings, attack, describe, judge, shrink};

fn campaign(mix: Mix, count: u64) -> Findings {
    Campaign { mix, seed: 2, first: 0, count, effort: Effort::default(), described: false }
        .run(&|_| ())
}

#[test]
fn a_thousand_systems_keep_their_bounds() {
    let findings = campaign(Mix::default(), 1_000);
    let shrunk = findings.violations.iter().take(3).filter_map(|&index| {
        let (smallest, violation) = shrink(&case(&Mix::default(), 2, index), &Effort::default())?;
        Some(format!("system {index} of seed 2\n{}", describe(&smallest, &violation)))
    });
    let shrunk: Vec<String> = shrunk.collect();
    assert!(
        findings.violations.is_empty(),
        "bounds exceeded in {:?}\n{}",
        findings.violations,
        shrunk.join("\n")
    );
    assert_eq!(findings.refused, []);
    let tally = findings.tally;
    assert!(tally.bounded() > 2_000, "only {} tasks had a bound", tally.bounded());
    assert!(tally.close() * 2 > tally.bounded(), "the runs stay far below the bounds:\n{tally}");
}

/// Bounds a tick too short: two in five are reached exactly, and each of those must be seen to
/// break, so more than half of the systems must show it. (More runs do not find more: what is left
/// are bounds that are only sufficient.)
#[test]
fn bounds_that_are_a_tick_too_short_are_found_out() {
    let (mut bounded, mut broken) = (0, 0);
    for index in 0..200 {
        let case = case(&Mix::default(), 3, index);
        let analysis = judge(&case, &Effort::default()).unwrap().analysis;
        let shorter =
            |task: &TaskBound| task.response().map(|bound| Duration(bound.ns().saturating_sub(1)));
        let shorter: Vec<Option<Duration>> = analysis.tasks.iter().map(shorter).collect();
        bounded += u32::from(shorter.iter().any(Option::is_some));
        broken +=
            u32::from(attack(&case, &shorter, &Effort::default()).unwrap().violation.is_some());
    }
    assert!(broken * 2 > bounded, "only {broken} of {bounded} systems showed it");
}

#[test]
fn five_hundred_descriptions_keep_their_bounds() {
    let mix = Mix::default();
    let campaign =
        Campaign { mix, seed: 4, first: 0, count: 500, effort: Effort::default(), described: true };
    let findings = campaign.run(&|_| ());
    assert_eq!((findings.violations, findings.refused), (Vec::new(), Vec::new()));
    assert!(
        findings.tally.bounded() > 1_000,
        "only {} tasks had a bound",
        findings.tally.bounded()
    );
}

#[test]
fn five_hundred_systems_keep_their_bounds_by_deadlines() {
    let mix = Mix { by_deadline: 100, ..Mix::default() };
    for described in [false, true] {
        let campaign = Campaign {
            mix: mix.clone(),
            seed: 6,
            first: 0,
            count: 500,
            effort: Effort::default(),
            described,
        };
        let findings = campaign.run(&|_| ());
        assert_eq!((findings.violations, findings.refused), (Vec::new(), Vec::new()));
        let tally = findings.tally;
        assert!(tally.bounded() > 750, "only {} tasks had a bound", tally.bounded());
        assert!(
            tally.close() * 2 > tally.bounded(),
            "the runs stay far below the bounds:\n{tally}"
        );
    }
}
