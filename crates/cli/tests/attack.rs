//! A hostile component gets nothing, and the others keep their deadlines.
//!
//! Besides what the machine says of itself, its memory is looked at from outside, byte by byte:
//! what nobody may write must be as it was loaded, and what belongs to others must be as it is
//! after a run in which the attacker does nothing. Whom the attacker may call, or wake, has changed
//! in what these calls do, and in nothing else.

use fusee_image::{Region, verify};
use fusee_model::Duration;
use fusee_run::{Image, Ram};
use fusee_testing::Tool;
use object::{Object, ObjectSymbol};
use serde_json::Value;
use std::path::PathBuf;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Returns the folder in which a system of `examples/attack` is built; each test has its own.
fn folder(name: &str) -> String {
    format!("{}/attack-{name}", env!("CARGO_TARGET_TMPDIR"))
}

/// Runs a system for a time on the emulated machine; its results as JSON.
fn run(name: &str, time: &str) -> Value {
    let run = FUSEE.run(&[
        "run",
        &format!("examples/attack/{name}.camkes"),
        "--for",
        time,
        "--json",
        "-o",
        &folder(name),
        // Who attacks does not list what it calls: others' bounds must not rest on that.
        "--trust-written",
    ]);
    let text = String::from_utf8_lossy(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}

fn lines(run: &Value) -> Vec<String> {
    let lines = run["console"].as_array().expect("console lines");
    lines
        .iter()
        .map(|line| format!("{}: {}", line["component"], line["text"]).replace('"', ""))
        .collect()
}

fn task<'r>(run: &'r Value, name: &str) -> &'r Value {
    let tasks = run["tasks"].as_array().expect("tasks");
    tasks.iter().find(|task| task["name"] == name).expect("the task")
}

/// The attacker's attempts: all of them made, none with success, as many of them as `faults` ended
/// by a fault.
fn is_contained(run: &Value, attempts: usize, faults: usize) {
    let lines = lines(run);
    assert_eq!(lines, [format!("attacker: {attempts} attempts made, now for ever")]);
    let faulted: Vec<&Value> =
        run["faults"].as_array().expect("faults").iter().map(|f| &f["component"]).collect();
    assert_eq!(faulted, vec!["attacker"; faults]);
    for witness in ["watch", "log"] {
        let task = task(run, witness);
        assert_eq!(task["misses"], 0, "{witness}");
        let (longest, bound) =
            (task["response_max_ns"].as_u64(), task["response_bound_ns"].as_u64());
        assert!(longest.is_some() && longest <= bound, "{witness}: {longest:?} is above {bound:?}");
    }
}

/// A machine's memory before and after a run, and who reaches what in it.
struct Memory {
    folder: PathBuf,
    image: Image,
    kernel: (u64, u64),
    before: Ram,
    after: Ram,
    domains: Vec<(String, Vec<Region>)>,
}

impl Memory {
    /// Returns the memory of an image that was built, after so many milliseconds.
    fn of(name: &str, milliseconds: u64) -> Memory {
        let folder = PathBuf::from(folder(name));
        let path = folder.join("image.elf");
        let bytes = std::fs::read(&path).expect("an image");
        let (report, kernel) = (verify(&bytes, None).expect("an image"), kernel_code(&bytes));
        let image = Image::read(&path).expect("an image");
        let duration = Duration(milliseconds * 1_000_000);
        let before = image.load(duration.ns()).expect("memory");
        let (_, after) = fusee_run::boot_and_keep(&image, duration).expect("a run");
        let domains =
            report.domains.into_iter().map(|domain| (domain.name, domain.memory)).collect();
        Memory { folder, image, kernel, before, after, domains }
    }

    /// Regions in main memory, with the names of their domains.
    fn regions(&self) -> impl Iterator<Item = (&str, &Region)> {
        let all = self
            .domains
            .iter()
            .flat_map(|(name, regions)| regions.iter().map(move |region| (name.as_str(), region)));
        all.filter(|(_, region)| region.physical >= self.before.base())
    }

    /// Returns the address and the size of a component's variable. All of them have a name of their
    /// own.
    fn variable(&self, domain: &str, name: &str) -> (u64, u64) {
        let path = self.folder.join(format!("domains/{domain}.elf"));
        let bytes = std::fs::read(&path).expect("a program");
        let program = object::File::parse(&*bytes).expect("an ELF file");
        let mut found = program.symbols().filter(|symbol| symbol.name() == Ok(name));
        let symbol = found.next().unwrap_or_else(|| panic!("`{domain}` has no `{name}`"));
        assert!(found.next().is_none(), "`{domain}` has several `{name}`");
        (symbol.address(), symbol.size())
    }

    /// Returns the value of a variable of four bytes at the end.
    fn value(&self, domain: &str, name: &str) -> u32 {
        let (address, size) = self.variable(domain, name);
        assert_eq!(size, 4, "{domain}.{name}");
        let holds =
            |region: &&Region| (region.address..region.address + region.bytes).contains(&address);
        let region =
            self.regions().filter(|(of, _)| *of == domain).map(|(_, region)| region).find(holds);
        let region = region.unwrap_or_else(|| panic!("{domain}.{name} is nowhere"));
        let bytes =
            self.after.read(region.physical + (address - region.address), size).expect("memory");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }

    /// The kernel's code and constants are as they were loaded.
    fn kernel_is_untouched(&self) {
        let map = self.image.platform().memory_map();
        assert!(
            self.kernel.0 == map.ram && self.kernel.1 > 10_000,
            "the kernel is at {:#x?}",
            self.kernel
        );
        assert_same(&self.before, self.kernel, &self.after, self.kernel, "the kernel");
    }

    /// Checks that memory which no code may write is as it was loaded: tables, page tables, code
    /// and constants of all domains. Returns the number of bytes.
    fn constant_bytes_are_untouched(&self) -> u64 {
        let map = self.image.platform().memory_map();
        self.kernel_is_untouched();
        let mut written: Vec<(u64, u64)> =
            self.regions().filter(|(_, r)| r.write).map(|(_, r)| (r.physical, r.bytes)).collect();
        written.sort_unstable();
        written.push((self.image.header().records, 0));
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

/// Returns the place of the kernel's code and constants in a bootable image: the first loaded
/// segment, which no code may write.
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
    let (one, other) =
        (one.read(from.0, from.1).expect("memory"), other.read(to.0, to.1).expect("memory"));
    let first = one.iter().zip(&other).position(|(one, other)| one != other);
    assert!(
        first.is_none() && one.len() == other.len(),
        "{what} at {:#x} differs in byte {first:?}",
        from.0
    );
}

/// Checks that memory which some domains can write is the same after an attack as after a run in
/// peace: of each region the bytes that `kept` says, but for the given places in it, addresses and
/// sizes. Returns the number of bytes.
fn is_as_in_peace(
    (attacked, peace): (&Memory, &Memory),
    of: impl Fn(&str) -> bool,
    kept: impl Fn(&Region) -> u64,
    except: &[(u64, u64)],
) -> u64 {
    let written = |memory: &Memory| -> Vec<(String, Region)> {
        let all = memory.regions().filter(|(name, region)| region.write && of(name));
        all.map(|(name, region)| (name.to_owned(), *region)).collect()
    };
    let (now, then) = (written(attacked), written(peace));
    assert_eq!(now.len(), then.len());
    for ((name, one), (other_name, other)) in now.iter().zip(&then) {
        assert_eq!((name, one.address, one.bytes), (other_name, other.address, other.bytes));
        let (bytes, name) = (kept(one), format!("memory of `{name}`"));
        let mut next = one.address;
        let inside = except
            .iter()
            .filter(|(at, size)| *at >= one.address && at + size <= one.address + bytes);
        for &(at, size) in inside.chain([&(one.address + bytes, 0)]) {
            let part = |region: &Region| (region.physical + (next - region.address), at - next);
            assert_same(&attacked.after, part(one), &peace.after, part(other), &name);
            next = at + size;
        }
    }
    now.iter().map(|(_, region)| kept(region)).sum()
}

/// Everything that other domains can write is the same as after a run in peace. How many bytes.
fn others_are_as_in_peace(attacked: &Memory, peace: &Memory, except: &[&str]) -> u64 {
    is_as_in_peace((attacked, peace), |name| !except.contains(&name), |region| region.bytes, &[])
}

/// A component that the attacker may call or wake, and the variables in which its calls show.
type Called<'n> = (&'n str, &'n [&'n str]);

/// The range of a component's stacks in its part of the address space.
const STACKS: std::ops::Range<u64> = 0x80_0000..0xc0_0000;
const SLOT: u64 = 0x100_0000;
/// The part of a stack that calls use, with the area of their messages.
const USED: u64 = 4096;

/// All that a called component can write is the same as after a run in peace, but the ends
/// of its stacks and the given variables. How many bytes.
fn called_is_as_in_peace(
    attacked: &Memory,
    peace: &Memory,
    (domain, variables): Called<'_>,
) -> u64 {
    let mut places: Vec<(u64, u64)> =
        variables.iter().map(|name| attacked.variable(domain, name)).collect();
    places.sort_unstable();
    let kept = |region: &Region| {
        let used = if STACKS.contains(&(region.address % SLOT)) { USED } else { 0 };
        region.bytes.checked_sub(used).expect("a whole stack")
    };
    is_as_in_peace((attacked, peace), |name| name == domain, kept, &places)
}

/// Memory after an attack beside memory after a run in peace, at a time when no honest job is under
/// way.
fn nobody_else_is_changed(
    name: &str,
    peace: &str,
    milliseconds: u64,
    called: &[Called<'_>],
) -> (Memory, Memory) {
    let built = FUSEE.run(&[
        "build",
        &format!("examples/attack/{peace}.camkes"),
        "-o",
        &folder(peace),
        "--trust-written",
    ]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let (attacked, peace) = (Memory::of(name, milliseconds), Memory::of(peace, milliseconds));
    let constant = attacked.constant_bytes_are_untouched();
    // What is left of the time for setting up differs from start to start.
    let except: Vec<&str> =
        called.iter().map(|(name, _)| *name).chain(["attacker", "boot"]).collect();
    let variable = others_are_as_in_peace(&attacked, &peace, &except);
    assert!(
        constant > 50_000 && variable > 50_000,
        "{constant} and {variable} bytes are too few to mean something"
    );
    for &component in called {
        let compared = called_is_as_in_peace(&attacked, &peace, component);
        assert!(
            compared > 50_000,
            "{}: {compared} bytes are too few to mean something",
            component.0
        );
    }
    (attacked, peace)
}

/// The account holds what was paid in, whoever paid: three by each job of `watch`, five by each of
/// `log`, and one by each other deposit. The attacker may have been stopped within one.
fn the_account_is_right(memory: &Memory) -> u32 {
    let (deposits, total) = (memory.value("ledger", "next"), memory.value("ledger", "total"));
    let (watch, log) = (memory.value("watch", "jobs"), memory.value("log", "jobs"));
    let attackers = deposits.checked_sub(watch + log).expect("each job has paid");
    assert!(watch > 100 && log > 10, "{watch} and {log}");
    assert!(
        total.abs_diff(3 * watch + 5 * log + attackers) <= 1,
        "{total} of {watch}, {log} and {attackers}"
    );
    attackers
}

#[test]
fn memory_is_out_of_reach() {
    is_contained(&run("c", "150ms"), 44, 43);
    nobody_else_is_changed("c", "c-peace", 150, &[]);
    let peace = run("c-peace", "150ms");
    assert_eq!(lines(&peace), [""; 0]);
    assert_eq!(peace["faults"], Value::Array(Vec::new()));
    assert_eq!(task(&peace, "attacker")["misses"], 0);
}

#[test]
fn calls_and_privileges_are_refused() {
    is_contained(&run("rust", "150ms"), 47, 22);
    // The attacker pays in, for ever in the end.
    let called: Called<'_> = ("ledger", &["next", "total"]);
    let (attacked, peace) = nobody_else_is_changed("rust", "rust-peace", 150, &[called]);
    assert!(the_account_is_right(&attacked) > 1000);
    assert_eq!(the_account_is_right(&peace), 0);
}

#[test]
fn floods_storms_and_reentry_are_survived() {
    is_contained(&run("flood", "150ms"), 17, 2);
    // The attacker asks for the balance only, and the relay keeps nothing.
    let called: [Called<'_>; 3] = [("ledger", &[]), ("relay", &[]), ("listener", &["events"])];
    let (attacked, peace) = nobody_else_is_changed("flood", "flood-peace", 150, &called);
    assert_eq!((the_account_is_right(&attacked), the_account_is_right(&peace)), (0, 0));
    assert!(attacked.value("listener", "events") > 0);
    assert_eq!(peace.value("listener", "events"), 0);
}
