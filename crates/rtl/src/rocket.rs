//! The Rocket cores on their board.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::{BuildError, Core, built};
use crate::verilog::{Missing, Package};

static PACKAGE: Package = Package {
    requirement: "pythondata-cpu-rocket==0.0.post7146",
    module: "pythondata_cpu_rocket",
    variable: "FUSEE_ROCKET",
    named: "its folder with `generated-src` and `vsrc`",
};

/// The files that all configurations take from the common ones.
const COMMON: [&str; 3] = ["vsrc/plusarg_reader.v", "vsrc/AsyncResetReg.v", "vsrc/EICG_wrapper.v"];

/// So many cores of 64 bits with coherent caches.
struct Configuration {
    cores: usize,
    /// The prefix of its files' names.
    files: &'static str,
    board: Core,
}

/// The board, by what its preprocessor is told.
macro_rules! bench {
    ($settings:literal) => {
        concat!(
            $settings,
            include_str!("../bench/ends.h"),
            include_str!("../bench/shared_memory.h"),
            include_str!("../bench/rocket.cpp")
        )
    };
}

/// Those that there are, the fewest cores first. What one takes depends on how many there are.
const CONFIGURATIONS: [Configuration; 2] = [
    Configuration {
        cores: 2,
        files: "generated-src/freechips.rocketchip.system.LitexLinux2DConfig",
        board: board("rocket", bench!("#define CORES 2\n#define BEAT 16\n")),
    },
    Configuration {
        cores: 4,
        files: "generated-src/freechips.rocketchip.system.LitexLinux4Config",
        board: board("rocket-4", bench!("#define CORES 4\n#define BEAT 8\n")),
    },
];

/// More optimization takes half as long again to compile, and runs no faster.
const fn board(name: &'static str, bench: &'static str) -> Core {
    Core {
        name,
        top: "ExampleRocketSystem",
        bench,
        optimisation: "-O1",
        // Leaves out what watches the buses and prints.
        defines: &["SYNTHESIS"],
        seen: &[
            ("Rocket", "csr_io_trace_0_valid"),
            ("Rocket", "csr_io_trace_0_exception"),
            ("Rocket", "csr_io_trace_0_iaddr"),
        ],
    }
}

/// The board with its cores: built, and started with a memory that the host shares.
#[derive(Debug, Clone)]
pub struct Rocket {
    program: PathBuf,
}

/// The reason for which there is no board.
#[derive(Debug, thiserror::Error)]
pub enum NoBoard {
    /// No board has so many cores.
    #[error("there is no board with {cores} Rocket cores: the largest has {}", Rocket::MOST_CORES)]
    TooMany {
        /// The number of cores that were asked for.
        cores: usize,
    },
    /// There is no Verilog.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// It can't be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Rocket {
    /// The most cores that a board has.
    pub const MOST_CORES: usize = CONFIGURATIONS[CONFIGURATIONS.len() - 1].cores;

    /// Finds the Verilog as [`find`](crate::find) does, by the variable `FUSEE_ROCKET`, and builds
    /// a board with at least so many cores, in a folder of its own below `folder`. That takes half
    /// a minute; what was built there before from the same sources is used again.
    ///
    /// # Errors
    /// [`NoBoard`] where there are not so many cores, the Verilog or a tool is missing, or a tool
    /// fails.
    pub fn build(folder: &Path, cores: usize) -> Result<Self, NoBoard> {
        let fits = CONFIGURATIONS.iter().find(|configuration| configuration.cores >= cores);
        let Configuration { files, board, .. } = fits.ok_or(NoBoard::TooMany { cores })?;
        let files = |place: &Path| {
            let own = ["v", "behav_srams.v"].map(|end| format!("{files}.{end}"));
            own.iter().map(String::as_str).chain(COMMON).map(|file| place.join(file)).collect()
        };
        Ok(Self { program: built(board, &PACKAGE.find(files)?, folder)? })
    }

    /// Returns the command that runs what is in a memory, which begins at 0x80000000, until it
    /// switches the machine off. What it sends over the serial line comes on standard output.
    pub fn command(&self, memory: &Path, latency: u32) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(memory).args([latency.to_string(), u64::MAX.to_string()]);
        command
    }

    /// The same; on standard error it says which instructions of these addresses each core retires,
    /// and when ([`Seen`](crate::Seen)).
    pub fn watching(&self, memory: &Path, latency: u32, code: &[Range<u64>]) -> Command {
        looking_at(self.command(memory, latency), code)
    }
}

/// The same command, with the code that is watched.
pub(crate) fn looking_at(mut command: Command, code: &[Range<u64>]) -> Command {
    for range in code {
        command.args([format!("{:x}", range.start), format!("{:x}", range.end)]);
    }
    command
}

/// An observation of a core that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The number of the core.
    pub core: usize,
    /// The cycle in which it retires an instruction.
    pub cycle: u64,
    /// The instruction's address, where it is watched; else it is the last before such a one, or
    /// the first behind. On the VexRiscv core it is then a trap that is taken.
    pub address: Option<u64>,
}

impl Seen {
    /// Returns a line of a board's standard error, if it is about that.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let watched = match words.next()? {
            "@" => true,
            "-" => false,
            _ => return None,
        };
        let (core, cycle) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let address = watched.then(|| u64::from_str_radix(words.next()?, 16).ok());
        match address {
            Some(None) => None,
            address => Some(Self { core, cycle, address: address.flatten() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_board_says_is_told_from_complaints() {
        let seen = |address| Some(Seen { core: 1, cycle: 20, address });
        assert_eq!(Seen::parse("@ 1 20 8000072a"), seen(Some(0x8000_072a)));
        assert_eq!(Seen::parse("- 1 20"), seen(None));
        for other in ["", "@ 1 20", "@ 1 20 what", "- one 2", "the caches do not answer"] {
            assert_eq!(Seen::parse(other), None, "{other}");
        }
    }
}
