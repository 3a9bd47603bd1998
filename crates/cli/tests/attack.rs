//! A hostile component gets nothing, and the others keep their deadlines.
//!
//! Besides what the machine says of itself, its memory is looked at from outside, byte by byte: what nobody may write
//! must be as it was loaded, and what belongs to others must be as it is after a run in which the attacker does nothing.

use fusee_image::{Region, verify};
use fusee_model::Duration;
use fusee_run::{Image, Ram};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn fusee(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fusee")).current_dir(ROOT).args(arguments).output().expect("fusee starts")
}

/// Where a system of `examples/attack` is built; each test has its own.
fn folder(name: &str) -> String {
    format!("{}/attack-{name}", env!("CARGO_TARGET_TMPDIR"))
}

/// Runs a system for a time on the emulated machine; its results as JSON.
fn run(name: &str, time: &str) -> Value {
    let run = fusee(&["run", &format!("examples/attack/{name}.camkes"), "--for", time, "--json", "-o", &folder(name)]);
    let text = String::from_utf8_lossy(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}

fn lines(run: &Value) -> Vec<String> {
    let lines = run["console"].as_array().expect("console lines");
    lines.iter().map(|line| format!("{}: {}", line["component"], line["text"]).replace('"', "")).collect()
}

fn task<'r>(run: &'r Value, name: &str) -> &'r Value {
    let tasks = run["tasks"].as_array().expect("tasks");
    tasks.iter().find(|task| task["name"] == name).expect("the task")
}

/// The attacker's attempts: all of them made, none with success, as many of them as `faults` ended by a fault.
fn is_contained(run: &Value, attempts: usize, faults: usize) {
    let lines = lines(run);
    assert_eq!(lines, [format!("attacker: {attempts} attempts made, now for ever")]);
    let faulted: Vec<&Value> = run["faults"].as_array().expect("faults").iter().map(|f| &f["component"]).collect();
    assert_eq!(faulted, vec!["attacker"; faults]);
    for witness in ["watch", "log"] {
        let task = task(run, witness);
        assert_eq!(task["misses"], 0, "{witness}");
        let (longest, bound) = (task["response_max_ns"].as_u64(), task["response_bound_ns"].as_u64());
        assert!(longest.is_some() && longest <= bound, "{witness}: {longest:?} is above {bound:?}");
    }
}

/// A machine's memory before and after a run, and who reaches what in it.
struct Memory {
    image: Image,
    kernel: (u64, u64),
    before: Ram,
    after: Ram,
    domains: Vec<(String, Vec<Region>)>,
}

impl Memory {
    /// Of an image that was built, after so many milliseconds.
    fn of(name: &str, milliseconds: u64) -> Memory {
        let path = PathBuf::from(folder(name)).join("image.elf");
        let bytes = std::fs::read(&path).expect("an image");
        let (report, kernel) = (verify(&bytes, None).expect("an image"), kernel_code(&bytes));
        let image = Image::read(&path).expect("an image");
        let duration = Duration(milliseconds * 1_000_000);
        let before = image.load(duration.ns()).expect("memory");
        let (_, after) = fusee_run::boot_and_keep(&image, duration).expect("a run");
        let domains = report.domains.into_iter().map(|domain| (domain.name, domain.memory)).collect();
        Memory { image, kernel, before, after, domains }
    }

    /// Regions in main memory, with the names of their domains.
    fn regions(&self) -> impl Iterator<Item = (&str, &Region)> {
        let all =
            self.domains.iter().flat_map(|(name, regions)| regions.iter().map(move |region| (name.as_str(), region)));
        all.filter(|(_, region)| region.physical >= self.before.base())
    }

    /// The kernel's code and constants are as they were loaded.
    fn kernel_is_untouched(&self) {
        let map = self.image.platform().memory_map();
        assert!(self.kernel.0 == map.ram && self.kernel.1 > 10_000, "the kernel is at {:#x?}", self.kernel);
        assert_same(&self.before, self.kernel, &self.after, self.kernel, "the kernel");
    }

    /// What nobody may write is as it was loaded: tables, page tables, code and constants of all domains. How many bytes.
    fn constant_bytes_are_untouched(&self) -> u64 {
        let map = self.image.platform().memory_map();
        self.kernel_is_untouched();
        let mut written: Vec<(u64, u64)> =
            self.regions().filter(|(_, r)| r.write).map(|(_, r)| (r.physical, r.bytes)).collect();
        written.sort_unstable();
        written.push((self.image.header.records, 0));
        let (mut next, mut compared) = (map.blob, 0);
        for (start, bytes) in written {
            if start > next {
                let range = (next, start - next);
                assert_same(&self.before, range, &self.after, range, "memory that nobody writes");
                compared += range.1;
            }
            next = next.max(start + bytes);
        }
        compared
    }
}

/// Where a bootable image has the kernel's code and constants: the first loaded segment, which nobody may write.
fn kernel_code(image: &[u8]) -> (u64, u64) {
    const WRITE: u32 = 2;
    let word = |at: usize| u32::from_le_bytes(image[at..at + 4].try_into().expect("four bytes"));
    let long = |at: usize| u64::from_le_bytes(image[at..at + 8].try_into().expect("eight bytes"));
    // An ELF file of 64 bits: its program headers, of 56 bytes each.
    let first = usize::try_from(long(32)).expect("an offset");
    let header = (first..).step_by(56).find(|&at| word(at) == 1).expect("a segment");
    assert_eq!(word(header + 4) & WRITE, 0, "the kernel's code is not writable");
    (long(header + 24), long(header + 32))
}

fn assert_same(one: &Ram, from: (u64, u64), other: &Ram, to: (u64, u64), what: &str) {
    let (one, other) = (one.read(from.0, from.1).expect("memory"), other.read(to.0, to.1).expect("memory"));
    let first = one.iter().zip(&other).position(|(one, other)| one != other);
    assert!(first.is_none() && one.len() == other.len(), "{what} at {:#x} differs in byte {first:?}", from.0);
}

/// Everything that other domains can write is the same as after a run in peace. How many bytes.
fn others_are_as_in_peace(attacked: &Memory, peace: &Memory, except: &[&str]) -> u64 {
    let others = |memory: &Memory| -> Vec<(String, Region)> {
        let written = memory.regions().filter(|(name, region)| region.write && !except.contains(name));
        written.map(|(name, region)| (name.to_owned(), *region)).collect()
    };
    let (attacked_regions, peace_regions) = (others(attacked), others(peace));
    assert_eq!(attacked_regions.len(), peace_regions.len());
    for ((name, one), (other_name, other)) in attacked_regions.iter().zip(&peace_regions) {
        assert_eq!((name, one.address, one.bytes), (other_name, other.address, other.bytes));
        let (from, to) = ((one.physical, one.bytes), (other.physical, other.bytes));
        assert_same(&attacked.after, from, &peace.after, to, &format!("memory of `{name}`"));
    }
    attacked_regions.iter().map(|(_, region)| region.bytes).sum()
}

/// Memory after an attack beside memory after a run in peace, at a time when no honest job is under way.
fn nobody_else_is_changed(name: &str, peace: &str, milliseconds: u64, except: &[&str]) {
    let built = fusee(&["build", &format!("examples/attack/{peace}.camkes"), "-o", &folder(peace)]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let (attacked, peace) = (Memory::of(name, milliseconds), Memory::of(peace, milliseconds));
    let constant = attacked.constant_bytes_are_untouched();
    let variable = others_are_as_in_peace(&attacked, &peace, except);
    assert!(constant > 50_000 && variable > 50_000, "{constant} and {variable} bytes are too few to mean something");
}

#[test]
fn memory_is_out_of_reach() {
    is_contained(&run("c", "150ms"), 44, 43);
    nobody_else_is_changed("c", "c-peace", 150, &["attacker"]);
    let peace = run("c-peace", "150ms");
    assert_eq!(lines(&peace), [""; 0]);
    assert_eq!(peace["faults"], Value::Array(Vec::new()));
    assert_eq!(task(&peace, "attacker")["misses"], 0);
}

#[test]
fn calls_and_privileges_are_refused() {
    is_contained(&run("rust", "150ms"), 47, 22);
    // The ledger is called by the attacker, and its stack shows it.
    nobody_else_is_changed("rust", "rust-peace", 150, &["attacker", "ledger"]);
}

#[test]
fn floods_storms_and_reentry_are_survived() {
    is_contained(&run("flood", "150ms"), 17, 2);
    // These are called, or woken, by the attacker.
    nobody_else_is_changed("flood", "flood-peace", 150, &["attacker", "ledger", "relay", "listener"]);
}
