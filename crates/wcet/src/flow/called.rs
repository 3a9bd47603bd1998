//! Functions that blocks call.
//!
//! Code that was linked without relaxation puts the address of what it calls together right before
//! the call: that is no call of whatever a register says.

use fusee_isa::language::{Effect, Flow, Instruction, Target};

use crate::program::Program;
use crate::setting::Setting;
use crate::state::State;

/// Returns what the last of some instructions calls, where nothing that is executed before them
/// matters.
pub(super) fn callee(program: &Program, instructions: &[Instruction]) -> Option<u64> {
    let address = match instructions.last()?.flow {
        Flow::Call { target: Target::Fixed(target), .. } => return Some(target),
        Flow::Call { target: Target::Computed(address), .. } => address,
        _ => return None,
    };
    let setting = Setting::new(program);
    // All registers hold unknown numbers here. So what is constant at the call is made by these
    // instructions, whichever way leads to them.
    let mut state = State::at_entry(setting);
    for effect in instructions.iter().flat_map(|instruction| &instruction.effects) {
        state.apply(&always(effect, &state, setting), setting);
    }
    let number = state.address(address, setting).as_constant()?;
    Some(setting.wrap(setting.architecture().jump_target(number)))
}

/// Returns what an effect does whenever it is executed: memory that is written may hold anything
/// then.
fn always(effect: &Effect, state: &State, setting: Setting<'_>) -> Effect {
    let (target, address) = match *effect {
        Effect::Load { target, address, .. } => (target, address),
        Effect::Atomic { target: Some(target), address, .. } => (target, address),
        _ => return *effect,
    };
    let place = state.address(address, setting).as_constant().map(|at| setting.wrap(at));
    match place {
        Some(at) if !setting.is_writable(at) => *effect,
        _ => Effect::Unknown { target },
    }
}
