//! Images on machines: built, booted, read.

use std::path::Path;

use fusee_bounds::Analysis;
use fusee_diagnostics::Span;
use fusee_kernel::{Kind, Record};
use fusee_model::derived::Derived;
use fusee_model::{Duration, Origin, System};
use fusee_platform::Platform;
use fusee_report::verdict::{Facts, Place, Verdict, Word};
use fusee_run::{Debugging, Image, Line, Refused, Run, RunError};
use fusee_sim::{Outcome, Recording};
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::progress;
use crate::status::Status;
use crate::subject::Subject;
use crate::urgency::urgency;

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        let status = if error.is_tool_failure() { Status::ToolFailed } else { Status::BadInput };
        Problem { diagnostics: vec![error.diagnostic()], status }
    }
}

/// A run that was made on a machine.
pub struct Booted {
    image: Image,
    /// The result that the machine left behind.
    pub run: Run,
    /// The platform's name.
    pub platform: &'static str,
    /// The system, as far as the image tells.
    pub system: System,
    /// The run, counted.
    pub outcome: Outcome,
}

/// Checks that an image is for a machine; without one, for the simulator, none is.
///
/// # Errors
/// It is not, or it can't be read.
pub fn fits(path: &Path, wanted: Option<Platform>) -> Result<(), Problem> {
    let image = Image::read(path)?;
    match wanted {
        Some(machine) => Ok(image.expect(machine)?),
        None => Err(RunError::Platform { image: image.platform().name(), wanted: "sim" }.into()),
    }
}

/// Boots an image and reads what it left behind; deadlines are those of the description, if there
/// is one.
///
/// # Errors
/// The image can't be read, or the machine fails.
pub fn boot_for(
    path: &Path,
    duration: Duration,
    system: Option<&System>,
) -> Result<Booted, Problem> {
    let image = Image::read(path)?;
    let run = progress::during("running", || fusee_run::boot(&image, duration))?;
    let of_image = image.system.clone();
    let mut outcome = fusee_sim::observe(system.unwrap_or(&of_image), &run.records, run.elapsed);
    count_refused(&run.refused, system, &mut outcome);
    count_throttled(&run.records, &mut outcome);
    Ok(Booted { platform: image.platform().name(), run, system: of_image, outcome, image })
}

/// Adds calls that were answered with an error. Those within a gate are a task's if no other
/// reaches the gate.
fn count_refused(refused: &[Refused], system: Option<&System>, outcome: &mut Outcome) {
    let derived = system.filter(|_| !refused.is_empty()).map(Derived::of);
    for one in refused {
        outcome.refused += u64::from(one.calls);
        let of_gate = || match derived.as_ref()?.gates.get(usize::from(one.gate?))?.tasks.as_slice()
        {
            [task] => Some(task.index()),
            _ => None,
        };
        let task = one.thread.map(usize::from).or_else(of_gate);
        if let Some(seen) = task.and_then(|task| outcome.tasks.get_mut(task)) {
            seen.refused += u64::from(one.calls);
        }
    }
}

/// Adds signals that the kernel has refused, where code without stubs has not counted them itself.
fn count_throttled(records: &[Record], outcome: &mut Outcome) {
    for record in records.iter().filter(|record| record.kind == Kind::Throttle) {
        let seen = outcome.tasks.get_mut(record.thread.at());
        if let Some(seen) = seen.filter(|seen| seen.refused == 0) {
            (seen.refused, outcome.refused) = (1, outcome.refused + 1);
        }
    }
}

/// Boots an image for a debugger; `ready` hears the command that starts that.
///
/// # Errors
/// The image can't be read, or the machine fails.
pub fn debug(path: &Path, port: u16, ready: impl FnOnce(&str)) -> Result<(), Problem> {
    let image = Image::read(path)?;
    let command = debugger(&image, port);
    fusee_run::debug(&image, &Debugging { port }, || ready(&command))?;
    Ok(())
}

/// Returns the command that starts a debugger with the symbols of the kernel and of all domains.
fn debugger(image: &Image, port: u16) -> String {
    let programs = image.programs();
    let quoted: Vec<String> = programs.iter().map(|path| format!("'{}'", path.display())).collect();
    let (kernel, domains) =
        quoted.split_first().map_or(("", &[][..]), |(kernel, domains)| (kernel.as_str(), domains));
    let symbols: String =
        domains.iter().map(|domain| format!(" -ex \"add-symbol-file {domain}\"")).collect();
    format!("gdb-multiarch {kernel}{symbols} -ex 'target remote localhost:{port}'")
}

impl Booted {
    /// Returns `true` if it has several cores on a machine where they do not run at the same time.
    fn takes_turns(&self) -> bool {
        self.image.cores.len() > 1 && !self.image.platform().descriptor().parallel
    }

    /// Returns the verdict on the run, compared with the promises.
    pub fn verdict(
        &self,
        system: &System,
        (analysis, word): (Option<&Analysis>, Word<'_>),
        span: &dyn Fn(Origin) -> Option<Span>,
    ) -> Verdict {
        let stubs = self.image.stubs();
        Verdict::of(&Facts {
            system,
            analysis,
            outcome: &self.outcome,
            place: match self.takes_turns() {
                true => Place::InTurns(self.platform),
                false => Place::Machine(self.platform),
            },
            told: &self.run.diagnostics,
            faults: self.run.faults.len() as u64,
            stubs: &stubs,
            word,
            span,
        })
    }

    /// Takes over how long jobs executed and how often their budgets ended, which only a run with
    /// all records tells.
    pub(crate) fn take_executions(&mut self, traced: &Booted) {
        for (task, recorded) in self.outcome.tasks.iter_mut().zip(&traced.outcome.tasks) {
            (task.execution_max, task.overruns) = (recorded.execution_max, recorded.overruns);
        }
    }

    /// Returns the output of components, and of the serial port.
    pub fn printed(&self) -> String {
        let mut text: String = self.run.console.iter().map(|line| format!("{line}\n")).collect();
        let serial = String::from_utf8_lossy(&self.run.serial).replace("\r\n", "\n");
        if !serial.is_empty() {
            text +=
                &format!("serial port:\n{}\n", fusee_run::visible(serial.trim_end_matches('\n')));
        }
        if text.is_empty() { text } else { text + "\n" }
    }

    /// Adds the facts that only a machine leaves behind, for programs.
    pub fn describe(&self, value: &mut Value) {
        let manifest = &self.image.manifest;
        let lines = self
            .run
            .console
            .iter()
            .map(|Line { time, component, text }| {
                json!({ "time_ns": time, "component": component, "text": text })
            });
        let faults = self.run.faults.iter().map(|fault| {
            json!({
                "time_ns": fault.time,
                "component": manifest.component(fault.component),
                "task": manifest.thread(fault.thread),
                "method": fault.gate.map(|(gate, method)| manifest.method(gate, method)),
                "instruction": fault.instruction,
                "address": fault.address,
                "cause": fault.cause,
            })
        });
        value["console"] = lines.collect();
        value["serial"] = String::from_utf8_lossy(&self.run.serial).into();
        value["faults"] = faults.collect();
        value["kernel_memory_bytes"] = self.run.result.kernel_memory.into();
    }

    /// Returns the run as a Perfetto trace.
    pub fn trace(&self) -> Vec<u8> {
        let names = self.image.manifest.names(|core| urgency(&self.system, core));
        progress::during("drawing the trace", || fusee_trace::draw(&names, &self.run.records))
    }

    /// Returns the page about the system, with this run on it and the timeline of a run with all
    /// records.
    pub fn page(&self, subject: &Subject<'_>, verdict: &Verdict, traced: &Booted) -> String {
        let mut outcome = self.outcome.clone();
        // Only the kernel that records everything tells who executed when.
        (outcome.records, outcome.gates) =
            (traced.outcome.records.clone(), traced.outcome.gates.clone());
        (outcome.busy, outcome.events) = (traced.outcome.busy, traced.outcome.events);
        for (task, recorded) in outcome.tasks.iter_mut().zip(&traced.outcome.tasks) {
            (task.preemptions, task.blocking_max) = (recorded.preemptions, recorded.blocking_max);
        }
        if let Recording::Window { from, to } = fusee_report::recording(subject.system, &outcome) {
            outcome.records.retain(|record| record.time >= from.ns() && record.time <= to.ns());
        }
        let how = format!("Run on {}:", self.platform);
        subject.page(&outcome, &how, verdict)
    }
}
