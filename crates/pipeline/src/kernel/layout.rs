//! The places of a kernel's decisions in its memory.
//!
//! The kernel's binary has symbols that say how its structures are laid out; where they begin, its
//! start has written down.

use fusee_image_format::Blob;
use fusee_isa::language::Width;
use fusee_kernel::{Capability, GateIndex};
use fusee_wcet::place;
use fusee_wcet_kernel::{Kernel, Known};

/// The holder of a free gate, as memory has it.
const NOBODY: u64 = u64::MAX;

/// The kernel's memory, with all that never moves.
pub(super) struct Layout<'k> {
    kernel: &'k Kernel,
    machine: u64,
}

impl<'k> Layout<'k> {
    /// None: the binary does not tell.
    pub(super) fn of(kernel: &'k Kernel) -> Option<Self> {
        let machine = "fusee_arch_riscv::machine::MACHINE";
        let machine = place::symbol(kernel.program(), machine).ok()?.address;
        Some(Self { kernel, machine })
    }

    /// Returns an offset or a size.
    fn told(&self, name: &str) -> Option<u64> {
        let symbol = place::symbol(self.kernel.program(), &format!("__layout_{name}"));
        symbol.ok().map(|symbol| symbol.address)
    }

    /// Returns the pointer that is somewhere.
    fn pointer(&self, at: u64) -> Option<u64> {
        let program = self.kernel.program();
        let number = self.kernel.number(at, program.register_width())?;
        Some(program.wrap(number)).filter(|&address| address != 0)
    }

    /// Returns the address at which a part of the kernel's memory begins.
    fn begin(&self, part: &str) -> Option<u64> {
        self.pointer(self.machine + self.told(part)?)
    }

    /// Returns the content of memory while a thread runs whose topmost frame is this one of all.
    pub(super) fn runs(&self, thread: u64, frame: u64) -> Option<[Known; 2]> {
        let current = self.begin("core")? + self.told("current")?;
        let threads = self.begin("threads")? + thread * self.told("thread")?;
        Some([
            (current, Width::Half, thread),
            (threads + self.told("topmost")?, Width::Half, frame),
        ])
    }

    /// Returns the content of memory while that frame is of a gate.
    pub(super) fn inside(&self, frame: u64, gate: GateIndex) -> Option<Known> {
        let frame = self.begin("frames")? + frame * self.told("frame")?;
        Some((frame + self.told("gate")?, Width::Half, gate.0.into()))
    }

    /// Returns the content of memory while a gate is free.
    pub(super) fn free(&self, gate: GateIndex) -> Option<Known> {
        let state = self.begin("gates")? + u64::from(gate.0) * self.told("gate_state")?;
        Some((state + self.told("holder")?, Width::Half, NOBODY))
    }

    /// Returns the tables as they are where every slot of a gate is one of this gate.
    pub(super) fn with_only(&self, gate: GateIndex, blob: &Blob<'_>) -> Option<Vec<(u64, u8)>> {
        let first = self.capabilities(blob)?;
        let size = self.told("capability")?;
        let named = |of: fn(GateIndex, GateIndex) -> bool| {
            let slots = blob.capabilities.iter().flatten().zip(0u64..);
            slots.filter_map(move |(may, slot)| match may {
                Capability::Gate(named) if of(named, gate) => Some(first + slot * size),
                _ => None,
            })
        };
        let example = named(|named, gate| named == gate).next()?;
        let bytes: Vec<(u64, u8)> = (0..size)
            .filter_map(|at| Some((at, self.kernel.number(example + at, Width::Byte)? as u8)))
            .collect();
        let others = named(|named, gate| named != gate);
        Some(others.flat_map(|at| bytes.iter().map(move |&(by, byte)| (at + by, byte))).collect())
    }

    /// Returns the address at which the capabilities of all components begin, one behind the other.
    fn capabilities(&self, blob: &Blob<'_>) -> Option<u64> {
        let (components, size) = (self.begin("components")?, self.told("component")?);
        let (within, capability) = (self.told("capabilities")?, self.told("capability")?);
        let mut first = None;
        for (component, at) in blob.components.iter().flatten().zip(0u64..) {
            if component.capabilities == 0 {
                continue;
            }
            let its = self.pointer(components + at * size + within)?;
            let begin = its.checked_sub(u64::from(component.first_capability) * capability)?;
            if *first.get_or_insert(begin) != begin {
                return None;
            }
        }
        first
    }
}
