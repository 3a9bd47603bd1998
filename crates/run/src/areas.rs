//! The places of stacks' message areas in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fusee_image_format::{BelowEntry, Blob, abi};
use fusee_kernel::{GateKind, ThreadIndex};
use object::{Object, ObjectSymbol};

use crate::{Image, Manifest};

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

/// Returns each stack whose program has a thread-local variable of this name, with the variable's
/// address on that stack.
pub(crate) fn numbers_of<'i>(image: &'i Image, name: &str) -> Vec<(&'i Area, u64)> {
    let mut offsets: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    let mut found = Vec::new();
    for area in &image.areas {
        let component = image.manifest.components.get(area.component as usize);
        let Some(domain) = component.map(|component| component.domain) else { continue };
        let of_domain = || symbol(&image.program(domain)?, name);
        let offset = *offsets.entry(domain).or_insert_with(of_domain);
        found.extend(offset.map(|offset| (area, area.end + offset)));
    }
    found
}

/// Returns the value of a symbol of a linked program, which is an offset where the variable is
/// thread-local; `None`: the program has no such symbol.
pub(crate) fn symbol(program: &Path, name: &str) -> Option<u64> {
    let bytes = fs::read(program).ok()?;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    file.symbols().find(|symbol| symbol.name() == Ok(name)).map(|symbol| symbol.address())
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
