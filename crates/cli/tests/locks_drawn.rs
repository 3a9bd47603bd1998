//! Drawn systems with locks that are components, booted: no bound exceeded.
//!
//! They are written as descriptions; tasks and their server are stubs that execute their times and
//! ask for locks where their lists say so, and the locks are those that come with Fusee. Where the
//! locks are optimistic, words of their client's, the server is code that its attributes drive. In
//! each second system sections of other locks are within each other, and in some gates that let one
//! thread in are within sections, or around them.
//! `BOOTED_LOCKS` says how many; then the seed is a fresh one, unless `BOOTED_SEED` gives it.
//! `BOOTED_FIRST` is the first one's number, so that a single one can be run again.

use std::fmt::Write;
use std::path::Path;

use fusee_generate::Random;
use fusee_measure::locks::{GROUPINGS, placed};
use fusee_testing::{Drawn, Tool};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// In `make test`.
const FEW: u64 = 3;
/// Their seed: in the first of them an urgent task waits for a whole section.
const SEED: u64 = 3;

/// The methods of the server that all tasks call.
const METHODS: u64 = 4;

/// Lists of calls as a description has them.
#[derive(Default)]
struct List(Vec<String>);

impl List {
    fn time(&mut self, random: &mut Random, most: u64) {
        self.0.push(format!("\"{} ns\"", random.between(500, most.max(600))));
    }

    fn text(&self) -> String {
        format!("[{}]", self.0.join(", "))
    }
}

/// The ranges of drawn times.
#[derive(Clone, Copy)]
struct Times {
    /// The longest execution between calls, of the most urgent task and of the others, in
    /// nanoseconds.
    outside: (u64, u64),
    /// The longest section of each method, in nanoseconds: urgent tasks call the first.
    sections: [u64; METHODS as usize],
    /// The longest period, in microseconds.
    period: u64,
    /// `true` if all come close behind each other, the more urgent ones later.
    burst: bool,
}

/// Nobody takes long but for less urgent ones in their sections.
const HELD: Times = Times {
    outside: (2_000, 100_000),
    sections: [1_000, 10_000, 200_000, 400_000],
    period: 8_000,
    burst: false,
};
/// Next to nothing but locks, and everybody wants one at once.
const CROWD: Times =
    Times { outside: (600, 600), sections: [600, 600, 600, 9_000], period: 1_000, burst: true };

/// Draws the body of a method: perhaps something, and a section or two, one after the other,
/// perhaps with another one within each.
fn method(random: &mut Random, (locks, nests): (u64, bool), longest: u64) -> List {
    let mut list = List::default();
    for _ in 0..random.between(1, 2) {
        let lock = random.below(locks);
        list.0.push(format!("\"lock locks.{lock}\""));
        list.time(random, longest);
        if nests && lock + 1 < locks {
            let inner = random.between(lock + 1, locks - 1);
            list.0.push(format!("\"lock locks.{inner}\""));
            list.time(random, longest);
            list.0.push(format!("\"unlock locks.{inner}\""));
        }
        list.0.push(format!("\"unlock locks.{lock}\""));
        if random.chance(30) {
            list.time(random, 1_000);
        }
    }
    list
}

/// Gates that let one thread in.
#[derive(Debug, Clone, Copy)]
struct Gates {
    /// The protocol of the server, around its sections; none: it lets all in.
    server: Option<&'static str>,
    /// The protocol of the bus, which is called within sections.
    bus: &'static str,
}

impl Gates {
    fn of(random: &mut Random) -> Self {
        let mut protocol = || ["inherited", "inherited", "fixed"][random.below(3) as usize];
        let (server, bus) = (protocol(), protocol());
        Gates { server: random.chance(60).then_some(server), bus }
    }
}

/// Perhaps a call of the bus.
fn ride(random: &mut Random, share: u32) -> Option<String> {
    random.chance(share).then(|| format!("\"bus.m{}\"", random.below(METHODS)))
}

/// A list with calls of the bus at the ends of sections.
fn with_rides(random: &mut Random, list: List) -> List {
    let mut all = List::default();
    for entry in list.0 {
        let ends = entry.starts_with("\"unlock");
        all.0.extend(ride(random, 50).filter(|_| ends));
        all.0.push(entry);
    }
    all
}

/// The server with words: each method takes two locks at most, one after the other.
const WORDS: &str = r"
#include <camkes.h>
#include <fusee.h>
#include <fusee/olock.h>

FUSEE_OPTIMISTIC(locks)

static uint32_t words[3];

static void section(int lock, int time)
{
    if (time > 0) {
        locks_lock(&words[lock], lock);
        fusee_compute(time);
        locks_unlock(&words[lock], lock);
    }
}

#define METHOD(m) \
    void calls_m##m(void) \
    { \
        section(lock_##m##_0, time_##m##_0); \
        section(lock_##m##_1, time_##m##_1); \
    }
METHOD(0)
METHOD(1)
METHOD(2)
METHOD(3)
";

/// The time of the code between the calls of the server with words, in nanoseconds: each time is so
/// much longer in the description than in its attributes.
const BETWEEN: u64 = 100;

/// Attributes of the server with words for a method's sections, and its list.
fn driven(server: &str, at: usize, sections: &[(u64, u64)]) -> Vec<String> {
    let mut list = List(vec![format!("\"{} ns\"", 3 * BETWEEN)]);
    let mut lines = Vec::new();
    for (number, (lock, time)) in sections.iter().enumerate() {
        lines.push(format!("{server}.lock_{at}_{number} = {lock}"));
        lines.push(format!("{server}.time_{at}_{number} = {time}"));
        list.0.push(format!("\"lock locks.{lock}\""));
        list.0.push(format!("\"{} ns\"", time + BETWEEN));
        list.0.push(format!("\"unlock locks.{lock}\""));
        list.0.push(format!("\"{BETWEEN} ns\""));
    }
    lines.push(format!("{server}.calls_m{at}_calls = {}", list.text()));
    lines
}

/// Draws the job of a task, and its end; the first is the least urgent.
fn job(
    random: &mut Random,
    (task, tasks): (u64, u64),
    times: Times,
    last: Option<String>,
) -> Vec<String> {
    let urgent = task + 1 == tasks;
    let longest = if urgent { times.outside.0 } else { times.outside.1 };
    let called = if task == 0 { METHODS - 1 } else { random.below(METHODS - 1) };
    let mut list = List::default();
    list.time(random, longest);
    list.0.push(format!("\"calls.m{}\"", if urgent { 0 } else { called }));
    if random.chance(50) {
        list.time(random, longest);
    }
    let period = random.between(times.period / 4, times.period);
    // Behind the begin of the least urgent one's section, as far as that can be told.
    list.0.extend(last);
    let (period, offset) = match times.burst {
        true => (times.period, 1_500 + random.below(6_000) + task * 200),
        false => (period, random.below(period * 1000)),
    };
    let offset = if times.burst && task == 0 { 0 } else { offset };
    vec![
        format!("period = \"{period} us\""),
        format!("offset = \"{offset} ns\""),
        format!("priority = {}", 10 + task),
        format!("calls = {}", list.text()),
    ]
}

/// System `index` of `seed`: tasks that call a server, whose methods ask for locks.
fn drawn(seed: u64, index: u64) -> String {
    let random = &mut Random::new(seed, index);
    let asked = ["pessimistic", "ceiling"][random.below(2) as usize];
    let kind = if index % 3 == 2 { "optimistic" } else { asked };
    let (grouping, _) = GROUPINGS[random.below(3) as usize];
    let with_words = kind == "optimistic";
    let place = placed(kind, grouping, if with_words { "Words server" } else { "Server server" });
    let times = if random.chance(50) { HELD } else { CROWD };
    let tasks = random.between(2, 6);
    // Of their own, so that all else is drawn as without them.
    let extra = &mut Random::new(seed ^ 0x6a7e, index);
    let gates = (!with_words && matches!(index % 4, 1 | 2)).then(|| Gates::of(extra));
    let (mut instances, mut ends, mut settings) = (place.text, String::new(), String::new());
    let mut set = |line: String| settings += &format!("        {line};\n");
    for task in 0..tasks {
        let _ = write!(instances, "\n        component Job job{task};");
        let _ = write!(ends, "from job{task}.calls, ");
        let last = gates.and_then(|_| ride(extra, 50));
        for line in job(random, (task, tasks), times, last) {
            set(format!("job{task}.{line}"));
        }
    }
    let locks = if times.burst { 1 } else { random.between(1, 3) };
    let nests = index % 2 == 1;
    for (at, &longest) in times.sections.iter().enumerate() {
        if with_words {
            let section =
                |random: &mut Random| (random.below(locks), random.between(500, longest.max(600)));
            let sections: Vec<_> = (0..random.between(1, 2)).map(|_| section(random)).collect();
            driven("server", at, &sections).into_iter().for_each(&mut set);
        } else {
            let list = method(random, (locks, nests), longest);
            let list = if gates.is_some() { with_rides(extra, list) } else { list };
            set(format!("server.calls_m{at}_calls = {}", list.text()));
        }
    }
    if let Some(gates) = gates {
        let mut ends: Vec<String> = (0..tasks).map(|task| format!("from job{task}.bus")).collect();
        ends.push(format!("from {}.bus", place.client));
        instances += "\n        component Bus bus;\n        connection seL4RPCCall b(";
        instances += &format!("{}, to bus.calls);", ends.join(", "));
        set(format!("bus.calls_priority_protocol = \"{}\"", gates.bus));
        for (at, &longest) in times.sections.iter().enumerate() {
            let mut list = List::default();
            list.time(extra, longest / 4);
            set(format!("bus.calls_m{at}_calls = {}", list.text()));
        }
    }
    if kind == "ceiling" {
        (0..locks).for_each(|lock| set(format!("keeper.ceiling_{lock} = 15")));
    }
    // What the code of locks takes at most with so few tasks.
    for (interface, time) in [("keeper.locks", "500 ns"), ("scheduler.scheduling", "250 ns")] {
        set(format!("{interface}_wcet = \"{time}\""));
    }
    for interface in ["keeper.locks", "scheduler.scheduling"] {
        set(format!("{interface}_priority_protocol = \"propagated\""));
    }
    let around = gates.and_then(|gates| gates.server).unwrap_or("propagated");
    set(format!("server.calls_priority_protocol = \"{around}\""));
    let methods: String = (0..METHODS).map(|at| format!(" void m{at}();")).collect();
    let attributes: String = (0..METHODS)
        .flat_map(|method| [(method, 0), (method, 1)])
        .map(|(m, n)| format!(" attribute int lock_{m}_{n} = 0; attribute int time_{m}_{n} = 0;"))
        .collect();
    let bus = if gates.is_some() { " uses Calls bus;" } else { "" };
    let ends = format!("c({}, to {}.calls)", ends.trim_end_matches(", "), place.client);
    format!(
        "import <std_connector.camkes>;\nimport <fusee/locks.camkes>;\n\
         procedure Calls {{{methods} }};\n\
         component Bus {{ provides Calls calls; }}\n\
         component Server {{ provides Calls calls; uses Locking locks;{bus} }}\n\
         component Words {{ provides Calls calls; uses OptimisticLocking locks;{attributes} }}\n\
         component Job {{ control; uses Calls calls;{bus} }}\n\
         assembly {{\n    composition {{\n        {instances}\n        \
         connection seL4RPCCall {ends};\n    }}\n    configuration {{\n{settings}    }}\n}}\n"
    )
}

/// Boots so many of them, if nothing else is asked for.
fn hold(platform: &'static str, few: u64) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("locks-drawn-{platform}"));
    let code = &[("Words", WORDS)];
    let count = "BOOTED_LOCKS";
    Drawn { platform, count, few, seed: SEED, draw: drawn, code }.hold(FUSEE, &folder);
}

#[test]
fn drawn_systems_with_lock_components_keep_their_bounds() {
    hold("qemu-rv64", FEW);
}

#[test]
fn drawn_systems_with_lock_components_keep_their_bounds_on_32_bits() {
    hold("qemu-rv32", 1);
}
