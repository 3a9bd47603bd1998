//! Marks in all registers, and code that knows a foreign one.
//!
//! Each domain fills every register with marks of its own before each call: `0x5e`, the domain's
//! tag, the register. After a call what the kernel preserves holds the same marks, and everything
//! else an argument, a result, or zero: `expect` tests all of them, register by register. So does
//! whoever enters a gate (`entered`) or begins a job (`started`). What fails is left in the data
//! page for the host to read: a flag, and all registers.

/// In a domain's data page, at word 0: a register held what it must not. Its registers follow, by
/// number.
pub(crate) const BROKEN: u64 = 0xbad;

const MACROS: &str = "
        .macro fill who=own
            jal t6, \\who\\()_marks
            li t6, MARKS + (31 << 8) + 1
        .endm
        .macro words first
        .irp n,0,1,2,3,4,5
            li a\\n, \\first + \\n
        .endr
        .endm
        .equ ARGUMENT, 0x101
        .equ RESULT, 0x201
        .equ FURTHER, 9
        # Any call, with marks in all registers that are not its own.
        .macro make op, selector=0, further=0, who=own
            fill \\who
            .if \\op == INVOKE
            words ARGUMENT
            .endif
            .if \\op == RETURN
            words RESULT
            .endif
            li a7, \\op
            li a6, \\selector
            li t0, \\further
            ecall
        .endm
        .macro expect kind, error=0
            beqz a6, 1f
            j bad
        1:  jal a6, \\kind
            li t1, \\error
            beq a7, t1, 1f
            j bad
        1:
        .endm
        .macro entry kind
            beqz a7, 1f
            j bad
        1:  jal a7, \\kind
        .endm
        .macro zeros
        .irp r,6,7,28,29,30,31
            bnez x\\r, bad
        .endr
        .endm
        .macro own r
            li t1, MARKS + (\\r << 8) + 1
            bne x\\r, t1, bad
        .endm
        .macro preserved
            zeros
        .irp r,1,2,3,4,8,9,18,19,20,21,22,23,24,25,26,27
            own \\r
        .endr
        .endm
        .macro are first
        .irp n,0,1,2,3,4,5
            .if \\first
            li t1, \\first + \\n
            bne a\\n, t1, bad
            .else
            bnez a\\n, bad
            .endif
        .endr
        .endm
        .macro few r, below
            li t1, \\below
            bgeu \\r, t1, bad
        .endm
        # All marks are as they were. The last gives way to what is compared.
        .macro intact
            sub t6, t6, t5
            addi t6, t6, -256
            beqz t6, 1f
            j bad
        1:
        .irp r,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
            li t6, MARKS + (\\r << 8) + 1
            beq x\\r, t6, 1f
            j bad
        1:
        .endr
        .endm
        .macro further
            beqz t0, 1f
            addi t1, t0, -FURTHER
            bnez t1, bad
        1:
        .endm
        # What a thread may find behind a call: nothing, a callee's results, the bits of a signal.
        .macro checks who
        \\who\\()_marks:
        .irp r,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
            li x\\r, MARKS + (\\r << 8) + 1
        .endr
            jr t6
        \\who\\()_nothing: preserved
            are 0
            bnez t0, bad
            few a7, 0x80
            jr a6
        \\who\\()_results: preserved
            are RESULT
            further
            bnez a7, bad
            jr a6
        \\who\\()_bits: preserved
            few a0, 0x10000
        .irp n,1,2,3,4,5
            bnez a\\n, bad
        .endr
            bnez t0, bad
            bnez a7, bad
            jr a6
        .endm
        .macro fresh
            zeros
        .irp r,1,3,8,9,18,19,20,21,22,23,24,25,26,27
            bnez x\\r, bad
        .endr
        .irp r,2,4
            li t1, DATA
            xor t1, t1, x\\r
            srli t1, t1, 24
            bnez t1, bad
        .endr
        .endm
        # What there may be at the entry of a gate and at the beginning of a job, and where
        # everything else ends.
        .macro entries
        entered: fresh
            are ARGUMENT
            further
            srli t1, a6, 24
            bnez t1, bad
            jr a7
        started: fresh
            few a0, 0x40
        .irp n,1,2,3,4,5,6
            bnez a\\n, bad
        .endr
            bnez t0, bad
            jr a7
        bad: li t0, DATA
        .irp r,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
            st x\\r, \\r, t0
        .endr
            li t1, 0xbad
            st t1, 0, t0
        1:  j 1b
        .endm
        .macro tag number
            .set MARKS, 0x5e000000 + (\\number << 16)
        .endm
";

/// The source of a domain whose marks have this tag.
pub(crate) fn marked(tag: u32, source: &str) -> String {
    format!("{MACROS}\n tag {tag}\n{source}\n checks own\n entries\n")
}
