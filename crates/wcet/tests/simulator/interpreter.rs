//! An interpreter of RV32IM and RV64IM, sharing no decoder with the analysis.

use std::collections::BTreeMap;

use fusee_isa::language::Width;
use fusee_wcet::program::Program;

/// The kind of an executed instruction, as far as its time is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Arithmetic,
    Shift,
    Multiply,
    Divide,
    Load { address: u64 },
    Store { address: u64 },
    Branch { taken: bool, backward: bool },
    Jump,
    IndirectJump,
}

/// One executed instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) address: u64,
    pub(crate) kind: Kind,
    pub(crate) target: Option<u8>,
    pub(crate) sources: [Option<u8>; 2],
}

/// A processor with its memory.
pub(crate) struct Interpreter<'p> {
    program: &'p Program,
    memory: BTreeMap<u64, u8>,
    registers: [u64; 32],
    wide: bool,
}

/// The address to which calls from outside return.
const OUTSIDE: u64 = 0x1000;

impl<'p> Interpreter<'p> {
    pub(crate) fn new(program: &'p Program, stack: u64) -> Self {
        let mut registers = [0; 32];
        registers[2] = stack;
        Self {
            program,
            memory: BTreeMap::new(),
            registers,
            wide: program.register_width() == Width::Double,
        }
    }

    /// Calls a function with one argument; gives its result and shows each step.
    pub(crate) fn call(&mut self, function: u64, argument: u64, see: &mut dyn FnMut(Step)) -> u64 {
        self.registers[10] = argument;
        self.registers[1] = OUTSIDE;
        let mut at = self.extend(function);
        while at != OUTSIDE {
            let (step, next) = self.step(at);
            see(step);
            at = next;
        }
        self.registers[10]
    }

    fn extend(&self, number: u64) -> u64 {
        if self.wide { number } else { i64::from(number as i32) as u64 }
    }

    fn place(&self, number: u64) -> u64 {
        if self.wide { number } else { number & 0xffff_ffff }
    }

    fn read(&self, address: u64, bytes: u64) -> u64 {
        let byte = |i: u64| {
            let at = self.place(address.wrapping_add(i));
            self.memory
                .get(&at)
                .copied()
                .unwrap_or_else(|| self.program.initial(at, Width::Byte).unwrap_or(0) as u8)
        };
        (0..bytes).fold(0, |number, i| number | u64::from(byte(i)) << (8 * i))
    }

    fn write(&mut self, address: u64, bytes: u64, number: u64) {
        for i in 0..bytes {
            let at = self.place(address.wrapping_add(i));
            self.memory.insert(at, (number >> (8 * i)) as u8);
        }
    }

    fn step(&mut self, at: u64) -> (Step, u64) {
        let word = self.read(at, 4) as u32;
        let field = |low: u32, bits: u32| (word >> low) & ((1 << bits) - 1);
        let (rd, rs1, rs2) = (field(7, 5) as u8, field(15, 5) as u8, field(20, 5) as u8);
        let (a, b) = (self.registers[usize::from(rs1)], self.registers[usize::from(rs2)]);
        let immediate = i64::from(word as i32 >> 20) as u64;
        let upper = i64::from((word & 0xffff_f000) as i32) as u64;
        let mut next = at.wrapping_add(4);
        let (kind, sources, result) = match field(0, 7) {
            0x37 => (Kind::Arithmetic, [None, None], Some(upper)),
            0x17 => (Kind::Arithmetic, [None, None], Some(at.wrapping_add(upper))),
            0x6f => {
                let back = next;
                next = at.wrapping_add(jump_distance(word));
                (Kind::Jump, [None, None], Some(back))
            }
            0x67 => {
                let back = next;
                next = a.wrapping_add(immediate) & !1;
                (Kind::IndirectJump, [Some(rs1), None], Some(back))
            }
            0x63 => {
                let distance = branch_distance(word);
                let taken = compare(field(12, 3), a, b);
                if taken {
                    next = at.wrapping_add(distance);
                }
                (
                    Kind::Branch { taken, backward: (distance as i64) < 0 },
                    [Some(rs1), Some(rs2)],
                    None,
                )
            }
            0x03 => {
                let address = a.wrapping_add(immediate);
                let value = self.loaded(address, field(12, 3));
                (Kind::Load { address: self.place(address) }, [Some(rs1), None], Some(value))
            }
            0x23 => {
                let distance = i64::from((word & 0xfe00_0000) as i32 >> 20) as u64 | u64::from(rd);
                let address = a.wrapping_add(distance);
                self.write(address, 1 << field(12, 3), b);
                (Kind::Store { address: self.place(address) }, [Some(rs1), Some(rs2)], None)
            }
            opcode @ (0x13 | 0x1b) => {
                let short = opcode == 0x1b || !self.wide;
                let right = matches!(field(12, 3), 5) && field(30, 1) == 1;
                let amount = if matches!(field(12, 3), 1 | 5) { immediate & 63 } else { immediate };
                let value = arithmetic(field(12, 3), right, a, amount, short);
                (shift_or_not(field(12, 3)), [Some(rs1), None], Some(value))
            }
            opcode @ (0x33 | 0x3b) => {
                let short = opcode == 0x3b || !self.wide;
                let sources = [Some(rs1), Some(rs2)];
                if field(25, 7) == 1 {
                    let kind = if field(12, 3) < 4 { Kind::Multiply } else { Kind::Divide };
                    (kind, sources, Some(multiply(field(12, 3), a, b, short)))
                } else {
                    let value = arithmetic(field(12, 3), field(30, 1) == 1, a, b, short);
                    let value = if field(12, 3) == 0 && field(30, 1) == 1 {
                        a.wrapping_sub(b)
                    } else {
                        value
                    };
                    let value = if short { i64::from(value as i32) as u64 } else { value };
                    (shift_or_not(field(12, 3)), sources, Some(value))
                }
            }
            other => panic!("no instruction {word:#x} ({other:#x}) at {at:#x}"),
        };
        let target = result.and(Some(rd)).filter(|&rd| rd != 0);
        if let (Some(rd), Some(result)) = (target, result) {
            self.registers[usize::from(rd)] = self.extend(result);
        }
        let sources = sources.map(|source| source.filter(|&register| register != 0));
        (
            Step { address: self.place(at), kind, target, sources },
            if next == OUTSIDE { next } else { self.extend(next) },
        )
    }

    fn loaded(&self, address: u64, form: u32) -> u64 {
        let number = self.read(address, 1 << (form & 3));
        match form {
            0 => i64::from(number as i8) as u64,
            1 => i64::from(number as i16) as u64,
            2 => i64::from(number as i32) as u64,
            _ => number,
        }
    }
}

fn shift_or_not(form: u32) -> Kind {
    if matches!(form, 1 | 5) { Kind::Shift } else { Kind::Arithmetic }
}

fn jump_distance(word: u32) -> u64 {
    let distance = (word as i32 >> 31) << 20
        | (word & 0xff000) as i32
        | (word >> 9 & 0x800) as i32
        | (word >> 20 & 0x7fe) as i32;
    i64::from(distance) as u64
}

fn branch_distance(word: u32) -> u64 {
    let distance = (word as i32 >> 31) << 12
        | (word << 4 & 0x800) as i32
        | (word >> 20 & 0x7e0) as i32
        | (word >> 7 & 0x1e) as i32;
    i64::from(distance) as u64
}

fn compare(form: u32, a: u64, b: u64) -> bool {
    match form {
        0 => a == b,
        1 => a != b,
        4 => (a as i64) < b as i64,
        5 => a as i64 >= b as i64,
        6 => a < b,
        _ => a >= b,
    }
}

fn arithmetic(form: u32, right: bool, a: u64, b: u64, short: bool) -> u64 {
    let amount = (b & if short { 31 } else { 63 }) as u32;
    let value = match (form, short) {
        (0, _) => a.wrapping_add(b),
        (1, _) => a << amount,
        (2, _) => u64::from((a as i64) < b as i64),
        (3, _) => u64::from(a < b),
        (4, _) => a ^ b,
        (5, true) if right => i64::from(a as i32 >> amount) as u64,
        (5, true) => u64::from(a as u32 >> amount),
        (5, false) if right => (a as i64 >> amount) as u64,
        (5, false) => a >> amount,
        (6, _) => a | b,
        _ => a & b,
    };
    if short { i64::from(value as i32) as u64 } else { value }
}

fn multiply(form: u32, a: u64, b: u64, short: bool) -> u64 {
    let bits = if short { 32 } else { 64 };
    let unsigned = |n: u64| if short { i128::from(n as u32) } else { i128::from(n) };
    let signed = |n: u64| if short { i128::from(n as i32) } else { i128::from(n as i64) };
    let (sa, sb, ua, ub) = (signed(a), signed(b), unsigned(a), unsigned(b));
    let value = match form {
        0 => sa.wrapping_mul(sb),
        1 => sa.wrapping_mul(sb) >> bits,
        2 => sa.wrapping_mul(ub) >> bits,
        3 => ((ua as u128).wrapping_mul(ub as u128) >> bits) as i128,
        4 | 5 if ub == 0 => -1,
        4 => sa / sb,
        5 => ua / ub,
        6 | 7 if ub == 0 => sa,
        6 => sa % sb,
        _ => ua % ub,
    };
    if short { i64::from(value as i32) as u64 } else { value as u64 }
}
