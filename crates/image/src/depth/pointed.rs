//! Where calls through pointers and jumps through tables may lead.
//!
//! An address of a function gets into a program only through a relocation, which the
//! linker keeps (`--emit-relocs`). All that are no calls, jumps or branches themselves
//! put an address somewhere, in code or in data; whatever pointer a program calls, it came from
//! one of them. Debug information is not part of the program and does not count. The
//! same holds for addresses inside of functions, where jumps through tables lead.

use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SymbolKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// Calls, jumps and branches: R_RISCV_BRANCH, JAL, CALL, CALL_PLT, RVC_BRANCH, RVC_JUMP.
const FLOW: [u32; 6] = [16, 17, 18, 19, 44, 45];

/// Notes of the linker's own: R_RISCV_ALIGN, RELAX.
const NOTES: [u32; 2] = [43, 51];

/// The second half of an address, which is told by the instruction with the first one:
/// R_RISCV_PCREL_LO12_I, PCREL_LO12_S.
const SECOND_HALVES: [u32; 2] = [24, 25];

/// Addresses of code that a program has; none without relocations.
#[derive(Debug, Default)]
pub(crate) struct Pointed {
    /// Functions, in order.
    pub(super) functions: Vec<u64>,
    /// Places inside of functions.
    inside: Vec<Inside>,
    /// Parts of functions that are seldom executed and lie elsewhere.
    moved: Vec<Range<u64>>,
}

/// A place inside of a function.
#[derive(Debug)]
struct Inside {
    address: u64,
    /// The code that may jump there: the function, or all code if it is in a part that was moved.
    from: Range<u64>,
}

impl Pointed {
    /// Returns the places inside of functions to which the code at an address may jump.
    pub(super) fn inside(&self, address: u64) -> Vec<u64> {
        let is_moved = self.moved.iter().any(|part| part.contains(&address));
        let known = self.inside.iter().filter(|place| is_moved || place.from.contains(&address));
        known.map(|place| place.address).collect()
    }
}

/// A function's code, and `true` if it is a part of a function that lies elsewhere.
type Code = (Range<u64>, bool);

fn code(file: &object::File<'_>) -> BTreeMap<u64, Code> {
    let functions =
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0);
    let described = |symbol: object::Symbol<'_, '_>| {
        let (start, end) = (symbol.address(), symbol.address().saturating_add(symbol.size()));
        let is_moved = symbol.name().is_ok_and(|name| name.contains(".cold"));
        (start, (start..end, is_moved))
    };
    functions.map(described).collect()
}

/// Returns the addresses of code that a program has a pointer to.
pub(crate) fn of(bytes: &[u8]) -> Pointed {
    let mut pointed = Pointed::default();
    let Ok(file) = object::File::parse(bytes) else { return pointed };
    let functions = code(&file);
    let moved = functions.values().filter(|(_, is_moved)| *is_moved);
    pointed.moved = moved.map(|(code, _)| code.clone()).collect();
    for section in file.sections().filter(|section| section.address() != 0) {
        for (_, relocation) in section.relocations() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            if [&FLOW[..], &NOTES, &SECOND_HALVES].iter().any(|kinds| kinds.contains(&r_type.0)) {
                continue;
            }
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            let Ok(symbol) = file.symbol_by_index(symbol) else { continue };
            let address = symbol.address().wrapping_add_signed(relocation.addend());
            let Some((_, (code, is_moved))) = functions.range(..=address).next_back() else {
                continue;
            };
            match is_moved {
                _ if !code.contains(&address) => {}
                false if code.start == address => pointed.functions.push(address),
                false => pointed.inside.push(Inside { address, from: code.clone() }),
                true => pointed.inside.push(Inside { address, from: 0..u64::MAX }),
            }
        }
    }
    pointed.functions.sort_unstable();
    pointed.functions.dedup();
    pointed
}
