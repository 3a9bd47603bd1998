//! Programs in C, made by chance, and the frame that measures all programs.
//!
//! They end by themselves on every input, and what decides how long they take is
//! in globals that `prepare` writes: counted, triangular, shifting and
//! data-dependent loops with early exits, switches, calls, recursion to a given
//! depth and to one that only a fact tells, arrays, a list that is linked and walked.
//! Programs with odd numbers have local places, too.

mod places;

use std::fmt::Write;

use fusee_testing::Draw;
use fusee_testing::programs::PRINTED_COUNTS;

/// Inputs of each program.
pub(crate) const INPUTS: u64 = 6;

struct Writer {
    draw: Draw,
    /// Number of the program.
    id: u64,
    /// Loop counters in use.
    counters: u32,
    text: String,
}

/// Returns the source of programs with these numbers.
pub(crate) fn source(ids: std::ops::Range<u64>) -> String {
    let shared = format!("struct node {{ int value; struct node *next; }};\n{}", places::SHARED);
    ids.fold(shared, |text, id| text + &program(id))
}

/// Returns the source that measures these programs.
pub(crate) fn frame(ids: std::ops::Range<u64>) -> String {
    let mut text = PRINTED_COUNTS.to_owned();
    let mut main = "void measure_all(void)\n{\n".to_owned();
    for id in ids {
        let _ = writeln!(
            text,
            "void prepare_{id}(int input);\nvoid run_{id}(void);\nvoid exact_{id}(void);"
        );
        let _ = writeln!(
            main,
            "    for (int i = 0; i < {INPUTS}; i++) {{ prepare_{id}(i); number(count(run_{id})); \
             }}\n    number(count(exact_{id}));"
        );
    }
    text + &main + "}\n"
}

fn program(id: u64) -> String {
    let mut writer = Writer { draw: Draw::of(id, 0x5eed), id, counters: 0, text: String::new() };
    writer.globals();
    writer.helpers();
    writer.run();
    let (exact, text) = (writer.draw.below(INPUTS), writer.text);
    format!(
        "{text}__attribute__((noinline)) void exact_{id}(void) {{ prepare_{id}({exact}); \
         run_{id}(); }}\n"
    )
}

impl Writer {
    fn line(&mut self, line: &str) {
        let id = self.id.to_string();
        self.text.push_str(&line.replace('@', &id));
        self.text.push('\n');
    }

    /// Returns `true` if the program has places of its own.
    fn has_places(&self) -> bool {
        self.id % 2 == 1
    }

    fn globals(&mut self) {
        self.line("static int in_@[4], array_@[16], out_@;\nstatic struct node nodes_@[6];");
        self.line("__attribute__((noinline)) void prepare_@(int input)\n{");
        for slot in 0..4 {
            let chosen = [-1, 0, 1, 7, 8, 100, 255, -100, 1 << 30].map(i64::from);
            let values: Vec<String> =
                (0..INPUTS).map(|_| chosen[self.draw.below(9) as usize].to_string()).collect();
            self.line(&format!(
                "    static const int values_{slot}[] = {{{}}};\n    in_@[{slot}] = \
                 values_{slot}[input];",
                values.join(", ")
            ));
        }
        let (factor, step) = (self.draw.below(9) as i64 - 4, self.draw.below(50));
        self.line(&format!(
            "    for (int i = 0; i < 16; i++) array_@[i] = (i * {factor} + {step}) \
                            ^ in_@[i & 3];\n}}"
        ));
    }

    fn helpers(&mut self) {
        self.line("static __attribute__((noinline)) int deep_@(int depth, int x)\n{");
        let operator = self.draw.one_of(&["+", "^", "-"]);
        self.line(&format!(
            "    if (depth <= 0) return x;\n    return deep_@(depth - 1, x * 3 + depth) {operator} \
             depth;\n}}"
        ));
        // The result is used in a way that keeps compilers from making a loop of it.
        self.line(
            "static __attribute__((noinline)) unsigned euclid_@(unsigned x, unsigned y)\n{\n    \
             if (y == 0) return x;\n    return (euclid_@(y, x % y) >> 1) ^ x;\n}",
        );
        self.line("static __attribute__((noinline)) int pick_@(int x, int y)\n{");
        let most = 3 + self.draw.below(6);
        self.line(&format!("    switch ((unsigned)x % {}u) {{", most + 2));
        for case in 0..most {
            let value = self.expression(&["x", "y"]);
            let way_out = if self.draw.below(4) == 0 { "y += 1;" } else { "break;" };
            self.line(&format!("    case {case}: y = {value}; {way_out}"));
        }
        self.line("    default: y ^= x;\n    }\n    return y;\n}");
        if self.has_places() {
            self.place_helpers();
        }
    }

    fn run(&mut self) {
        self.line(
            "__attribute__((noinline)) void run_@(void)\n{\n    int a = in_@[0], b = \
                   in_@[1], c = in_@[2], d = in_@[3];",
        );
        if self.has_places() {
            self.places();
        }
        let depth = if self.has_places() { 2 } else { 3 };
        for _ in 0..2 + self.draw.below(3) {
            self.statement(depth);
        }
        if self.has_places() {
            self.place_statement(2);
            self.line("    a += k0 + k1 + t[b & 7] + x.value + grid[c & 3][d & 3];");
        }
        self.line("    out_@ = a + b + c + d;\n}");
    }

    fn variable(&mut self) -> &'static str {
        self.draw.one_of(&["a", "b", "c", "d"])
    }

    /// An expression that overflows in a defined way.
    fn expression(&mut self, names: &[&str]) -> String {
        let (left, right) = (self.draw.one_of(names), self.draw.one_of(names));
        let number = self.draw.below(60);
        match self.draw.below(9) {
            0 => format!("(int)((unsigned){left} + (unsigned){right})"),
            1 => format!("(int)((unsigned){left} - {number}u)"),
            2 => format!("({left} ^ {right})"),
            3 => format!("(int)((unsigned){left} * {number}u)"),
            4 => format!("({left} >> {})", number % 31),
            5 => format!("({left} < {right} ? {left} : {right})"),
            6 => format!("(int)((unsigned){left} / (({right} & 15) + 1u))"),
            7 => format!("(signed char){left}"),
            _ => format!("({left} & {number})"),
        }
    }

    fn value(&mut self) -> String {
        self.expression(&["a", "b", "c", "d"])
    }

    fn condition(&mut self) -> String {
        let (left, operator) = (self.value(), self.draw.one_of(&["<", ">=", "==", "!=", ">"]));
        let kind = self.draw.one_of(&["(unsigned)", ""]);
        let right = self.draw.below(120);
        format!("{kind}{left} {operator} {right}")
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.draw.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if self.has_places() && self.draw.below(2) == 0 {
            return self.place_statement(depth);
        }
        let kind = if depth == 0 { self.draw.below(4) } else { self.draw.below(13) };
        let variable = self.variable();
        let value = self.value();
        match kind {
            0 => self.line(&format!("    {variable} = {value};")),
            1 => self.line(&format!("    array_@[{value} & 15] = {variable};")),
            2 => self.line(&format!("    {variable} += array_@[{value} & 15];")),
            3 => self.line(&format!("    {variable} = pick_@({variable}, {value});")),
            4 => {
                let depth = 1 + self.draw.below(5);
                self.line(&format!("    {variable} = deep_@({depth}, {variable});"));
            }
            5 | 6 => {
                let condition = self.condition();
                self.line(&format!("    if ({condition}) {{"));
                self.block(depth - 1);
                self.line("    } else {");
                self.block(depth - 1);
                self.line("    }");
            }
            7 => self.list(variable),
            8 => self.line(&format!(
                "    {variable} = (int)euclid_@((unsigned){variable} & 255, \
                                (unsigned){value} & 255);"
            )),
            _ => self.looping(depth),
        }
    }

    fn list(&mut self, variable: &str) {
        let length = 2 + self.draw.below(4);
        self.line(&format!("    for (int i = 0; i < {length}; i++) {{"));
        self.line(&format!("        nodes_@[i].value = {variable} + i;"));
        self.line(&format!(
            "        nodes_@[i].next = i == {} ? 0 : &nodes_@[i + 1];\n    }}",
            length - 1
        ));
        self.line(&format!(
            "    for (struct node *p = nodes_@; p; p = p->next) {variable} ^= p->value;"
        ));
    }

    fn looping(&mut self, depth: u32) {
        self.counters += 1;
        let (i, most) = (format!("i{}", self.counters), 1 + self.draw.below(7));
        let (variable, slot) = (self.variable(), self.draw.below(4));
        let head = match self.draw.below(5) {
            0 => format!("for (int {i} = 0; {i} < {most}; {i}++) {{"),
            1 => format!("for (int {i} = {most}; {i} > 0; {i}--) {{"),
            2 => format!("for (unsigned {i} = (unsigned){variable} & 63; {i}; {i} >>= 1) {{"),
            3 => format!("for (int {i} = 0, n = in_@[{slot}] & 7; {i} < n; {i}++) {{"),
            _ => format!(
                "for (int {i} = 0, n = in_@[{slot}] < 0 ? 0 : in_@[{slot}] > {most} ? {most} : \
                 in_@[{slot}]; {i} < n; {i}++) {{"
            ),
        };
        self.line(&format!("    {head}"));
        self.block(depth - 1);
        match self.draw.below(4) {
            0 => {
                let condition = self.condition();
                self.line(&format!("    if ({condition}) break;"));
            }
            1 => self.line(&format!(
                "    for (int j = 0; j < (int){i}; j++) {variable} += array_@[j & 15];"
            )),
            _ => self.line(&format!("    {variable} += (int){i};")),
        }
        self.line("    }");
    }
}
