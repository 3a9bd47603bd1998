//! Arguments about a program.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use fusee_model::Duration;
use fusee_pipeline::kernel::clock::Clock;
use fusee_pipeline::options::Source;
use fusee_pipeline::program::Asked;
use fusee_pipeline::program::held::{Held, held};
use fusee_pipeline::program::machine::Named;
use fusee_pipeline::program::what_if::{Question, question};
use fusee_platform::{Platform, Verilog};
use fusee_wcet::execute::Effort;

/// Arguments of `wcet`.
#[derive(Debug, Args)]
pub(crate) struct Wcet {
    /// The linked program; with `--kernel` an image or a description.
    #[arg(
        value_name = "ELF",
        required_unless_present = "kernel",
        default_value = "",
        hide_default_value = true,
        // Without one, with `--kernel`, it is empty, which clap's own parser of paths refuses.
        value_parser = clap::builder::OsStringValueParser::new().map(PathBuf::from)
    )]
    pub(crate) program: PathBuf,
    /// Functions to bound, as with `--entry`.
    #[arg(value_name = "FUNCTION")]
    functions: Vec<String>,
    /// Bound every entry of Fusee's kernel, in the system that ELF is; without one, in a system
    /// with every operation.
    #[arg(
        long,
        conflicts_with_all = [
            "facts", "stack_pointer", "register", "as_loaded", "system_calls", "effort",
            "what_if", "report",
        ],
    )]
    pub(crate) kernel: bool,
    /// Write the platform's cost table with what is proved in every system, as TOML; for
    /// `analyze --costs`. Of an image on `vexriscv`, its own, all proved.
    #[arg(short = 'o', long = "output", value_name = "FILE.toml", requires = "kernel")]
    pub(crate) costs: Option<PathBuf>,
    /// With `--kernel`, build components without sources from their description, with nothing but
    /// its times and calls.
    #[arg(long, requires = "kernel")]
    pub(crate) stubs: bool,
    /// With `--kernel`, define a macro for the preprocessor of the description; 1 without a value.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", requires = "kernel")]
    pub(crate) defines: Vec<String>,
    /// With `--kernel`, look for imported and included files in this folder, too.
    #[arg(short = 'I', value_name = "FOLDER", requires = "kernel")]
    pub(crate) include_paths: Vec<PathBuf>,
    /// With `--kernel`, count only what is executed in this function and what that calls.
    #[arg(
        long,
        value_name = "FUNCTION",
        requires = "kernel",
        conflicts_with_all = ["observe", "costs"],
    )]
    pub(crate) within: Option<String>,
    /// How long the kernel is observed, in time of its machine.
    #[arg(
        long = "for",
        value_name = "TIME",
        allow_hyphen_values = true,
        default_value = "20ms",
        value_parser = super::system::duration,
    )]
    pub(crate) duration: Duration,
    /// A function to bound, by name or address; where the program starts without this; an entry
    /// whose path is shown, with `--kernel`.
    #[arg(long = "entry", value_name = "SYMBOL")]
    entries: Vec<String>,
    /// What to take for granted about the program.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) facts: Option<PathBuf>,
    /// A source whose `loopbound` pragmas are taken for granted, or a folder with C files; may be
    /// given several times.
    #[arg(long, value_name = "SOURCES", conflicts_with = "kernel")]
    pub(crate) facts_from: Vec<PathBuf>,
    /// The machine whose time is counted: `instructions`, `vexriscv`, or a file FILE.toml.
    #[arg(long, value_name = "NAME", default_value = "instructions")]
    pub(crate) machine: String,
    /// Wait states of each beat of the memory behind `vexriscv`; without, those of the machine that
    /// an image is for, and none otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub(crate) wait_states: Option<u32>,
    /// The stack pointer at entry, which tells a data cache where the stack is.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) stack_pointer: Option<u64>,
    /// What a register holds at entry: a number, or the lowest and the highest.
    #[arg(long, value_name = "NAME=NUMBER[..NUMBER]", value_parser = held)]
    pub(crate) register: Vec<Held>,
    /// Take memory to be at each entry as the file loads it: who calls it has just been started.
    #[arg(long)]
    pub(crate) as_loaded: bool,
    /// The program is a component's on Fusee's kernel: bound what is its own before and behind
    /// system calls; what these take is for `--kernel`.
    #[arg(long)]
    pub(crate) system_calls: bool,
    /// With `--system-calls`, count what leads to a fault of the component up to there, too;
    /// without this, faults are taken not to happen.
    #[arg(long, requires = "system_calls")]
    pub(crate) count_faults: bool,
    /// Blocks of code to execute, at most, before an entry is given up.
    #[arg(long, value_name = "BLOCKS", default_value_t = Effort::default().blocks)]
    pub(crate) effort: u64,
    /// Run the program as well, and hold what is seen against the bound.
    #[arg(long, value_name = "PLATFORM")]
    pub(crate) observe: Option<Observer>,
    /// Say where the time of the worst path goes, and show it step by step.
    #[arg(long)]
    pub(crate) path: bool,
    /// Tell the bound if this loop iterated at most so often; may be given several times.
    #[arg(long, value_name = "LOOP=ITERATIONS", value_parser = question)]
    pub(crate) what_if: Vec<Question>,
    /// Write a page with bounds and worst paths.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

impl Wcet {
    /// The wait states behind a program, which is for no platform.
    pub(crate) fn waits(&self) -> u32 {
        self.wait_states.unwrap_or(0)
    }

    /// What is to be bounded, however it was named.
    pub(crate) fn entries(&self) -> Vec<String> {
        [self.entries.as_slice(), &self.functions].concat()
    }

    /// The system whose kernel is bounded, and how its description is read.
    pub(crate) fn described(&self) -> Source {
        Source {
            defines: self.defines.clone(),
            include_paths: self.include_paths.clone(),
            ..Source::of(self.program.clone())
        }
    }

    /// What is asked for, for the library.
    pub(crate) fn asked(&self) -> Asked {
        let machine = Named {
            name: self.machine.clone(),
            wait_states: self.waits(),
            stack_pointer: self.stack_pointer,
        };
        Asked {
            program: self.program.clone(),
            entries: self.entries(),
            facts: self.facts.clone(),
            facts_from: self.facts_from.clone(),
            machine,
            registers: self.register.clone(),
            as_loaded: self.as_loaded,
            system_calls: self.system_calls,
            count_faults: self.count_faults,
            effort: self.effort,
            what_if: self.what_if.clone(),
        }
    }
}

/// What programs can be run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Observer {
    /// The Verilog of a core, with whatever wait states bounds are for.
    Board,
    /// The machine of images, for the kernel.
    Machine(Platform),
}

impl Observer {
    /// The name of its platform.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Observer::Board => Verilog::VexRiscv.name(),
            Observer::Machine(platform) => platform.name(),
        }
    }
}

impl ValueEnum for Observer {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Observer>> = LazyLock::new(|| {
            // The board's own name is for any memory.
            let others = Clock::cores().filter(|core| core.name() != Verilog::VexRiscv.name());
            let machines = others.chain([Platform::DEFAULT]).map(Observer::Machine);
            std::iter::once(Observer::Board).chain(machines).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Observer::Board => PossibleValue::new(Verilog::VexRiscv.name()).help(fusee_rtl::ABOUT),
            Observer::Machine(machine) if *machine == Platform::DEFAULT => {
                let about = "The machine of images, for `--kernel`: the instructions of each path \
                             are counted";
                PossibleValue::new(machine.name()).help(about)
            }
            Observer::Machine(machine) => PossibleValue::new(machine.name())
                .help("The same behind slow memory, for `--kernel`"),
        })
    }
}

/// A number, in hexadecimal behind `0x`.
fn address(text: &str) -> Result<u64, std::num::ParseIntError> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    }
}
