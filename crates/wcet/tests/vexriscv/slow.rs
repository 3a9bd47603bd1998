//! What stands behind something slow at the end of a line; the next is missing.

/// Instructions that keep a stage, and what waits for them.
pub(crate) const SLOW: [&str; 12] = [
    // While the division runs the next line is loaded, but nothing is fetched from it.
    "div a3,a1,a2",
    "div a3,a1,a2\\nadd a3,a1,a2",
    "lw a3,0(a4)",
    // Fetching was sent back by a wrong guess.
    "div a3,a1,a2\\nbltz zero,.-4",
    "lw a3,0(a4)\\nnop\\nbltz zero,.-4",
    // csrr waits for all before it, and what follows is not looked up.
    "lw zero,0(a4)\\n.word 0x34002773",
    // The first result is waited for before the second instruction is slow, not meanwhile.
    "lw a3,0(sp)\\nrem a1,a1,a2\\nadd a1,a3,a3",
    "mul a3,a1,a2\\nlw a1,0(a4)\\nadd a1,a3,a3",
    // Operands of which nothing is made.
    "lw a3,0(sp)\\nsll zero,a3,a3",
    // Wrongly guessed, and yet the next one follows.
    "beq zero,zero,.+4",
    // The load is fetched again when its line is there; what it jumps to has evicted it by then.
    "lw a3,0(a4)\\nj .+4096",
    "lw a3,0(a4)\\nbeq zero,zero,.+4096-4",
];

/// A program that calls a function with these instructions 20 times.
///
/// They end each of its lines. A second function evicts those, and the lines that it loads.
pub(crate) fn program(words: &str) -> String {
    let count = words.matches("\\n").count() + 1;
    let function = |name: &str, data: &str, words: &str| {
        let before = 7 - count;
        format!(
            ".balign 4096\\n{name}: la a4,{data}\\n.balign 32\\n.rept 8\\naddi a4,a4,32\\n\
             .rept {before}\\nnop\\n.endr\\n{words}\\n.endr\\nret\\n"
        )
    };
    let evicting = ["lw a5,0(a4)"].into_iter().chain(vec!["nop"; count - 1]).collect::<Vec<_>>().join("\\n");
    let (slow, other) = (function("slow", "data", words), function("other", "data+4096", &evicting));
    format!(
        "void slow(void);\nvoid other(void);\nint prepare(int input) {{ return input < 2; }}\n\
         void run(void) {{ for (int i = 0; i < 20; i++) {{ slow(); other(); }} }}\n\
         __asm__(\"{slow}{other}.rept 16\\nnop\\n.endr\\n.bss\\n.balign 4096\\ndata: .space 8192\\n.text\\n\");\n"
    )
}
