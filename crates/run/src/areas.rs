//! The places of stacks' message areas in memory.

use fusee_image_format::{BelowEntry, Blob, abi};
use fusee_kernel::{GateKind, ThreadIndex};

use crate::Manifest;

/// The owner of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A thread's own, where its jobs begin.
    Thread(u16),
    /// A gate's stack, for the thread inside.
    Gate(u16),
}

/// The place in memory of a stack's message area.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) owner: Owner,
    pub(crate) component: u32,
    /// Its end, where the thread-local data begin.
    pub(crate) end: u64,
}

/// Returns the message areas of all stacks, from the tables of each core and the stacks of
/// activations.
pub(crate) fn of_tables(
    manifest: &Manifest,
    cores: &[Blob<'_>],
    below: &[BelowEntry],
) -> Vec<Area> {
    let of_core = |(core, blob): (usize, &Blob<'_>)| core_areas(manifest, core, blob);
    let mut areas: Vec<Area> = cores.iter().enumerate().flat_map(of_core).collect();
    areas.extend(below.iter().filter_map(|entry| {
        let gate = manifest.gates.get(entry.gate.at())?;
        let end = entry.stack.message + message_bytes(cores.first()?);
        Some(Area { owner: Owner::Gate(entry.gate.0), component: gate.component, end })
    }));
    areas
}

fn message_bytes(blob: &Blob<'_>) -> u64 {
    abi::MESSAGE_WORDS as u64 * blob.header.platform.word_bytes()
}

/// Those of one core. Activations of gates between cores have theirs on the first.
fn core_areas(manifest: &Manifest, core: usize, blob: &Blob<'_>) -> Vec<Area> {
    let (bytes, numbers) = (message_bytes(blob), manifest.numbers(core));
    let homes = blob.home_stacks.iter().flatten().enumerate().filter_map(|(index, stack)| {
        let number = numbers.thread(ThreadIndex(index as u16));
        let component = manifest.threads.get(usize::from(number))?.component;
        Some(Area { owner: Owner::Thread(number), component, end: stack.message + bytes })
    });
    let mut stacks = blob.gate_stacks.iter().flatten();
    let mut areas: Vec<Area> = homes.collect();
    for (index, gate) in blob.gates.iter().flatten().enumerate() {
        let (number, component) = (index as u16, u32::from(gate.config.component.0));
        let owner = Owner::Gate(numbers.gate(number));
        let own = stacks.by_ref().take(usize::from(gate.config.stacks));
        let own: Vec<Area> =
            own.map(|stack| Area { owner, component, end: stack.message + bytes }).collect();
        let elsewhere = core > 0 && numbers.gate(number) != number;
        if gate.config.kind == GateKind::Interface && !elsewhere {
            areas.extend(own);
        }
    }
    areas
}
