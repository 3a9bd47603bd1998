//! Depths that follow from a walk alone, without an execution.

use super::*;
use fusee_image_format::Platform;
use fusee_testing::images::{link, link_with_relocations};
use object::{Object, ObjectSymbol};

/// The bytes of stack that one case of a table takes.
const CASE: u64 = 496;

/// Those that its function takes before.
const FRAME: u64 = 16;

/// Returns the depth of the function `pick`, as the walk alone finds it.
fn walked(bytes: &[u8]) -> Result<u64, Obstacle> {
    let file = object::File::parse(bytes).expect("an ELF file");
    let entry = file.symbol_by_name("pick").expect("the function").address();
    let binary = Binary::read(bytes).expect("a program");
    let mut depths = Depths::of(&binary);
    // No function is an entry here, so none is executed.
    depths.open.push(0);
    walk::Walk::of(&mut depths, entry).depth()
}

/// A function that takes a frame, jumps as `jump` says, and has two cases to jump to, of which the
/// second one needs a stack of its own; `more` is elsewhere.
fn pick(frame: u64, jump: &str, more: &str) -> String {
    format!(
        ".text\n.globl pick\n.type pick, @function\npick:\n addi sp, sp, -{frame}\n{jump}\n\
         .Lfirst: j .Lout\n.Lsecond: addi sp, sp, -{CASE}\n addi sp, sp, {CASE}\n\
         .Lout: addi sp, sp, {frame}\n ret\n.Lbase:\n.size pick, . - pick\n{more}\n"
    )
}

/// A limit of an index, a table after the code, and a jump by an offset from it.
fn limited(limit: &str) -> String {
    format!(
        "{limit}\n slli a0, a0, 2\n la a1, table\n add a0, a0, a1\n lw a0, 0(a0)\n \
         add a0, a0, a1\n jr a0"
    )
}

const OFFSETS: &str =
    ".section .rodata\n.balign 4\ntable: .word .Lfirst - table, .Lsecond - table\n";

/// A function that others have a pointer to, and that takes 32 bytes.
const POINTED: &str = ".text\n.type other, @function\nother: addi sp, sp, -32\n addi sp, sp, 32\n \
                       ret\n.size other, . - other\n.data\n.balign 8\npointer: .dword other\n";

#[test]
fn a_table_of_negative_offsets_is_read_with_their_signs() {
    let index = limited(" li a2, 1\n bltu a2, a0, .Lout");
    for platform in [Platform::QemuRv64, Platform::QemuRv32] {
        let program = link(&pick(FRAME, &index, OFFSETS), 0x1000_0000, platform);
        assert_eq!(walked(&program), Ok(FRAME + CASE), "{platform}");
    }
}

#[test]
fn a_constant_offset_of_any_width_is_read_with_its_sign() {
    for (width, load) in [("byte", "lb"), ("half", "lh"), ("word", "lw")] {
        let jump =
            format!(" la a0, offsets\n {load} a0, 0(a0)\n la a1, .Lbase\n add a0, a0, a1\n jr a0");
        let offsets = format!(".section .rodata\n.balign 4\noffsets: .{width} .Lsecond - .Lbase\n");
        for platform in [Platform::QemuRv64, Platform::QemuRv32] {
            let program = link(&pick(FRAME, &jump, &offsets), 0x1000_0000, platform);
            assert_eq!(walked(&program), Ok(FRAME + CASE), "{platform}: {width}");
        }
    }
}

/// Nothing limits the index, or its limit is behind the table's end: a program that has pointers to
/// functions does not call one of them there.
#[test]
fn a_table_of_unknown_length_leads_to_all_places_with_an_address() {
    let bytes = |load: &str| {
        format!(
            " la a1, table\n add a0, a0, a1\n {load} a0, 0(a0)\n la a1, .Lbase\n add a0, a0, a1\n \
             jr a0"
        )
    };
    let table = |width: &str| {
        format!(
            ".section .rodata\n.balign 8\n\
             table: .{width} .Lfirst - .Lbase, .Lsecond - .Lbase\n{POINTED}"
        )
    };
    let words = format!("{OFFSETS}{POINTED}");
    for (jump, more) in [
        (limited(""), &words),
        (limited(" andi a0, a0, 255"), &words),
        (bytes("lb"), &table("byte")),
        (bytes("lh"), &table("half")),
    ] {
        for frame in [FRAME, 0] {
            let text = pick(frame, &jump, more);
            let program = link_with_relocations(&text, 0x1000_0000, Platform::QemuRv64);
            assert_eq!(walked(&program), Ok(frame + CASE), "{text}");
        }
    }
}

#[test]
fn a_case_that_was_moved_out_of_its_function_counts() {
    let more = format!(
        "{POINTED}.text\n.type pick.cold, @function\npick.cold:\n addi sp, sp, -992\n \
         addi sp, sp, 992\n j .Lout\n.Lthird: addi sp, sp, -1984\n addi sp, sp, 1984\n j .Lout\n\
         .size pick.cold, . - pick.cold\n.section .rodata\n.balign 4\n\
         table: .word .Lfirst - table, pick.cold - table, .Lthird - table\n"
    );
    let jump = limited(" li a2, 2\n bltu a2, a0, .Lout");
    let text = pick(FRAME, &jump, &more);
    let program = link_with_relocations(&text, 0x1000_0000, Platform::QemuRv64);
    assert_eq!(walked(&program), Ok(FRAME + 1984));
}

#[test]
fn a_last_call_through_a_pointer_counts_what_it_may_lead_to() {
    let last = " la a1, pointer\n ld a0, 0(a1)\n jr a0";
    let program =
        |frame| link_with_relocations(&pick(frame, last, POINTED), 0x1000_0000, Platform::QemuRv64);
    assert_eq!(walked(&program(0)), Ok(32));
    // Nobody makes a last call before the stack is given back, so this one leads elsewhere.
    let elsewhere = walked(&program(FRAME));
    assert!(elsewhere.is_err_and(|why| why.contains("jumps to where no pointer")));
    // Without relocations nobody knows where it leads.
    let unknown = walked(&link(&pick(0, last, POINTED), 0x1000_0000, Platform::QemuRv64));
    assert!(unknown.is_err_and(|why| why.starts_with("`pick` calls through a pointer")));
}
