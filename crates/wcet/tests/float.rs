//! Floating-point numbers: what is calculated decides how long programs take.
//!
//! Their bounds are held against QEMU's count of instructions: QEMU calculates with another
//! implementation of all operations.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fusee_testing::Draw;
use fusee_testing::folder;
use fusee_testing::programs::{Target, build_with, frame, observe};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

const TRIPLES: usize = 64;
/// The ends of formats, and of whole numbers.
const EDGES: [f64; 16] = [
    0.0,
    -0.0,
    0.5,
    1.5,
    2.5,
    -0.5,
    -1.5,
    -2.5,
    1.0,
    -1.0,
    2147483647.5,
    -2147483648.5,
    4294967295.5,
    9.223372036854775e18,
    1.8446744073709552e19,
    1e-40,
];
const SPECIAL: [u64; 10] = [
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff4_0000_0000_0001,
    0x7fef_ffff_ffff_ffff,
    1,
    0x8000_0000_0000_0001,
    0x0010_0000_0000_0000,
    u64::MAX,
    1 << 63,
];
const SINGLE: [u32; 8] =
    [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7fa0_0001, 0x7f7f_ffff, 1, 0x8000_0001, 0x0080_0000];

/// Numbers that two roundings take for a half and one does not: a whole number, a product with a
/// sum. And zeros of both signs.
const NEAR_HALVES: [[u64; 3]; 4] = [
    [0x4000_0040_0000_0001, 0, 1 << 63],
    [0xffff_ffff_3f80_0800, 0xffff_ffff_3f80_0800, 0xffff_ffff_0d80_0000],
    [0, 1 << 63, 0],
    [0xffff_ffff_8000_0000, 0xffff_ffff_0000_0000, 0],
];

fn boxed(single: u32) -> u64 {
    0xffff_ffff_0000_0000 | u64::from(single)
}

/// Returns a register: of either format, in its box or not, near an edge or anywhere.
fn number(draw: &mut Draw) -> u64 {
    let mut bits = |count: u32| (0..count).fold(0, |all, _| all << 1 | draw.below(2));
    let (any, small) = (bits(64), bits(8) as f64 - 128.0);
    let edge = |draw: &mut Draw| EDGES[draw.below(EDGES.len() as u64) as usize];
    match draw.below(10) {
        0 => any,
        1 => boxed(any as u32),
        2 => edge(draw).to_bits(),
        3 => boxed((edge(draw) as f32).to_bits()),
        4 => SPECIAL[draw.below(SPECIAL.len() as u64) as usize],
        5 => boxed(SINGLE[draw.below(SINGLE.len() as u64) as usize]),
        // Near one another, so that digits are lost.
        6 => 0x3ff0_0000_0000_0000 ^ any >> 12,
        7 => boxed(0x3f80_0000 ^ any as u32 >> 9),
        8 => (small / 4.0).to_bits(),
        _ => boxed((small as f32 / 4.0).to_bits()),
    }
}

fn build(source: &str, (target, id): (Target, u64), definition: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/float").join(source);
    let flags = match target {
        Target::Aarch64 => ["-fno-vectorize", "-fno-unroll-loops"],
        Target::Rv32 => ["-march=rv32gc", "-mabi=ilp32d"],
        _ => ["-march=rv64gc", "-mabi=lp64d"],
    };
    let flags = [&flags[..], &[definition]].concat();
    let stem = source.file_stem().expect("a name").to_string_lossy().into_owned();
    build_with(
        &[&frame("measure.c"), &source],
        &format!("{stem}-{target:?}-{id}"),
        target,
        "-O1",
        &flags,
    )
}

fn bounded(elf: &Path) -> Bound {
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let facts = Facts { as_loaded: true, ..Facts::default() };
    let entry = program.symbol("run").expect("run").address;
    bound(&program, &Instructions, entry, &facts, Effort::default()).expect("no failure")
}

#[test]
fn numbers_are_calculated_as_a_processor_does() {
    let cases: Vec<(Target, u64)> = [Target::Rv32, Target::Rv64]
        .into_iter()
        .flat_map(|target| (0..6).map(move |id| (target, id)))
        .collect();
    side_by_side(&cases, |_, &(target, id)| {
        let mut draw = Draw::of(id, 0xf10a);
        let mut text = String::new();
        for index in 0..TRIPLES {
            let [a, b, c] = match NEAR_HALVES.get(index) {
                Some(&triple) => triple,
                None => std::array::from_fn(|_| number(&mut draw)),
            };
            writeln!(text, "{{ {a:#x}, {b:#x}, {c:#x} }},").expect("a line");
        }
        let numbers = folder().join(format!("numbers-{target:?}-{id}.h"));
        std::fs::write(&numbers, text).expect("a file");
        let elf =
            build("operations.c", (target, id), &format!("-DNUMBERS=\"{}\"", numbers.display()));
        let found = bounded(&elf);
        assert_eq!(
            found.time,
            Some(observe(&elf, target)[0]),
            "{target:?} {id}: {:?}",
            found.obstacles
        );
        assert!(
            found.grounds.assumptions.iter().any(|one| one.contains("rounded to the nearest")),
            "{:?}",
            found.grounds.assumptions
        );
    });
}

/// Returns a number with any digits, neither near nothing nor near the ends of its format, a whole
/// one now and then.
fn plain(draw: &mut Draw) -> f64 {
    let digits = 1.0 + draw.below(1 << 52) as f64 / (1u64 << 52) as f64;
    let sign = [1.0, -1.0][draw.below(2) as usize];
    let scale = f64::powi(2.0, draw.below(40) as i32 - 8);
    match draw.below(4) {
        0 => sign * draw.below(9) as f64 / 2.0,
        _ => sign * digits * scale,
    }
}

/// Scalar numbers of AArch64, where their vectors are followed.
#[test]
fn scalar_numbers_in_vectors_are_calculated() {
    let cases: Vec<u64> = (0..6).collect();
    side_by_side(&cases, |_, &id| {
        let mut draw = Draw::of(id, 0xf10b);
        let mut text = String::new();
        for _ in 0..TRIPLES / 2 {
            let [a, b, c] = std::array::from_fn(|_| plain(&mut draw).to_bits());
            let whole = draw.below(u64::MAX) >> draw.below(64);
            writeln!(text, "{{ {a:#x}, {b:#x}, {c:#x}, {whole:#x} }},").expect("a line");
            let [a, b, c] = std::array::from_fn(|_| (plain(&mut draw) as f32).to_bits());
            // Above a single number there may be anything.
            writeln!(text, "{{ {a:#x}, {b:#x}, 0x12345678{c:08x}, 0 }},").expect("a line");
        }
        let numbers = folder().join(format!("numbers-aarch64-{id}.h"));
        std::fs::write(&numbers, text).expect("a file");
        let definition = format!("-DNUMBERS=\"{}\"", numbers.display());
        let elf = build("operations64.c", (Target::Aarch64, id), &definition);
        let found = bounded(&elf);
        let run = observe(&elf, Target::Aarch64)[0];
        assert_eq!(found.time, Some(run), "{id}: {:?}", found.obstacles);
    });
}

/// After a change of the rounding mode nothing is known of rounded numbers.
#[test]
fn another_rounding_ends_what_is_known() {
    for (id, definition) in [(0, "-DMODE=frm"), (1, "-DMODE=fcsr")] {
        let elf = build("rounding.c", (Target::Rv64, id), definition);
        let (found, run) = (bounded(&elf), observe(&elf, Target::Rv64)[0]);
        assert!(
            found.time.is_none_or(|time| time >= run),
            "{definition}: {:?} < {run}",
            found.time
        );
    }
    let kept = bounded(&build("rounding.c", (Target::Rv64, 2), "-DMODE=fflags"));
    assert!(kept.time.is_some(), "{:?}", kept.obstacles);
}

/// What a control register of AArch64 decides is not known.
#[test]
fn another_control_of_vectors_ends_what_is_known() {
    for (id, definition) in [(0, "-DZEROES=0"), (1, "-DZEROES=1")] {
        let elf = build("rounding64.c", (Target::Aarch64, id), definition);
        let (found, run) = (bounded(&elf), observe(&elf, Target::Aarch64)[0]);
        assert!(run > 100, "{definition}: {run}");
        assert!(
            found.time.is_none_or(|time| time >= run),
            "{definition}: {:?} < {run}",
            found.time
        );
    }
}

/// Loops that floating-point numbers end are counted, with what memory holds at first and without.
#[test]
fn numbers_end_loops() {
    for target in [Target::Rv32, Target::Rv64, Target::Aarch64] {
        let elf = build("loops.c", (target, 0), "-DLOOPS");
        let (found, run) = (bounded(&elf), observe(&elf, target)[0]);
        assert_eq!(found.time, Some(run), "{target:?}: {:?}", found.obstacles);
        for (name, longer) in [("of_constants", 0), ("of_input", 1)] {
            let program = Program::load(&std::fs::read(&elf).expect("it")).expect("a program");
            let entry = program.symbol(name).expect("it").address;
            let found = bound(&program, &Instructions, entry, &Facts::default(), Effort::default());
            let time = found.expect("no failure").time;
            assert_eq!(time.is_some(), longer == 0, "{target:?} {name}: {time:?}");
        }
    }
}
