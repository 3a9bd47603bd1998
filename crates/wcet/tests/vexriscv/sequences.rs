//! Programs of instructions that wait for each other, drawn by number.
//!
//! Compilers write a few patterns again and again. Here every instruction that
//! keeps a stage of the pipeline stands in front of every other one sooner or
//! later, at any place of a line, with lines that are missing behind them.

use fusee_testing::Draw;

/// The program of a number: `measure_all` runs `run` twice.
///
/// Only odd ones have instructions for which the model knowingly takes too long: they would hide
/// what it takes too little for.
pub(crate) fn program(id: u64) -> String {
    drawn(id, if id % 2 == 1 { ALL_KINDS } else { EXACT_KINDS }, false)
}

/// One that also forgets translations, here and there.
pub(crate) fn forgetting(id: u64) -> String {
    drawn(id, EXACT_KINDS + 2, true)
}

fn drawn(id: u64, kinds: u64, forgets: bool) -> String {
    let draw = Draw::of(id, 11);
    let mut sequence = Sequence { draw, kinds, forgets, text: String::from(START) };
    sequence.run();
    for leaf in 0..LEAVES {
        sequence.leaf(leaf);
    }
    sequence.text + END
}

const LEAVES: u64 = 3;
const ALL_KINDS: u64 = 19;
const EXACT_KINDS: u64 = 15;

const START: &str = "\
.text
.globl run, measure_all
measure_all: addi sp,sp,-16
sw ra,12(sp)
la a0,run
call count
la a0,run
call count
lw ra,12(sp)
addi sp,sp,16
ret
.balign 32
";

const END: &str = "\
.balign 32
.rept 16
nop
.endr
.bss
.balign 4096
.globl data
data: .space 8192
";

struct Sequence {
    draw: Draw,
    /// How many kinds of plain instructions there are.
    kinds: u64,
    /// Whether those behind the exact kinds are the ones that forget translations.
    forgets: bool,
    text: String,
}

impl Sequence {
    fn run(&mut self) {
        self.text += &nops(self.draw.below(8));
        self.text += "run: addi sp,sp,-16\nsw ra,12(sp)\nla s0,data\nla s1,data+4096\nli a7,0\n";
        for block in 0..3 + self.draw.below(3) {
            self.block(block);
        }
        self.text += "lw ra,12(sp)\naddi sp,sp,16\nret\n";
    }

    fn leaf(&mut self, leaf: u64) {
        self.text += &nops(self.draw.below(8) + 2);
        self.text += &format!("leaf{leaf}:\n");
        for _ in 0..self.draw.below(4) {
            let plain = self.plain();
            self.text += &plain;
        }
        self.text += "ret\n";
    }

    /// Some instructions, maybe in a loop.
    fn block(&mut self, block: u64) {
        let iterations = 1 + self.draw.below(3);
        self.text += &format!("li s2,{iterations}\nblock{block}:\n");
        for at in 0..4 + self.draw.below(16) {
            let any = self.any(block, &format!("far{block}_{at}"));
            self.text += &any;
        }
        self.text += &format!("addi s2,s2,-1\nbnez s2,block{block}\n");
        if self.draw.below(4) == 0 {
            // Lines behind it evict those before it.
            self.text += &format!("j next{block}\n.rept 1000\nnop\n.endr\nnext{block}:\n");
        }
    }

    /// An instruction of a block, or a jump over a few.
    fn any(&mut self, block: u64, far: &str) -> String {
        let hops = nops(self.draw.below(3));
        match self.draw.below(20) {
            0..15 => self.plain(),
            15 => format!("call leaf{}\n", self.draw.below(LEAVES)),
            // The address is known; fetching does not know it.
            16 => format!("la t0,{far}\njr t0\n{hops}{far}:\n"),
            17 => format!("j {far}\n{hops}{far}:\n"),
            18 => format!("bltz a7,block{block}\n"),
            _ => format!("beq {0},{0},{far}\n{hops}{far}:\n", self.register()),
        }
    }

    fn register(&mut self) -> &'static str {
        self.draw.one_of(&["a0", "a1", "a2", "a3", "zero"])
    }

    /// An instruction behind which the next one follows.
    fn plain(&mut self) -> String {
        let (target, left, right) = (self.register(), self.register(), self.register());
        let (near, line) = (4 * self.draw.below(8), 32 * self.draw.below(60));
        let kind = self.draw.below(self.kinds);
        if self.forgets && kind >= EXACT_KINDS {
            // `sfence.vma`, and `csrw satp,zero`: both send fetching back to what follows.
            let words = [".word 0x12000073\n", ".word 0x18001073\n"];
            return words[(kind - EXACT_KINDS) as usize].to_owned();
        }
        match kind {
            0 => format!("add {target},{left},{right}\n"),
            1 | 2 => format!(
                "{} {target},{left},{right}\n",
                self.draw.one_of(&["div", "divu", "rem", "remu"])
            ),
            3 => format!("mul {target},{left},{right}\n"),
            4 => format!("sll {target},{left},{right}\n"),
            5 | 6 => format!("lw {target},{near}(s0)\n"),
            7 | 8 => format!("lw {target},{line}(s1)\n"),
            9 => format!("lw {target},{line}(s0)\n"),
            // No negative number, so a branch that asks for one is known not to be taken.
            10 => format!("lbu a7,{line}(s1)\n"),
            11 => format!("andi a7,{left},1\n"),
            12 => format!("sw {left},{near}(s0)\n"),
            13 => format!("sb {left},{line}(s1)\n"),
            14 => format!("bltz a7,.-{}\n", 4 * (1 + self.draw.below(2))),
            15 => "fence\n".to_owned(),
            // csrr of mscratch into a4.
            16 => ".word 0x34002773\n".to_owned(),
            17 => format!("amoadd.w {target},{left},(s0)\n"),
            _ => format!("lr.w {target},(s0)\nsc.w {left},{right},(s0)\n"),
        }
    }
}

fn nops(count: u64) -> String {
    "nop\n".repeat(count as usize)
}
