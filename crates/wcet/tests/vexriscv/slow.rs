//! Code behind a slow instruction at a line's end; the next line is missing.

/// Instructions that keep a stage, and what waits for them.
pub(crate) const SLOW: [&str; 19] = [
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
    // So is a load behind a store, as soon as the line of what follows is there: nothing of that
    // hides behind the other load or the division.
    "lw a3,0(a4)\\nsw a3,0(a4)\\nlw a3,0(a4)\\nlw zero,32(a4)",
    "lw a3,0(a4)\\nsw a3,0(a4)\\nlw a3,0(a4)\\ndiv a3,a1,a2",
    // What it jumps to is loaded before its own line and after it.
    "lw a3,0(a4)\\nsw a3,0(a4)\\nlw a3,0(a4)\\nj .+4096",
    // `sfence.vma` and `csrw satp,zero` send fetching back to what follows, which is missing.
    ".word 0x12000073",
    ".word 0x18001073",
    "lw a3,0(a4)\\n.word 0x18001073\\n.word 0x12000073",
    "sw a3,0(a4)\\n.word 0x18001073\\nlw a3,0(a4)",
];

/// Returns a program that calls a function with these instructions 20 times.
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
    let evicting =
        ["lw a5,0(a4)"].into_iter().chain(vec!["nop"; count - 1]).collect::<Vec<_>>().join("\\n");
    let (slow, other) =
        (function("slow", "data", words), function("other", "data+4096", &evicting));
    format!(
        "void slow(void);\nvoid other(void);\nint prepare(int input) {{ return input < 2; }}\n\
         void run(void) {{ for (int i = 0; i < 20; i++) {{ slow(); other(); }} }}\n\
         __asm__(\"{slow}{other}.rept 16\\nnop\\n.endr\\n.bss\\n.balign 4096\\ndata: .space \
         8192\\n.text\\n\");\n"
    )
}

/// The sequences that take a cycle more than their instructions one by one.
pub(crate) const WAITING: [&str; 20] = [
    // A load is done again because of a store, and meanwhile the decoder waits, or all stages do.
    "sw a3,0(a4)\\nlw a3,0(a4)\\nmul a5,a1,a2\\nadd a5,a5,a5",
    "sw a3,0(a4)\\nlw a3,0(a4)\\nnop\\nmul a5,a1,a2\\nadd a5,a5,a5",
    "sw a3,0(a4)\\nlw a3,0(a4)\\ndiv a5,a1,a2",
    // The decoder waits on the wrong way, and there is one from each of the two.
    "sw a3,0(a4)\\nlw a3,0(a4)\\nbeq zero,zero,.+12\\nmul a5,a1,a2\\nadd a5,a5,a5",
    // The product is waited for although another result has replaced it.
    "mul a3,a1,a2\\nandi a3,a1,1\\nadd a5,a3,a3",
    "lw a3,0(a4)\\nli a3,1\\nbeqz a3,.+8\\nnop",
    // A fence; and `csrrw a5,mscratch,a5`, which waits for all before it, with and without somebody
    // who needs its result.
    "fence",
    "sw a3,0(a4)\\nfence\\nlw a3,0(a4)\\nadd a3,a3,a3",
    "mul a5,a1,a2\\nfence\\nadd a5,a5,a5",
    ".word 0x340797f3\\nnop",
    "lw a5,0(a4)\\n.word 0x340797f3\\nadd a5,a5,a5",
    "sw a3,0(a4)\\n.word 0x340797f3\\n.word 0x340797f3\\nlw a3,0(a4)",
    // What follows `sfence.vma` and `csrw satp,zero` is fetched again.
    ".word 0x12000073",
    ".word 0x18001073",
    ".word 0x18001073\\n.word 0x12000073",
    "lw a5,0(a4)\\n.word 0x12000073\\nadd a5,a5,a5",
    "lw a5,0(a4)\\n.word 0x18001073\\n.word 0x12000073\\nadd a5,a5,a5",
    "sw a3,0(a4)\\n.word 0x18001073\\n.word 0x12000073\\nlw a3,0(a4)",
    "mul a5,a1,a2\\n.word 0x12000073\\nmul a5,a5,a5\\nadd a5,a5,a5",
    "div a5,a1,a2\\n.word 0x18001073\\nj .+8\\nnop",
];

/// Returns a program that calls a function with these instructions 1,000 times; nothing is missing.
pub(crate) fn warm_program(words: &str) -> String {
    format!(
        "void leaf(void);\nint prepare(int input) {{ return input < 2; }}\n\
         void run(void) {{ for (int i = 0; i < 1000; i++) leaf(); }}\n\
         __asm__(\".balign 32\\nleaf: la a4,data\\nlw \
         zero,0(a4)\\nnop\\nnop\\nnop\\n{words}\\nnop\\nnop\\nret\\n\
         .rept 16\\nnop\\n.endr\\n.bss\\n.balign 32\\ndata: .space 32\\n.text\\n\");\n"
    )
}
