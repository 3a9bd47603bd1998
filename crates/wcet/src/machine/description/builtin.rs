//! Machines that need no file.

use super::{
    CacheDescription, Control, Description, Flush, Issue, Memory, Prediction, Results, Write,
};
use crate::machine::cache::Replacement;
use fusee_isa::Architecture;
use fusee_isa::riscv::Xlen;

/// The only instruction set that the processors behind them execute.
pub const BUILT_IN_FOR: Architecture = Architecture::Riscv(Xlen::Rv32);

/// The names of the machines.
pub const BUILT_IN: [&str; 1] = ["vexriscv"];

/// Returns the machine of this name; `wait_states` are those of each beat of its memory.
pub fn built_in(name: &str, wait_states: u32) -> Option<Description> {
    match name {
        "vexriscv" => Some(vexriscv(wait_states)),
        _ => None,
    }
}

/// Returns the VexRiscv core in its Linux variant, as its Verilog behaves.
///
/// Lines have eight words, and each word waits. Two effects would make a model
/// unsound that forgot them: instructions fetched the wrong way load and evict
/// lines, and words that look like `fence.i` there empty the instruction cache.
/// A third one costs a cycle: a wrong-way instruction that waits for a result
/// delays the way back.
fn vexriscv(wait_states: u32) -> Description {
    let cache = CacheDescription {
        size: 4096,
        line: 32,
        ways: 1,
        replacement: Replacement::Lru,
        write: Write::Through,
        flush: None,
    };
    // The decoder looks at these bits alone, so other words and data empty the cache as well.
    let flush = Some(Flush { mask: 0x5048, word: 0x1008, cycles: 144 });
    Description {
        name: "vexriscv".to_owned(),
        issue: Issue {
            default: 1,
            multiply: 1,
            divide: 34,
            float: None,
            float_divide: None,
            atomic: 2,
            // Three cycles are usual. Which accesses take longer is not told apart.
            status: 6,
            fence: 6,
            fence_i: 144,
            system: 8,
            dual: false,
        },
        result: Results {
            shift: 2,
            multiply: 3,
            divide: 2,
            load: 3,
            atomic: 3,
            status: 2,
            load_after_store: 5,
            store_distance: 2,
            ..Results::default()
        },
        control: Control {
            prediction: Prediction::BackwardTaken,
            not_taken: 1,
            taken: 2,
            mispredicted: 4,
            jump: 2,
            indirect: 4,
            wrong_way: 2,
            wrong_way_wait: 1,
        },
        instruction_cache: Some(CacheDescription { flush, ..cache.clone() }),
        data_cache: Some(cache),
        memory: Memory {
            line: 12 + 8 * wait_states,
            read: 3 + wait_states,
            write: 1 + wait_states,
            write_start: 1,
            pending_writes: 1,
            separate_buses: true,
            fetched_ahead: 3,
            uncached: vec![[0xb000_0000, 0xc000_0000], [0xe000_0000, 0x1_0000_0000]],
        },
    }
}
