//! Compressed instructions, rewritten as what they abbreviate.

use super::Xlen;
use super::fields::{bits, build, signed};

const LOAD: u32 = 0x03;
const LOAD_FLOAT: u32 = 0x07;
const IMMEDIATE: u32 = 0x13;
const IMMEDIATE_WORD: u32 = 0x1b;
const REGISTER: u32 = 0x33;
const REGISTER_WORD: u32 = 0x3b;
const JALR: u32 = 0x67;
const SP: u32 = 2;
/// `unimp`: a write to `cycle`, which nothing may write.
const UNIMPLEMENTED: u32 = 0xc000_1073;

/// Returns the 32-bit instruction that a 16-bit one stands for.
pub(super) fn expand(half: u16, xlen: Xlen) -> Option<u32> {
    let c = u32::from(half);
    if half == 0 {
        return Some(UNIMPLEMENTED);
    }
    match c & 3 {
        0 => quadrant_0(c, xlen),
        1 => quadrant_1(c, xlen),
        2 => quadrant_2(c, xlen),
        _ => None,
    }
}

/// One of the eight registers that three bits can name.
fn short(c: u32, low: u32) -> u32 {
    bits(c, low, 3) + 8
}

fn rd(c: u32) -> u32 {
    bits(c, 7, 5)
}

fn rs2(c: u32) -> u32 {
    bits(c, 2, 5)
}

/// Returns the six-bit immediate of most forms.
fn immediate(c: u32) -> i64 {
    signed(bits(c, 12, 1) << 5 | bits(c, 2, 5), 6)
}

fn shift_amount(c: u32, xlen: Xlen) -> Option<i64> {
    let amount = bits(c, 12, 1) << 5 | bits(c, 2, 5);
    (xlen == Xlen::Rv64 || amount < 32).then_some(i64::from(amount))
}

/// Returns the store of a floating-point register that is encoded like one of a general register.
fn of_float(store: u32) -> u32 {
    store | 0x04
}

fn quadrant_0(c: u32, xlen: Xlen) -> Option<u32> {
    let (rs1, other) = (short(c, 7), short(c, 2));
    let word = i64::from(bits(c, 5, 1) << 6 | bits(c, 10, 3) << 3 | bits(c, 6, 1) << 2);
    let double = i64::from(bits(c, 5, 2) << 6 | bits(c, 10, 3) << 3);
    match bits(c, 13, 3) {
        0 => {
            let imm =
                bits(c, 7, 4) << 6 | bits(c, 11, 2) << 4 | bits(c, 5, 1) << 3 | bits(c, 6, 1) << 2;
            (imm != 0).then(|| build::i(IMMEDIATE, 0, other, SP, i64::from(imm)))
        }
        1 => Some(build::i(LOAD_FLOAT, 3, other, rs1, double)),
        2 => Some(build::i(LOAD, 2, other, rs1, word)),
        3 if xlen == Xlen::Rv64 => Some(build::i(LOAD, 3, other, rs1, double)),
        3 => Some(build::i(LOAD_FLOAT, 2, other, rs1, word)),
        4 => of_bytes(c, (rs1, other)),
        5 => Some(of_float(build::s(3, rs1, other, double))),
        6 => Some(build::s(2, rs1, other, word)),
        7 if xlen == Xlen::Rv64 => Some(build::s(3, rs1, other, double)),
        7 => Some(of_float(build::s(2, rs1, other, word))),
        _ => None,
    }
}

/// Zcb's loads and stores of bytes and halves.
fn of_bytes(c: u32, (base, other): (u32, u32)) -> Option<u32> {
    let byte = i64::from(bits(c, 5, 1) << 1 | bits(c, 6, 1));
    let half = i64::from(bits(c, 5, 1) << 1);
    match (bits(c, 10, 3), bits(c, 6, 1)) {
        (0, _) => Some(build::i(LOAD, 4, other, base, byte)),
        (1, 0) => Some(build::i(LOAD, 5, other, base, half)),
        (1, _) => Some(build::i(LOAD, 1, other, base, half)),
        (2, _) => Some(build::s(0, base, other, byte)),
        (3, 0) => Some(build::s(1, base, other, half)),
        _ => None,
    }
}

/// Zcb's instructions with one register.
fn of_one(c: u32, xlen: Xlen) -> Option<u32> {
    let rd = short(c, 7);
    // `zext.h` is a word's instruction where registers are wider.
    let half = if xlen == Xlen::Rv64 { REGISTER_WORD } else { REGISTER };
    match bits(c, 2, 3) {
        0 => Some(build::i(IMMEDIATE, 7, rd, rd, 0xff)),
        1 => Some(build::i(IMMEDIATE, 1, rd, rd, 0x604)),
        2 => Some(build::r(half, [0x04, 4], rd, rd, 0)),
        3 => Some(build::i(IMMEDIATE, 1, rd, rd, 0x605)),
        4 if xlen == Xlen::Rv64 => Some(build::r(REGISTER_WORD, [0x04, 0], rd, rd, 0)),
        5 => Some(build::i(IMMEDIATE, 4, rd, rd, -1)),
        _ => None,
    }
}

fn quadrant_1(c: u32, xlen: Xlen) -> Option<u32> {
    let jump = signed(
        bits(c, 12, 1) << 11
            | bits(c, 8, 1) << 10
            | bits(c, 9, 2) << 8
            | bits(c, 6, 1) << 7
            | bits(c, 7, 1) << 6
            | bits(c, 2, 1) << 5
            | bits(c, 11, 1) << 4
            | bits(c, 3, 3) << 1,
        12,
    );
    let branch = signed(
        bits(c, 12, 1) << 8
            | bits(c, 5, 2) << 6
            | bits(c, 2, 1) << 5
            | bits(c, 10, 2) << 3
            | bits(c, 3, 2) << 1,
        9,
    );
    match bits(c, 13, 3) {
        0 => Some(build::i(IMMEDIATE, 0, rd(c), rd(c), immediate(c))),
        1 if xlen == Xlen::Rv32 => Some(build::j(1, jump)),
        1 => (rd(c) != 0).then(|| build::i(IMMEDIATE_WORD, 0, rd(c), rd(c), immediate(c))),
        2 => Some(build::i(IMMEDIATE, 0, rd(c), 0, immediate(c))),
        3 if rd(c) == SP => {
            let imm = bits(c, 12, 1) << 9
                | bits(c, 3, 2) << 7
                | bits(c, 5, 1) << 6
                | bits(c, 2, 1) << 5
                | bits(c, 6, 1) << 4;
            (imm != 0).then(|| build::i(IMMEDIATE, 0, SP, SP, signed(imm, 10)))
        }
        3 => (immediate(c) != 0).then(|| build::u(0x37, rd(c), immediate(c) << 12)),
        4 => arithmetic(c, xlen),
        5 => Some(build::j(0, jump)),
        6 => Some(build::b(0, short(c, 7), branch)),
        _ => Some(build::b(1, short(c, 7), branch)),
    }
}

fn arithmetic(c: u32, xlen: Xlen) -> Option<u32> {
    let (rd, rs2) = (short(c, 7), short(c, 2));
    let register = |opcode, funct| Some(build::r(opcode, funct, rd, rd, rs2));
    match (bits(c, 10, 2), bits(c, 12, 1), bits(c, 5, 2)) {
        (0, _, _) => Some(build::i(IMMEDIATE, 5, rd, rd, shift_amount(c, xlen)?)),
        (1, _, _) => Some(build::i(IMMEDIATE, 5, rd, rd, shift_amount(c, xlen)? | 0x400)),
        (2, _, _) => Some(build::i(IMMEDIATE, 7, rd, rd, immediate(c))),
        (_, 0, 0) => register(REGISTER, [0x20, 0]),
        (_, 0, 1) => register(REGISTER, [0, 4]),
        (_, 0, 2) => register(REGISTER, [0, 6]),
        (_, 0, _) => register(REGISTER, [0, 7]),
        (_, _, 0) if xlen == Xlen::Rv64 => register(REGISTER_WORD, [0x20, 0]),
        (_, _, 1) if xlen == Xlen::Rv64 => register(REGISTER_WORD, [0, 0]),
        (_, _, 2) => register(REGISTER, [1, 0]),
        (_, _, 3) => of_one(c, xlen),
        _ => None,
    }
}

fn quadrant_2(c: u32, xlen: Xlen) -> Option<u32> {
    let load_word = i64::from(bits(c, 2, 2) << 6 | bits(c, 12, 1) << 5 | bits(c, 4, 3) << 2);
    let load_double = i64::from(bits(c, 2, 3) << 6 | bits(c, 12, 1) << 5 | bits(c, 5, 2) << 3);
    let store_word = i64::from(bits(c, 7, 2) << 6 | bits(c, 9, 4) << 2);
    let store_double = i64::from(bits(c, 7, 3) << 6 | bits(c, 10, 3) << 3);
    match bits(c, 13, 3) {
        0 => Some(build::i(IMMEDIATE, 1, rd(c), rd(c), shift_amount(c, xlen)?)),
        1 => Some(build::i(LOAD_FLOAT, 3, rd(c), SP, load_double)),
        2 if rd(c) != 0 => Some(build::i(LOAD, 2, rd(c), SP, load_word)),
        3 if xlen == Xlen::Rv32 => Some(build::i(LOAD_FLOAT, 2, rd(c), SP, load_word)),
        3 if rd(c) != 0 => Some(build::i(LOAD, 3, rd(c), SP, load_double)),
        4 => jumps_and_moves(c),
        5 => Some(of_float(build::s(3, SP, rs2(c), store_double))),
        6 => Some(build::s(2, SP, rs2(c), store_word)),
        7 if xlen == Xlen::Rv64 => Some(build::s(3, SP, rs2(c), store_double)),
        7 => Some(of_float(build::s(2, SP, rs2(c), store_word))),
        _ => None,
    }
}

fn jumps_and_moves(c: u32) -> Option<u32> {
    match (bits(c, 12, 1), rd(c), rs2(c)) {
        (0, 0, 0) => None,
        (0, rs1, 0) => Some(build::i(JALR, 0, 0, rs1, 0)),
        (0, rd, rs2) => Some(build::r(REGISTER, [0, 0], rd, 0, rs2)),
        (_, 0, 0) => Some(0x0010_0073),
        (_, rs1, 0) => Some(build::i(JALR, 0, 1, rs1, 0)),
        (_, rd, rs2) => Some(build::r(REGISTER, [0, 0], rd, rd, rs2)),
    }
}
