//! The data that a restart puts back.
//!
//! A component with `on_fault = "restart"` gets all writable data of its program
//! and the thread-local data of all its stacks back. The initial contents stand a
//! second time in the image, where only the kernel reads. Zeros need no copy.

use crate::ImageError;
use crate::layout::DomainLayout;
use crate::program::Program;
use fusee_image_format::CopyRange;
use fusee_kernel::{ComponentIndex, OnFault};
use fusee_model::System;
use fusee_tables::Machine;

/// Most bytes that a restart may write: the kernel does it in one piece.
const MOST_BYTES: u64 = 64 << 10;

/// Returns the domains of which some component is restarted, in order.
pub(crate) fn domains(
    system: &System,
    machine: &Machine,
    programs: &[Option<Program>],
) -> Result<Vec<usize>, ImageError> {
    let mut found = Vec::new();
    for (index, domain) in machine.domains.iter().enumerate() {
        let restarts = |component: &&ComponentIndex| {
            machine.objects.on_fault[component.at()] == OnFault::Restart
        };
        let Some(component) = domain.components.iter().find(restarts) else { continue };
        let described = &system.components[component.at()];
        let (name, origin) = (described.name.clone(), described.origin);
        if let Some(other) = domain.components.iter().find(|other| *other != component) {
            let other = system.components[other.at()].name.clone();
            return Err(ImageError::RestartInGroup { component: name, other, origin });
        }
        let bytes = programs[index].as_ref().map_or(0, writable);
        if bytes > MOST_BYTES {
            return Err(ImageError::LongRestart {
                component: name,
                bytes,
                most: MOST_BYTES,
                origin,
            });
        }
        found.push(index);
    }
    Ok(found)
}

fn writable(program: &Program) -> u64 {
    program
        .segments
        .iter()
        .filter(|segment| segment.permissions.write)
        .map(|segment| segment.size)
        .sum()
}

/// Returns a domain's initial data, one after the other, each padded to 8 bytes.
pub(crate) fn initial(program: &Program) -> Vec<u8> {
    let writable = program.segments.iter().filter(|segment| segment.permissions.write);
    let parts = writable.map(|segment| &segment.bytes).chain([&program.thread_local.bytes]);
    let mut initial = Vec::new();
    for part in parts {
        initial.extend_from_slice(part);
        initial.resize(initial.len().next_multiple_of(8), 0);
    }
    initial
}

/// Returns the ranges that a restart of the domain writes, its initial data being at `from`.
pub(crate) fn ranges(program: &Program, layout: &DomainLayout, mut from: u64) -> Vec<CopyRange> {
    let mut ranges = Vec::new();
    for (segment, &to) in
        program.segments.iter().zip(&layout.segments).filter(|(s, _)| s.permissions.write)
    {
        let copied = (segment.bytes.len() as u64).next_multiple_of(8);
        push(&mut ranges, to, from, copied);
        push(&mut ranges, to + copied, 0, segment.size.next_multiple_of(8).saturating_sub(copied));
        from += copied;
    }
    let local = &program.thread_local;
    let copied = (local.bytes.len() as u64).next_multiple_of(8);
    for stack in &layout.stacks {
        let to = stack.physical_of(stack.thread_pointer);
        push(&mut ranges, to, from, copied);
        push(&mut ranges, to + copied, 0, local.size.next_multiple_of(8).saturating_sub(copied));
    }
    ranges
}

fn push(ranges: &mut Vec<CopyRange>, to: u64, from: u64, bytes: u64) {
    if bytes > 0 {
        ranges.push(CopyRange { to, from, bytes });
    }
}
