//! The value of the global pointer of a RISC-V program.
//!
//! Linkers shorten addresses near `__global_pointer$` to distances from a
//! register, which code at the program's start sets once and nobody changes. A
//! function that is bounded for itself finds it set: the linker's symbol says to
//! what, else the code that sets it.

use super::granted::Held;
use crate::program::Program;
use crate::setting::Setting;
use crate::state::State;
use crate::value::Range;
use fusee_isa::Architecture;
use fusee_isa::language::{Flow, Target};
use fusee_isa::riscv::GP;

/// Instructions at the start among which the one is that sets it.
const STRAIGHT: usize = 256;

/// Returns what registers hold at an entry, with the global pointer if nothing else is said of it.
pub(super) fn with(given: &[Held], program: &Program, entry: u64) -> Vec<Held> {
    let mut all = given.to_vec();
    // The start is what sets the register, and may find anything in it.
    let at_start = entry == program.entry();
    if !at_start && given.iter().all(|held| held.register != GP) {
        all.extend(held(program));
    }
    all
}

fn held(program: &Program) -> Option<Held> {
    let Architecture::Riscv(_) = program.architecture() else { return None };
    let (address, who) = match program.global_pointer() {
        Some(address) => (address, "the linker's symbol `__global_pointer$` says"),
        None => (program.wrap(set_by_start(program)?), "the code at the program's start sets it"),
    };
    let range = Range::constant(program.register_number(address) as i64);
    Some(Held { register: GP, range, why: format!("`gp` is {address:#x} at entry, as {who}") })
}

/// Returns what the instructions from the program's start on leave in the register, up to the first
/// behind those that set it.
fn set_by_start(program: &Program) -> Option<u64> {
    let setting = Setting::new(program);
    let mut state = State::at_entry(setting);
    let (mut at, mut found) = (program.entry(), None);
    for _ in 0..STRAIGHT {
        let instruction = program.instruction(at).ok()?;
        let sets = instruction.effects.iter().any(|effect| effect.target() == Some(GP));
        // Two instructions make the address, so the last of those in a row counts.
        if !sets && found.is_some() {
            return found;
        }
        for effect in &instruction.effects {
            state.apply(effect, setting);
        }
        if sets {
            found = state.get(GP).as_constant();
        }
        at = match instruction.flow {
            // A branch is not taken here. The result is an assumption that is listed, not a proof.
            Flow::Next | Flow::Branch { .. } => instruction.next_address(),
            Flow::Jump(Target::Fixed(target)) => target,
            _ => return None,
        };
    }
    None
}
