//! The kernel under virtual time.
//!
//! [`simulate`] runs a system on the kernel's own decisions, under each core's own policy: the
//! crate that boots on hardware decides who runs, who waits and who inherits, and this crate only
//! lets time pass, on all cores at once. There is no second opinion on scheduling anywhere in it.
//! What a thread does between two kernel entries comes from the model's bodies, when jobs arrive
//! comes from [`Options`], and what a kernel path costs comes from the platform's table.
//!
//! Same system, same options: same outcome, on every machine.

mod arrivals;
mod chains;
mod code;
mod core;
mod engine;
mod error;
mod exclusion;
mod histogram;
mod interpreter;
mod locks;
mod numbers;
mod observer;
mod options;
mod outcome;
mod program;
mod replay;
mod rules;
mod schedulers;
#[cfg(test)]
mod tests;
mod watcher;
mod words;

pub use chains::ChainOutcome;
pub use code::Code;
pub use error::SimError;
pub use histogram::{Bucket, Histogram};
pub use options::{Execution, Options, Recording, Releases};
pub use outcome::{GateOutcome, Outcome, Responses, TaskOutcome};
pub use replay::observe;
pub use rules::{CALL_REFUSED, DEADLINE_MISSED, RELEASE_LOST, RULES};

use arrivals::Arrivals;
use engine::{Engine, Subject};
use fusee_model::System;
use fusee_model::derived::Derived;
use fusee_tables::{Capabilities, Cores, kernel_policy};
use interpreter::Interpreter;
use numbers::Numbers;
use program::Program;
use schedulers::Parts;
use watcher::{Passage, Watcher};

/// Runs a system.
///
/// # Errors
/// [`SimError`]: an execution time is missing, nesting has no end, several cores would use what
/// belongs to one, or a kernel refuses the system.
pub fn simulate(system: &System, options: &Options) -> Result<Outcome, SimError> {
    simulate_code(system, &Code::of(system), options)
}

/// Runs a system whose code does something else than its description says.
///
/// The kernel has the tables of `system`: what each component may ask for, and which limits it is
/// held to. What it is asked for, and how long that takes, is what `code` says.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_code(
    system: &System,
    code: &Code<'_>,
    options: &Options,
) -> Result<Outcome, SimError> {
    let derived = Derived::of(system);
    let arrivals = Arrivals::of(system, options);
    let silent = options.costs.dependencies.is_none();
    if let Some(component) = system.lock_services().next().filter(|_| silent) {
        return Err(SimError::NoServices { component });
    }
    let mut capabilities = Capabilities::of(system);
    capabilities.name_threads(system, &derived);
    let trees = schedulers::Tables::of(system, &arrivals)?;
    let mut memory = trees.as_ref().map(schedulers::Tables::memory).transpose()?;
    let schedulers = trees.as_ref().zip(memory.as_mut()).map(|(own, state)| Parts::of(own, state));
    let program = Program::compile(code, &capabilities, &options.costs)?;
    // What a kernel's own timer cannot release comes from outside, as a sporadic arrival does.
    let releases: Vec<_> = arrivals.iter().map(Arrivals::kernel_release).collect();
    let cores =
        Cores::of(system, &derived, capabilities, &releases).map_err(SimError::of_tables)?;
    let (components, globals) = (cores.components(), cores.configs());
    let (tables, numbers) = (cores.tables(&components, &globals), Numbers::of(&cores));
    let depth = tables.iter().map(|(tables, _)| usize::from(tables.depth)).max().unwrap_or(0);
    let interpreter = Interpreter::new(program, depth, options);
    let mut watcher = Watcher::new(system, options, Passage::all(system, &options.costs)?);
    let policies: Vec<_> = (0..system.cores()).map(|core| kernel_policy(system, core)).collect();
    let (tables, policies, numbers) = (&tables, &policies, &numbers);
    let subject = Subject { tables, policies, numbers, interpreter, arrivals, schedulers };
    let reached = Engine::start(subject, &mut watcher, options)?.run()?;
    Ok(watcher.observer.finish(reached, watcher.records))
}
