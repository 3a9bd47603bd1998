//! The kernel's size, and that none of its code goes where the start was.

use fusee_image_format::Platform;
use fusee_kernel_build::build;
use fusee_platform::{Ceilings, KernelConfig as Wanted, KernelPolicy, Locks, Records as Variant};
use object::{Object, ObjectSection};

/// Instructions between the two that make an address, at most.
const APART: usize = 6;

struct Section {
    address: u64,
    bytes: Vec<u8>,
}

impl Section {
    fn of(file: &object::File<'_>, name: &str) -> Section {
        let section = file.section_by_name(name).unwrap_or_else(|| panic!("no section {name}"));
        Section { address: section.address(), bytes: section.data().expect("its bytes").to_vec() }
    }

    fn holds(&self, address: u64) -> bool {
        (self.address..self.address + self.bytes.len() as u64).contains(&address)
    }
}

/// Sign-extends the lowest bits.
fn signed(value: u32, bits: u32) -> u64 {
    i64::from((value << (32 - bits)) as i32 >> (32 - bits)) as u64
}

/// Returns the addresses that the instructions of a text point to, by jumps, branches and addresses
/// made of two; with their own.
fn targets(text: &Section) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    let mut upper = Vec::<(u32, u64)>::new();
    let mut at = 0;
    while at + 4 <= text.bytes.len() {
        let word =
            text.bytes[at..at + 4].iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        let here = text.address + at as u64;
        at += if word & 3 == 3 { 4 } else { 2 };
        upper.truncate(APART);
        let (destination, source) = (word >> 7 & 31, word >> 15 & 31);
        let entry = match word & 0x7f {
            0x17 => (destination, here.wrapping_add(signed(word & 0xffff_f000, 32))),
            0x37 => (destination, u64::from(word & 0xffff_f000)),
            _ => (32, 0),
        };
        match word & 0x7f {
            0x6f => {
                let offset = word >> 11 & 0x10_0000
                    | word & 0xf_f000
                    | word >> 9 & 0x800
                    | word >> 20 & 0x7fe;
                found.push((here, here.wrapping_add(signed(offset, 21))));
            }
            0x63 => {
                let offset =
                    word >> 19 & 0x1000 | word << 4 & 0x800 | word >> 20 & 0x7e0 | word >> 7 & 0x1e;
                found.push((here, here.wrapping_add(signed(offset, 13))));
            }
            0x13 | 0x67 | 0x03 => {
                let base = upper.iter().find(|(register, _)| *register == source);
                found.extend(
                    base.map(|(_, base)| (here, base.wrapping_add(signed(word >> 20, 12)))),
                );
            }
            _ => {}
        }
        upper.insert(0, entry);
    }
    found
}

/// The parts of a kernel: what stays, the start, and constants that stay.
struct Kernel {
    text: Section,
    start_up: Section,
    constants: Section,
    name: String,
}

impl Kernel {
    fn of(platform: Platform, wanted: impl Into<Wanted>) -> Kernel {
        let wanted = wanted.into();
        let path = build(platform, wanted, &|_| {}).expect("a kernel");
        let bytes = std::fs::read(path).expect("its file");
        let file = object::File::parse(&*bytes).expect("an ELF");
        let [text, start_up, constants] =
            [".text", ".start_up", ".rodata"].map(|name| Section::of(&file, name));
        Kernel { text, start_up, constants, name: wanted.to_string() }
    }

    /// Nothing that stays refers to the start, but the entry, which is the first of all.
    fn refers_to_nothing_that_goes(&self) {
        let Kernel { text, start_up, constants, name } = self;
        // The start itself must be found elsewhere, or its absence would prove nothing.
        assert!(
            start_up.bytes.len() > 4096
                && !start_up.holds(text.address)
                && text.address == 0x8000_0000
        );
        let entry = text.address..text.address + 256;
        let all = targets(text);
        assert!(
            all.iter().any(|(from, to)| entry.contains(from) && start_up.holds(*to)),
            "the start is reached"
        );
        for (from, to) in all {
            assert!(
                entry.contains(&from) || !start_up.holds(to),
                "{name}: {from:#x} refers to {to:#x}, which is gone by then"
            );
        }
        // All addresses are in the lowest 4 GiB.
        for word in constants.bytes.chunks_exact(4) {
            let value = u64::from(u32::from_le_bytes(word.try_into().expect("four bytes")));
            assert!(
                !start_up.holds(value),
                "{name}: a constant refers to {value:#x}, which is gone by then"
            );
        }
    }
}

#[test]
fn what_stays_is_small() {
    for policy in KernelPolicy::all() {
        let kernel = Kernel::of(Platform::QemuRv64, Variant::Plain.under(policy));
        let [stays, goes, rest] =
            [&kernel.text, &kernel.start_up, &kernel.constants].map(|part| part.bytes.len());
        let name = policy.to_string();
        println!("{name}: text {stays}, constants {rest}; start-up {goes}, which is given back");
        // The stack of ceilings takes half a KiB more, and to adopt who holds a mutex takes four.
        let (most_text, most) = match (policy.ceilings(), policy.locks()) {
            (Ceilings::None, Locks::Kernel) => (25 << 10, 25 << 10),
            (Ceilings::PriorityCeiling, Locks::Kernel) => (25 << 10, 26 << 10),
            (Ceilings::None, Locks::Words) => (28 << 10, 29 << 10),
            (Ceilings::PriorityCeiling, Locks::Words) => (29 << 10, 30 << 10),
            (Ceilings::None, Locks::Services) => (33 << 10, 33 << 10),
            (Ceilings::PriorityCeiling, Locks::Services) => (34 << 10, 35 << 10),
        };
        assert!(stays <= most_text, "{name}: text {stays}");
        assert!(stays + rest <= most, "{name}: text {stays} and constants {rest}");
    }
}

/// The limit for the kernel that has schedulers.
#[test]
fn a_kernel_with_schedulers_has_no_more_than_36_kib_of_text() {
    let wanted = Wanted::from(Variant::Plain).below_schedulers(true);
    let kernel = Kernel::of(Platform::QemuRv64, wanted);
    let [stays, rest] = [&kernel.text, &kernel.constants].map(|part| part.bytes.len());
    println!("with schedulers: text {stays}, constants {rest}");
    assert!(stays <= 36 << 10, "text {stays}");
}

/// The kernels of a platform: plain ones of each kind, and those by priorities in these variants.
fn kernels(variants: &[Variant]) -> Vec<Wanted> {
    let is_meant = |kernel: &Wanted| {
        let by_priority = kernel.policy == KernelPolicy::FIXED_PRIORITY;
        kernel.records == Variant::Plain || by_priority && variants.contains(&kernel.records)
    };
    Wanted::all().filter(is_meant).collect()
}

/// A copy that the compiler makes by a function of the start stops a machine only where it is made:
/// in kernels of several cores it was once in the path of a fault. So each kind of kernel is looked
/// at, not only what is measured; those of three kinds at once in `make soundness`.
#[test]
fn what_stays_refers_to_nothing_that_goes() {
    for kernel in
        kernels(&[Variant::Plain]).into_iter().filter(|kernel| kernel.features().count() <= 2)
    {
        Kernel::of(Platform::QemuRv64, kernel).refers_to_nothing_that_goes();
    }
}

/// As [`what_stays_refers_to_nothing_that_goes`], where it takes long.
#[test]
#[ignore = "compiles thirty kernels; `make soundness` runs it"]
fn what_stays_refers_to_nothing_that_goes_anywhere() {
    for platform in [Platform::QemuRv64, Platform::QemuRv32] {
        for kernel in kernels(Variant::ALL) {
            Kernel::of(platform, kernel).refers_to_nothing_that_goes();
        }
    }
}
