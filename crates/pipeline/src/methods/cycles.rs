//! Times of bodies in cycles, with page tables and with others on the core.
//!
//! A body begins with nothing in caches and without translations, and goes on so
//! behind each system call: others have run meanwhile. What an interruption takes
//! away is not in its time; whoever interrupts is charged for that, with the
//! longest that it takes for any body.

use std::collections::BTreeSet;

use fusee_image::Region;
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_image_format::{Blob, StackEntry};
use fusee_isa::language::Register;
use fusee_model::ComponentId;
use fusee_platform::Platform;
use fusee_wcet::execute::{Bound, Facts, Failure, Held, bound};
use fusee_wcet::machine::description::{Description, built_in};
use fusee_wcet::machine::{Bytes, Counting, Footprint, Pipeline, Touched};
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;

use super::EFFORT;
use crate::kernel::tables;
use crate::wait_states::latency;

/// The register that holds the address of the thread-local data.
const THREAD_POINTER: Register = Register::new(4);

/// A core, with the stacks of an image for it.
pub(super) struct Cycles {
    description: Description,
    /// The stacks of each component.
    stacks: Vec<Vec<StackEntry>>,
}

/// A body's time.
pub(super) struct Timed {
    /// The bound that was found, with the time on the core.
    pub(super) bound: Bound,
    /// The delay that an interruption causes to the body.
    pub(super) interruption: u64,
}

impl Cycles {
    /// Returns the core of a platform, with what its image says; nothing where the platform has
    /// none whose cycles are known.
    pub(super) fn of<'r>(
        platform: Platform,
        image: &Program,
        regions: impl Iterator<Item = &'r Region>,
    ) -> Option<Self> {
        let mut description = built_in("vexriscv", latency(platform)?)?;
        let uncached = &mut description.memory.uncached;
        *uncached = uncached_below(uncached, regions);
        Some(Self { description, stacks: stacks(image, platform)? })
    }

    /// Bounds a body of a component.
    pub(super) fn bound(
        &self,
        program: &Program,
        entry: u64,
        facts: &Facts,
        component: ComponentId,
    ) -> Result<Timed, Vec<String>> {
        let stacks = self.stacks.get(component.index()).map_or(&[][..], Vec::as_slice);
        let top = top(stacks)
            .ok_or_else(|| vec!["its stacks begin at different places in a page".to_owned()])?;
        let on_any = &with_thread_pointer(facts, stacks);
        let failed = |failure: Failure| vec![failure.to_string()];
        let machine = Pipeline::new(self.description.clone(), program, Some(top))
            .ok_or_else(|| failed(Failure::Defect))?;
        let mut found = bound(program, &machine, entry, on_any, EFFORT).map_err(failed)?;
        let Some(time) = found.time else { return Ok(Timed { bound: found, interruption: 0 }) };
        let times = |places: &BTreeSet<u64>| count(program, entry, on_any, places);
        let calls = times(&found.coverage.requests.keys().copied().collect())?;
        let (mut longest, mut interruption) = (0, 0);
        // What a body touches is on one of the stacks, whichever that is.
        for stack in stacks {
            let touched = touched(program, entry, facts, stack)?;
            let used = &footprint(&machine, &found, &touched)?;
            let strays = times(&used.strays)?;
            let walks = machine.walks(used, calls, strays);
            longest = longest.max(walks.ok_or_else(|| failed(Failure::Defect))?);
            interruption = interruption.max(machine.interruption(used));
        }
        found.time = time.checked_add(longest);
        Ok(Timed { bound: found, interruption })
    }
}

/// Returns the ranges in which components find data that caches do not keep, by the core's own
/// addresses.
fn uncached_below<'r>(
    uncached: &[[u64; 2]],
    regions: impl Iterator<Item = &'r Region>,
) -> Vec<[u64; 2]> {
    let is = |region: &&Region| {
        let physical = region.physical..region.physical + region.bytes;
        uncached.iter().any(|&[from, to]| from <= physical.start && physical.end <= to)
    };
    let found: BTreeSet<[u64; 2]> =
        regions.filter(is).map(|one| [one.address, one.address + one.bytes]).collect();
    found.into_iter().collect()
}

/// Returns the bytes that a body touches when it runs on one of the stacks of its component.
fn touched(
    program: &Program,
    entry: u64,
    facts: &Facts,
    stack: &StackEntry,
) -> Result<Bytes, Vec<String>> {
    let facts = &with_thread_pointer(facts, std::slice::from_ref(stack));
    let touched = Touched::with_stack(stack.stack_pointer);
    bound(program, &touched, entry, facts, EFFORT).map_err(|failure| vec![failure.to_string()])?;
    let bytes = touched.bytes();
    if let Some(&at) = bytes.anywhere.first() {
        let place = program.describe(at);
        return Err(vec![format!("{place}: no one knows which pages it touches")]);
    }
    Ok(bytes)
}

/// Returns the pages of a body that runs through some blocks and touches some bytes.
fn footprint(
    machine: &Pipeline<'_>,
    found: &Bound,
    bytes: &Bytes,
) -> Result<Footprint, Vec<String>> {
    let used = machine.footprint(reached(found), bytes);
    match used.excess() {
        Some((code, data)) => Err(vec![format!(
            "it touches {code} pages of code and {data} of data, and the core keeps the \
             translations of four of each"
        )]),
        None => Ok(used),
    }
}

/// The blocks that some execution reaches.
fn reached(found: &Bound) -> impl Iterator<Item = (u64, u64)> {
    found.coverage.reached.iter().map(|(&first, &last)| (first, last))
}

/// Returns the largest number of executions of instructions.
fn count(
    program: &Program,
    entry: u64,
    facts: &Facts,
    places: &BTreeSet<u64>,
) -> Result<u64, Vec<String>> {
    if places.is_empty() {
        return Ok(0);
    }
    let found = bound(program, &Counting(places), entry, facts, EFFORT);
    let found = found.map_err(|failure| vec![failure.to_string()])?;
    found.time.ok_or_else(|| vec!["how often it calls the kernel is not known".to_owned()])
}

/// Returns the start of the stack pointer, as far as caches see it: a body uses one stack, and all
/// of its component begin at the same place of a page.
fn top(stacks: &[StackEntry]) -> Option<u64> {
    let first = stacks.first()?.stack_pointer;
    let alike = |stack: &StackEntry| stack.stack_pointer % PAGE_BYTES == first % PAGE_BYTES;
    stacks.iter().all(alike).then_some(first)
}

/// Adds the place of the thread-local data to the facts.
fn with_thread_pointer(facts: &Facts, stacks: &[StackEntry]) -> Facts {
    let mut facts = facts.clone();
    let all = || stacks.iter().map(|stack| i128::from(stack.thread_pointer));
    if let (Some(low), Some(high)) = (all().min(), all().max()) {
        let stride = if low == high { 1 } else { u128::from(PAGE_BYTES) };
        if all().all(|one| (one - low).unsigned_abs().is_multiple_of(stride)) {
            facts.entry.push(Held {
                register: THREAD_POINTER,
                range: Range::new(low, high, stride),
                why: "the image says where its stacks are".to_owned(),
            });
        }
    }
    facts
}

/// Returns the stacks of each component in an image.
fn stacks(image: &Program, platform: Platform) -> Option<Vec<Vec<StackEntry>>> {
    let table = tables(image, platform).ok()?;
    let blob = Blob::parse(&table).ok()?;
    let mut stacks = vec![Vec::new(); blob.components.len()];
    let threads = blob.threads.iter().flatten().map(|thread| (thread.config.component, 1));
    let gates = blob.gates.iter().flatten().map(|gate| (gate.config.component, gate.config.stacks));
    let (mut homes, mut others) = (blob.home_stacks.iter(), blob.gate_stacks.iter());
    for (component, _) in threads {
        stacks.get_mut(component.at())?.push(homes.next()??);
    }
    for (component, count) in gates {
        for _ in 0..count {
            stacks.get_mut(component.at())?.push(others.next()??);
        }
    }
    // Mutexes have no stack in memory.
    stacks.iter_mut().for_each(|all| all.retain(|stack| stack.stack_pointer != 0));
    Some(stacks)
}
