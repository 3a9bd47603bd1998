//! The descriptor of a machine.

use crate::{KernelConfig, KernelPolicy, PageTableFormat, Records};

/// The descriptor of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// Its name on the command line and in cost tables.
    pub name: &'static str,
    /// A description of the machine, for help.
    pub about: &'static str,
    /// Bytes of a register, and of a word of a message.
    pub word_bytes: u64,
    /// The form of its page tables.
    pub page_tables: PageTableFormat,
    /// Main memory and devices.
    pub map: MemoryMap,
    /// The range of components' devices: the first address, and the one behind the last.
    pub devices: (u64, u64),
    /// The devices that are there, besides those that the kernel has for itself.
    pub windows: &'static [DeviceWindow],
    /// The most cores that a system for it may have.
    pub cores: u32,
    /// `true` if these run at the same time. Else they take turns, and times of a run on several
    /// say nothing of a machine.
    pub parallel: bool,
    /// The properties in which its cores differ from others of their architecture.
    pub traits: CoreTraits,
    /// The compilers of programs for it.
    pub compilers: Compilers,
    /// The host's program that runs it.
    pub host: Host,
    /// The registers in which a system call travels.
    pub calls: CallRegisters,
    /// The measured costs of the kernel's paths there; empty until they have been measured.
    pub costs: &'static [MeasuredCosts],
}

/// A machine's physical memory and devices. All are addresses in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryMap {
    /// Start of main memory, and of the kernel.
    pub ram: u64,
    /// The system's tables; the kernel lies below.
    pub blob: u64,
    /// End of main memory as the host configures it.
    pub ram_end: u64,
    /// The device that switches the machine off.
    pub test_device: u64,
    /// Registers by which cores interrupt each other: one of 32 bits for each core.
    pub software_interrupts: u64,
    /// Compare register of the timer (64 bits): the first core's, and the others' behind.
    pub timer_compare: u64,
    /// The timer's clock (64 bits).
    pub timer_clock: u64,
    /// Ticks of the kernel's clock in one of the timer's.
    pub timer_ratio: u64,
    /// The interrupt controller.
    pub interrupts: u64,
    /// Interrupt sources of the controller, numbered from 1; one more than the last.
    pub interrupt_sources: u16,
    /// The serial line's registers.
    pub serial: u64,
    /// The serial line's interrupt source.
    pub serial_interrupt: u16,
}

/// Addresses at which a machine has a device. At other addresses it has none, and a program that
/// reads there finds nothing, or stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceWindow {
    /// The name of the device.
    pub name: &'static str,
    /// The first address.
    pub start: u64,
    /// The length in bytes: whole pages.
    pub bytes: u64,
    /// The abilities of the device.
    pub kind: DeviceKind,
}

impl DeviceWindow {
    /// Returns `true` if an address is in it.
    pub const fn contains(&self, address: u64) -> bool {
        self.start <= address && address - self.start < self.bytes
    }
}

/// The abilities of a device besides its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    /// It has none.
    Plain,
    /// Read and write memory: all of it, since nothing stands between a device and that.
    BusMaster,
    /// The same, for nothing that a component of a system needs: no component gets it.
    Withheld,
}

/// The arguments of compilers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilers {
    /// The arguments of both C compilers to generate code for it.
    pub c: &'static [&'static str],
    /// The arguments that choose the libraries, where they are others.
    pub libraries: &'static [&'static str],
    /// The linker's name of the object format.
    pub emulation: &'static str,
    /// clang's name of the target.
    pub triple: &'static str,
    /// The Rust compiler's name of the target.
    pub rust: &'static str,
}

/// The choices that the architecture leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreTraits {
    /// `true` if each instruction takes one tick of the kernel's clock, so that a count of
    /// instructions is their time.
    pub instruction_is_tick: bool,
    /// Ticks of each turn of a loop that counts down, in two instructions.
    pub turn_ticks: u64,
    /// More ticks than what is around such a loop takes when it is in no cache.
    pub cold_ticks: u64,
    /// Bits of a physical address.
    pub physical_bits: u32,
    /// `true` if translations are kept apart by the number of their address space. Otherwise they
    /// are forgotten at each switch, and address spaces have no numbers.
    pub tagged_translations: bool,
    /// `true` if each core has the timer's clock in a register, too.
    pub time_register: bool,
    /// `true` if the kernel's clock is a register (`mcycle`), which components may read. Otherwise
    /// it is the timer's, which all components have a page of.
    pub cycle_register: bool,
    /// `true` if there is physical memory protection. Otherwise page tables alone decide.
    pub memory_protection: bool,
    /// `true` if each interrupt has its own place to arrive at. Otherwise all traps arrive at one.
    pub vectored_traps: bool,
    /// `true` if there is an interrupt controller (PLIC). Otherwise a register of the core masks
    /// devices, and another says which of them interrupt.
    pub interrupt_controller: bool,
    /// `true` if the kernel's clock goes on while a core waits for interrupts. Otherwise none
    /// waits.
    pub clock_runs_asleep: bool,
    /// `true` if the kernel's clock and the timer's count from the same reset: then they agree, on
    /// all cores, as long as neither is set.
    pub clock_from_reset: bool,
}

/// The program that runs a machine on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// The emulator QEMU.
    Emulator(Emulator),
    /// The Verilog of real cores, with a board around them.
    Board(Board),
}

/// Returns the entry for a number of cores from entries for at most so many, the fewest first;
/// where nothing is for as many, that for the most.
pub fn for_cores<T>(all: impl IntoIterator<Item = (u32, T)>, cores: u32) -> Option<T> {
    let mut largest = None;
    for (most, one) in all {
        if cores <= most {
            return Some(one);
        }
        largest = Some(one);
    }
    largest
}

/// The board around cores that are simulated from their Verilog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The Verilog of the cores.
    pub cores: Verilog,
    /// Cycles from a request to main memory to the first part of the answer.
    pub memory_latency: u32,
    /// Cycles that a host simulates in a second, at least about so many, for at most so many cores;
    /// the fewest first.
    pub cycles_a_second: &'static [(u32, u64)],
}

impl Board {
    /// Cycles that a host simulates in a second with so many cores.
    pub fn cycles_a_second(&self, cores: u32) -> u64 {
        for_cores(self.cycles_a_second.iter().copied(), cores).unwrap_or(1)
    }
}

/// Cores whose Verilog there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verilog {
    /// Two Rocket cores.
    Rocket,
    /// A VexRiscv core that has page tables.
    VexRiscv,
}

/// QEMU as it emulates a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Emulator {
    /// QEMU's program.
    pub program: &'static str,
    /// QEMU's name of the machine.
    pub machine: &'static str,
}

/// Numbers of the registers of a system call that say what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallRegisters {
    /// The operation, and afterwards the error.
    pub operation: u8,
    /// The number of words that lie in memory.
    pub further: u8,
}

/// The measured costs of a kernel's paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredCosts {
    /// The kernel's configuration.
    pub kernel: KernelConfig,
    /// The number of cores up to which the costs hold: those that share a memory delay each other.
    pub cores: u32,
    /// The costs, as TOML.
    pub text: &'static str,
}

impl MeasuredCosts {
    /// Returns the costs of the kernel of one core with a policy.
    pub const fn of(policy: KernelPolicy, text: &'static str) -> Self {
        MeasuredCosts { kernel: Records::Plain.under(policy), cores: 1, text }
    }

    /// Returns these costs as those of a kernel that records something else.
    pub const fn recording(self, records: Records) -> Self {
        MeasuredCosts { kernel: KernelConfig { records, ..self.kernel }, ..self }
    }

    /// Returns these costs as those of the kernel with schedulers.
    pub const fn below_schedulers(self) -> Self {
        MeasuredCosts { kernel: self.kernel.below_schedulers(true), ..self }
    }

    /// Returns these costs as those of the kernels of at most so many cores, several.
    pub const fn on(self, cores: u32) -> Self {
        MeasuredCosts { kernel: self.kernel.on(cores as usize), cores, ..self }
    }
}

impl Descriptor {
    /// Returns the costs of a kernel on so many cores, as TOML: those for the fewest cores of which
    /// there are as many, or else those for the most.
    pub fn costs_of(&self, kernel: KernelConfig, cores: u32) -> Option<&'static str> {
        let own = self.costs.iter().filter(|table| table.kernel == kernel);
        for_cores(own.map(|table| (table.cores, table.text)), cores)
    }
}
