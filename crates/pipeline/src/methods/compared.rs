//! Written times and calls, held against what is proved of programs.
//!
//! A bound rests on what is written: with a `wcet` below what the code can take, or a call
//! that the list leaves out, it is a bound of another system. Where a program is at hand
//! both are known, so they are compared. What the tool can't bound it says nothing about,
//! and that is said. A section's length is compared as a part of the whole body only.

use std::collections::BTreeMap;

use fusee_bounds::BodyRef;
use fusee_diagnostics::{Diagnostic, Severity, SourceMap};
use fusee_model::{Body, Calls, Duration, Step, System};
use fusee_report::verdict::Word;
use fusee_tables::Capabilities;
use fusee_wcet::execute::Effort;

use super::clock::Clock;
use super::requests::excesses;
use super::{InSystem, Places, Proved, Told, all, body, programs, told};
use crate::progress::Steps;
use crate::rules;

/// The result of the comparison.
#[derive(Default)]
pub struct Compared {
    /// The written facts that are contradicted, and those that could not be compared.
    pub diagnostics: Vec<Diagnostic>,
    /// The bodies whose times or calls are contradicted, by name.
    pub contradicted: Vec<String>,
    /// The bodies whose written times or calls could not be compared, by name.
    pub open: Vec<String>,
    /// The proved time of each body that has its time from the description.
    pub(super) times: BTreeMap<BodyRef, Result<Duration, String>>,
}

/// The number of blocks after which nothing is claimed of a body. A written time needs no bound to
/// go on, and a user does not wait long for a second opinion.
const EFFORT: Effort = Effort { blocks: 40_000, ..super::EFFORT };

/// Direct calls within direct calls that are followed.
const DEPTH: usize = 64;

/// Compares the bodies that have their times from the description; `stubs` are components without
/// code of their own, by name, of which nothing but the description is known.
pub fn compare(
    system: &System,
    places: &Places<'_>,
    (proved, stubs): (&Proved, &[String]),
    sources: &mut SourceMap,
) -> Compared {
    let mut compared = Compared::default();
    let written = written(system, proved, stubs);
    if written.is_empty() {
        return compared;
    }
    let mut linked = match programs::read(system, places, sources) {
        Ok(linked) => linked,
        Err(wrong) => {
            compared.diagnostics = wrong;
            return compared;
        }
    };
    let capabilities = Capabilities::of(system);
    // Calls are calls on every machine.
    let (clock, no_times) = match Clock::of(system, places) {
        Ok(clock) => (clock, None),
        Err(why) => (Clock::Instructions, Some(why.message.clone())),
    };
    let mut notes = Vec::new();
    let mut bar = Steps::new("written times compared", written.len() as u64);
    for (done, whose) in written.into_iter().enumerate() {
        bar.at(done as u64);
        let name = whose.name(system);
        match told(InSystem { system, whose }, &mut linked, &capabilities, (&clock, EFFORT)) {
            Ok(told) => {
                let found = Found { system, whose, places, told: &told };
                let time = (no_times.is_none()).then(|| found.time()).flatten();
                let wrong: Vec<Diagnostic> = time.into_iter().chain(found.calls()).collect();
                if !wrong.is_empty() {
                    compared.contradicted.push(name);
                } else if no_times.is_some() {
                    compared.open.push(name);
                }
                compared.diagnostics.extend(wrong);
                let proved = match &no_times {
                    Some(why) => Err(why.clone()),
                    None => Ok(told.time.time),
                };
                compared.times.insert(whose, proved);
            }
            Err(why) => {
                let why = why.first().cloned().unwrap_or_default();
                notes.push(format!("`{name}`: {why}"));
                compared.open.push(name);
                compared.times.insert(whose, Err(why));
            }
        }
    }
    drop(bar);
    notes.splice(0..0, no_times.map(|why| format!("no time was compared: {why}")));
    compared.diagnostics.extend(not_compared(notes));
    compared
}

impl Compared {
    /// Returns `true` if a written fact is contradicted.
    pub fn is_contradicted(&self) -> bool {
        !self.contradicted.is_empty()
    }

    /// Returns the verdict's view of written times and calls.
    pub fn word(&self) -> Word<'_> {
        Word { contradicted: &self.contradicted, open: &self.open }
    }

    /// Takes what is written for true all the same: what contradicts it is a warning.
    pub fn trust(&mut self) {
        let contradicted = [rules::TIME_TOO_SHORT, rules::CALLS_LEFT_OUT];
        for found in &mut self.diagnostics {
            if contradicted.contains(&found.code) {
                found.severity = Severity::Warning;
            }
        }
    }
}

/// Returns the bodies whose times are the description's word, and whose code is there.
fn written(system: &System, proved: &Proved, stubs: &[String]) -> Vec<BodyRef> {
    let has_code = |whose: &BodyRef| {
        let component = match *whose {
            BodyRef::Task(id) => system.task(id).component,
            BodyRef::Method(gate, _) if system.mutex(gate).is_some() => return false,
            BodyRef::Method(gate, _) => system.gate(gate).component,
        };
        let component = system.component(component);
        !component.hardware
            && component.lock_component.is_none()
            && !stubs.contains(&component.name)
    };
    let is_written = |whose: &BodyRef| {
        body(system, *whose).wcet_origin.is_some() && !proved.bodies.contains_key(whose)
    };
    all(system).filter(|whose| is_written(whose) && has_code(whose)).collect()
}

/// A body of which a program tells something.
struct Found<'a> {
    system: &'a System,
    whose: BodyRef,
    places: &'a Places<'a>,
    told: &'a Told,
}

impl Found<'_> {
    /// Returns a message if more time is proved than is written.
    fn time(&self) -> Option<Diagnostic> {
        let (system, whose) = (self.system, self.whose);
        let written = whole(system, body(system, whose), 0);
        let proved = self.told.time.time;
        if proved <= written {
            return None;
        }
        let message = format!(
            "`{}` may take longer than the description says: {proved}, not {written}",
            whose.name(system)
        );
        let error = Diagnostic::error(rules::TIME_TOO_SHORT, message);
        let origin = body(system, whose).wcet_origin.unwrap_or(whose.origin(system));
        let error = match (self.places.span)(origin) {
            Some(span) => error.at(span, "the code can take longer"),
            None => error,
        };
        let error = match self.told.time.facts.is_empty() {
            true => error,
            false => error.with_note(format!("with the facts {}", self.told.time.facts.join("; "))),
        };
        Some(
            error
                .with_note(
                    "from the first instruction to the system call that ends it, glue \
                            included; what it calls is counted by itself",
                )
                .with_note(
                    "leave the time out, and it is taken from the program; or write the \
                            proved one",
                )
                .with_note(TRUST),
        )
    }

    /// Returns a message if the program asks for more than its list of calls says.
    fn calls(&self) -> Option<Diagnostic> {
        let (system, whose) = (self.system, self.whose);
        let all = excesses(system, whose, &self.told.most).into_iter();
        let more: Vec<String> =
            all.filter(|(asked, _)| asked.has_a_step()).map(|(_, sentence)| sentence).collect();
        if more.is_empty() {
            return None;
        }
        let message = format!("`{}` asks for more than the description says", whose.name(system));
        let error = Diagnostic::error(rules::CALLS_LEFT_OUT, message);
        let origin = match body(system, whose).calls {
            Calls::Given(origin) => origin,
            Calls::None | Calls::Assumed => whose.origin(system),
        };
        let error = match (self.places.span)(origin) {
            Some(span) => error.at(span, "these leave something out"),
            None => error,
        };
        let error = more.into_iter().fold(error, Diagnostic::with_note);
        Some(
            error
                .with_note(
                    "the analysis adds the time of what `calls` say: list there all that \
                            the program can ask for",
                )
                .with_note(TRUST),
        )
    }
}

/// The note that says how to go on.
const TRUST: &str = "`--trust-written` goes on with what is written; the verdict then says so";

/// Returns the time that a body's program takes by the description: its own time, that of its
/// sections, and that of the bodies it calls directly.
fn whole(system: &System, body: &Body, depth: usize) -> Duration {
    let of = |step: &Step| match *step {
        Step::Compute { worst, .. } => worst,
        Step::Invoke { gate, method, .. }
            if depth < DEPTH && (system.gate(gate).direct || system.mutex(gate).is_some()) =>
        {
            let methods = &system.gate(gate).methods;
            let one = method.map(|at| at..at + 1).unwrap_or(0..methods.len());
            let all = methods.get(one).unwrap_or_default().iter();
            all.map(|method| whole(system, &method.body, depth + 1)).max().unwrap_or_default()
        }
        Step::Invoke { .. } | Step::Emit(_) | Step::Wait(_) => Duration::ZERO,
    };
    Duration(body.steps.iter().map(|step| of(step).0).fold(0, u64::saturating_add))
}

/// Returns the message about times and calls of which nothing is claimed.
fn not_compared(notes: Vec<String>) -> Option<Diagnostic> {
    if notes.is_empty() {
        return None;
    }
    let note = Diagnostic::note(
        rules::NOT_COMPARED,
        "some of what the description says could not be compared with the programs",
    );
    let note = notes.into_iter().fold(note, Diagnostic::with_note);
    Some(note.with_note("the bounds rest on what is written there"))
}
