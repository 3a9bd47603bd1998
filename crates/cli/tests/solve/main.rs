//! `solve` finds a choice if there is one, and writes what it means.
//!
//! It says that there is none only where there is none.
//!
//! Drawn systems are held against all that could be chosen (module `oracle`). `SOLVED_SYSTEMS` says
//! how many of each form.

#![expect(clippy::print_stdout, reason = "it says how many answers of each kind it saw")]

mod commands;
mod drawn;
mod oracle;

use std::path::{Path, PathBuf};

use drawn::{Form, Given};
use fusee_model::Duration;
use fusee_pipeline::analyze;
use fusee_pipeline::costs::{Costs, named};
use fusee_pipeline::options::Source;
use fusee_pipeline::solve::{Answer, Asked, Conflict, Names, Prefer, Promise, Solved, run};
use fusee_platform::Platform;
use fusee_sim::{Options, simulate};
use fusee_testing::{Draw, given_or};
use oracle::{Question, freed, is_solvable, is_solvable_at_once};

/// Writes a description, and returns its path.
pub(crate) fn write(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("solve-{name}.camkes"));
    std::fs::write(&path, text).expect("a scratch file");
    path
}

fn asked(path: &Path, cores: u32, platform: Option<Platform>) -> Asked {
    let analysis = analyze::Asked {
        source: Source::of(path.to_owned()),
        platform,
        costs: Vec::new(),
        programs: None,
        builds: false,
        trust_written: false,
        sensitivity: false,
        offsets: false,
    };
    let (prefer, names) = (Prefer::Edits, Names::default());
    Asked { analysis, cores: Some(cores), prefer, names, effort: 1_000_000 }
}

fn solved(asked: &Asked) -> Solved {
    run(asked).unwrap_or_else(|loaded| panic!("{:?}: {:?}", asked.analysis, loaded.diagnostics))
}

/// The number of systems with each answer.
#[derive(Debug, Default)]
struct Seen {
    held: u64,
    found: u64,
    none: u64,
    open: u64,
    missed: u64,
}

/// Holds answers about drawn systems against all that could be chosen.
fn against_all(name: &str, form: Form, platform: Option<Platform>) -> Seen {
    let mut seen = Seen::default();
    let costs: Costs = named(platform).expect("its costs");
    // Everything that could be chosen on two cores is much more.
    for id in 0..given_or("SOLVED_SYSTEMS", 40) / (form.cores * form.cores) {
        let text = drawn::description(&mut Draw::of(id, 0x501e), form);
        let path = write(name, &text);
        let mut asked = asked(&path, form.cores as u32, platform);
        let mut read =
            fusee_adl::read(&path, &fusee_adl::Options::default()).system.expect("a system");
        let described = read.clone();
        if form.given == Given::Changing {
            asked.names.change = vec!["priority".to_owned(), "protocol".to_owned()];
            freed(&mut read);
        }
        let answer = solved(&asked);
        let cores = form.cores as u32;
        let exists_for =
            |required: &[bool]| is_solvable(&read, &costs, Question { cores, required });
        let exists = exists_for(&vec![true; read.tasks.len()]);
        match &answer.answer {
            Answer::Holds(promise) => {
                assert!(exists && promise.analysed.analysis.is_schedulable(), "{id}: {text}");
                seen.held += 1;
            }
            Answer::Found(solution) => {
                let promise = &solution.promise;
                assert!(exists && promise.analysed.analysis.is_schedulable(), "{id}: {text}");
                let [file] = solution.written.files.as_slice() else { panic!("{id}: {text}") };
                if platform.is_none() {
                    runs_within(promise);
                }
                if form.cores == 1 && solution.settings.len() > 1 {
                    let fewer = is_solvable_at_once(&described, &read, &costs);
                    assert!(!fewer, "{id}: one value is enough: {text}{}", file.after);
                }
                std::fs::write(&path, &file.after).expect("a scratch file");
                let again = solved(&asked).answer;
                assert!(matches!(again, Answer::Holds(_)), "{id}: {}", file.after);
                seen.found += 1;
            }
            Answer::Contradiction(conflict) => {
                assert!(!exists, "{id} has a choice: {text}");
                contradicts(conflict, &exists_for, read.tasks.len());
                seen.none += 1;
            }
            Answer::Refused(_) => {
                assert!(!exists, "{id} has a choice: {text}");
                seen.none += 1;
            }
            Answer::NotFound(_) if exists => seen.missed += 1,
            Answer::NotFound(_) => seen.open += 1,
        }
    }
    println!("{name}: {seen:?}");
    seen
}

/// A run of what was promised stays within its bounds.
fn runs_within(promise: &Promise) {
    let options = Options { duration: Duration(200_000_000), ..Options::default() };
    let outcome = simulate(&promise.system, &options).expect("it can be run");
    for (bound, seen) in promise.analysed.analysis.tasks.iter().zip(&outcome.tasks) {
        let response = bound.response().expect("a bound");
        assert!(seen.latest() <= response, "{seen:?} {bound:?}");
    }
}

/// The deadlines that are named contradict each other, and without any one of them they do not.
fn contradicts(conflict: &Conflict, exists_for: &dyn Fn(&[bool]) -> bool, tasks: usize) {
    let named = |at: usize| conflict.tasks.iter().any(|task| task.index() == at);
    let required: Vec<bool> = (0..tasks).map(named).collect();
    assert!(!exists_for(&required), "{conflict:?} hold together");
    for task in conflict.tasks.iter().filter(|_| conflict.is_least) {
        let mut fewer = required.clone();
        fewer[task.index()] = false;
        assert!(exists_for(&fewer), "{conflict:?} is more than what contradicts");
    }
}

#[test]
fn on_one_core_each_answer_is_right() {
    let form = Form { tasks: 4, gates: 3, cores: 1, given: Given::Nothing };
    let seen = against_all("one", form, None);
    assert_eq!((seen.missed, seen.open), (0, 0), "{seen:?}");
    assert!(seen.held > 0 && seen.none > 0, "{seen:?}");
}

#[test]
fn with_given_values_each_answer_is_right() {
    let form = Form { tasks: 4, gates: 3, cores: 1, given: Given::Some };
    let seen = against_all("given", form, None);
    assert_eq!(seen.missed, 0, "{seen:?}");
    assert!(seen.held > 0 && seen.none > 0, "{seen:?}");
}

#[test]
fn where_given_values_may_change_each_answer_is_right() {
    let form = Form { tasks: 4, gates: 3, cores: 1, given: Given::Changing };
    let seen = against_all("changing", form, None);
    assert_eq!((seen.missed, seen.open), (0, 0), "{seen:?}");
    assert!(seen.found > 0 && seen.none > 0, "{seen:?}");
}

#[test]
fn with_the_costs_of_the_kernel_each_answer_is_right() {
    let form = Form { tasks: 4, gates: 3, cores: 1, given: Given::Nothing };
    let seen = against_all("costly", form, Some(Platform::DEFAULT));
    assert_eq!((seen.missed, seen.open), (0, 0), "{seen:?}");
}

#[test]
fn on_two_cores_each_answer_is_right() {
    let form = Form { tasks: 4, gates: 2, cores: 2, given: Given::Nothing };
    let seen = against_all("two", form, None);
    assert_eq!(seen.missed, 0, "{seen:?}");
    assert!(seen.found > 0, "{seen:?}");
}

#[test]
fn without_gates_cores_are_decided() {
    let form = Form { tasks: 5, gates: 0, cores: 2, given: Given::Some };
    let seen = against_all("apart", form, None);
    assert_eq!((seen.missed, seen.open), (0, 0), "{seen:?}");
}
