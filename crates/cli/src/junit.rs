//! Verdicts as test cases, for tools that show these.
//!
//! A task with a deadline is a case, and so is a chain with a limit; what went wrong besides
//! is one for each message. A description that cannot be judged is one case with an error.

use std::path::{Path, PathBuf};

use fusee_bounds::{Analysis, TaskBound};
use fusee_diagnostics::{Diagnostic, Severity, SourceMap, render};
use fusee_model::System;
use fusee_pipeline::status::Status;
use fusee_report::verdict::{ChainVerdict, Mood, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::output::Output;

/// The cases about one system.
pub(crate) struct Cases {
    suite: TestSuite,
}

impl Cases {
    /// Those of bounds: a case fails where a deadline or a limit is not shown to hold.
    pub(crate) fn of_analysis(
        system: &System,
        analysis: &Analysis,
        chains: &[ChainVerdict],
    ) -> Self {
        let mut suite = TestSuite::new(&system.name);
        for bound in analysis.tasks.iter().filter(|bound| bound.deadline.is_some()) {
            let name = &system.task(bound.task).name;
            suite.add_test_case(case("task", name, reason(bound)));
        }
        add_chains(&mut suite, chains);
        Self { suite }
    }

    /// Those of a run: a case fails where something was late, above its bound or not promised, and
    /// for each thing that went wrong.
    pub(crate) fn of_run(system: &System, verdict: &Verdict, sources: &SourceMap) -> Self {
        let mut suite = TestSuite::new(&system.name);
        for (task, seen) in system.tasks.iter().zip(&verdict.tasks) {
            let failure = (seen.mood == Mood::Bad).then(|| seen.word.to_owned());
            suite.add_test_case(case("task", &task.name, failure));
        }
        add_chains(&mut suite, &verdict.chains);
        let wrong = verdict.findings.iter().filter(|found| found.severity != Severity::Note);
        for found in wrong {
            let mut one = case("run", found.code.0, Some(found.message.clone()));
            one.set_system_err(plain(std::slice::from_ref(found), sources));
            suite.add_test_case(one);
        }
        Self { suite }
    }

    /// The only case of what cannot be judged: an error with the messages.
    pub(crate) fn of_nothing(
        system: &Path,
        diagnostics: &[Diagnostic],
        sources: &SourceMap,
    ) -> Self {
        let name = system.file_stem().unwrap_or_default().to_string_lossy();
        let mut suite = TestSuite::new(name.as_ref());
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        let first = diagnostics.iter().find(|found| found.severity == Severity::Error);
        status.set_message(first.map_or("not judged", |found| found.message.as_str()));
        status.set_description(plain(diagnostics, sources));
        let mut one = TestCase::new(name.as_ref(), status);
        one.set_classname("description");
        suite.add_test_case(one);
        Self { suite }
    }

    /// Writes them to the file that the user names, if there is one, and then shows the rest.
    pub(crate) fn before(
        self,
        path: Option<&PathBuf>,
        output: &mut Output,
        show: impl FnOnce(&mut Output) -> Status,
    ) -> Status {
        match path.map_or(Ok(()), |path| self.write(path, output)) {
            Ok(()) => show(output),
            Err(sentence) => output.failed(sentence),
        }
    }

    fn write(self, path: &Path, output: &mut Output) -> Result<(), String> {
        let mut report = Report::new("fusee");
        report.add_test_suite(self.suite);
        let text = report.to_string().map_err(|error| error.to_string())?;
        output.write(&[(path.to_owned(), text.into_bytes())])
    }
}

fn case(kind: &str, name: &str, failure: Option<String>) -> TestCase {
    let status = match failure {
        None => TestCaseStatus::success(),
        Some(why) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(why);
            status
        }
    };
    let mut case = TestCase::new(name, status);
    case.set_classname(kind);
    case
}

/// Returns why a deadline is not shown to hold.
fn reason(bound: &TaskBound) -> Option<String> {
    if bound.is_schedulable() {
        return None;
    }
    Some(match (bound.response(), bound.deadline) {
        (Some(response), Some(deadline)) => {
            format!("the bound {response} is above the deadline {deadline}")
        }
        _ => "there is no bound".to_owned(),
    })
}

fn add_chains(suite: &mut TestSuite, chains: &[ChainVerdict]) {
    for chain in chains.iter().filter(|chain| chain.is_limited()) {
        let failure = (chain.mood == Mood::Bad).then(|| chain.word.to_owned());
        suite.add_test_case(case("chain", &chain.name, failure));
    }
}

fn plain(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    render::text(diagnostics, sources, render::Style::Plain)
}
