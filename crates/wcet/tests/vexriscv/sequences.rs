//! Programs of instructions that wait for each other, drawn by number.
//!
//! Compilers write a few patterns again and again. Here every instruction that
//! keeps a stage of the pipeline stands in front of every other one sooner or
//! later, at any place of a line, with lines that are missing behind them.

use fusee_testing::Draw;

/// Returns the program of a number: `measure_all` runs `run` twice.
///
/// Only odd ones have instructions for which the model knowingly takes too long: they would hide
/// what it takes too little for.
pub(crate) fn program(id: u64) -> String {
    drawn(id, kinds(id), Form::Alone)
}

/// One that also forgets translations, here and there.
pub(crate) fn forgetting(id: u64) -> String {
    drawn(id, EXACT_KINDS + 2, Form::Forgetting)
}

/// One for the user of a kernel, with up to four pages of code and four of data.
///
/// Odd ones have all kinds of instructions, and words behind returns that are none. Some make no
/// call: little but what preemptions cost is above what they take.
pub(crate) fn paged(id: u64) -> String {
    let (draw, kinds) = (Draw::of(id, 13), kinds(id));
    let form = if is_cold(id) && id % 8 >= 4 { Form::Preempted } else { Form::Paged };
    let mut sequence = Sequence { draw, kinds, form, text: String::from(USER) };
    let parts = sequence.draw.below(3);
    let pages = 1 + sequence.draw.below(4);
    sequence.user(parts, pages);
    for leaf in 0..LEAVES {
        sequence.leaf(leaf);
    }
    for part in 0..parts {
        sequence.part(part, pages);
    }
    sequence.traps(id);
    sequence.text
}

/// Returns `true` if nothing is left in caches behind any trap of a program, as its bound takes for
/// granted.
pub(crate) fn is_cold(id: u64) -> bool {
    (id / 8).is_multiple_of(2)
}

/// Returns `true` if a program has nothing for which the model knowingly takes too long.
pub(crate) fn is_exact(id: u64) -> bool {
    id.is_multiple_of(2)
}

/// Returns the number of kinds of plain instructions of a program.
fn kinds(id: u64) -> u64 {
    if is_exact(id) { EXACT_KINDS } else { ALL_KINDS }
}

fn drawn(id: u64, kinds: u64, form: Form) -> String {
    let draw = Draw::of(id, 11);
    let mut sequence = Sequence { draw, kinds, form, text: String::from(START) };
    sequence.run();
    for leaf in 0..LEAVES {
        sequence.leaf(leaf);
    }
    sequence.text + END
}

/// The place where a program runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With the core for itself.
    Alone,
    /// The same, and behind the exact kinds of instructions are two that forget translations.
    Forgetting,
    /// On a kernel, which it calls.
    Paged,
    /// On a kernel that it does not call, in loops that use all that they have again and again.
    Preempted,
}

impl Form {
    /// Returns `true` if a kernel is above it.
    fn has_kernel(self) -> bool {
        matches!(self, Form::Paged | Form::Preempted)
    }
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

const USER: &str = "\
.text
.balign 4096
.globl user_begins, user_ends, run
user_begins:
";

struct Sequence {
    draw: Draw,
    /// The number of kinds of plain instructions.
    kinds: u64,
    form: Form,
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

    /// A user's `run`, with so many parts and pages of data.
    fn user(&mut self, parts: u64, pages: u64) {
        self.text += &nops(self.draw.below(8));
        self.text += "run: li a7,0\n";
        for block in 0..2 + self.draw.below(3) {
            self.point(pages);
            self.block(block);
            if parts > 0 {
                self.text += &format!("call part{}\n", self.draw.below(parts));
            }
        }
        self.text += "li s11,2\necall\n";
        self.text += &nops(16);
    }

    /// Writes the part on another page.
    fn part(&mut self, part: u64, pages: u64) {
        self.text += ".balign 4096\n";
        self.text += &nops(self.draw.below(40));
        self.text += &format!("part{part}: mv s3,ra\n");
        self.point(pages);
        self.block(100 + part);
        // What stands behind a return is decoded, and may lead anywhere.
        let behind = match self.kinds {
            EXACT_KINDS => "",
            _ => self.draw.one_of(&["", ".word 0xffffffff\n", ".word 0x0200006f\n"]),
        };
        self.text += &format!("jr s3\n{behind}{}", nops(16));
    }

    /// Chooses two of the pages of data.
    fn point(&mut self, pages: u64) {
        for register in ["s0", "s1"] {
            self.text += &format!("la {register},data+{}\n", 4096 * self.draw.below(pages));
        }
    }

    /// Writes the kernel's traps, and the program's end.
    fn traps(&mut self, id: u64) {
        self.text += ".balign 4096\nuser_ends:\n.data\n.balign 4\n.globl draws, preemptions\n";
        let preemptions = if self.form == Form::Preempted { 8 } else { self.draw.below(9) };
        self.text += &format!("preemptions: .word {preemptions}\ndraws:\n");
        for _ in 0..64 {
            let done = if is_cold(id) { 7 } else { self.draw.below(8) };
            let later = 100 + self.draw.below(2_000);
            self.text += &format!(".word {}\n", later << 16 | done);
        }
        self.text += ".bss\n.balign 4096\ndata: .space 16384\n";
    }

    fn leaf(&mut self, leaf: u64) {
        self.text += &nops(self.draw.below(8) + 2);
        self.text += &format!("leaf{leaf}:\n");
        for _ in 0..self.draw.below(4) {
            let plain = self.plain();
            // Which page a function is called with may be known where it is called only.
            if !self.form.has_kernel() || !plain.contains("(s") {
                self.text += &plain;
            }
        }
        self.text += "ret\n";
    }

    /// Some instructions, maybe in a loop.
    fn block(&mut self, block: u64) {
        let iterations = match self.form {
            Form::Preempted => 20 + self.draw.below(20),
            _ => 1 + self.draw.below(3),
        };
        self.text += &format!("li s2,{iterations}\nblock{block}:\n");
        for at in 0..4 + self.draw.below(16) {
            let any = self.any(block, &format!("far{block}_{at}"));
            self.text += &any;
        }
        self.text += &format!("addi s2,s2,-1\nbnez s2,block{block}\n");
        if self.draw.below(4) == 0 && !self.form.has_kernel() {
            // Lines behind it evict those before it.
            self.text += &format!("j next{block}\n.rept 1000\nnop\n.endr\nnext{block}:\n");
        }
    }

    /// An instruction of a block, or a jump over a few.
    fn any(&mut self, block: u64, far: &str) -> String {
        let hops = nops(self.draw.below(3));
        match self.draw.below(20) {
            0..2 if self.form == Form::Paged => "li s11,1\necall\n".to_owned(),
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
        if self.form == Form::Forgetting && kind >= EXACT_KINDS {
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
            // csrr of mscratch into a4, which a user may not do.
            16 if !self.form.has_kernel() => ".word 0x34002773\n".to_owned(),
            15 | 16 => "fence\n".to_owned(),
            17 => format!("amoadd.w {target},{left},(s0)\n"),
            _ => format!("lr.w {target},(s0)\nsc.w {left},{right},(s0)\n"),
        }
    }
}

fn nops(count: u64) -> String {
    "nop\n".repeat(count as usize)
}
