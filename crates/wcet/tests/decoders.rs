//! The decoders' results for single words: places, lengths, refusals.

use fusee_isa::language::{Comparison, Effect, Flow, Instruction, Operand, Register, Target};
use fusee_isa::riscv::Xlen;
use fusee_isa::{Architecture, DecodeError, a32, aarch64};
use fusee_wcet::value::Range;

const AT: u64 = 0x4000_0000;

fn aarch64_word(word: u32) -> Result<Instruction, DecodeError> {
    Architecture::Aarch64.decode(&word.to_le_bytes(), AT)
}

fn a32_word(word: u32) -> Result<Instruction, DecodeError> {
    Architecture::A32.decode(&word.to_le_bytes(), AT)
}

/// Bytes that are read and written.
fn lengths(instruction: &Instruction) -> (u64, u64) {
    let (mut read, mut written) = (0, 0);
    for effect in &instruction.effects {
        match effect {
            Effect::Load { width, .. } => read += width.bytes(),
            Effect::Store { width, .. } | Effect::Atomic { width, .. } => written += width.bytes(),
            Effect::Compute { .. } | Effect::Unknown { .. } | Effect::Hide { .. } => {}
        }
    }
    (read, written)
}

fn writes(instruction: &Instruction, register: Register) -> bool {
    instruction.effects.iter().any(|effect| effect.target() == Some(register))
}

/// Returns the value that an instruction which only computes leaves in register 0, if this number
/// is in 0 and 1.
fn computed(instruction: &Instruction, number: i64) -> i64 {
    let mut registers =
        std::collections::BTreeMap::from([(a32::general(0), number), (a32::general(1), number)]);
    for effect in &instruction.effects {
        let &Effect::Compute { target, operation, left, right, width } = effect else {
            panic!("{effect:?}")
        };
        let constant = |operand| match operand {
            Operand::Register(register) => Range::constant(registers[&register]),
            Operand::Constant(constant) => Range::constant(constant as i64),
        };
        let result = Range::compute(operation, constant(left), constant(right), width);
        registers.insert(target, result.as_constant().expect("a number"));
    }
    registers[&a32::general(0)]
}

#[test]
fn a32_extends_the_bytes_of_halves() {
    // uxtb16 r0, r1; uxtb16 r0, r1, ror #8; uxtb16 r0, r0, ror #24.
    for (word, expected) in
        [(0xe6cf_0071, 0x0034_0078), (0xe6cf_0471, 0x0012_0056), (0xe6cf_0c70, 0x0056_0012)]
    {
        let instruction = a32_word(word).expect("an instruction");
        assert_eq!(computed(&instruction, 0x1234_5678), expected, "{word:#x}");
    }
    assert!(writes(&a32_word(0xe6c2_0071).expect("an instruction"), a32::general(0)));
}

#[test]
fn a32_clamps_numbers() {
    // usat r0, #2, r0; usat r0, #5, r1, asr #3; ssat r0, #8, r1; ssat r0, #32, r1; usat r0, #0, r1.
    for (word, expected) in [
        (0xe6e2_0010, [0, 0, 3, 3]),
        (0xe6e5_01d1, [0, 0, 1, 31]),
        (0xe6a7_0011, [-128, -5, 9, 127]),
        (0xe6bf_0011, [i32::MIN.into(), -5, 9, i32::MAX.into()]),
        (0xe6e0_0011, [0, 0, 0, 0]),
    ] {
        let instruction = a32_word(word).expect("an instruction");
        let clamped =
            [i32::MIN, -5, 9, i32::MAX].map(|number| computed(&instruction, number.into()));
        assert_eq!(clamped, expected, "{word:#x}");
    }
}

#[test]
fn aarch64_accesses_have_their_lengths() {
    // stp x29, x30, [sp, #-16]!; ldp q0, q1, [x0], #32; ldrb w1, [x2, w3, uxtw]; st4
    // {v0.16b-v3.16b}, [x1]; prfm.
    for (word, expected) in [
        (0xa9bf_7bfd, (0, 16)),
        (0xacc1_0400, (32, 0)),
        (0x3863_4841, (1, 0)),
        (0x4c00_0020, (0, 64)),
        (0xf980_0000, (0, 0)),
    ] {
        assert_eq!(lengths(&aarch64_word(word).expect("an instruction")), expected, "{word:#x}");
    }
}

#[test]
fn aarch64_branches_have_their_targets() {
    let flow = |word| aarch64_word(word).expect("an instruction").flow;
    assert_eq!(flow(0x17ff_ffff), Flow::Jump(Target::Fixed(AT - 4)));
    assert!(matches!(flow(0x5400_0041), Flow::Branch { target, .. } if target == AT + 8));
    assert!(matches!(flow(0x3707_ffe0), Flow::Branch { comparison: Comparison::NotEqual, .. }));
    assert_eq!(flow(0xd65f_03c0), Flow::Return { link: aarch64::LINK });
    assert_eq!(flow(0xd65f_0bff), Flow::Return { link: aarch64::LINK }, "retaa");
}

#[test]
fn a_register_and_its_half_are_written_together() {
    // add w0, w1, w2 and add x0, x1, x2.
    for word in [0x0b02_0020, 0x8b02_0020] {
        let instruction = aarch64_word(word).expect("an instruction");
        assert!(
            writes(&instruction, aarch64::general(0)) && writes(&instruction, aarch64::half(0))
        );
    }
    // fcvtzs w3, s0 puts an unknown number there.
    assert!(writes(&aarch64_word(0x1e38_0003).expect("an instruction"), aarch64::half(3)));
}

#[test]
fn words_without_a_meaning_are_refused_with_their_place() {
    // An SVE load, a wrong mask, and zeroing of a cache line, whose length is not in the program.
    for word in [0xa540_a000, 0x9240_fc00, 0xd50b_7420] {
        let error = aarch64_word(word).expect_err("no instruction");
        assert!(error.to_string().contains("0x40000000"), "{error}");
    }
    assert!(
        matches!(a32_word(0xee27_a1c0), Err(DecodeError::Unknown { address: AT, .. })),
        "cdp p1"
    );
    let short = Architecture::A32.decode(&[0, 0], AT);
    assert_eq!(short, Err(DecodeError::Truncated { address: AT }));
}

#[test]
fn a32_conditions_are_guards() {
    // addne r0, r0, #1; bne; popeq {r4, pc}; ldrls pc, [pc, r3, lsl #2].
    let add = a32_word(0x1280_0001).expect("an instruction");
    assert_eq!(add.guard.map(|guard| guard.comparison), Some(Comparison::NotEqual));
    assert!(matches!(
        a32_word(0x1a00_0000).expect("a branch").flow,
        Flow::Branch { target, .. } if target == AT + 8,
    ));
    let pop = a32_word(0x08bd_8010).expect("an instruction");
    assert!(pop.guard.is_some() && matches!(pop.flow, Flow::Return { .. }));
    assert_eq!(lengths(&pop), (8, 0));
    assert!(writes(&pop, a32::SP));
    let table = a32_word(0x979f_f103).expect("an instruction");
    assert!(table.guard.is_some() && matches!(table.flow, Flow::Jump(Target::Computed(_))));
}

#[test]
fn thumb_code_is_refused_where_it_is_called() {
    // blx to the next word: a call to an odd address.
    let Flow::Call { target: Target::Fixed(target), .. } =
        a32_word(0xfaff_ffff).expect("a call").flow
    else {
        panic!("no call");
    };
    assert_eq!(target, AT + 5);
    let refused = Architecture::A32.decode(&[0; 4], target);
    assert_eq!(refused, Err(DecodeError::Thumb { address: AT + 4 }));
    assert!(matches!(
        Architecture::A32.decode(&[0; 4], AT + 2),
        Err(DecodeError::Misaligned { .. })
    ));
}

/// Nothing that goes back to what was interrupted returns to a caller, or goes on behind itself.
#[test]
fn all_returns_from_a_trap_are_ends() {
    let riscv = [Xlen::Rv32, Xlen::Rv64].map(Architecture::Riscv);
    for (architecture, name, word) in [
        (riscv[0], "mret", 0x3020_0073_u32),
        (riscv[0], "sret", 0x1020_0073),
        (riscv[1], "mret", 0x3020_0073),
        (riscv[1], "sret", 0x1020_0073),
        (Architecture::Aarch64, "eret", 0xd69f_03e0),
        // With a checked address: eretaa, eretab.
        (Architecture::Aarch64, "eret", 0xd69f_0bff),
        (Architecture::Aarch64, "eret", 0xd69f_0fff),
        // rfeia sp!; rfedb r0.
        (Architecture::A32, "rfe", 0xf8bd_0a00),
        (Architecture::A32, "rfe", 0xf910_0a00),
        // movs pc, lr; subs pc, lr, #4; ldm sp!, {r0-r12, pc}^.
        (Architecture::A32, "mov", 0xe1b0_f00e),
        (Architecture::A32, "sub", 0xe25e_f004),
        (Architecture::A32, "ldm", 0xe8fd_9fff),
    ] {
        let instruction = architecture.decode(&word.to_le_bytes(), AT).expect("an instruction");
        let found = (instruction.mnemonic, instruction.flow);
        assert_eq!(found, (name, Flow::TrapReturn), "{architecture:?} {word:#x}");
    }
}
