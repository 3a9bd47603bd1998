//! Writes a bootable ELF file.
//!
//! Virtual and physical addresses are the same: the machine starts without
//! translation. What is not loaded (names for the host, the kernel's symbols) stands
//! in sections.

use fusee_image_format::Platform;

/// A part of memory to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    /// Length in memory, zeros behind the bytes included.
    pub(crate) size: u64,
    /// `PF_R`, `PF_W`, `PF_X`.
    pub(crate) flags: u32,
}

/// A part of the file that is not loaded.
pub(crate) struct Section {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

const MACHINE_RISCV: u16 = 243;
const ALIGN: u64 = 4096;

/// Returns the whole file.
pub(crate) fn write(
    platform: Platform,
    entry: u64,
    loads: &[Load],
    sections: &[Section],
) -> Vec<u8> {
    let wide = platform.word_bytes() == 8;
    let (header, program, section) = if wide { (64, 56, 64) } else { (52, 32, 40) };
    let mut body = Body { start: (header + program * loads.len()) as u64, bytes: Vec::new() };
    let offsets: Vec<u64> = loads.iter().map(|load| body.add(&load.bytes, ALIGN)).collect();
    let places: Vec<u64> = sections.iter().map(|section| body.add(&section.bytes, 8)).collect();
    let (names, name_offsets) = names(sections);
    let names_at = body.add(&names, 1);
    let table_at = body.add(&[], 8);
    let mut file = Fields { wide, bytes: Vec::new() };
    file.raw(&[0x7f, b'E', b'L', b'F', 1 + u8::from(wide), 1, 1]).raw(&[0; 9]);
    file.half(2)
        .half(MACHINE_RISCV)
        .word(1)
        .address(entry)
        .address(header as u64)
        .address(table_at)
        .word(0);
    file.half(header as u16).half(program as u16).half(loads.len() as u16);
    file.half(section as u16).half(sections.len() as u16 + 2).half(sections.len() as u16 + 1);
    for (load, &offset) in loads.iter().zip(&offsets) {
        file.program_header(load, offset);
    }
    file.bytes.extend_from_slice(&body.bytes);
    file.section_header(0, 0, 0, 0);
    for ((section, &place), &name) in sections.iter().zip(&places).zip(&name_offsets) {
        file.section_header(name, 1, place, section.bytes.len() as u64);
    }
    file.section_header(1, 3, names_at, names.len() as u64);
    file.bytes
}

/// The string table of section names, its own first, and where the sections' names are.
fn names(sections: &[Section]) -> (Vec<u8>, Vec<u32>) {
    let mut names = b"\0.shstrtab\0".to_vec();
    let mut offsets = Vec::new();
    for section in sections {
        offsets.push(names.len() as u32);
        names.extend_from_slice(section.name.as_bytes());
        names.push(0);
    }
    (names, offsets)
}

/// Everything between the headers at the start and the table of sections.
struct Body {
    start: u64,
    bytes: Vec<u8>,
}

impl Body {
    /// Adds bytes at an aligned place of the file; answers where.
    fn add(&mut self, bytes: &[u8], align: u64) -> u64 {
        let here = self.start + self.bytes.len() as u64;
        let place = here.next_multiple_of(align);
        self.bytes.resize((place - self.start) as usize, 0);
        self.bytes.extend_from_slice(bytes);
        place
    }
}

/// Numbers as they stand in headers, little-endian.
struct Fields {
    wide: bool,
    bytes: Vec<u8>,
}

impl Fields {
    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn half(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn word(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn address(&mut self, value: u64) -> &mut Self {
        match self.wide {
            true => self.raw(&value.to_le_bytes()),
            false => self.word(value as u32),
        }
    }

    fn program_header(&mut self, load: &Load, offset: u64) {
        self.word(1);
        if self.wide {
            self.word(load.flags);
        }
        self.address(offset).address(load.address).address(load.address);
        self.address(load.bytes.len() as u64).address(load.size);
        if !self.wide {
            self.word(load.flags);
        }
        self.address(ALIGN);
    }

    fn section_header(&mut self, name: u32, kind: u32, offset: u64, size: u64) {
        self.word(name).word(kind).address(0).address(0).address(offset).address(size);
        self.word(0).word(0).address(u64::from(kind != 0)).address(0);
    }
}
