//! The kernel under virtual time.
//!
//! [`simulate`] runs a system on the kernel's own decisions, under the system's own policy: the
//! crate that boots on hardware decides who runs, who waits and who inherits, and this crate only
//! lets time pass. There is no second opinion on scheduling anywhere in it. What a thread does
//! between two kernel entries comes from the model's bodies, when jobs arrive comes from
//! [`Options`], and what a kernel path costs comes from the platform's table.
//!
//! Same system, same options: same outcome, on every machine.

mod arrivals;
mod chains;
pub mod cores;
mod engine;
mod error;
mod exclusion;
mod histogram;
mod interpreter;
mod observer;
mod options;
mod outcome;
mod program;
mod replay;
mod rules;
#[cfg(test)]
mod tests;
mod watcher;

pub use chains::ChainOutcome;
pub use error::SimError;
pub use histogram::{Bucket, Histogram};
pub use options::{Execution, Options, Recording, Releases};
pub use outcome::{GateOutcome, Outcome, TaskOutcome};
pub use replay::observe;
pub use rules::{CALL_REFUSED, DEADLINE_MISSED, RELEASE_LOST, RULES};

use arrivals::Arrivals;
use engine::Engine;
use fusee_kernel as kernel;
use fusee_model::derived::Derived;
use fusee_model::{Policy, System};
use fusee_tables::{Capabilities, Objects};
use interpreter::Interpreter;
use kernel::{EarliestDeadline, FixedPriority, Kernel, Store};
use program::Program;
use watcher::Watcher;

/// Runs a system.
///
/// # Errors
/// [`SimError`]: an execution time is missing, nesting has no end, there are several cores, or the
/// kernel refuses the system.
pub fn simulate(system: &System, options: &Options) -> Result<Outcome, SimError> {
    match system.policy() {
        Policy::FixedPriority => run::<FixedPriority>(system, options),
        Policy::EarliestDeadline => run::<EarliestDeadline>(system, options),
    }
}

/// Runs a system on the kernel of its policy.
fn run<P: kernel::Policy>(system: &System, options: &Options) -> Result<Outcome, SimError> {
    let arrivals = Arrivals::of(system, options);
    let capabilities = Capabilities::of(system);
    let program = Program::compile(system, &capabilities, &options.costs)?;
    let objects = objects(system, capabilities, &arrivals)?;
    let components = objects.components();
    let tables = objects.tables(&components);
    let mut store = Store::<P>::new(tables.sizes());
    let interpreter = Interpreter::new(program, usize::from(tables.depth), options);
    let passages = watcher::passages(system, &options.costs)?;
    let mut watcher = Watcher::new(system, options, passages);
    let kernel = Kernel::start(tables, store.memory(), &mut watcher)
        .map_err(|error| SimError::Tables { reason: format!("{error:?}") })?;
    let reached = Engine::new(kernel, interpreter, arrivals, options).run()?;
    Ok(watcher.observer.finish(reached, watcher.records))
}

/// The kernel's objects. What the kernel's own timer cannot release comes from outside, as a
/// sporadic arrival does.
fn objects(
    system: &System,
    capabilities: Capabilities,
    arrivals: &[Arrivals],
) -> Result<Objects, SimError> {
    let cores = system.tasks.iter().map(|task| task.core + 1).max().unwrap_or(1);
    if cores > 1 {
        return Err(SimError::Cores { cores });
    }
    let releases: Vec<_> = arrivals.iter().map(Arrivals::kernel_release).collect();
    Objects::of(system, &Derived::of(system), capabilities, &releases)
        .map_err(|error| SimError::Tables { reason: error.to_string() })
}
