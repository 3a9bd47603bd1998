//! What ARM decoders say of single words: places, lengths, refusals.

use fusee_wcet::isa::{Architecture, DecodeError, a32, aarch64};
use fusee_wcet::language::{Comparison, Effect, Flow, Instruction, Register, Target};

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
            Effect::Compute { .. } | Effect::Unknown { .. } => {}
        }
    }
    (read, written)
}

fn writes(instruction: &Instruction, register: Register) -> bool {
    instruction.effects.iter().any(|effect| match *effect {
        Effect::Compute { target, .. } | Effect::Load { target, .. } | Effect::Unknown { target } => target == register,
        Effect::Atomic { target, .. } => target == Some(register),
        Effect::Store { .. } => false,
    })
}

#[test]
fn aarch64_accesses_have_their_lengths() {
    // stp x29, x30, [sp, #-16]!; ldp q0, q1, [x0], #32; ldrb w1, [x2, w3, uxtw]; st4 {v0.16b-v3.16b}, [x1]; prfm.
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
        assert!(writes(&instruction, aarch64::general(0)) && writes(&instruction, aarch64::half(0)));
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
    assert!(matches!(a32_word(0xee27_a1c0), Err(DecodeError::Unknown { address: AT, .. })), "cdp p1");
    let short = Architecture::A32.decode(&[0, 0], AT);
    assert_eq!(short, Err(DecodeError::Truncated { address: AT }));
}

#[test]
fn a32_conditions_are_guards() {
    // addne r0, r0, #1; bne; popeq {r4, pc}; ldrls pc, [pc, r3, lsl #2].
    let add = a32_word(0x1280_0001).expect("an instruction");
    assert_eq!(add.guard.map(|guard| guard.comparison), Some(Comparison::NotEqual));
    assert!(matches!(a32_word(0x1a00_0000).expect("a branch").flow, Flow::Branch { target, .. } if target == AT + 8));
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
    let Flow::Call { target: Target::Fixed(target), .. } = a32_word(0xfaff_ffff).expect("a call").flow else {
        panic!("no call");
    };
    assert_eq!(target, AT + 5);
    let refused = Architecture::A32.decode(&[0; 4], target);
    assert_eq!(refused, Err(DecodeError::Thumb { address: AT + 4 }));
    assert!(matches!(Architecture::A32.decode(&[0; 4], AT + 2), Err(DecodeError::Misaligned { .. })));
}
