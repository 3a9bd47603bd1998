//! Instructions as a line of text for people.
//!
//! The name is the one that assemblers write; the operands are what the decoder
//! made of them, in the order target, sources. So every processor reads alike, and
//! what is printed is what was analyzed.

use crate::program::Program;
use fusee_isa::language::{Address, Effect, Flow, Instruction, Operand, Register, Target};
use fusee_isa::{Architecture, a32, aarch64, riscv};

/// Returns an instruction as text: `lw a5, 4(a0)`, `bne a3, a5, search+0x12`.
pub fn text(program: &Program, instruction: &Instruction) -> String {
    let writer = Writer { program };
    let mut operands: Vec<String> =
        instruction.effects.iter().flat_map(|effect| writer.effect(effect)).collect();
    operands.extend(writer.flow(&instruction.flow));
    match operands.is_empty() {
        true => instruction.mnemonic.to_owned(),
        false => format!("{} {}", instruction.mnemonic, operands.join(", ")),
    }
}

struct Writer<'p> {
    program: &'p Program,
}

impl Writer<'_> {
    fn effect(&self, effect: &Effect) -> Vec<String> {
        let register = |register: Register| self.register(register);
        match *effect {
            Effect::Compute { target, left, right, .. } => {
                [register(target), self.operand(left), self.operand(right)]
                    .into_iter()
                    .flatten()
                    .collect()
            }
            Effect::Load { target, address, .. } => {
                register(target).into_iter().chain([self.address(address)]).collect()
            }
            Effect::Store { address, value, .. } => {
                self.operand(value).into_iter().chain([self.address(address)]).collect()
            }
            Effect::Atomic { target, address, .. } => {
                target.and_then(register).into_iter().chain([self.address(address)]).collect()
            }
            Effect::Unknown { target } => register(target).into_iter().collect(),
            // It is no operand of its own: what is hidden stands in another
            // effect, or nowhere in the text.
            Effect::Hide { .. } => Vec::new(),
        }
    }

    fn flow(&self, flow: &Flow) -> Vec<String> {
        let target = |target: &Target| match *target {
            Target::Fixed(address) => self.program.describe(address),
            Target::Computed(address) => self.address(address),
        };
        match flow {
            Flow::Jump(to) | Flow::Call { target: to, .. } => vec![target(to)],
            Flow::Branch { left, right, target, .. } => {
                let operands = [self.operand(*left), self.operand(*right)].into_iter().flatten();
                operands.chain([self.program.describe(*target)]).collect()
            }
            // Returns and traps have no operand that is written.
            _ => Vec::new(),
        }
    }

    fn address(&self, address: Address) -> String {
        match address.base {
            // A constant base is an address as such, so the sum says more than its parts.
            Operand::Constant(base) => {
                format!("{:#x}", self.program.wrap(base.wrapping_add_signed(address.offset)))
            }
            base => format!("{}({})", address.offset, self.operand(base).unwrap_or_default()),
        }
    }

    fn operand(&self, operand: Operand) -> Option<String> {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(number) => Some(match number as i64 {
                // Small numbers are counts and distances, larger ones mostly addresses.
                small @ -4096..=4096 => small.to_string(),
                _ => format!("{:#x}", self.program.wrap(number)),
            }),
        }
    }

    /// Returns the name of a register that programs can name.
    fn register(&self, register: Register) -> Option<String> {
        let number = register.number();
        match self.program.architecture() {
            Architecture::Riscv(_) => {
                riscv::NAMES.get(usize::from(number)).map(|&name| name.to_owned())
            }
            // The stack pointer has no number among the others.
            Architecture::Aarch64 if register == aarch64::SP => Some("sp".to_owned()),
            Architecture::A32 if register == a32::SP => Some("sp".to_owned()),
            // Number 0 is for what is lost. Those above are flags and
            // halves, which no program names.
            Architecture::Aarch64 => (1..=31).contains(&number).then(|| format!("x{}", number - 1)),
            Architecture::A32 => (1..=16).contains(&number).then(|| format!("r{}", number - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_isa::riscv::Xlen;

    #[test]
    fn names_operands_as_assemblers_do() {
        let program = Program::empty(Architecture::Riscv(Xlen::Rv32));
        for (word, expected) in [
            (0x0045_a783u32, "lw a5, 4(a1)"),
            (0x00f5_a223, "sw a5, 4(a1)"),
            (0x00d7_8533, "add a0, a5, a3"),
            (0xff00_0113, "addi sp, zero, -16"),
        ] {
            let instruction =
                program.architecture().decode(&word.to_le_bytes(), 0).expect("an instruction");
            let text = text(&program, &instruction);
            let expected = expected.replace("zero", "0");
            assert_eq!(text, expected);
        }
    }
}
