//! The paths of Fusee's kernel, bounded together with a system that it runs.
//!
//! A closed system is an image, or a description of which one is made: what its
//! tables do not allow is on no path. The open system is one of Fusee's own, with
//! every operation and of the size that costs are promised for.

pub mod clock;
pub mod found;
mod layout;
pub mod passages;
mod rows;
mod sizes;
mod trees;
pub mod watch;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_image_format::{Locks, abi};
use fusee_isa::Architecture;
use fusee_isa::language::{Register, Width};
use fusee_isa::riscv::Xlen;
use fusee_model::Policy;
use fusee_model::costs::Limits;
use fusee_platform::{Platform, Records};
use fusee_run::Image;
use fusee_tables::described_policy;
use fusee_wcet::execute::{Bound, Used};
use fusee_wcet::lines::Lines;
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;
use fusee_wcet_kernel::{Bounds, Entry, Kernel, KernelFacts, Trap};

use crate::build::{self, Wanted};
use crate::costs::Costs;
use crate::digest::digest;
use crate::elf::is_elf;
use crate::load::load;
use crate::options::{Making, Source};
use crate::problem::Problem;
use crate::program::Code;
use crate::rules;
use clock::Clock;
use passages::Passage;
use sizes::Sizes;
pub(crate) use sizes::tables;

/// The facts that lie beside the kernel's source.
const FACTS: &str = include_str!("../../../os/kernel.facts.toml");
/// The path of these facts, for messages.
const FACTS_FILE: &str = "os/kernel.facts.toml";
/// Those about kernels whose clock has more bits than a register.
const CLOCK_FACTS: &str = include_str!("../../../os/kernel.clock.facts.toml");
/// The path of these facts, for messages.
const CLOCK_FACTS_FILE: &str = "os/kernel.clock.facts.toml";

/// The facts that the bounds rest on where components dispatch threads.
const SCHEDULERS_FACTS: &str = include_str!("../../../os/kernel.schedulers.facts.toml");
/// The path of these facts, for messages.
const SCHEDULERS_FACTS_FILE: &str = "os/kernel.schedulers.facts.toml";

/// The open system.
const OPEN: &[(&str, &str)] = &[
    ("open.camkes", include_str!("../kernel-systems/open.camkes")),
    ("components/Task/task.c", include_str!("../kernel-systems/components/Task/task.c")),
    ("components/Level/level.c", include_str!("../kernel-systems/components/Level/level.c")),
    ("components/Last/last.c", include_str!("../kernel-systems/components/Last/last.c")),
    ("components/Waiter/waiter.c", include_str!("../kernel-systems/components/Waiter/waiter.c")),
    ("components/Device/device.c", include_str!("../kernel-systems/components/Device/device.c")),
    (
        "components/Padding/padding.c",
        include_str!("../kernel-systems/components/Padding/padding.c"),
    ),
];

/// The reason for which there are no bounds, with the files that it speaks of.
pub struct Refused {
    /// The problem to report.
    pub problem: Problem,
    /// The files that it speaks of.
    pub sources: SourceMap,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self { problem, sources: SourceMap::default() }
    }
}

impl From<fusee_run::RunError> for Refused {
    fn from(error: fusee_run::RunError) -> Self {
        Problem::from(error).into()
    }
}

/// A kernel in a system, with its bounds.
pub struct Paths {
    /// The image that was made.
    pub image: PathBuf,
    /// The kernel, with the system's tables.
    pub kernel: Kernel,
    /// The bounds of the kernel's paths.
    pub bounds: Bounds,
    /// Those of passing gates and coming back, by protocol.
    pub passages: Vec<Passage>,
    /// The facts that they may rest on.
    pub facts: KernelFacts,
    /// The lines of the kernel's source.
    pub lines: Lines,
    /// The file of facts, for messages.
    pub sources: SourceMap,
    /// The size of the system.
    pub limits: Limits,
    /// The machine that it runs on.
    pub platform: Platform,
    /// The policy that orders threads.
    pub policy: Policy,
    /// The digest by which the image is told from others.
    pub digest: String,
    /// The time of the analysis in seconds.
    pub seconds: f64,
    /// Components of the image that are stubs.
    pub stubs: Vec<String>,
}

impl Paths {
    /// Returns the longest time from an interrupt to the first instruction of its thread: what is
    /// on its way, then delivery.
    ///
    /// Of two interrupts that are pending at once the other one may be first: it is one of the
    /// paths.
    pub fn response(&self) -> Option<u64> {
        let delivery = self.time("external")?.max(self.time("timer")?);
        self.bounds.longest()?.checked_add(delivery)
    }

    /// Returns the kernel's code.
    pub fn code(&self) -> Code<'_> {
        Code { program: self.kernel.program(), lines: &self.lines }
    }

    /// The names and bounds of all entries, and behind them of passages by protocol.
    pub fn rows(&self) -> impl Iterator<Item = (String, &Bound)> {
        let entries = self.bounds.entries.iter().map(|entry| (entry.name.clone(), &entry.bound));
        entries.chain(self.passages.iter().map(|passage| (passage.name(), &passage.bound)))
    }

    /// Returns the bound of an entry.
    pub fn time(&self, name: &str) -> Option<u64> {
        self.bounds.entries.iter().find(|entry| entry.name == name)?.bound.time
    }

    /// Warnings about facts on which nothing rests.
    pub fn unused(&self) -> Vec<Diagnostic> {
        let used: BTreeSet<Used> = self
            .bounds
            .entries
            .iter()
            .flat_map(|entry| entry.bound.grounds.facts_used.iter().copied())
            .collect();
        self.facts.unused(&used)
    }
}

/// The calls of a kernel whose schedulers are components, up to the last.
const SCHEDULER_CALLS: [(&str, usize); 8] = [
    ("receive", abi::RECEIVE),
    ("dispatch", abi::DISPATCH),
    ("delegate", abi::DELEGATE),
    ("delegate_and_yield", abi::DELEGATE_AND_YIELD),
    ("transfer", abi::TRANSFER),
    ("depend", abi::DEPEND),
    ("wake", abi::WAKE),
    ("yield_until", abi::YIELD_UNTIL),
];

/// Returns all ways into the kernel of a program.
fn entries(program: &Program, schedulers: bool) -> Vec<Entry> {
    let largest: i128 = match program.architecture() {
        Architecture::Riscv(Xlen::Rv32) => i32::MAX.into(),
        _ => i64::MAX.into(),
    };
    const OPERATION: Register = Register::new(17);
    const FURTHER: Register = Register::new(5);
    let call = |name: &str, operation: usize, further: Option<Range>| {
        let mut registers = vec![(OPERATION, Range::constant(operation as i64))];
        registers.extend(further.map(|range| (FURTHER, range)));
        Entry { name: name.to_owned(), traps: vec![Trap::Exception(Range::constant(8))], registers }
    };
    let (none, some) = (Some(Range::constant(0)), Some(Range::new(1, largest, 1)));
    let mut all = vec![
        call("invoke", abi::INVOKE, none),
        call("invoke_with_message", abi::INVOKE, some),
        call("return", abi::RETURN, none),
        call("return_with_message", abi::RETURN, some),
    ];
    let others = [
        ("signal", abi::SIGNAL),
        ("wait", abi::WAIT),
        ("complete", abi::COMPLETE),
        ("poll", abi::POLL),
        ("yield", abi::YIELD),
        ("acknowledge", abi::ACKNOWLEDGE),
        ("lock", abi::LOCK),
        ("unlock", abi::UNLOCK),
    ];
    all.extend(others.map(|(name, operation)| call(name, operation, None)));
    let last = if schedulers {
        all.extend(SCHEDULER_CALLS.map(|(name, operation)| call(name, operation, None)));
        abi::YIELD_UNTIL
    } else {
        abi::UNLOCK
    };
    // More further words than a number can have are too many as well; numbers of no operation are
    // refused.
    let above = Range::new(last as i128 + 1, largest, 1);
    let exception = |range| Trap::Exception(range);
    all.push(Entry {
        name: "no_operation".to_owned(),
        traps: vec![exception(Range::constant(8))],
        registers: vec![(OPERATION, above)],
    });
    let faults = vec![exception(Range::new(0, 7, 1)), exception(Range::new(9, 15, 1))];
    all.push(Entry { name: "fault".to_owned(), traps: faults, registers: Vec::new() });
    for (name, number) in [("timer", 7), ("external", 11)] {
        all.push(Entry {
            name: name.to_owned(),
            traps: vec![Trap::Interrupt(number)],
            registers: Vec::new(),
        });
    }
    all
}

/// Returns the image of a file: itself, or what is made of a description.
///
/// # Errors
/// It can't be made.
pub fn image_of(source: &Source, stubs: bool, platform: Platform) -> Result<PathBuf, Refused> {
    let making = Making { stubs, ..Making::default() };
    let file = source.system.as_path();
    if !is_elf(file) {
        return made(source, &making, platform);
    }
    if !source.defines.is_empty() || !source.include_paths.is_empty() {
        let message = "`-D` and `-I` are for descriptions, and this image has been built";
        return Err(refused(Diagnostic::error(rules::NOT_THIS_IMAGE, message)).into());
    }
    let its = Image::read(file)?.platform();
    if its != platform {
        let message =
            format!("this image is for `{its}`, and its kernel is bounded on `{platform}`");
        let diagnostic = Diagnostic::error(fusee_wcet::OTHER_MACHINE, message)
            .with_note("name the description, or build an image for that platform");
        return Err(refused(diagnostic).into());
    }
    Ok(file.to_owned())
}

/// Returns the image of the open system.
///
/// # Errors
/// It can't be made.
pub fn open_image(platform: Platform) -> Result<PathBuf, Refused> {
    let folder = PathBuf::from(format!("build/kernel-open-{platform}"));
    let failed = |error: std::io::Error| {
        Problem::tool(format!("cannot write to `{}`: {error}", folder.display()))
    };
    for (name, text) in OPEN {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder)).map_err(failed)?;
        crate::files::write(&path, placed(text, platform).as_bytes()).map_err(failed)?;
    }
    let making = Making::into_folder(folder.join("build"));
    made(&Source::of(folder.join("open.camkes")), &making, platform)
}

/// The same for a platform's serial line: its registers, and its interrupt.
fn placed(text: &str, platform: Platform) -> String {
    let (from, to) = (Platform::DEFAULT.memory_map(), platform.memory_map());
    let interrupt = |source: u16| format!("ready_irq_number = {source};");
    text.replace(&format!("{:#x}", from.serial), &format!("{:#x}", to.serial))
        .replace(&interrupt(from.serial_interrupt), &interrupt(to.serial_interrupt))
}

fn made(source: &Source, making: &Making, platform: Platform) -> Result<PathBuf, Refused> {
    let loaded = load(source, &Costs::nothing());
    let status = crate::status::Status::BadInput;
    let Some((system, _)) = loaded.buildable() else {
        return Err(Refused {
            problem: Problem { diagnostics: loaded.diagnostics, status },
            sources: loaded.sources,
        });
    };
    let wanted = Wanted { source: &source.system, platform, variant: Records::Plain, making };
    match build::make(&loaded, system, &wanted) {
        Ok(made) => Ok(made.path),
        Err(diagnostics) => {
            Err(Refused { problem: Problem { diagnostics, status }, sources: loaded.sources })
        }
    }
}

/// Refuses an image that has what no cost table of an image has rows for.
fn priced(image: &Path) -> Result<(), Refused> {
    let image = Image::read(image)?;
    let header = image.header();
    let what = match header.policy.locks() {
        _ if header.trees => "schedulers that are components",
        Locks::Services => "locks that are components",
        Locks::Kernel | Locks::Words => return Ok(()),
    };
    let message = format!("no cost table of an image has what {what} take");
    Err(refused(Diagnostic::error(rules::NOT_THIS_IMAGE, message)).into())
}

/// The facts that the bounds of a kernel's paths depend on: its code, and the sizes of the system.
struct Scope {
    kernel: String,
    sizes: Sizes,
}

impl Scope {
    /// Returns the scope of an image.
    fn of(path: &Path, platform: Platform) -> Result<Self, Refused> {
        let (kernel, image) = kernel_and_image(path)?;
        let program = together(&kernel, &image).map_err(refused)?;
        let sizes = Sizes::of(&program, platform).map_err(refused)?;
        Ok(Self { kernel: digest(&kernel), sizes })
    }

    /// Returns the reason for which bounds of this system do not hold for another one; `None`: they
    /// do.
    fn leaves_out(&self, other: &Self) -> Option<&'static str> {
        if self.kernel != other.kernel {
            return Some("its kernel is another one than this system's");
        }
        (!self.sizes.include(&other.sizes)).then_some("this system is larger in one of its sizes")
    }
}

/// Returns the bytes of an image's kernel and of the image.
fn kernel_and_image(path: &Path) -> Result<(Vec<u8>, Vec<u8>), Refused> {
    let read = |path: &Path| {
        fs::read(path)
            .map_err(|error| Problem::tool(format!("`{}` can't be read: {error}", path.display())))
    };
    Ok((read(&path.with_file_name(build::KERNEL))?, read(path)?))
}

/// Bounds all entries of the kernel in an image; `within` a function, what of them is in that.
///
/// # Errors
/// The image can't be read, or its kernel not be analyzed.
pub fn bound(path: &Path, clock: Clock, within: Option<&str>) -> Result<Paths, Refused> {
    let image = Image::read(path)?;
    if image.cores.iter().any(|core| core.policy != image.cores[0].policy) {
        let message = "its cores have kernels of different policies";
        let error = Diagnostic::error(rules::NOT_THIS_IMAGE, message);
        return Err(refused(
            error.with_note("bound each in an image all of whose cores have its policy"),
        )
        .into());
    }
    let (stubs, policy) = (image.stubs(), image.header().policy);
    let (kernel_bytes, image_bytes) = kernel_and_image(path)?;
    let begun = Instant::now();
    let program = together(&kernel_bytes, &image_bytes).map_err(refused)?;
    let sizes = Sizes::of(&program, clock.platform()).map_err(refused)?;
    let lines = Lines::read(&kernel_bytes);
    let mut sources = SourceMap::default();
    let facts = match facts(&mut sources, &program, &lines, &sizes) {
        Ok(facts) => facts,
        Err(diagnostics) => {
            return Err(Refused { problem: Problem::tool_with(diagnostics), sources });
        }
    };
    let entries = entries(&program, sizes.trees.schedulers > 0);
    let started = Kernel::start(program, facts.facts.clone(), facts.elsewhere.clone());
    let mut kernel = started.map_err(|error| Problem::tool(error.to_string()))?;
    let bounds = match within {
        Some(function) => clock::within(&mut kernel, function, &entries)?,
        None => clock.bounds(&mut kernel, &entries),
    };
    let bounds = bounds.map_err(|failure| Problem::tool(failure.to_string()))?;
    let passages = match clock {
        Clock::Cycles { .. } => passages::find(&mut kernel, &entries, clock)?,
        Clock::Instructions => Vec::new(),
    };
    let (threads, nesting) = (sizes.tasks as u32, sizes.depth as u32);
    let limits = Limits { threads, nesting, cores: None, schedulers: None };
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Paths {
        image: path.to_owned(),
        kernel,
        bounds,
        passages,
        facts,
        lines,
        sources,
        limits,
        platform: clock.platform(),
        policy: described_policy(policy),
        digest: digest(&image_bytes),
        seconds,
        stubs,
    })
}

/// Returns the facts about the kernel in a program.
fn facts(
    sources: &mut SourceMap,
    program: &Program,
    lines: &Lines,
    sizes: &Sizes,
) -> Result<KernelFacts, Vec<Diagnostic>> {
    let mut read = |name: &str, text: &str| {
        let file = sources.add(Path::new(name), text.to_owned());
        KernelFacts::read((sources, file), program, lines, &sizes.by_name())
    };
    let mut facts = read(FACTS_FILE, FACTS)?;
    if program.register_width() != Width::Double {
        facts.extend(read(CLOCK_FACTS_FILE, CLOCK_FACTS)?);
    }
    if sizes.trees.schedulers > 0 {
        facts.extend(read(SCHEDULERS_FACTS_FILE, SCHEDULERS_FACTS)?);
    }
    Ok(facts)
}

/// Returns the kernel with what the image loads beside it, if it is the image's kernel.
fn together(kernel: &[u8], image: &[u8]) -> Result<Program, Diagnostic> {
    let refusal = |error: &fusee_wcet::program::LoadError| fusee_wcet::refusal(error, "the image");
    let mut program = Program::load(kernel).map_err(|error| refusal(&error))?;
    let loaded = Program::load(image).map_err(|error| refusal(&error))?;
    let same = |at: u64| program.initial(at, Width::Byte) == loaded.initial(at, Width::Byte);
    if !program.code().flatten().all(same) {
        let message = "the kernel beside the image is another one than that in it";
        return Err(
            Diagnostic::error(rules::NOT_THIS_IMAGE, message).with_note("build the image again")
        );
    }
    program.add_data_of(loaded);
    Ok(program)
}

fn refused(diagnostic: Diagnostic) -> Problem {
    Problem { diagnostics: vec![diagnostic], status: crate::status::Status::BadInput }
}
