//! A component that faults in every way there is.

/// Faults in as many ways as there are lines: each is one method, from 1 on.
pub const WAYS: &[(&str, u64)] = &[
    ("unimp", 2),
    ("mret", 2),
    ("sret", 2),
    ("wfi", 2),
    ("sfence.vma", 2),
    ("csrr t1, mstatus", 2),
    ("csrw mtvec, t1", 2),
    ("csrw satp, zero", 2),
    ("csrr t1, mscratch", 2),
    ("csrw pmpcfg0, zero", 2),
    ("csrr t1, mhartid", 2),
    ("csrw mcycle, zero", 2),
    ("ebreak", 3),
    ("li t1, 0x80000000\nlx t2, 0, t1", 13),
    ("li t1, 0x80100000\nst t2, 0, t1", 15),
    ("li t1, 0x81000000\nst t2, 0, t1", 15),
    ("li t1, 0x0c000000\nlw t2, 0(t1)", 13),
    ("li t1, 0x02004000\nsw zero, 0(t1)", 15),
    ("li t1, 0x00100000\nsw zero, 0(t1)", 15),
    ("lx t1, 0, zero", 13),
    ("li t1, 0x10000000\nlx t2, 0, t1", 13),
    ("li t1, 0x10004000\nst t2, 0, t1", 15),
    ("lla t1, serve\nst t2, 0, t1", 15),
    ("li t1, DATA\njr t1", 12),
    ("mv t1, sp\njr t1", 12),
    ("li t1, 0x80000000\njr t1", 12),
    ("li t1, 0x10000000\njr t1", 12),
    ("jr zero", 12),
    ("li t1, DATA + 1\namoadd.w t2, t2, (t1)", 4),
    ("li t1, 0x10801000 - 8 + 0x1000000\nst t2, 0, t1", 15),
    ("1: addi sp, sp, -256\nst zero, 0, sp\nj 1b", 15),
    ("li t1, -1\nlbu t2, 0(t1)", 13),
];

/// A server that answers method 0, and faults in way n for method n; `before` is done before each
/// fault, `quietly` before the answer.
pub fn server(before: &str, quietly: &str) -> String {
    let mut text = format!(
        "serve: lla gp, serve
            li s0, DATA
            srli t1, a6, 16
            beqz t1, quiet
            mv s1, t1
            {before}
            mv t1, s1
            la t2, table
            addi t1, t1, -1
            slli t1, t1, 2
            add t2, t2, t1
            jr t2
        quiet: {quietly}
            li a0, 4711
            sys RETURN
        .option norvc
        table:\n"
    );
    for way in 0..WAYS.len() {
        text += &format!("j way{way}\n");
    }
    for (number, (way, _)) in WAYS.iter().enumerate() {
        text += &format!("way{number}: {way}\nsys RETURN\n");
    }
    text
}
