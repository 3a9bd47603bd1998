//! An image's file: what is loaded where, and its names.

use super::VerifyError;
use super::ranges::meet;
use fusee_image_format::{PLATFORM_OFFSET, Platform};
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind};

/// A part of memory as the file fills it.
#[derive(Debug, Clone)]
struct Part {
    start: u64,
    end: u64,
    bytes: Vec<u8>,
}

/// The content that a file loads.
#[derive(Debug, Clone)]
pub(crate) struct File {
    parts: Vec<Part>,
    manifest: Vec<u8>,
    platform: Platform,
    entry: u64,
}

const LOAD: u32 = 1;
const RISCV: u16 = 243;

impl File {
    pub(crate) fn read(bytes: &[u8]) -> Result<File, VerifyError> {
        let wrong = |reason: &str| VerifyError::File(reason.to_owned());
        let file = match FileKind::parse(bytes) {
            Ok(FileKind::Elf64) => parse::<FileHeader64<Endianness>>(bytes, 8),
            Ok(FileKind::Elf32) => parse::<FileHeader32<Endianness>>(bytes, 4),
            _ => return Err(wrong("it is no ELF file")),
        };
        let mut file = file.map_err(VerifyError::File)?;
        file.parts.sort_by_key(|part| part.start);
        file.platform = file.of_tables().unwrap_or(file.platform);
        let map = file.platform.memory_map();
        if file.parts.iter().any(|part| part.start < map.ram || part.end > map.ram_end) {
            return Err(wrong("a part of it does not lie in the machine's memory"));
        }
        if file
            .parts
            .windows(2)
            .any(|pair| meet((pair[0].start, pair[0].end), (pair[1].start, pair[1].end)))
        {
            return Err(wrong("two parts of it lie in the same place"));
        }
        match file.entry >= map.ram && file.entry < map.blob {
            true => Ok(file),
            false => Err(wrong("it does not start in the kernel")),
        }
    }

    /// Returns the machine with the file's word that its tables name.
    fn of_tables(&self) -> Option<Platform> {
        let word = self.platform.word_bytes();
        Platform::ALL.into_iter().filter(|platform| platform.word_bytes() == word).find(
            |platform| {
                let place = platform.memory_map().blob.saturating_add(PLATFORM_OFFSET as u64);
                let mut number = [0; 4];
                self.read_into(place, &mut number).is_some()
                    && Platform::from_number(u32::from_le_bytes(number)) == Some(*platform)
            },
        )
    }

    pub(crate) fn platform(&self) -> Platform {
        self.platform
    }

    pub(crate) fn manifest(&self) -> &[u8] {
        &self.manifest
    }

    /// Memory as it is before the first instruction; nothing where the file loads nothing.
    pub(crate) fn read_into(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let mut done = 0;
        while done < into.len() {
            let here = address.checked_add(done as u64)?;
            let after = self.parts.partition_point(|part| part.start <= here);
            let part = self.parts.get(after.checked_sub(1)?).filter(|part| here < part.end)?;
            let count = (part.end - here).min((into.len() - done) as u64) as usize;
            let offset = (here - part.start) as usize;
            for (index, byte) in into[done..done + count].iter_mut().enumerate() {
                *byte = part.bytes.get(offset + index).copied().unwrap_or(0);
            }
            done += count;
        }
        Some(())
    }

    /// Every part that is loaded: its address, and its bytes as the file has them.
    pub(crate) fn loaded(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.parts.iter().map(|part| (part.start, part.bytes.as_slice()))
    }

    /// The same in a vector of its own.
    pub(crate) fn bytes(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let map = self.platform.memory_map();
        if length > map.ram_end - map.ram {
            return None;
        }
        let mut bytes = vec![0; length as usize];
        self.read_into(address, &mut bytes)?;
        Some(bytes)
    }
}

/// Reads a file for the first machine whose words have so many bytes.
fn parse<H: FileHeader<Endian = Endianness>>(bytes: &[u8], word: u64) -> Result<File, String> {
    let platform = Platform::ALL.into_iter().find(|platform| platform.word_bytes() == word);
    let platform = platform.ok_or("it is for no machine that the kernel runs on")?;
    let broken = |error: object::Error| error.to_string();
    let header = H::parse(bytes).map_err(broken)?;
    let endian = header.endian().map_err(broken)?;
    if header.e_machine(endian).0 != RISCV {
        return Err("it is for another processor".to_owned());
    }
    let mut parts = Vec::new();
    for entry in header.program_headers(endian, bytes).map_err(broken)? {
        let (start, size): (u64, u64) =
            (entry.p_paddr(endian).into(), entry.p_memsz(endian).into());
        if entry.p_type(endian).0 != LOAD || size == 0 {
            continue;
        }
        if start != entry.p_vaddr(endian).into() {
            return Err("a part of it has two addresses".to_owned());
        }
        let data = entry.data(endian, bytes).map_err(|()| "it ends too early".to_owned())?;
        let end = start.checked_add(size).ok_or("a part of it reaches beyond all addresses")?;
        if data.len() as u64 > size {
            return Err("a part of it has more bytes than room".to_owned());
        }
        parts.push(Part { start, end, bytes: data.to_vec() });
    }
    let manifest = manifest::<H>(header, endian, bytes)?;
    Ok(File { parts, manifest, platform, entry: header.e_entry(endian).into() })
}

fn manifest<H: FileHeader<Endian = Endianness>>(
    header: &H,
    endian: Endianness,
    bytes: &[u8],
) -> Result<Vec<u8>, String> {
    let broken = |error: object::Error| error.to_string();
    let sections = header.sections(endian, bytes).map_err(broken)?;
    let named = sections.section_by_name(endian, b".fusee.manifest");
    let (_, section) = named.ok_or("it has no section `.fusee.manifest`")?;
    Ok(section.data(endian, bytes).map_err(broken)?.to_vec())
}
