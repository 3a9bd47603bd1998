//! Puts an image together.

use crate::depth::Binary;
use crate::devices;
use crate::elf::{self, Load, Section};
use crate::inputs::{DomainProgram, Inputs};
use crate::layout::{self, Layout, Parts};
use crate::memory::Memory;
use crate::program::Program;
use crate::stacks::{Plan, Planner};
use crate::system::Sources;
use crate::{ImageError, manifest, restart, system, virtual_memory};
use fusee_image_format::virtual_map::{PAGE_BYTES, SLOT_BYTES, STACKS_OFFSET};
use fusee_image_format::{CORE_BYTES, TooLarge, shared_bytes, tables_of};
use fusee_model::ComponentId;
use fusee_tables::{Domain, Machines, WindowKind, symbol};
use std::collections::BTreeMap;

/// An image that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The ELF file.
    pub elf: Vec<u8>,
    /// The memory that everything takes.
    pub sizes: Sizes,
}

/// The memory that an image takes, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The kernel's code and constants.
    pub kernel_text: u64,
    /// The kernel's variables, its stack and the room for the system's objects included.
    pub kernel_data: u64,
    /// The system's tables.
    pub tables: u64,
    /// Initial data for restarts.
    pub initial: u64,
    /// The page tables.
    pub page_tables: u64,
    /// Shared memory of dataports.
    pub shared: u64,
    /// The machine's domains with programs, in order.
    pub domains: Vec<DomainSizes>,
}

/// The memory that a domain takes, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DomainSizes {
    /// The name of the domain.
    pub name: String,
    /// The code of the domain.
    pub text: u64,
    /// The constants of the domain.
    pub constants: u64,
    /// The variables of the domain.
    pub data: u64,
    /// Stacks, as mapped.
    pub stacks: u64,
    /// The number of stacks.
    pub stack_count: usize,
    /// The console buffers.
    pub consoles: u64,
}

/// Makes an image.
///
/// # Errors
/// Everything that stands in the way.
pub fn build(inputs: &Inputs<'_>) -> Result<Built, Vec<ImageError>> {
    let (kernels, programs) = read(inputs)?;
    check_devices(inputs)?;
    let restarted = restart::domains(inputs.system, inputs.machine(), &programs)
        .map_err(|error| vec![error])?;
    let binaries = binaries(inputs);
    let plan = Planner::of(inputs.system, inputs.machines, &programs, &binaries).plan()?;
    let draft =
        Draft { inputs, programs: &programs, plan: &plan, initial: initial(&programs, &restarted) };
    draft.finish(&kernels).map_err(|error| vec![error])
}

/// The kernels, core by core, and the domains' programs.
type Read = (Vec<Program>, Vec<Option<Program>>);

fn read(inputs: &Inputs<'_>) -> Result<Read, Vec<ImageError>> {
    let mut wrong = Vec::new();
    let mut programs = Vec::new();
    for (index, domain) in inputs.machine().domains.iter().enumerate() {
        let program = inputs.domains.get(index).copied().flatten();
        let read = match program {
            None if domain.components.is_empty() => Ok(None),
            None => Err(ImageError::NoProgram { domain: domain.name.clone() }),
            Some(program) => {
                Program::read(program.bytes, &format!("domain `{}`", domain.name), inputs.platform)
                    .and_then(|program| fits(domain, program).map(Some))
            }
        };
        programs.push(read.map_err(|error| wrong.push(error)).unwrap_or_default());
    }
    let cores = 0..inputs.machines.cores.len();
    let kernels = cores.map(|core| {
        let bytes = inputs.kernels.get(core).copied().unwrap_or_default();
        Program::read(bytes, "the kernel", inputs.platform).and_then(|kernel| lies(inputs, kernel))
    });
    match kernels.collect() {
        Ok(kernels) if wrong.is_empty() => Ok((kernels, programs)),
        Ok(_) => Err(wrong),
        Err(error) => Err([vec![error], wrong].concat()),
    }
}

/// The kernel must lie below the system's tables.
fn lies(inputs: &Inputs<'_>, kernel: Program) -> Result<Program, ImageError> {
    let map = inputs.platform.memory_map();
    let outside = |from: u64, size: u64| from < map.ram || from.saturating_add(size) > map.blob;
    match kernel.segments.iter().find(|segment| outside(segment.physical, segment.size)) {
        None => Ok(kernel),
        Some(segment) => Err(ImageError::Program {
            name: "the kernel".to_owned(),
            reason: format!(
                "a part of it at {:#x} lies outside of the kernel's memory",
                segment.physical
            ),
        }),
    }
}

/// Each segment of a domain lies on pages of its own in the domain's addresses, and is not both
/// code and variable.
fn fits(domain: &Domain, program: Program) -> Result<Program, ImageError> {
    let unfit =
        |reason: String| ImageError::Program { name: format!("domain `{}`", domain.name), reason };
    let end = domain.base + STACKS_OFFSET.min(SLOT_BYTES);
    let mut free = domain.base;
    for segment in &program.segments {
        let address = segment.address;
        if segment.permissions.write && segment.permissions.execute {
            return Err(ImageError::WritableCode { domain: domain.name.clone(), address });
        }
        if !segment.permissions.read {
            return Err(unfit(format!("a part of it at {address:#x} cannot be read")));
        }
        if address < free || !address.is_multiple_of(PAGE_BYTES) {
            return Err(unfit(format!(
                "a part of it at {address:#x} does not start on a page of its own"
            )));
        }
        free = address.saturating_add(segment.size).next_multiple_of(PAGE_BYTES);
        if free > end {
            let needed = free - domain.base;
            let what = format!("the program of domain `{}`", domain.name);
            return Err(ImageError::TooLarge { what, needed, room: STACKS_OFFSET });
        }
    }
    Ok(program)
}

/// Protection registers of the machine.
const REGISTERS: usize = 16;

fn check_devices(inputs: &Inputs<'_>) -> Result<(), Vec<ImageError>> {
    let (platform, map) = (inputs.platform, inputs.platform.memory_map());
    let mut wrong = Vec::new();
    for interrupt in &inputs.machine().interrupts {
        if interrupt.line >= map.interrupt_sources {
            wrong.push(ImageError::NoInterrupt { line: interrupt.line, platform });
        }
    }
    for window in inputs.machine().domains.iter().flat_map(|domain| &domain.windows) {
        let WindowKind::Device { physical, .. } = window.kind else { continue };
        if let Some(why) = devices::refused(platform, physical, window.size) {
            wrong.push(ImageError::NoDevice {
                address: physical,
                bytes: window.size,
                platform,
                why,
            });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Returns the programs as the analysis of stacks reads them.
fn binaries(inputs: &Inputs<'_>) -> Vec<Option<Binary>> {
    let read = |program: &Option<DomainProgram<'_>>| {
        program.as_ref().and_then(|program| Binary::read(program.bytes))
    };
    inputs.domains.iter().map(read).collect()
}

/// Initial data of restarted domains, and where each begins.
struct Initial {
    bytes: Vec<u8>,
    offsets: BTreeMap<usize, u64>,
}

fn initial(programs: &[Option<Program>], restarted: &[usize]) -> Initial {
    let mut initial = Initial { bytes: Vec::new(), offsets: BTreeMap::new() };
    for &domain in restarted {
        if let Some(program) = &programs[domain] {
            initial.offsets.insert(domain, initial.bytes.len() as u64);
            initial.bytes.extend(restart::initial(program));
        }
    }
    initial
}

/// All parts, ready to be placed.
struct Draft<'a> {
    inputs: &'a Inputs<'a>,
    programs: &'a [Option<Program>],
    plan: &'a Plan,
    initial: Initial,
}

impl Draft<'_> {
    fn finish(&self, kernels: &[Program]) -> Result<Built, ImageError> {
        let sources = Sources {
            machines: self.inputs.machines,
            platform: self.inputs.platform,
            programs: self.programs,
            plan: self.plan,
            initial: &self.initial.offsets,
        };
        let encode = |layout: &Layout| sources.encode(layout).map_err(|TooLarge| too_large());
        // The length of the tables does not depend on the addresses in them.
        let longest = |tables: Vec<Vec<u8>>| tables.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let length = longest(encode(&self.layout(0)?)?);
        let layout = self.layout(length)?;
        if self.inputs.platform.traits().memory_protection {
            check_regions(&system::openings(self.inputs.machine(), &layout))?;
        }
        let tables = encode(&layout)?;
        let memory = self.contents(&layout, &tables);
        let (kernel, kernels) = (&kernels[0], self.placed(kernels)?);
        let lengths: Vec<u64> = tables.iter().map(|tables| tables.len() as u64).collect();
        let loads = self.loads(&kernels, &layout, &memory, &lengths);
        let length = lengths.iter().sum();
        let (inputs, programs, plan) = (self.inputs, self.programs, self.plan);
        let names = manifest::Writer { inputs, programs, plan, layout: &layout }.write();
        let sections = [Section { name: manifest::SECTION, bytes: names }];
        let elf = elf::write(self.inputs.platform, kernel.entry, &loads, &sections);
        Ok(Built { elf, sizes: self.sizes(kernel, &layout, length) })
    }

    fn layout(&self, blob_bytes: u64) -> Result<Layout, ImageError> {
        let parts = Parts {
            machine: self.inputs.machine(),
            platform: self.inputs.platform,
            programs: self.programs,
            stacks: &self.plan.domains,
            initial_bytes: self.initial.bytes.len() as u64,
            cores: self.inputs.machines.cores.len(),
            shared_bytes: self.shared_bytes(),
        };
        Layout::of(&parts, blob_bytes)
    }

    /// Bytes that cores share.
    fn shared_bytes(&self) -> u64 {
        let Machines { cores, globals, mailboxes, restarts, .. } = self.inputs.machines;
        if cores.len() == 1 {
            return 0;
        }
        let globals = globals.iter().map(|one| (one.seats.len(), usize::from(one.depth)));
        let counts = (cores.len(), mailboxes.len(), restarts.len());
        shared_bytes(counts, globals, self.inputs.platform.word_bytes())
    }

    /// Returns the kernel of each core, at a place of its own. All begin with the same
    /// instructions, so each starts where the first one expects it.
    fn placed(&self, kernels: &[Program]) -> Result<Vec<Program>, ImageError> {
        let word = self.inputs.platform.word_bytes();
        let moved =
            |(core, kernel): (usize, &Program)| kernel.moved(core as u64 * CORE_BYTES, word);
        kernels.iter().enumerate().map(moved).collect()
    }

    /// Everything but the kernel.
    fn contents(&self, layout: &Layout, tables: &[Vec<u8>]) -> Memory {
        let mut memory = Memory::default();
        let map = self.inputs.platform.memory_map();
        for (core, tables) in tables.iter().enumerate() {
            memory.write(tables_of(map, core), tables);
        }
        memory.write(layout.initial, &self.initial.bytes);
        for (index, (program, domain)) in self.programs.iter().zip(&layout.domains).enumerate() {
            if !domain.mappings.is_empty() {
                let format = self.inputs.platform.page_tables();
                virtual_memory::write(format, &domain.all(), domain.tables, &mut memory);
            }
            let Some(program) = program else { continue };
            for (segment, &physical) in program.segments.iter().zip(&domain.segments) {
                memory.write(physical, &segment.bytes);
            }
            self.tell_pools(index, program, domain, &mut memory);
            for stack in &domain.stacks {
                memory.write(stack.physical_of(stack.thread_pointer), &program.thread_local.bytes);
            }
        }
        memory
    }

    /// Tells each component that asks where devices find its pool: a constant, so no restart takes
    /// it back.
    fn tell_pools(
        &self,
        domain: usize,
        program: &Program,
        placed: &layout::DomainLayout,
        memory: &mut Memory,
    ) {
        let system = self.inputs.system;
        let word = self.inputs.platform.word_bytes() as usize;
        // The boot component stands in no description.
        let described = |component: &ComponentId| component.index() < system.components.len();
        let members = &self.inputs.machine().domains[domain].components;
        for component in members.iter().map(|index| ComponentId::from(index.at())).filter(described)
        {
            let names =
                [symbol::dma_offset(system, component), symbol::dma_pool(system, component)];
            let [told, pool] = names.map(|name| program.symbol(&name));
            let (Some(told), Some(pool)) = (told, pool) else { continue };
            let (Some(place), Some(physical)) =
                (placed.physical_of(told), placed.physical_of(pool))
            else {
                continue;
            };
            memory.write(place, &physical.wrapping_sub(pool).to_le_bytes()[..word]);
        }
    }

    fn loads(
        &self,
        kernels: &[Program],
        layout: &Layout,
        memory: &Memory,
        tables: &[u64],
    ) -> Vec<Load> {
        const READ: u32 = 4;
        const READ_WRITE: u32 = 6;
        let mut loads: Vec<Load> = Vec::new();
        for segment in kernels.iter().flat_map(|kernel| &kernel.segments) {
            let permissions = segment.permissions;
            let flags = u32::from(permissions.read) << 2 | u32::from(permissions.write) << 1;
            let flags = flags | u32::from(permissions.execute);
            let (address, size) = (segment.physical, segment.size);
            loads.push(Load { address, bytes: segment.bytes.clone(), size, flags });
        }
        for (core, bytes) in tables.iter().enumerate() {
            let start = tables_of(self.inputs.platform.memory_map(), core);
            loads.extend(memory.loads(start, start + bytes, READ));
        }
        let initial = layout.initial;
        loads.extend(memory.loads(initial, initial + self.initial.bytes.len() as u64, READ));
        loads.extend(memory.loads(layout.page_tables.0, layout.page_tables.1, READ));
        loads.extend(memory.loads(layout.user.0, layout.user.1, READ_WRITE));
        loads
    }

    fn sizes(&self, kernel: &Program, layout: &Layout, tables: u64) -> Sizes {
        let kernel_size = |write: bool| -> u64 {
            kernel
                .segments
                .iter()
                .filter(|segment| segment.permissions.write == write)
                .map(|s| s.size)
                .sum()
        };
        let domains = self.inputs.machine().domains.iter().zip(self.programs).zip(&layout.domains);
        let own: u64 = layout
            .domains
            .iter()
            .zip(&self.inputs.machine().domains)
            .flat_map(|(placed, domain)| {
                &placed.mappings[..placed.mappings.len() - domain.windows.len()]
            })
            .map(|mapping| mapping.bytes)
            .sum();
        let domains: Vec<DomainSizes> = domains
            .filter_map(|((domain, program), placed)| {
                Some(domain_sizes(domain, program.as_ref()?, placed))
            })
            .collect();
        let consoles: u64 = domains.iter().map(|domain| domain.consoles).sum();
        Sizes {
            kernel_text: kernel_size(false),
            kernel_data: kernel_size(true),
            tables,
            initial: self.initial.bytes.len() as u64,
            page_tables: layout.page_tables.1 - layout.page_tables.0,
            shared: (layout.user.1 - layout.user.0).saturating_sub(own + consoles),
            domains,
        }
    }
}

fn too_large() -> ImageError {
    ImageError::TooLarge {
        what: "the system's tables".to_owned(),
        needed: 1 << 32,
        room: u64::from(u32::MAX),
    }
}

/// An aligned power of two takes one register, another range two, or one right behind its
/// neighbor.
fn check_regions(openings: &[fusee_image_format::Opening]) -> Result<(), ImageError> {
    let mut needed = 0;
    let mut below = None;
    for opening in openings {
        let power = opening.bytes.is_power_of_two() && opening.base.is_multiple_of(opening.bytes);
        needed += if power || below == Some(opening.base) { 1 } else { 2 };
        below = (!power).then_some(opening.base + opening.bytes);
    }
    if needed <= REGISTERS {
        Ok(())
    } else {
        Err(ImageError::TooManyRegions { needed, room: REGISTERS })
    }
}

fn domain_sizes(domain: &Domain, program: &Program, placed: &layout::DomainLayout) -> DomainSizes {
    let size = |write: bool, execute: bool| -> u64 {
        let segments = program.segments.iter();
        segments
            .filter(|s| (s.permissions.write, s.permissions.execute) == (write, execute))
            .map(|s| s.size)
            .sum()
    };
    let consoles = domain.windows.iter().filter(|window| window.kind == WindowKind::Console);
    DomainSizes {
        name: domain.name.clone(),
        text: size(false, true),
        constants: size(false, false),
        data: size(true, false),
        stacks: placed.stacks.iter().map(|stack| stack.bytes).sum(),
        stack_count: placed.stacks.len(),
        consoles: consoles.map(|window| window.size).sum(),
    }
}
