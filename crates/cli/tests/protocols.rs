//! The costs of gates between cores, in one small system, and refusals.

use std::path::PathBuf;

use fusee_measure::{Between, CoresSeen, Guard, PathBetween, PathsBetween, Recorder, Section};
use fusee_model::costs::CostTable;
use fusee_model::{Policy, Protocol};
use fusee_pipeline::measure::Asked;
use fusee_pipeline::protocols;
use fusee_platform::{KernelConfig, Platform};
use fusee_testing::{Tool, document};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

fn asked() -> Asked {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("protocols");
    Asked::plain(Platform::DEFAULT, folder)
}

/// Returns an mrsp gate that all cores use.
fn watched(cores: usize) -> (Between, Recorder) {
    let between = Between {
        guard: Guard::Gate(Protocol::Mrsp),
        cores,
        users: cores - 1,
        budgets: false,
        policy: Policy::FixedPriority,
    };
    let recorder = protocols::watched(&between, &asked()).unwrap_or_else(|problem| {
        panic!("{:?}", problem.diagnostics);
    });
    (between, recorder)
}

/// The table's figures for gates between cores hold for as many cores as were really there: on each
/// number of cores all of them wait, one executes for another, and whoever looks for somebody
/// present passes over all others.
#[test]
fn few_and_many_cores_show_all_paths() {
    // Three are another test's.
    [2, 4, 8].into_iter().for_each(shows_all_paths);
}

#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn the_other_numbers_of_cores_show_all_paths() {
    [5, 6, 7].into_iter().for_each(shows_all_paths);
}

fn shows_all_paths(cores: usize) {
    let committed =
        Platform::QemuRv64.descriptor().costs_of(KernelConfig::PLAIN.on(2), 2).expect("measured");
    let table = CostTable::from_toml(committed).expect("a table");
    let (between, recorder) = watched(cores);
    assert_eq!(between.is_shown_by(&recorder), Ok(()), "{cores} cores");
    // Without one of its helps the system is found out.
    let mut less = recorder.clone();
    less.paths.retain(|path| path.kinds().all(|kind| kind != Section::Lose));
    assert!(between.is_shown_by(&less).is_err(), "{cores} cores");
    let seen =
        CoresSeen { by_clock: Vec::new(), watched: vec![(Guard::Gate(Protocol::Mrsp), recorder)] };
    // Another compiler's kernel may take half as much again.
    assert_eq!(seen.covered_by(&table.scaled(3, 2)), Ok(()), "{cores} cores");
}

/// The whole of it takes minutes; `make soundness` measures all tables again.
#[test]
fn the_committed_table_covers_a_gate_between_cores() {
    let (between, recorder) = watched(3);
    assert_eq!(recorder.waited, 0, "nobody waits for a lock here");
    let mut paths = PathsBetween::default();
    paths.add_of(&between, &recorder);
    let paths = paths.all();
    assert_eq!(between.is_shown_by(&recorder), Ok(()));
    let find = |name: &str, waiting| {
        let is = |path: &&PathBetween| path.name == name && path.waiting == waiting;
        paths.iter().find(is).unwrap_or_else(|| panic!("no {name} with {waiting} in {paths:#?}"))
    };
    // The owner finds the gate free, and each user one more request.
    for waiting in 0..3 {
        assert_eq!(find("mrsp.lock", waiting).cores, 3);
    }
    // Two hands: whoever is preempted, and whoever goes on.
    let (help, lock) = (find("mrsp.help", 2), find("mrsp.lock", 0));
    assert!(help.min > lock.max, "{help:?} is two paths");
    assert!(find("mrsp.unlock", 0).min > 0);
    for section in [Section::Ask, Section::Leave, Section::Look, Section::Lose, Section::Gain] {
        let seen = recorder.paths.iter().any(|path| path.kinds().any(|kind| kind == section));
        assert!(seen, "{section:?}");
    }

    let committed =
        Platform::QemuRv64.descriptor().costs_of(KernelConfig::PLAIN.on(2), 2).expect("measured");
    let kernel = asked().folder.join("between-mrsp-3-2/build/kernel.elf");
    let compiler = fusee_measure::compiler(&std::fs::read(kernel).expect("the kernel"));
    let same = compiler.is_some_and(|compiler| {
        committed.lines().next().is_some_and(|line| line.contains(&compiler))
    });
    let table = CostTable::from_toml(committed).expect("a table");
    // Another compiler's kernel may take half as much again.
    let table = if same { table } else { table.scaled(3, 2) };
    let seen =
        CoresSeen { by_clock: Vec::new(), watched: vec![(Guard::Gate(Protocol::Mrsp), recorder)] };
    assert_eq!(seen.covered_by(&table), Ok(()), "type `make costs`");
    // A table that says less is found out.
    assert!(seen.covered_by(&table.scaled(1, 2)).is_err());
}

/// Refused with one sentence, in both formats.
fn refused(options: &[&str], sentence: &str) {
    for json in [false, true] {
        let mut arguments = vec!["measure", "--protocols"];
        arguments.extend(options);
        if json {
            arguments.push("--json");
        }
        let output = FUSEE.run(&arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(sentence), "{text}");
        if json {
            let error = document(&output)["error"].to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }
}

#[test]
fn where_gates_between_cores_cannot_be_measured_that_is_said() {
    refused(&["--platform", "sim"], "there is nothing to measure");
    refused(&["--platform", "rtl-vexriscv"], "gates between cores are measured on `qemu-rv64`");
    refused(
        &["--policy", "earliest_deadline"],
        "gates between cores are measured where priorities decide",
    );
}
