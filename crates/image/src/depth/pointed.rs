//! Functions that a call through a pointer may lead to.
//!
//! An address of a function gets into a program only through a relocation, which the
//! linker keeps (`--emit-relocs`). All that are no calls, jumps or branches themselves
//! put an address somewhere, in code or in data; whatever pointer a program calls, it came from
//! one of them. Debug information is not part of the program and does not count.

use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SymbolKind};

/// Calls, jumps and branches: R_RISCV_BRANCH, JAL, CALL, CALL_PLT, RVC_BRANCH, RVC_JUMP.
const FLOW: [u32; 6] = [16, 17, 18, 19, 44, 45];

/// Notes of the linker's own: R_RISCV_ALIGN, RELAX.
const NOTES: [u32; 2] = [43, 51];

/// Returns the addresses of all functions that a program has a pointer to, in order; empty for one
/// without relocations.
pub(crate) fn functions(bytes: &[u8]) -> Vec<u64> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let functions =
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0);
    let functions: std::collections::BTreeSet<u64> =
        functions.map(|symbol| symbol.address()).collect();
    let mut pointed = Vec::new();
    for section in file.sections().filter(|section| section.address() != 0) {
        for (_, relocation) in section.relocations() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            if FLOW.contains(&r_type.0) || NOTES.contains(&r_type.0) {
                continue;
            }
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            let Ok(symbol) = file.symbol_by_index(symbol) else { continue };
            let address = symbol.address().wrapping_add_signed(relocation.addend());
            if functions.contains(&address) {
                pointed.push(address);
            }
        }
    }
    pointed.sort_unstable();
    pointed.dedup();
    pointed
}
