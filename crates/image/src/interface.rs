//! The promises of Fusee's kernel to programs, for analyses of these.
//!
//! See the chapter on the binary interface.

use std::collections::BTreeSet;

use fusee_image_format::abi;
use fusee_isa::language::Register;
use fusee_wcet::execute::{Faults, KernelInterface};
use fusee_wcet::names::readable;
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;

/// The registers `a0` to `a5`, which carry the words of a message.
const WORDS: std::ops::RangeInclusive<u8> = 10..=15;
/// At a gate's entry, the method and below it the caller.
pub const A6: Register = Register::new(16);
/// The operation, and then the error.
const A7: Register = Register::new(17);
/// The number of further words of a message.
pub const T0: Register = Register::new(5);
/// `t1`, `t2` and `t3` to `t6`.
const TEMPORARY: [u8; 6] = [6, 7, 28, 29, 30, 31];

/// Returns the numbers of words of a message that the kernel copies.
pub fn further_words() -> Range {
    Range::new(0, abi::MEMORY_WORDS as i128, 1)
}

/// Functions that do nothing but report a fault and raise it: the handler of Rust's panics, failed
/// assertions, and what ends a program in C.
const REPORTS: [&str; 4] = ["rust_begin_unwind", "__assert_func", "abort", "_exit"];

/// Returns the assumption about a component's faults: that none happens, or where `counted`, that
/// the code executed up to one counts. The kernel contains those that happen all the same.
pub fn faults(program: &Program, counted: bool) -> Faults {
    if counted {
        return Faults::Counted;
    }
    let reports = |name: &str| {
        let name = readable(name);
        let last = name.rsplit("::").next().unwrap_or(&name);
        REPORTS.contains(&last)
    };
    let symbols = program.symbols().iter().filter(|symbol| symbol.code);
    let found = symbols.filter(|symbol| reports(&symbol.name)).map(|symbol| symbol.address);
    Faults::Excluded(found.collect())
}

/// Returns the kernel's promises to components.
///
/// `next_job`: where a thread that waits in a loop ends one job and begins the next.
pub fn of_kernel(next_job: std::ops::Range<u64>) -> KernelInterface {
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
