//! What Fusee's kernel promises to programs.
//!
//! See the chapter on the binary interface.

use std::collections::BTreeSet;

use fusee_image_format::abi;
use fusee_isa::language::Register;
use fusee_wcet::execute::KernelInterface;
use fusee_wcet::value::Range;

/// The registers `a0` to `a5`, which carry the words of a message.
const WORDS: std::ops::RangeInclusive<u8> = 10..=15;
/// At a gate's entry, the method and below it the caller.
pub(crate) const A6: Register = Register::new(16);
/// The operation, and then the error.
const A7: Register = Register::new(17);
/// The number of further words of a message.
pub(crate) const T0: Register = Register::new(5);
/// `t1`, `t2` and `t3` to `t6`.
const TEMPORARY: [u8; 6] = [6, 7, 28, 29, 30, 31];

/// How many words of a message the kernel copies.
pub(crate) fn further_words() -> Range {
    Range::new(0, abi::MEMORY_WORDS as i128, 1)
}

/// What the kernel promises to components.
///
/// `next_job`: where a thread that waits in a loop ends one job and begins the next.
pub(crate) fn of_kernel(next_job: std::ops::Range<u64>) -> KernelInterface {
    let anything = WORDS
        .chain(TEMPORARY)
        .map(Register::new)
        .chain([A6, A7])
        .map(|register| (register, Range::ALL));
    KernelInterface {
        operation: A7,
        subject: A6,
        ends: BTreeSet::from([abi::RETURN as u64, abi::COMPLETE as u64]),
        next_job,
        changed: anything.chain([(T0, further_words())]).collect(),
    }
}
