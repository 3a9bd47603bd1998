//! An answer written into the text, read again and analyzed again.

use fusee_adl::Origins;
use fusee_adl::syntax::files::{Disk, Overlay};
use fusee_bounds::{Analysis, TaskBound};
use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};

use super::answer::{Answer, Promise, Solution};
use super::judge::Judged;
use super::known::Known;
use super::setting::Setting;
use super::text::{Text, Written};
use crate::analysed::Analysed;
use crate::analyze::{self, analyse};
use crate::load::{Loaded, Surroundings, load_within};
use crate::priced::costs_of;
use crate::rules;

/// The way from an answer to a text.
pub(super) struct Writer<'a> {
    pub(super) asked: &'a analyze::Asked,
    pub(super) around: &'a Surroundings,
    pub(super) known: &'a Known<'a>,
}

impl Writer<'_> {
    /// Returns the answer with the promise of its text.
    pub(super) fn answer(&self, found: Judged) -> (Answer, Vec<Diagnostic>) {
        let settings = found.choice.settings().to_vec();
        if settings.is_empty() {
            return match self.read(&Written::default()) {
                Some(promise) => (Answer::Holds(Box::new(promise)), Vec::new()),
                None => (Answer::NotFound("the text does not say what was analysed"), Vec::new()),
            };
        }
        let tree = self.around.tree(&Disk, &self.asked.source);
        let text = Text { loaded: &tree, path: &self.asked.source.system };
        let written = text.with(&found.system, &settings);
        let agrees = |promise: &Promise| {
            let given = settings
                .iter()
                .all(|setting| setting.subject().value(&promise.system) == Some(*setting));
            given && responses(&promise.analysed.analysis) == responses(&found.analysis)
        };
        let read = match written.lines.is_empty() {
            true => self.read(&written).filter(agrees),
            false => None,
        };
        match read {
            Some(promise) => {
                let solution = Solution { settings, written, promise };
                (Answer::Found(Box::new(solution)), Vec::new())
            }
            None => self.told(found, settings),
        }
    }

    /// Returns the answer as lines where they cannot be written into the text.
    fn told(&self, found: Judged, settings: Vec<Setting>) -> (Answer, Vec<Diagnostic>) {
        let lines = settings.iter().map(|setting| setting.line(&found.system)).collect();
        let written = Written { lines, ..Written::default() };
        let derived = Derived::of(&found.system);
        let analysed = Analysed {
            analysis: found.analysis,
            repairs: Vec::new(),
            growths: Vec::new(),
            diagnostics: Vec::new(),
        };
        let loaded = Loaded { sources: SourceMap::default(), ..Loaded::empty() };
        let promise = Promise { loaded, system: found.system, derived, analysed };
        let message = "the text cannot be changed without an engineer";
        let note = "a value comes from a macro, a condition, another value or a file that comes \
                    with Fusee: write the lines where they take effect";
        let warning = Diagnostic::warning(rules::NOT_WRITTEN, message).with_note(note);
        (Answer::Found(Box::new(Solution { settings, written, promise })), vec![warning])
    }

    /// Reads and analyzes the description with these texts; none where it does not hold.
    fn read(&self, written: &Written) -> Option<Promise> {
        let mut files = Overlay::default();
        for file in &written.files {
            files.insert(&file.path, file.after.as_str());
        }
        let known = self.known;
        let complete = |system: &mut System, _: &Origins, _: &mut SourceMap| {
            complete(system, known.system);
            Vec::new()
        };
        let source = &self.asked.source;
        let loaded = load_within(self.around, &files, source, known.costs, complete);
        let (system, derived) = loaded.usable().cloned()?;
        let costs = costs_of(&system, known.costs, known.proved);
        let analysed = analyse(&loaded, &system, &derived, &costs);
        let holds = analysed.analysis.is_schedulable();
        holds.then_some(Promise { loaded, system, derived, analysed })
    }
}

/// Returns the bound of each task that has one.
fn responses(analysis: &Analysis) -> Vec<Option<Duration>> {
    analysis.tasks.iter().map(TaskBound::response).collect()
}

/// Adds the execution times that a text leaves out and that programs gave the first time.
fn complete(system: &mut System, known: &System) {
    for (task, known) in system.tasks.iter_mut().zip(&known.tasks) {
        if task.body.wcet_origin.is_none() && known.body.wcet_origin.is_some() {
            task.body = known.body.clone();
        }
    }
    for (gate, known) in system.gates.iter_mut().zip(&known.gates) {
        for (method, known) in gate.methods.iter_mut().zip(&known.methods) {
            if method.body.wcet_origin.is_none() && known.body.wcet_origin.is_some() {
                method.body = known.body.clone();
            }
        }
    }
}
