//! Waiting for operands, and the cycles of the instructions themselves.

use super::ahead::Ahead;
use super::{Pipeline, Timing};
use fusee_isa::language::{Class, Effect, Flow, Instruction, Operand, Register, Target};

impl Pipeline<'_> {
    /// Cycles from an instruction's being there until the next one can be issued.
    pub(super) fn issue(&self, timing: &mut Timing, instruction: &Instruction, taken: bool) -> u32 {
        let waiting = waiting(timing, instruction);
        if waiting > 0 || serial(instruction.class) || self.leads_on(instruction, taken) {
            // An instruction that waits keeps the next one from being looked up, and one that leads
            // elsewhere makes what was looked up useless.
            timing.ahead.end();
        } else {
            timing.ahead.pass();
        }
        let dual = self.description.issue.dual;
        let joined = dual && waiting == 0 && joins(timing, instruction);
        // Its cycles are those of its partner.
        let own = if joined { 0 } else { self.own_cycles(instruction, taken) };
        // Only an instruction with one result is known to leave the next one alone.
        let single = instruction.guard.is_none() && instruction.effects.len() <= 1;
        let open = dual && !joined && instruction.class == Class::Arithmetic && single;
        timing.partner = open.then(|| result(instruction));
        if instruction.class == Class::Divide {
            timing.ahead = Ahead::behind_division(&self.description.memory, own);
        }
        let cycles = waiting.saturating_add(own);
        let stood = self.stood_still(timing, instruction, waiting);
        if instruction.class == Class::Divide {
            // A division keeps a late stage: what waits before it for an earlier result
            // goes on waiting afterwards.
            timing.pass(waiting.saturating_add(own.min(1)));
            timing.hold(own.saturating_sub(1));
        } else {
            timing.pass(cycles);
        }
        if instruction.mnemonic == "fence.i" {
            timing.instructions.clear();
        }
        cycles.saturating_add(stood)
    }

    /// Cycles by which the way back to loads that are done again is longer because this instruction
    /// kept a stage.
    ///
    /// Where the decoder stands still meanwhile, fetching takes up a new address a cycle later.
    fn stood_still(&self, timing: &Timing, instruction: &Instruction, waiting: u32) -> u32 {
        let waits = waiting > 0 || serial(instruction.class) || instruction.class == Class::Divide;
        if waits {
            self.description.control.wrong_way_wait.saturating_mul(timing.again.behind_stores())
        } else {
            0
        }
    }

    /// Returns whether an instruction can't be issued right behind another one.
    pub(super) fn waits_for(&self, instruction: &Instruction, before: &Instruction) -> bool {
        // Any other result can be used by the next instruction at once.
        let slow = self.description.result.of(before.class) > 1;
        let mut uses = false;
        reads(instruction, &mut |register| {
            uses |= effects(before).any(|e| e.target() == Some(register))
        });
        slow && uses || serial(before.class) || serial(instruction.class)
    }

    /// Returns whether fetching goes on elsewhere than behind an instruction, or had been sent
    /// there by a guess.
    fn leads_on(&self, instruction: &Instruction, taken: bool) -> bool {
        match instruction.flow {
            Flow::Next => false,
            Flow::Branch { .. } => taken || self.guess(instruction),
            _ => true,
        }
    }

    fn own_cycles(&self, instruction: &Instruction, taken: bool) -> u32 {
        let (issue, control) = (&self.description.issue, &self.description.control);
        match instruction.class {
            Class::Multiply => issue.multiply,
            Class::Divide => issue.divide,
            // What has no time is an obstacle: `lacks`.
            Class::Float => issue.float.unwrap_or(u32::MAX),
            Class::FloatDivide => issue.float_divide.unwrap_or(u32::MAX),
            Class::Atomic => issue.atomic,
            Class::Status => issue.status,
            Class::Fence if instruction.mnemonic == "fence.i" => issue.fence_i,
            Class::Fence => issue.fence,
            Class::System => issue.system,
            Class::Jump => control.jump,
            Class::IndirectJump => control.indirect,
            Class::Branch => match (self.guess(instruction), taken) {
                (true, true) => control.taken,
                (false, false) => control.not_taken,
                _ => control.mispredicted,
            },
            Class::Arithmetic | Class::Shift | Class::Load | Class::Store => issue.default,
        }
    }

    /// Notes when the result can be used.
    ///
    /// An earlier result for the same register that is still under way is waited for as well.
    pub(super) fn finish(&self, timing: &mut Timing, instruction: &Instruction) {
        let latency = self.description.result.of(instruction.class);
        for register in effects(instruction).filter_map(Effect::target) {
            let ready = &mut timing.ready[register.index()];
            *ready = latency.saturating_sub(1).max(*ready);
        }
        let registers = self.program.register_width();
        timing.near = timing.near.take().and_then(|near| near.behind(instruction, registers));
        timing.again.pass();
        timing.stores.retain_mut(|(_, _, left)| {
            *left = left.saturating_sub(1);
            *left > 0
        });
    }
}

/// Returns whether one of these can wait for all before it, whatever it reads.
pub(super) fn serial(class: Class) -> bool {
    let opaque = matches!(class, Class::Float | Class::FloatDivide);
    opaque || matches!(class, Class::Atomic | Class::Status | Class::Fence | Class::System)
}

/// Cycles until the operands are ready.
fn waiting(timing: &Timing, instruction: &Instruction) -> u32 {
    // What these read is not all in their effects.
    if serial(instruction.class) {
        return timing.ready.iter().copied().max().unwrap_or(0);
    }
    let mut waiting = 0;
    reads(instruction, &mut |register| waiting = waiting.max(timing.ready[register.index()]));
    waiting
}

/// Returns whether an instruction can be issued together with the one before it.
fn joins(timing: &Timing, instruction: &Instruction) -> bool {
    let Some(partner) = timing.partner else { return false };
    let kind = matches!(instruction.class, Class::Arithmetic | Class::Load);
    // Two results for one register must come in their order.
    let mut depends =
        partner.is_some() && effects(instruction).any(|effect| effect.target() == partner);
    reads(instruction, &mut |register| depends |= partner == Some(register));
    kind && !depends
}

/// Returns what it does whether or not its guard holds.
fn effects(instruction: &Instruction) -> impl Iterator<Item = &Effect> {
    instruction.effects.iter().chain(instruction.guard.iter().flat_map(|guard| &guard.otherwise))
}

fn result(instruction: &Instruction) -> Option<Register> {
    instruction.effects.iter().find_map(Effect::target)
}

/// Shows each register that an instruction reads.
fn reads(instruction: &Instruction, see: &mut dyn FnMut(Register)) {
    let mut operand = |operand: Operand| {
        if let Operand::Register(register) = operand {
            see(register);
        }
    };
    for effect in effects(instruction) {
        match *effect {
            Effect::Compute { left, right, .. } => {
                operand(left);
                operand(right);
            }
            Effect::Load { address, .. } | Effect::Atomic { address, .. } => operand(address.base),
            Effect::Store { address, value, .. } => {
                operand(address.base);
                operand(value);
            }
            Effect::Hide { value } => operand(value),
            Effect::Unknown { .. } => {}
        }
    }
    if let Some(guard) = &instruction.guard {
        operand(guard.left);
        operand(guard.right);
    }
    match instruction.flow {
        Flow::Branch { left, right, .. } => {
            operand(left);
            operand(right);
        }
        Flow::Jump(Target::Computed(address))
        | Flow::Call { target: Target::Computed(address), .. } => {
            operand(address.base);
        }
        Flow::Return { link } => operand(Operand::Register(link)),
        _ => {}
    }
}
