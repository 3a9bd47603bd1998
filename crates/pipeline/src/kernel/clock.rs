//! In what the kernel's time is counted, and on which machine.

use std::path::Path;

use fusee_diagnostics::Diagnostic;
use fusee_platform::{Platform, Verilog};
use fusee_run::Image;
use fusee_wcet::execute::{Bound, Effort, Failure};
use fusee_wcet::machine::description::built_in;
use fusee_wcet::machine::{Instructions, Machine, Pipeline, Within};
use fusee_wcet::place;
use fusee_wcet::program::Program;
use fusee_wcet_kernel::{Bounds, Case, Entry, Kernel};

use crate::problem::Problem;
use crate::status::Status;
use crate::wait_states::latency;

/// The machine with the Verilog behind it.
const CORE: &str = "vexriscv";

/// The unit of a path's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Instructions, as QEMU's machines do.
    Instructions,
    /// Cycles of the VexRiscv core, with so many wait states of each beat of its memory.
    Cycles {
        /// The core with its board.
        platform: Platform,
        /// The wait states.
        wait_states: u32,
    },
}

/// Bounds what of all entries is in a function, in instructions.
///
/// # Errors
/// There is no such function.
pub(super) fn within(
    kernel: &mut Kernel,
    function: &str,
    entries: &[Entry],
) -> Result<Result<Bounds, Failure>, Problem> {
    let found = place::symbol(kernel.program(), function).map_err(|unknown| {
        let error = Diagnostic::error(fusee_wcet::ENTRY, format!("in the kernel {unknown}"));
        let similar = unknown.similar.as_deref().map(|name| format!("did you mean `{name}`?"));
        let error = similar.into_iter().fold(error, Diagnostic::with_note);
        Problem { diagnostics: vec![error], status: Status::BadInput }
    })?;
    let machine = Within::new(found);
    Ok(kernel.bounds(&machine, entries, Effort::default()))
}

impl Clock {
    /// Returns the one of a machine's name, if the kernel runs on it, with these wait states; where
    /// none are given, with those of the machine that an image is for.
    pub fn of(machine: &str, wait_states: Option<u32>, image: &Path) -> Option<Self> {
        match machine {
            _ if machine == Instructions.name() => Some(Self::Instructions),
            CORE => {
                let its = || latency(Image::read(image).ok()?.platform());
                let wait_states = wait_states.or_else(its).unwrap_or(0);
                let is_it = |&platform: &Platform| latency(platform) == Some(wait_states);
                let named = Self::cores().find(is_it);
                let platform = named.or_else(|| Platform::from_name(Verilog::VexRiscv.name()))?;
                Some(Self::Cycles { platform, wait_states })
            }
            _ => None,
        }
    }

    /// The names of all.
    pub fn names() -> [&'static str; 2] {
        [Self::Instructions.machine(), CORE]
    }

    /// Returns the machine's name.
    pub fn machine(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Cycles { .. } => CORE,
        }
    }

    /// Returns the unit of its times.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Cycles { .. } => "cycles",
        }
    }

    /// Returns the platform whose kernel is bounded, and on which it is watched.
    pub fn platform(self) -> Platform {
        match self {
            Self::Instructions => Platform::DEFAULT,
            Self::Cycles { platform, .. } => platform,
        }
    }

    /// Returns the platforms whose kernel is bounded in cycles.
    pub fn cores() -> impl Iterator<Item = Platform> {
        Platform::ALL.into_iter().filter(|&platform| latency(platform).is_some())
    }

    /// Returns `true` if the platform is the machine itself, and not one with other memory.
    pub fn is_platform(self) -> bool {
        match self {
            Self::Instructions => true,
            Self::Cycles { platform, wait_states } => latency(platform) == Some(wait_states),
        }
    }

    /// Returns the delay of the platform's timer in nanoseconds: an instruction that is under way
    /// comes to its end first.
    pub(super) fn late(self) -> u64 {
        match self {
            Self::Instructions => 100,
            Self::Cycles { wait_states, .. } => {
                built_in(CORE, wait_states).map_or(0, |core| core.under_way())
            }
        }
    }

    /// Returns the longest of some cases; see [`Kernel::longest_case`].
    ///
    /// # Errors
    /// The host's failure.
    pub(super) fn longest_case(
        self,
        kernel: &mut Kernel,
        cases: &[Case],
    ) -> Result<Option<Bound>, Failure> {
        match self {
            Self::Instructions => kernel.longest_case(&Instructions, cases, Effort::default()),
            Self::Cycles { wait_states, .. } => {
                let program = kernel.program().clone();
                let machine = core(&program, wait_states)?;
                kernel.longest_case(&machine, cases, Effort::default())
            }
        }
    }

    /// Bounds all entries.
    ///
    /// # Errors
    /// The host's failure.
    pub(super) fn bounds(self, kernel: &mut Kernel, entries: &[Entry]) -> Result<Bounds, Failure> {
        let effort = Effort::default();
        match self {
            Self::Instructions => kernel.bounds(&Instructions, entries, effort),
            Self::Cycles { wait_states, .. } => {
                // What the kernel's memory can hold does not depend on time: found out once by
                // the cheapest machine, it is only confirmed by the other.
                kernel.bounds(&Instructions, entries, effort)?;
                let program = kernel.program().clone();
                let machine = core(&program, wait_states)?;
                kernel.bounds(&machine, entries, effort)
            }
        }
    }
}

/// Returns the core on which a kernel runs. What a trap finds in the stack pointer is a
/// component's.
fn core(program: &Program, wait_states: u32) -> Result<Pipeline<'_>, Failure> {
    let description = built_in(CORE, wait_states).ok_or(Failure::Defect)?;
    Pipeline::new(description, program, None).ok_or(Failure::Defect)
}
