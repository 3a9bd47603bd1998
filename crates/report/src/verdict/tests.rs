//! Each kind of finding, from counts that were made by hand.

use std::sync::LazyLock;

use fusee_bounds::Analysis;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Outcome, Responses, TaskOutcome};

use super::{Facts, Place, Verdict, Word};

const MS: u64 = 1_000_000;

/// Returns a task with a period of 10 ms and an execution time of 1 ms, and one without any timing.
///
/// It is read once: tests run beside each other and would read the file while another writes it.
fn system() -> &'static (System, Analysis) {
    static READ: LazyLock<(System, Analysis)> = LazyLock::new(read);
    &READ
}

fn read() -> (System, Analysis) {
    described("plain", "u.priority = 1;")
}

/// Returns the system with something more to say of it.
fn described(name: &str, more: &str) -> (System, Analysis) {
    let text = format!(
        "component L {{ control; }}\ncomponent U {{ control; }}\n\
         assembly {{ composition {{ component L a; component U u; }}\n\
         configuration {{ a.period = \"10 ms\"; a.wcet = \"1 ms\"; u.wcet = \"1 ms\"; \
         {more} }} }}\n"
    );
    let file = format!("fusee-verdict-{name}-{}.camkes", std::process::id());
    let path = std::env::temp_dir().join(file);
    std::fs::write(&path, text).unwrap();
    let system = fusee_adl::read(&path, &fusee_adl::Options::default()).system.unwrap();
    std::fs::remove_file(&path).unwrap();
    let analysis = fusee_bounds::analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
    (system, analysis)
}

/// Ten good jobs of `a`, and one of `u`.
fn outcome() -> Outcome {
    let a = TaskOutcome {
        jobs: 10,
        released: 10,
        responses: Responses { longest: Duration(MS), ..Responses::default() },
        ..TaskOutcome::default()
    };
    let u = TaskOutcome {
        jobs: 1,
        released: 1,
        responses: Responses { longest: Duration(2 * MS), ..Responses::default() },
        ..TaskOutcome::default()
    };
    Outcome { tasks: vec![a, u], elapsed: Duration(100 * MS), ..Outcome::default() }
}

fn judge(outcome: &Outcome) -> Verdict {
    judge_of(system(), outcome)
}

fn judge_of((system, analysis): &(System, Analysis), outcome: &Outcome) -> Verdict {
    let facts = Facts {
        system,
        analysis: Some(analysis),
        outcome,
        place: Place::Machine("board"),
        told: &[],
        faults: outcome.tasks.iter().map(|task| task.faults).sum(),
        stubs: &[],
        word: Word::default(),
        span: &|_| None,
    };
    Verdict::of(&facts)
}

/// Returns the findings after a change of the good run: codes, the line, and the statements that
/// held.
fn after(change: impl Fn(&mut Outcome)) -> (Vec<&'static str>, String, Option<bool>, Option<bool>) {
    let mut outcome = outcome();
    change(&mut outcome);
    let verdict = judge(&outcome);
    let codes: Vec<&str> = verdict.findings.iter().map(|finding| finding.code.0).collect();
    assert_eq!(verdict.is_fine(), codes.iter().all(|code| *code == "F1122"), "{codes:?}");
    (codes, verdict.line(), verdict.deadlines_held, verdict.bounds_held)
}

#[test]
fn a_good_run_is_fine() {
    let (codes, line, deadlines, bounds) = after(|_| ());
    assert_eq!((codes, deadlines, bounds), (vec![], Some(true), Some(true)));
    assert_eq!(line, "no deadline missed, every bound held in 100 ms on board");
}

#[test]
fn crashed_jobs_keep_nothing() {
    let crash = |outcome: &mut Outcome| {
        let task = &mut outcome.tasks[0];
        (task.jobs, task.crashed, task.faults, task.responses.longest) = (0, 10, 10, Duration(0));
    };
    let (codes, line, deadlines, bounds) = after(crash);
    assert_eq!((codes, deadlines, bounds), (vec!["F1115"], Some(false), Some(false)));
    assert_eq!(line, "10 faults, 10 jobs crashed, 1 of 2 bounds held in 100 ms on board");
}

#[test]
fn nothing_holds_where_nothing_ran() {
    let (codes, line, deadlines, bounds) = after(|outcome| {
        (outcome.tasks, outcome.elapsed) = (vec![TaskOutcome::default(); 2], Duration(0));
    });
    assert_eq!((codes, deadlines, bounds), (vec!["F1116", "F1116"], None, None));
    assert_eq!(
        line,
        "2 tasks without a complete job, no deadline was put to the test, no bound was put to the \
         test in 0 on board"
    );
    let under_way =
        TaskOutcome { released: 1, unfinished: 1, oldest: Duration(1), ..TaskOutcome::default() };
    let (codes, _, deadlines, bounds) = after(|outcome| {
        (outcome.tasks[0], outcome.elapsed) = (under_way.clone(), Duration(1));
    });
    assert_eq!((codes, deadlines, bounds), (vec!["F1117"], None, Some(true)));
}

#[test]
fn every_other_trouble_is_found() {
    type Change = fn(&mut Outcome);
    let cases: [(&str, Change); 5] = [
        ("F1112", |outcome| outcome.tasks[0].misses = 1),
        ("F0706", |outcome| outcome.tasks[0].lost = 1),
        ("F1119", |outcome| outcome.tasks[0].released = 9),
        ("F1110", |outcome| outcome.tasks[0].responses.longest = Duration(3 * MS)),
        ("F1110", |outcome| outcome.tasks[0].oldest = Duration(3 * MS)),
    ];
    for (code, change) in cases {
        assert_eq!(after(change).0, [code]);
    }
    // A thread without a period may go on for ever, but it is said.
    let endless =
        |outcome: &mut Outcome| (outcome.tasks[1].jobs, outcome.tasks[1].unfinished) = (0, 1);
    assert_eq!(after(endless).0, ["F1122"]);
}

#[test]
fn what_is_not_promised_is_not_fine_however_well_it_ran() {
    let (system, analysis) = system();
    let outcome = outcome();
    let after = |change: &dyn Fn(&mut Analysis)| {
        let mut analysis = analysis.clone();
        change(&mut analysis);
        let facts = Facts {
            system,
            analysis: Some(&analysis),
            outcome: &outcome,
            place: Place::Machine("board"),
            told: &[],
            faults: 0,
            stubs: &[],
            word: Word::default(),
            span: &|_| None,
        };
        let verdict = Verdict::of(&facts);
        assert_eq!((verdict.is_fine(), verdict.deadlines_held), (false, Some(true)));
        assert_eq!(
            verdict.findings.iter().map(|found| found.code.0).collect::<Vec<_>>(),
            ["F1123"]
        );
        (verdict.line(), verdict.tasks[0].word, verdict.findings[0].notes[0].clone())
    };
    let (line, word, note) =
        after(&|analysis| analysis.tasks[0].bound = Err(fusee_bounds::Obstacle::Overload));
    assert_eq!(
        line,
        "no deadline missed, 1 of 1 deadline not guaranteed, 1 bound held in 100 ms on board"
    );
    assert_eq!((word, note.as_str()), ("met, no bound", "`a` has no bound"));
    let longer = |analysis: &mut Analysis| {
        if let Ok(bound) = &mut analysis.tasks[0].bound {
            bound.response = Duration(11 * MS);
        }
    };
    let (line, word, note) = after(&longer);
    assert_eq!(
        line,
        "no deadline missed, 1 of 1 deadline not guaranteed, 2 bounds held in 100 ms on board"
    );
    assert_eq!(
        (word, note.as_str()),
        ("met, not guaranteed", "`a` may take 11 ms, its deadline is 10 ms")
    );
}

#[test]
fn stubs_are_named() {
    let (system, analysis) = system();
    let (outcome, stubs) = (outcome(), ["a".to_owned(), "u".to_owned()]);
    let facts = Facts {
        system,
        analysis: Some(analysis),
        outcome: &outcome,
        place: Place::Simulator,
        told: &[],
        faults: 0,
        stubs: &stubs,
        word: Word::default(),
        span: &|_| None,
    };
    let verdict = Verdict::of(&facts);
    assert_eq!(
        verdict.line(),
        "no deadline missed, every bound held, stubs for `a` and `u` in 100 ms of simulated time"
    );
    assert!(verdict.is_fine() && verdict.findings[0].message.starts_with("`a` and `u` are stubs"));
}

/// A run that exceeds a bound which rests on code that is not trusted is told with that, and not as
/// a defect of the analysis.
#[test]
fn a_bound_that_rests_on_untrusted_code_says_so_when_it_is_exceeded() {
    let mut late = outcome();
    late.tasks[0].responses.longest = Duration(9 * MS);
    let notes = |of: &(System, Analysis)| -> Vec<String> {
        let findings = judge_of(of, &late).findings;
        let exceeded = findings.into_iter().find(|finding| finding.code.0 == "F1110");
        exceeded.expect("it is above its bound").notes
    };
    let of_untrusted = |notes: Vec<String>| notes.iter().any(|note| note.contains("not trusted"));
    let hostile = "u.period = \"20 ms\"; u.trusted = false;";
    let urgent = format!("a.priority = 3; u.priority = 9; {hostile}");
    assert!(of_untrusted(notes(&described("urgent", &urgent))));
    let ends = format!("{urgent} u.budget = \"2 ms\"; u.overrun = \"suspend\";");
    assert!(!of_untrusted(notes(&described("ends", &ends))), "its budget ends it");
    let below = format!("a.priority = 9; u.priority = 3; {hostile}");
    assert!(!of_untrusted(notes(&described("below", &below))));
    assert!(!of_untrusted(notes(system())));
}
