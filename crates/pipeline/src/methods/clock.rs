//! In what the times of programs are counted.

use fusee_diagnostics::Diagnostic;
use fusee_model::{ComponentId, System};
use fusee_platform::Platform;
use fusee_wcet::execute::{Effort, Facts, Failure, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

use super::cycles::{Cycles, Timed};
use super::{EFFORT, Places};
use crate::build;
use crate::wait_states::latency;

/// The unit of the times of programs.
pub(super) enum Clock {
    /// An instruction is a nanosecond.
    Instructions,
    /// A cycle is one.
    Cycles(Box<Cycles>),
}

impl Clock {
    /// Returns the clock of the machine that programs are for.
    pub(super) fn of(system: &System, places: &Places<'_>) -> Result<Self, Box<Diagnostic>> {
        let machine = places.platform;
        if machine.traits().instruction_is_tick {
            return Ok(Self::Instructions);
        }
        if latency(machine).is_none() {
            return Err(Box::new(no_times(machine)));
        }
        if let Some(uncounted) = uncounted(system) {
            return Err(Box::new(uncounted));
        }
        let image = places.programs.join(build::IMAGE);
        let path = image.display().to_string();
        let bytes = std::fs::read(&image)
            .map_err(|error| Box::new(super::programs::unreadable(&image, &error)))?;
        let program =
            Program::load(&bytes).map_err(|error| Box::new(fusee_wcet::refusal(&error, &path)))?;
        let verified = fusee_image::verify(&bytes, None);
        let verified = verified.map_err(|error| Box::new(error.diagnostic(&path)))?;
        let regions = verified.domains.iter().flat_map(|domain| &domain.memory);
        match Cycles::of(machine, &program, regions) {
            Some(cycles) => Ok(Self::Cycles(Box::new(cycles))),
            None => {
                let message = format!("`{path}` has no tables of a system");
                Err(Box::new(Diagnostic::error(fusee_wcet::METHOD, message)))
            }
        }
    }

    /// Bounds a body of a component.
    pub(super) fn bound(
        &self,
        program: &Program,
        (entry, facts): (u64, &Facts),
        component: ComponentId,
        effort: Effort,
    ) -> Result<Timed, Vec<String>> {
        let instructions = || {
            let failed = |failure: Failure| vec![failure.to_string()];
            let bound = bound(program, &Instructions, entry, facts, effort).map_err(failed)?;
            Ok(Timed { bound, interruption: 0 })
        };
        match self {
            Self::Instructions => instructions(),
            Self::Cycles(cycles) => {
                // What has no bound in instructions has none in cycles, and that is known sooner.
                let counted = (effort.blocks < EFFORT.blocks).then(instructions).transpose()?;
                match counted.filter(|counted| counted.bound.time.is_none()) {
                    Some(unbounded) => Ok(unbounded),
                    None => cycles.bound(program, entry, facts, component),
                }
            }
        }
    }
}

/// Returns a device whose interrupts are not counted: those that release a task come as often as
/// its jobs.
fn uncounted(system: &System) -> Option<Diagnostic> {
    let (device, line, _) = system.uncounted_interrupts().next()?;
    let message = format!("nothing says how often `{}.{}` interrupts", device.name, line.name);
    Some(
        Diagnostic::error(fusee_wcet::METHOD, message)
            .with_note("each interrupt takes lines of caches from whoever runs")
            .with_note("a repair: let it release a task, by `arrival = \"event ...\"`"),
    )
}

/// Programs tell how many instructions they execute, which is a time on some machines only.
fn no_times(machine: Platform) -> Diagnostic {
    let message = format!("programs tell no execution times on `{machine}`");
    Diagnostic::error(fusee_wcet::METHOD, message)
        .with_note(
            "an instruction takes more or fewer cycles there, as pipeline and caches have it",
        )
        .with_note("give the times in the description: `wcet`, or a time in `calls`")
}
