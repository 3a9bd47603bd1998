//! Programs in C, made by chance, of functions that call themselves or others.
//!
//! Each function is called with a depth, of which every call within takes at least
//! one away: so they end, and how deep they come, how many calls there are in all and
//! how often their loops iterate depends on inputs. Some may be put into one another by
//! compilers, some keep numbers in their frames or look into those of their callers,
//! some call in loops, some only under conditions. In some programs the first call alone
//! shows its frame to all, so that nothing sums it up but those within it.

use std::fmt::Write;
use std::ops::Range;

use fusee_testing::Draw;
use fusee_testing::programs::PRINTED_COUNTS;

/// Inputs of each program.
pub(crate) const INPUTS: u64 = 4;
/// Functions of a program at most.
const FUNCTIONS: u64 = 3;

/// The input that says how deep calls come.
const DEPTH: u64 = 2;

/// The number by which a function knows that it is the first one.
const FIRST: u64 = 77;

/// Returns the source of programs with these numbers, and of what measures them.
pub(crate) fn source(ids: Range<u64>) -> String {
    let mut text = PRINTED_COUNTS.to_owned();
    let mut main = "void measure_all(void)\n{\n".to_owned();
    for id in ids {
        text += &Writer::of(id).program();
        let _ = writeln!(
            main,
            "    for (int i = 0; i < {INPUTS}; i++) {{ prepare_{id}(i); number(count(run_{id})); }}"
        );
    }
    text + &main + "}\n"
}

struct Writer {
    draw: Draw,
    id: u64,
    /// `true` if the first call, and no other, shows its frame to all.
    shows_first: bool,
    /// `true` if calls are given places in the frames of their callers.
    lends_frames: bool,
    functions: u64,
    text: String,
}

impl Writer {
    fn of(id: u64) -> Self {
        let mut draw = Draw::of(id, 0xdee9);
        let functions = 1 + draw.below(FUNCTIONS);
        let (shows_first, lends_frames) = (draw.below(3) == 0, draw.below(3) == 0);
        Self { draw, id, shows_first, lends_frames, functions, text: String::new() }
    }

    fn program(mut self) -> String {
        self.inputs();
        for function in 0..self.functions {
            let kept = if self.draw.below(2) == 0 { "__attribute__((noinline)) " } else { "" };
            self.line(&format!("static {kept}int f{function}_@(int depth, int x, int y, int *p);"));
        }
        (0..self.functions).for_each(|function| self.function(function));
        self.run();
        self.text
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&line.replace('@', &self.id.to_string()));
        self.text.push('\n');
    }

    fn inputs(&mut self) {
        self.line("static int in_@[4], array_@[16], out_@;\nint *frame_@;");
        self.line("__attribute__((noinline)) void prepare_@(int input)\n{");
        for slot in 0..4 {
            let any = [-1i64, 0, 1, 2, 3, 7, 100, 1 << 30];
            let deep = [1, 2, 3, 4, 5, 5, 6, 6];
            let chosen = if slot == DEPTH { deep } else { any };
            let values: Vec<String> =
                (0..INPUTS).map(|_| chosen[self.draw.below(8) as usize].to_string()).collect();
            let values = values.join(", ");
            self.line(&format!("    static const int values_{slot}[] = {{{values}}};"));
            self.line(&format!("    in_@[{slot}] = values_{slot}[input];"));
        }
        let (factor, step) = (self.draw.below(9) as i64 - 4, self.draw.below(50));
        self.line(&format!(
            "    for (int i = 0; i < 16; i++) array_@[i] = (i * {factor} + {step}) ^ \
             in_@[i & 3];\n}}"
        ));
    }

    fn function(&mut self, function: u64) {
        self.line(&format!("static int f{function}_@(int depth, int x, int y, int *p)\n{{"));
        let more = match self.draw.below(3) {
            0 => format!(" || {}", self.condition()),
            _ => String::new(),
        };
        let end = self.expression();
        self.line(&format!("    if (depth <= 0{more}) return {end};"));
        if self.draw.below(2) == 0 {
            self.line("    int own = x + depth;");
        } else {
            self.line("    int kept[4] = {x, y, depth, 1}, own = y;");
            self.line("    p = &kept[x & 3];");
        }
        if self.shows_first {
            self.line(&format!("    if (y == {FIRST}) frame_@ = &own;"));
        }
        let calls = self.draw.below(2) + 1;
        for _ in 0..calls {
            self.statement();
            self.call();
        }
        if self.draw.below(2) == 0 {
            self.statement();
        }
        let end = self.expression();
        self.line(&format!("    return own + *p + {end};\n}}"));
    }

    /// A call of any function, one less deep at least.
    fn call(&mut self) {
        let callee = self.draw.below(self.functions);
        let less = 1 + self.draw.below(2);
        let (x, y) = (self.expression(), self.expression());
        let y = if self.shows_first { format!("{y} & 31") } else { y };
        let given = match self.lends_frames {
            true => self.draw.one_of(&["p", "&own", "array_@"]),
            false => "array_@",
        };
        let call = format!("f{callee}_@(depth - {less}, {x}, {y}, {given})");
        match self.draw.below(6) {
            0 => {
                let condition = self.condition();
                self.line(&format!("    if ({condition}) own ^= {call};"));
            }
            1 => self.line(&format!("    for (int k = 0; k < 2; k++) y += {call};")),
            2 => {
                let condition = self.condition();
                self.line(&format!("    y = {condition} ? {call} : x + 1;"));
            }
            _ => self.line(&format!("    x -= {call};")),
        }
    }

    fn statement(&mut self) {
        let (value, place) = (self.expression(), self.expression());
        match self.draw.below(6) {
            0 => self.line(&format!("    array_@[({place}) & 15] = {value};")),
            1 => self.line(&format!("    x += array_@[({place}) & 15];")),
            2 => self.line("    for (int i = 0; i < depth; i++) x += array_@[i & 15] ^ y;"),
            3 => self.line(&format!(
                "    for (int i = ({value}) & 7; i > 0; i--) {{ own += i; array_@[i] ^= x; }}"
            )),
            4 => self.line(&format!(
                "    for (int i = 0; i < in_@[{DEPTH}]; i++)\n        for (int j = i; j < \
                 in_@[{DEPTH}]; j++) own -= array_@[j & 15] + i;"
            )),
            _ => self.line(&format!("    *p += {value};")),
        }
    }

    fn expression(&mut self) -> String {
        let (left, right) = (self.draw.one_of(&["x", "y", "depth"]), self.draw.one_of(&["x", "y"]));
        let number = self.draw.below(60);
        match self.draw.below(6) {
            0 => format!("(int)((unsigned){left} + (unsigned){right})"),
            1 => format!("({left} ^ {right})"),
            2 => format!("(int)((unsigned){left} * {number}u)"),
            3 => format!("({left} >> {})", number % 31),
            4 => format!("({left} < {right} ? {left} : {right})"),
            _ => format!("({left} & {number})"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, operator) = (self.expression(), self.draw.one_of(&["<", ">=", "!=", ">"]));
        let right = self.draw.below(20);
        format!("({left} {operator} {right})")
    }

    fn run(&mut self) {
        self.line("__attribute__((noinline)) void run_@(void)\n{\n    int own = in_@[3];");
        for _ in 0..1 + self.draw.below(2) {
            let function = self.draw.below(self.functions);
            let depth = match self.draw.below(4) {
                0 => (2 + self.draw.below(3)).to_string(),
                _ => format!("in_@[{DEPTH}]"),
            };
            let given = if self.lends_frames { "&own" } else { "array_@" };
            let y = if self.shows_first { FIRST.to_string() } else { "in_@[1]".to_owned() };
            self.line(&format!("    own += f{function}_@({depth}, in_@[0], {y}, {given});"));
        }
        self.line("    out_@ = own;\n}");
    }
}
