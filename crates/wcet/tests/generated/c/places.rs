//! Programs in C with places of their own: tables, structures and pointers.
//!
//! What decides how long they take is in local memory and is written there in
//! every way that C has: at indices that depend on the input, through pointers
//! that are kept in local and global tables and in structures, by callees, by
//! copies word for word and byte for byte, by whole structures. All indices are
//! masked and every loop has an end whatever the numbers are, so the programs are
//! defined and end; an analysis that misses one of these stores has a bound below a run.

use super::Writer;

/// The text that all programs of a file share.
pub(super) const SHARED: &str = "\
struct box {
    int value; unsigned char few, rounds, more[2]; int *at; int table[4]; struct box *next;
};
typedef unsigned long __attribute__((may_alias)) word;
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (((__SIZE_TYPE__)t & (sizeof(word) - 1)) == 0
        && ((__SIZE_TYPE__)f & (sizeof(word) - 1)) == 0)
        for (; size >= sizeof(word); size -= sizeof(word), t += sizeof(word), f += sizeof(word))
            *(word *)t = *(const word *)f;
    while (size--) *t++ = *f++;
    return to;
}
void *memset(void *to, int value, __SIZE_TYPE__ size)
{
    unsigned char *t = to;
    while (size--) *t++ = (unsigned char)value;
    return to;
}
#ifdef __arm__
#define COPY(name) void name(void *to, const void *from, unsigned size) { memcpy(to, from, size); }
#define FILL(name) void name(void *to, unsigned size, int value) { memset(to, value, size); }
#define CLEAR(name) void name(void *to, unsigned size) { memset(to, 0, size); }
COPY(__aeabi_memcpy) COPY(__aeabi_memcpy4) COPY(__aeabi_memcpy8)
FILL(__aeabi_memset) FILL(__aeabi_memset4) FILL(__aeabi_memset8)
CLEAR(__aeabi_memclr) CLEAR(__aeabi_memclr4) CLEAR(__aeabi_memclr8)
#endif
";

/// Functions that are given places, or find them in globals; `$` is an operator.
const HELPERS: &str = "\
static int *kept_@[4];
static struct box *held_@;
static __attribute__((noinline)) int through_@(int *p, int v)
{
    int sum = v;
    *p $= v;
    for (int i = 0; i < (*p & 7); i++) sum ^= i;
    return sum;
}
static __attribute__((noinline)) void stir_@(int v)
{
    *kept_@[v & 3] $= v;
    if (v & 8) kept_@[v >> 2 & 3] = kept_@[v & 1];
}
static __attribute__((noinline)) int turn_@(struct box *p, int v)
{
    for (unsigned i = 0; i < p->few; i++) p->table[i & 3] += v;
    p->few = v & 7;
    p->rounds = v & 7;
    *p->at $= v;
    return p->value;
}
static __attribute__((noinline)) int weigh_@(struct box b, int v)
{
    int sum = 0;
    b.table[v & 3] = b.value;
    for (int i = 0; i < b.rounds; i++) sum += b.table[i & 3];
    return sum;
}
static __attribute__((noinline)) struct box made_@(struct box b, int v)
{
    b.value ^= v;
    b.rounds = v & 7;
    b.table[v & 3] = v;
    return b;
}
static __attribute__((noinline)) void spread_@(int *to, const int *from, int n)
{
    for (int i = 0; i < n; i++) *to++ = *from++;
}
static __attribute__((noinline)) void bytes_@(void *to, const void *from, unsigned n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((((__SIZE_TYPE__)t | (__SIZE_TYPE__)f) & 3) == 0)
        for (; n >= 4; n -= 4, t += 4, f += 4) *(int *)t = *(const int *)f;
    while (n--) *t++ = *f++;
}
static __attribute__((noinline)) int nested_@(int *p, int *q, int v)
{
    int own[4] = {3, 1, 4, 1}, sum = 0;
    int *to[3] = {p, q, &own[1]};
    *to[(unsigned)v % 3] = v & 7;
    for (int i = 0; i < (own[1] & 7); i++) sum += i ^ *p;
    return sum;
}
static __attribute__((noinline)) int chain_@(int depth, int *p)
{
    int own = depth;
    if (depth <= 0) return *p;
    int sum = chain_@(depth - 1, depth & 1 ? &own : p);
    *p += 1;
    return sum $ own;
}
";

/// The places of a program.
const PLACES: [&str; 8] = [
    "int k0 = c, k1 = 3;",
    "int t[8], u[8];",
    "int rounds[4] = {4, 2, 7, 1};",
    "unsigned char narrow[16] = {1, 2, 3, 4, 5, 6, 7, 8};",
    "int grid[4][4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};",
    "struct box x, y, z[4];",
    "struct node list[4];",
    "int &limits[2] = {&rounds[0], &rounds[2]};",
];

/// The beginning of each program.
const BEGIN: &str = "    int &ways[4] = {&k0, &t[1], &k1, &t[5]};
    for (int i = 0; i < 8; i++) t[i] = a ^ i, u[i] = i;
    for (int i = 0; i < 4; i++) {
        z[i] = (struct box){.value = b ^ i, .few = i, .rounds = 3, .at = &u[i],
                            .next = i < 3 ? &z[i + 1] : 0};
        list[i] = (struct node){d ^ i, i < 3 ? &list[i + 1] : 0};
        kept_@[i] = i & 1 ? &t[i] : &k1;
    }
    x = y = z[1];
    held_@ = &x;";

impl Writer {
    /// The functions that programs with places have.
    pub(super) fn place_helpers(&mut self) {
        let operator = self.draw.one_of(&["+", "^", "-"]);
        self.line(&HELPERS.replace('$', operator));
    }

    /// Declares the places, in an order by chance.
    pub(super) fn places(&mut self) {
        let first = self.draw.below(PLACES.len() as u64 - 1) as usize;
        // What a compiler cannot remember it must load.
        let pointer = self.draw.one_of(&["*", "*volatile "]);
        // The last ones point to others.
        let (last, others) = PLACES.split_last().expect("places");
        for place in others.iter().cycle().skip(first).take(others.len()).chain([last]) {
            self.line(&format!("    {}", pointers(place, pointer)));
        }
        self.line(&pointers(BEGIN, pointer));
    }

    /// An index by chance that is below a power of two.
    fn index(&mut self, size: u64) -> String {
        match self.draw.below(3) {
            0 => self.draw.below(size).to_string(),
            _ => format!("{} & {}", self.value(), size - 1),
        }
    }

    /// The name of a place that holds any number.
    fn spot(&mut self) -> String {
        match self.draw.below(9) {
            0 => "k0".to_owned(),
            1 => "k1".to_owned(),
            2 => format!("t[{}]", self.index(8)),
            3 => format!("u[{}]", self.index(8)),
            4 => "x.value".to_owned(),
            5 => format!("x.table[{}]", self.index(4)),
            6 => format!("z[{}].value", self.index(4)),
            7 => format!("grid[{}][{}]", self.index(4), self.index(4)),
            _ => format!("array_@[{}]", self.index(16)),
        }
    }

    fn structure(&mut self) -> String {
        match self.draw.below(4) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "(*held_@)".to_owned(),
            _ => format!("z[{}]", self.index(4)),
        }
    }

    /// A statement about places.
    pub(super) fn place_statement(&mut self, depth: u32) {
        let (variable, value) = (self.variable(), self.value());
        let spot = self.spot();
        let text = match self.draw.below(17) {
            0 => format!("{spot} = {variable};"),
            1 => format!("{variable} ^= {spot};"),
            2 => format!("*ways[{}] = {variable};", self.index(4)),
            3 => format!("{variable} ^= *ways[{}];", self.index(4)),
            4 => format!("{}[{}] = &{spot};", self.draw.one_of(&["ways", "kept_@"]), self.index(4)),
            5 => format!("{variable} = through_@(&{spot}, {value});"),
            6 => format!("stir_@({value}); {variable} ^= k1;"),
            7 => format!("{variable} ^= turn_@(&{}, {value});", self.structure()),
            8 => self.by_value(variable, &value),
            9 => return self.copy(),
            10 => return self.walk(variable),
            11 => {
                let other = self.spot();
                format!("{variable} ^= nested_@(&{spot}, &{other}, {value});")
            }
            12 => format!("{variable} ^= chain_@({}, &{spot});", 1 + self.draw.below(4)),
            13 => format!("narrow[{}] = (unsigned char){variable};", self.index(16)),
            _ => return self.rounds(depth, variable),
        };
        self.line(&format!("    {text}"));
    }

    fn by_value(&mut self, variable: &str, value: &str) -> String {
        let (one, other) = (self.structure(), self.structure());
        match self.draw.below(5) {
            0 | 1 => format!("{variable} ^= weigh_@({one}, {value});"),
            2 => format!("{one} = made_@({other}, {value});"),
            3 => format!("held_@ = &{one};"),
            _ => format!("{one} = {other};"),
        }
    }

    fn copy(&mut self) {
        let number = self.value();
        let (to, from) = (
            self.draw.one_of(&["t", "u", "grid[0]"]),
            self.draw.one_of(&["t + 4", "u", "x.table", "grid[1]"]),
        );
        let text = match self.draw.below(4) {
            0 => format!("spread_@({to}, {from}, {number} & 3);"),
            1 => format!("spread_@({to} + 1, {from}, 3);"),
            2 => format!("bytes_@({to}, {from}, 4 * sizeof(int));"),
            _ => format!("memcpy({to}, {from}, 3 * sizeof(int));"),
        };
        self.line(&format!("    {text}"));
    }

    /// Loops that go along a table or a list with a pointer.
    fn walk(&mut self, variable: &str) {
        let (index, number) = (self.index(8), self.value());
        let text = match self.draw.below(6) {
            0 => format!("for (int *p = t; p < t + 8; p++) {variable} ^= *p;"),
            1 => format!("for (int *p = &u[{index}]; p != u + 8; ) *p++ = {variable};"),
            2 => format!("for (int *p = t + 7; p > t + ({number} & 3); --p) {variable} += *p;"),
            3 => format!(
                "for (struct box *p = z; p < z + ({number} & 3); p++) p->rounds = {variable} & 7;"
            ),
            4 => format!(
                "for (struct box *p = &z[{}], *q = z + 4; p && q-- > z; p = p->next) {variable} ^= \
                 p->value;",
                self.draw.below(3)
            ),
            _ => format!(
                "list[{}].value = {variable};\n    for (struct node *p = list; p; p = p->next) \
                 {variable} += p->value;",
                self.index(4)
            ),
        };
        self.line(&format!("    {text}"));
    }

    /// Loops that go round as often as a place says, which may have been written.
    fn rounds(&mut self, depth: u32, variable: &str) {
        let value = self.value();
        let write = match self.draw.below(3) {
            0 => format!("rounds[{}] = {value} & 7;", self.index(4)),
            1 => format!("*limits[{}] = {value} & 7;", self.index(2)),
            _ => String::new(),
        };
        self.counters += 1;
        let i = format!("i{}", self.counters);
        let (slot, spot) = (self.draw.below(4), self.spot());
        let end = match self.draw.below(8) {
            0..3 => format!("rounds[{slot}]"),
            3 => format!("*limits[{}]", slot & 1),
            4 => format!("(narrow[{}] & 7)", self.index(16)),
            5 => format!("(int){}.few", self.structure()),
            6 => format!("(*ways[{slot}] & 7)"),
            _ => format!("({spot} & 7)"),
        };
        self.line(&format!("    {write}\n    for (int {i} = 0; {i} < {end}; {i}++) {{"));
        match depth {
            0 => self.line(&format!("    {variable} ^= t[{i} & 7] + {i};")),
            _ => self.block(depth.min(2) - 1),
        }
        self.line("    }");
    }
}

/// Declarations of pointers, written as those of numbers with `&` for the star.
fn pointers(text: &str, star: &str) -> String {
    text.replace("int &", &format!("int {star}"))
}
