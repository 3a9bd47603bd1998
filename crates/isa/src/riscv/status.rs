//! The control and status register that an instruction reads or writes.
//!
//! Only those are named that say how a kernel is entered; all others are unknown
//! numbers to every analysis.

/// A control and status register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// `mhartid`: the number of the core.
    Core,
    /// `mtvec`: where traps arrive.
    Vector,
    /// `mcause`: why a trap was taken.
    Cause,
    /// `mip`: interrupts that wait to be taken.
    Pending,
}

/// An access to one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusAccess {
    /// The register that is read or written.
    pub register: Status,
    /// The register whose number becomes its value; nothing for other accesses.
    pub written: Option<u8>,
}

impl StatusAccess {
    /// Returns the access that an instruction makes, if any.
    pub fn of(bits: u32) -> Option<Self> {
        let register = match bits >> 20 {
            0xf14 => Status::Core,
            0x305 => Status::Vector,
            0x342 => Status::Cause,
            0x344 => Status::Pending,
            _ => return None,
        };
        let (opcode, operation, source) = (bits & 0x7f, bits >> 12 & 7, (bits >> 15 & 31) as u8);
        let accesses = opcode == 0x73 && operation & 3 != 0;
        accesses.then_some(Self { register, written: (operation == 1).then_some(source) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Flow;

    #[test]
    fn tells_writes_from_reads() {
        let of = StatusAccess::of;
        assert_eq!(
            of(0x3052_9073),
            Some(StatusAccess { register: Status::Vector, written: Some(5) })
        );
        assert_eq!(of(0xf140_22f3), Some(StatusAccess { register: Status::Core, written: None }));
        assert_eq!(of(0x3020_0073), None);
        assert_eq!(of(0x3421_0113), None);
    }

    /// `unimp`, compressed or not; to read `cycle` is an instruction like others.
    #[test]
    fn a_write_to_what_nothing_may_write_only_raises_an_exception() {
        let flow = |bytes: &[u8]| {
            let decoded = crate::riscv::decode(bytes, 0, crate::riscv::Xlen::Rv32);
            decoded.map(|instruction| (instruction.mnemonic, instruction.size, instruction.flow))
        };
        let word = |word: u32| flow(&word.to_le_bytes()).expect("an instruction");
        assert_eq!(word(0xc000_1073), ("unimp", 4, Flow::Breakpoint));
        assert_eq!(flow(&[0, 0]).expect("an instruction"), ("unimp", 2, Flow::Breakpoint));
        assert_eq!(word(0xc000_2073).2, Flow::Next);
        assert!(flow(&[4, 0]).is_err(), "c.addi4spn of nothing");
    }
}
