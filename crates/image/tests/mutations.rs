//! One bit of an image is turned at a time, and every turn is found out.
//!
//! All of a small system (each bit of each page-table entry in use and of all
//! tables), a sample of a larger one with everything in it. `make test` takes one bit in five,
//! which come to every place of a byte, and `make soundness` each (`BITS_APART=1`). A bit
//! in the tables that means nothing (padding, a field that the row's kind does not use) is no
//! bit: the decoded tables are the same with and without it.

use fusee_image::verify;
use fusee_image_format::{
    Blob, CORE_BYTES, CoreBlob, CoreSystem, END_OFFSET, Platform, System as Tables,
};
use fusee_model::System;
use fusee_testing::given_or;
use fusee_testing::images::{EVERYTHING, image, system};
use object::{Object, ObjectSegment};

const SMALL: &str = r#"
import <std_connector.camkes>;
procedure Store { int get(in int key); };
component Client { control; uses Store store; dataport Buf shared; }
component Server { provides Store store; dataport Buf shared; }
assembly {
    composition {
        component Client client; component Server server;
        connection seL4RPCCall store(from client.store, to server.store);
        connection seL4SharedData shared(from client.shared, to server.shared);
    }
    configuration {
        client.period = "10 ms"; client.wcet = "1 ms"; server.store_wcet = "10 us";
        client.shared_access = "R"; client.on_fault = "restart"; system.time_slice = "1 ms";
    }
}
"#;

/// Two cores and a gate between them, whose component calls another, and a component that both
/// enter and that a fault restarts.
const CORES: &str = r#"
import <std_connector.camkes>;
procedure Store { int get(in int key); };
component Client { control; uses Store store; maybe uses Store frail; }
component Server { provides Store store; uses Store next; }
component Last { provides Store store; }
assembly {
    composition {
        component Client left; component Client right; component Client other;
        component Server server; component Last last; component Last frail;
        connection seL4RPCCall frails(from left.frail, from right.frail, to frail.store);
        connection seL4RPCCall stores(from left.store, from right.store, to server.store);
        connection seL4RPCCall nexts(from server.next, from other.store, to last.store);
    }
    configuration {
        left.period = "10 ms"; left.wcet = "1 ms"; left.priority = 9; left.core = 1;
        right.period = "20 ms"; right.wcet = "1 ms"; right.priority = 7; right.core = 0;
        other.period = "30 ms"; other.wcet = "1 ms"; other.priority = 5; other.core = 1;
        server.store_wcet = "10 us"; server.store_calls = ["next.get"]; last.store_wcet = "5 us";
        server.store_priority_protocol = "mrsp"; last.store_priority_protocol = "propagated";
        frail.store_wcet = "1 us"; frail.store_priority_protocol = "propagated";
        frail.on_fault = "restart";
    }
}
"#;

/// Returns the meaning of tables, those behind them included.
fn meaning(bytes: &[u8]) -> Option<(Tables, Option<CoreSystem>)> {
    let tables = Tables::decode(bytes).ok()?;
    let behind = CoreBlob::offset(Blob::length(bytes).ok()?);
    let between = bytes.get(behind..).filter(|bytes| !bytes.is_empty());
    let between = between.map(|bytes| CoreSystem::decode(bytes).ok());
    match between {
        Some(None) => None,
        between => Some((tables, between.flatten())),
    }
}

/// An image with what a test needs to know of it.
struct Target {
    system: System,
    elf: Vec<u8>,
    /// The place of the tables in the file, and their length.
    tables: (usize, usize),
    /// The places of page table entries in the file.
    entries: Vec<usize>,
    entry_bytes: usize,
}

/// The counts of turned bits by their effect.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    caught: usize,
    meaningless: usize,
    missed: Vec<String>,
}

impl Target {
    fn of(text: &str, platform: Platform) -> Target {
        Target::of_core(text, platform, 0)
    }

    /// Returns the image of a system, and of its tables those of one core.
    fn of_core(text: &str, platform: Platform, core: u64) -> Target {
        let system = system(text);
        let elf = image(&system, platform).elf;
        let map = platform.memory_map();
        let file = object::File::parse(elf.as_slice()).expect("an ELF file");
        let segment = |address: u64| {
            file.segments().find(|s| (s.address()..s.address() + s.size()).contains(&address))
        };
        let blob = segment(map.blob + core * CORE_BYTES).expect("tables").file_range();
        let decoded = Tables::decode(&elf[blob.0 as usize..]).expect("tables");
        let opening = decoded.openings[0];
        let tables = file
            .segments()
            .filter(|s| s.address() >= opening.base && s.address() < opening.base + opening.bytes);
        let entry_bytes = if platform == Platform::QemuRv64 { 8 } else { 4 };
        let ranges = tables
            .map(|s| s.file_range())
            .map(|(start, size)| start as usize..(start + size) as usize);
        let entries = ranges.flat_map(|range| range.step_by(entry_bytes)).collect();
        let tables = (blob.0 as usize, blob.1 as usize);
        Target { system, elf, tables, entries, entry_bytes }
    }

    /// Turns a bit; answers whether the verifier sees it.
    fn is_caught(&mut self, byte: usize, bit: usize) -> bool {
        self.elf[byte] ^= 1 << bit;
        let caught = verify(&self.elf, Some(&self.system))
            .map_or(true, |report| !report.findings.is_empty());
        self.elf[byte] ^= 1 << bit;
        caught
    }

    fn turn_tables(&mut self, step: usize) -> Count {
        let (start, length) = self.tables;
        let original = meaning(&self.elf[start..start + length]).expect("tables");
        let mut count = Count::default();
        for place in (0..length * 8).step_by(step) {
            let (byte, bit) = (start + place / 8, place % 8);
            if (END_OFFSET..END_OFFSET + 8).contains(&(place / 8)) {
                continue;
            }
            if self.is_caught(byte, bit) {
                count.caught += 1;
                continue;
            }
            self.elf[byte] ^= 1 << bit;
            let decoded = meaning(&self.elf[start..start + length]);
            let same = decoded.is_some_and(|decoded| decoded == original);
            self.elf[byte] ^= 1 << bit;
            match same {
                true => count.meaningless += 1,
                false => {
                    count.missed.push(format!("bit {bit} of byte {:#x} of the tables", place / 8))
                }
            }
        }
        count
    }

    /// Changes all bits of entries in use and one bit of every empty entry, as many as the step
    /// leaves.
    fn turn_page_tables(&mut self, step: usize) -> Count {
        let mut count = Count::default();
        let mut number = 0;
        for entry in self.entries.clone() {
            let used = self.elf[entry..entry + self.entry_bytes].iter().any(|&byte| byte != 0);
            let bits = if used { self.entry_bytes * 8 } else { 1 };
            for bit in 0..bits {
                number += 1;
                if number % step != 0 {
                    continue;
                }
                match self.is_caught(entry + bit / 8, bit % 8) {
                    true => count.caught += 1,
                    false => count
                        .missed
                        .push(format!("bit {bit} of the page-table entry at {entry:#x}")),
                }
            }
        }
        count
    }
}

/// Returns everything that an image breaks by itself, as rules and sentences.
fn broken(elf: &[u8]) -> Vec<(&'static str, String)> {
    let report = verify(elf, None).expect("an image");
    let told = report.findings.iter().map(|finding| {
        let diagnostic = finding.diagnostic();
        (diagnostic.code.0, diagnostic.message)
    });
    told.collect()
}

/// A good image whose page of a device is turned to an address that no component may have: the
/// firmware device, which writes to all memory, and windows in which there is nothing.
#[test]
fn a_page_that_leads_to_no_device_of_a_component_is_unsound() {
    for platform in [Platform::QemuRv64, Platform::QemuRv32] {
        let mut target = Target::of(EVERYTHING, platform);
        let (width, number) = (target.entry_bytes, |address: u64| address >> 12 << 10);
        let read = |elf: &[u8], at: usize| {
            let bytes = &elf[at..at + width];
            bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
        };
        let of_line = |at: &&usize| read(&target.elf, **at) & !0x3ff == number(0x1000_0000);
        let places: Vec<usize> = target.entries.iter().filter(of_line).copied().collect();
        let [place] = places[..] else { panic!("{platform}: {places:?}") };
        let rights = read(&target.elf, place) & 0x3ff;
        assert_eq!(broken(&target.elf), []);
        for address in [0x1010_0000, 0x43f9_0000, 0x0300_0000, 0x1000_9000] {
            let entry = (number(address) | rights).to_le_bytes();
            target.elf[place..place + width].copy_from_slice(&entry[..width]);
            let found = broken(&target.elf);
            let why = format!("reaches {address:#x} as a device, which no component may have");
            let is_told =
                |(code, message): &(&str, String)| *code == "F1022" && message.ends_with(&why);
            assert!(found.iter().any(is_told), "{platform}: {found:#?}");
        }
    }
}

/// From one bit that is turned to the next.
fn bits_apart() -> usize {
    given_or("BITS_APART", 5) as usize
}

#[test]
fn bits_of_a_small_system() {
    let mut target = Target::of(SMALL, Platform::QemuRv64);
    let tables = target.turn_tables(bits_apart());
    assert_eq!(tables.missed, Vec::<String>::new());
    // The entries in use are few; empty ones are all alike, so some suffice.
    let entries = target.turn_page_tables(bits_apart());
    assert_eq!(entries.missed, Vec::<String>::new());
    let least = 4_000 / bits_apart();
    assert!(tables.caught > least && entries.caught > least, "{tables:?} {entries:?}");
    eprint(&format!(
        "tables: {} caught, {} mean nothing; entries: {}\n",
        tables.caught, tables.meaningless, entries.caught
    ));
}

#[test]
fn bits_of_the_tables_of_two_cores() {
    for core in 0..2 {
        let mut target = Target::of_core(CORES, Platform::QemuRv64, core);
        let tables = target.turn_tables(bits_apart());
        assert_eq!(tables.missed, Vec::<String>::new(), "core {core}");
        assert!(tables.caught > 4_000 / bits_apart(), "{tables:?}");
    }
}

#[test]
fn a_sample_of_everything() {
    for platform in Platform::emulated() {
        let mut target = Target::of(EVERYTHING, platform);
        let (tables, entries) = (target.turn_tables(13), target.turn_page_tables(29));
        assert_eq!(
            (tables.missed, entries.missed),
            (Vec::new(), Vec::new()),
            "{}",
            platform.name()
        );
        assert!(tables.caught > 500 && entries.caught > 300);
    }
}

/// Shown with `cargo test -- --nocapture`.
#[allow(clippy::print_stderr, reason = "a count for the book")]
fn eprint(text: &str) {
    eprint!("{text}");
}
