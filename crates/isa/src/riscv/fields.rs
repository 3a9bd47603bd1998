//! Fields of 32-bit RISC-V instructions.

/// Bits `low..low + count` of a word.
pub(super) fn bits(word: u32, low: u32, count: u32) -> u32 {
    (word >> low) & ((1 << count) - 1)
}

/// Returns the low `count` bits as a signed number.
pub(super) fn signed(value: u32, count: u32) -> i64 {
    let shift = 32 - count;
    i64::from(((value << shift) as i32) >> shift)
}

/// A word with its fields.
#[derive(Clone, Copy)]
pub(super) struct Word(pub(super) u32);

impl Word {
    pub(super) fn opcode(self) -> u32 {
        bits(self.0, 0, 7)
    }
    pub(super) fn rd(self) -> u8 {
        bits(self.0, 7, 5) as u8
    }
    pub(super) fn rs1(self) -> u8 {
        bits(self.0, 15, 5) as u8
    }
    pub(super) fn rs2(self) -> u8 {
        bits(self.0, 20, 5) as u8
    }
    pub(super) fn funct3(self) -> u32 {
        bits(self.0, 12, 3)
    }
    pub(super) fn funct7(self) -> u32 {
        bits(self.0, 25, 7)
    }
    pub(super) fn funct5(self) -> u32 {
        bits(self.0, 27, 5)
    }
    /// Immediate of loads, `jalr` and arithmetic.
    pub(super) fn i(self) -> i64 {
        signed(bits(self.0, 20, 12), 12)
    }
    /// Immediate of stores.
    pub(super) fn s(self) -> i64 {
        signed(bits(self.0, 25, 7) << 5 | bits(self.0, 7, 5), 12)
    }
    /// Immediate of branches.
    pub(super) fn b(self) -> i64 {
        let w = self.0;
        signed(
            bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1,
            13,
        )
    }
    /// Immediate of `lui` and `auipc`, already shifted.
    pub(super) fn u(self) -> i64 {
        i64::from((self.0 & 0xffff_f000) as i32)
    }
    /// Immediate of `jal`.
    pub(super) fn j(self) -> i64 {
        let w = self.0;
        signed(
            bits(w, 31, 1) << 20
                | bits(w, 12, 8) << 12
                | bits(w, 20, 1) << 11
                | bits(w, 21, 10) << 1,
            21,
        )
    }
}

/// Builders, the inverse of the fields; the compressed forms are rewritten with them.
pub(super) mod build {
    pub(in super::super) fn i(opcode: u32, funct3: u32, rd: u32, rs1: u32, immediate: i64) -> u32 {
        (immediate as u32 & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
    }
    pub(in super::super) fn s(funct3: u32, rs1: u32, rs2: u32, immediate: i64) -> u32 {
        let imm = immediate as u32;
        (imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 0x1f) << 7 | 0x23
    }
    pub(in super::super) fn r(opcode: u32, funct: [u32; 2], rd: u32, rs1: u32, rs2: u32) -> u32 {
        let [funct7, funct3] = funct;
        funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
    }
    pub(in super::super) fn b(funct3: u32, rs1: u32, immediate: i64) -> u32 {
        let imm = immediate as u32;
        let high = (imm >> 12 & 1) << 31 | (imm >> 5 & 0x3f) << 25;
        high | rs1 << 15 | funct3 << 12 | (imm >> 1 & 0xf) << 8 | (imm >> 11 & 1) << 7 | 0x63
    }
    pub(in super::super) fn j(rd: u32, immediate: i64) -> u32 {
        let imm = immediate as u32;
        let low = (imm >> 12 & 0xff) << 12 | (imm >> 11 & 1) << 20;
        (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | low | rd << 7 | 0x6f
    }
    pub(in super::super) fn u(opcode: u32, rd: u32, immediate: i64) -> u32 {
        immediate as u32 & 0xffff_f000 | rd << 7 | opcode
    }
}
