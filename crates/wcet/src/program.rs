//! A binary as the analyses see it: segments, symbols, initial contents.
//!
//! What is loaded counts, so stripped binaries work as well, with addresses for
//! names. Sections only say what stays as it is where a linker has put code,
//! constants and variables into one segment that can be written.

use object::{
    Architecture, Object, ObjectSection, ObjectSegment, ObjectSymbol, SectionFlags, SegmentFlags,
    SymbolKind, SymbolSection,
};

use fusee_isa::Architecture as Isa;
use fusee_isa::DecodeError;
use fusee_isa::language::{Instruction, Width};
use fusee_isa::riscv::Xlen;

/// A reason why a file is no program that can be analyzed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Not an ELF file, or a damaged one.
    #[error("this is no readable ELF file: {0}")]
    Unreadable(String),
    /// An instruction set without a decoder.
    #[error(
        "there is no decoder for {0}; supported are RV32 and RV64 (IMAFDC), AArch64 and A32 \
         (ARMv7-A), all little-endian"
    )]
    Architecture(String),
    /// Nothing to execute.
    #[error("the file has no executable segment; link it first")]
    NoCode,
}

/// A loaded range of addresses.
#[derive(Debug, Clone)]
struct Segment {
    address: u64,
    bytes: Vec<u8>,
    size: u64,
    writable: bool,
    executable: bool,
}

/// A named address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name as in the file.
    pub name: String,
    /// The address of it.
    pub address: u64,
    /// Its size in bytes; 0 when the file does not say.
    pub size: u64,
    /// True if it names code.
    pub code: bool,
}

/// A program as its binary has it.
#[derive(Debug, Clone)]
pub struct Program {
    segments: Vec<Segment>,
    /// Parts of writable segments that their sections say are only read: first addresses and those
    /// behind the last.
    constants: Vec<(u64, u64)>,
    symbols: Vec<Symbol>,
    entry: u64,
    isa: Isa,
    /// The global pointer as the linker took it, by its symbol.
    global_pointer: Option<u64>,
}

impl Program {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// [`LoadError`] for files that are damaged, foreign or without code.
    pub fn load(file: &[u8]) -> Result<Self, LoadError> {
        let unreadable = |error: object::Error| LoadError::Unreadable(error.to_string());
        let elf = object::File::parse(file).map_err(unreadable)?;
        // Processors exist in both orders of bytes, and numbers are read in one order only.
        let isa = match elf.architecture() {
            Architecture::Riscv32 if elf.is_little_endian() => Isa::Riscv(Xlen::Rv32),
            Architecture::Riscv64 if elf.is_little_endian() => Isa::Riscv(Xlen::Rv64),
            Architecture::Aarch64 if elf.is_little_endian() => Isa::Aarch64,
            Architecture::Arm if elf.is_little_endian() => Isa::A32,
            other => return Err(LoadError::Architecture(format!("{other:?}"))),
        };
        let mut segments = Vec::new();
        let mut left = file.len();
        for segment in elf.segments() {
            // Each byte of a file is loaded once: its memory is no multiple of its size.
            let bytes = segment.data().map_err(unreadable)?.len();
            let repeated =
                || LoadError::Unreadable("its segments load more bytes than it has".to_owned());
            left = left.checked_sub(bytes).ok_or_else(repeated)?;
            segments.push(read_segment(&segment).map_err(unreadable)?);
        }
        // In order, a search by halves finds the segment of an address.
        segments.sort_by_key(|s| s.address);
        // An object file has sections, and no segments before it is linked.
        if !segments.iter().any(|s| s.executable) {
            return Err(LoadError::NoCode);
        }
        let constants = read_constants(&elf, &segments);
        let global_pointer = elf.symbol_by_name("__global_pointer$").map(|symbol| symbol.address());
        let (symbols, entry) = (read_symbols(&elf), elf.entry());
        Ok(Self { segments, constants, symbols, entry, isa, global_pointer })
    }

    /// A program without anything.
    #[cfg(test)]
    pub(crate) fn empty(isa: Isa) -> Self {
        Self { isa, ..tests::empty() }
    }

    /// Adds data that is loaded from elsewhere than the file.
    pub fn add_data(&mut self, address: u64, bytes: Vec<u8>) {
        let size = bytes.len() as u64;
        // Nobody says that such data stay what they are, or that they are code.
        let data = Segment { address, bytes, size, writable: true, executable: false };
        let place = self.segments.partition_point(|s| s.address <= address);
        self.segments.insert(place, data);
    }

    /// Adds what another file loads where this one loads nothing: an image's tables and components
    /// beside its kernel.
    pub fn add_data_of(&mut self, other: Self) {
        for segment in other.segments {
            // The file decides these numbers, so a sum must not overflow.
            let end = segment.address.saturating_add(segment.size);
            let apart =
                |mine: &Segment| mine.address >= end || segment.address >= mine.address + mine.size;
            if self.segments.iter().all(apart) {
                // What other files execute is only data here.
                let data = Segment { executable: false, ..segment };
                let place = self.segments.partition_point(|s| s.address <= data.address);
                self.segments.insert(place, data);
            }
        }
    }

    /// Returns the executable ranges of addresses.
    pub fn code(&self) -> impl Iterator<Item = std::ops::Range<u64>> {
        let executable = self.segments.iter().filter(|s| s.executable);
        executable.map(|s| s.address..s.address + s.bytes.len() as u64)
    }

    /// Returns the ranges of addresses to which the file loads bytes.
    pub(crate) fn loaded(&self) -> impl Iterator<Item = std::ops::Range<u64>> {
        self.segments.iter().map(|s| s.address..s.address.saturating_add(s.bytes.len() as u64))
    }

    /// Returns the ranges of addresses that the program can change, in their order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = std::ops::Range<u64>> {
        let writable = self.segments.iter().filter(|s| s.writable && s.size > 0);
        writable.map(|s| s.address..s.address.saturating_add(s.size))
    }

    /// Returns the instruction set.
    pub fn architecture(&self) -> Isa {
        self.isa
    }

    /// Returns the width of registers.
    pub fn register_width(&self) -> Width {
        self.isa.register_width()
    }

    /// Returns an address as the number that a register holds for it.
    pub fn register_number(&self, address: u64) -> u64 {
        match self.register_width() {
            Width::Double => address,
            // Registers of 32 bits hold numbers with their sign extended, as
            // everywhere in the analysis.
            _ => i64::from(address as i32) as u64,
        }
    }

    /// Returns a register's number as an address.
    pub fn wrap(&self, number: u64) -> u64 {
        match self.register_width() {
            Width::Double => number,
            _ => number & 0xffff_ffff,
        }
    }

    /// Returns where execution starts, according to the file.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// Returns what the linker took the global pointer for, if a symbol says so.
    pub fn global_pointer(&self) -> Option<u64> {
        self.global_pointer
    }

    /// Returns all symbols by address.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the symbol of this name; of several the one with the lowest address.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        // Symbols are sorted by address, so the first one has the lowest.
        self.symbols.iter().find(|s| s.name == name)
    }

    /// Returns the code symbol that an address belongs to.
    pub fn function_at(&self, address: u64) -> Option<&Symbol> {
        let end = self.symbols.partition_point(|s| s.address <= address);
        // Of several names of one address the largest comes last: the function, and no label in it.
        let found = self.symbols[..end].iter().rev().find(|s| s.code)?;
        // Assembly often gives no size. Then everything up to the next symbol belongs to it.
        (found.size == 0 || address - found.address < found.size).then_some(found)
    }

    /// Returns an address for people: `memcpy+0x12`, or the number.
    pub fn describe(&self, address: u64) -> String {
        match self.function_at(address) {
            Some(symbol) if symbol.address == address => symbol.name.clone(),
            Some(symbol) => format!("{}+{:#x}", symbol.name, address - symbol.address),
            None => format!("{address:#x}"),
        }
    }

    /// Returns the instruction at an address of executable memory.
    ///
    /// # Errors
    /// [`DecodeError`] outside executable memory and for bytes that are no instruction.
    pub fn instruction(&self, address: u64) -> Result<Instruction, DecodeError> {
        // Outside of executable memory there are no bytes for the decoder,
        // so it refuses the address.
        let code =
            self.segment(address).filter(|s| s.executable).map(|s| s.from(address)).unwrap_or(&[]);
        self.isa.decode(code, address)
    }

    /// Returns whether an address is in executable memory.
    pub fn is_code(&self, address: u64) -> bool {
        self.segment(address).is_some_and(|s| s.executable)
    }

    /// Returns the number that memory holds at `address` when the program is loaded.
    pub fn initial(&self, address: u64, width: Width) -> Option<u64> {
        let segment = self.segment(address)?;
        let offset = address - segment.address;
        // The number reaches beyond the segment, and nobody knows what lies there.
        if segment.size - offset < width.bytes() {
            return None;
        }
        let mut bytes = [0u8; 8];
        for (i, byte) in bytes.iter_mut().take(width.bytes() as usize).enumerate() {
            // What the file does not have a segment fills with zeros when it is loaded.
            *byte = segment.bytes.get(offset as usize + i).copied().unwrap_or(0);
        }
        Some(u64::from_le_bytes(bytes))
    }

    /// Returns whether the program can change what lies at `address`.
    ///
    /// Addresses outside all segments (devices, heap) count as writable.
    pub fn is_writable(&self, address: u64) -> bool {
        self.segment(address).is_none_or(|s| s.writable) && !self.is_constant(address)
    }

    /// Returns whether sections are believed that parts of writable segments are only read.
    pub fn believes_sections(&self) -> bool {
        !self.constants.is_empty()
    }

    fn is_constant(&self, address: u64) -> bool {
        let before = self.constants.partition_point(|&(first, _)| first <= address);
        before > 0 && address < self.constants[before - 1].1
    }

    fn segment(&self, address: u64) -> Option<&Segment> {
        // Data that was added over a segment stands behind it in the list, and counts.
        let end = self.segments.partition_point(|s| s.address <= address);
        self.segments[..end].iter().rev().find(|s| address - s.address < s.size)
    }
}

impl Segment {
    fn from(&self, address: u64) -> &[u8] {
        self.bytes.get((address - self.address) as usize..).unwrap_or(&[])
    }
}

fn read_segment(segment: &object::Segment<'_, '_>) -> object::Result<Segment> {
    let flags = match segment.flags() {
        SegmentFlags::Elf { p_flags, .. } => p_flags.0,
        _ => 0,
    };
    Ok(Segment {
        address: segment.address(),
        bytes: segment.data()?.to_vec(),
        size: segment.size(),
        writable: flags & object::elf::PF_W.0 != 0,
        executable: flags & object::elf::PF_X.0 != 0,
    })
}

/// Sections of writable segments that have contents and are only read, in the order of their
/// addresses.
fn read_constants(elf: &object::File<'_>, segments: &[Segment]) -> Vec<(u64, u64)> {
    let flags = |section: &object::Section<'_, '_>| match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags,
        // Of other formats nothing is believed: their data may be written.
        _ => object::elf::SHF_WRITE,
    };
    let only_read = |section: &object::Section<'_, '_>| {
        let (allocated, written) = (object::elf::SHF_ALLOC, object::elf::SHF_WRITE);
        flags(section).0 & (allocated.0 | written.0) == allocated.0
    };
    let inside = |&(first, end): &(u64, u64)| {
        segments.iter().any(|s| {
            s.writable
                && s.address <= first
                && end - first <= s.size.saturating_sub(first - s.address)
        })
    };
    let spans = elf.sections().filter(only_read).filter_map(|section| {
        let first = section.address();
        Some((first, first.checked_add(section.size()).filter(|&end| end > first)?))
    });
    let mut spans: Vec<(u64, u64)> = spans.filter(inside).collect();
    spans.sort_unstable();
    // Sections that overlap are no sections that a linker has made.
    if spans.windows(2).any(|pair| pair[0].1 > pair[1].0) { Vec::new() } else { spans }
}

fn read_symbols(elf: &object::File<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = elf
        .symbols()
        .filter(|s| {
            // Absolute numbers of data are no places; a user who knows their names may ask for
            // them.
            let is_number = s.section() == SymbolSection::Absolute && s.kind() == SymbolKind::Data;
            (s.is_definition() || is_number)
                && matches!(
                    s.kind(),
                    SymbolKind::Text | SymbolKind::Data | SymbolKind::Label | SymbolKind::Unknown
                )
        })
        .filter_map(|s| {
            let name = s
                .name()
                .ok()
                .filter(|n| !n.is_empty() && !n.starts_with('$') && !n.starts_with(".L"))?;
            // Assembly that does not name the type of a symbol may mean code by it.
            let code =
                matches!(s.kind(), SymbolKind::Text | SymbolKind::Label | SymbolKind::Unknown);
            Some(Symbol { name: name.to_owned(), address: s.address(), size: s.size(), code })
        })
        .collect();
    // Names decide last, so the order is the same for every file that has these symbols.
    symbols.sort_by(|a, b| (a.address, a.size, &a.name).cmp(&(b.address, b.size, &b.name)));
    symbols
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a program that loads nothing.
    pub(crate) fn empty() -> Program {
        Program {
            segments: Vec::new(),
            constants: Vec::new(),
            symbols: Vec::new(),
            entry: 0,
            isa: Isa::Riscv(Xlen::Rv64),
            global_pointer: None,
        }
    }
}
