//! Programs that tests write: pragmas in sources, refusals, interrupts.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::program::Program;
use serde_json::Value;

use super::{codes, facts, json, scratch, wcet};

/// Returns a program of a test, linked, beside its source.
fn written(test: &str, code: &str, target: Target, level: &str) -> (PathBuf, PathBuf) {
    let source = scratch(&format!("{test}.c"));
    std::fs::write(&source, code).expect("a source");
    let elf = build_with(&[&source], &format!("{test}-{target:?}{level}"), target, level, &["-g"]);
    (source, elf)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

/// Lists in a list: nothing but the pragmas says how long they are.
const LISTS: &str = r#"
struct item { struct item *next; unsigned value; };
struct row { struct row *next; struct item *items; };
struct row *rows;
unsigned table[8];

unsigned total(void)
{
    unsigned sum = 0;
    _Pragma("loopbound min 0 max 3")
    for (struct row *row = rows; row; row = row->next) {
        struct item *item = row->items;
        _Pragma( "loopbound min 0 max 20" )
        while (item) {
            sum += item->value;
            item = item->next;
        }
    }
    #pragma loopbound min 8 max 8
    for (int i = 0; i < 8; i++)
        sum ^= table[i];
    return sum;
}

unsigned heads(void)
{
    unsigned found = 0;
    struct row *row = rows;
    _Pragma("loopbound min 1 max 5")
    do {
        found += row->items != 0;
        row = row->next;
    } while (row);
    return found;
}

void measure_all(void)
{
    total();
    heads();
}
"#;

#[test]
fn takes_bounds_of_loops_from_pragmas_in_sources() {
    let targets = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
    let levels = ["-O0", "-O1", "-O2", "-Os"];
    let cases = targets.into_iter().flat_map(|target| levels.map(|level| (target, level)));
    // There the compiler gives no line to the branch that decides the outer loop.
    for (target, level) in cases.filter(|case| *case != (Target::Aarch64, "-Os")) {
        let case = format!("{target:?} {level}");
        let (source, elf) = written("lists", LISTS, target, level);
        let source = text(&source);
        let entries = ["--json", "--entry", "total", "--entry", "heads"];
        assert_eq!(wcet(&elf, &entries).status.code(), Some(1), "{case}");
        let run = wcet(&elf, &[&entries[..], &["--facts-from", source]].concat());
        let document = json(&run);
        assert_eq!(run.status.code(), Some(0), "{case}: {document:#}");
        let iterations = |entry: usize| -> Vec<u64> {
            let loops = document["entries"][entry]["loops"].as_array().expect("loops");
            let mut iterations: Vec<u64> =
                loops.iter().map(|one| one["iterations"].as_u64().expect("a number")).collect();
            iterations.sort_unstable();
            iterations
        };
        let (total, count) = (iterations(0), iterations(1));
        assert!(
            total.contains(&3) && total.contains(&20) && count == [5],
            "{case}: {total:?} {count:?}"
        );
        // The table's loop ends by itself.
        let notes: Vec<&str> = document["diagnostics"]
            .as_array()
            .expect("notes")
            .iter()
            .map(|note| note["code"].as_str().expect("a code"))
            .collect();
        assert_eq!(notes, ["F0807"], "{case}");
        let facts = document["entries"][0]["facts"].as_array().expect("facts");
        assert_eq!(facts.len(), 2, "{case}: {facts:?}");
        assert!(
            facts[0].as_str().is_some_and(|fact| fact.ends_with("lists.c:11: loopbound max 3")),
            "{facts:?}"
        );
    }
}

#[test]
fn knows_a_source_by_any_way_to_it() {
    let (source, elf) = written("linked-lists", LISTS, Target::Rv32, "-O1");
    let name = source.file_name().expect("a name");
    let link = source.with_file_name("linked-folder");
    std::fs::remove_file(&link).ok();
    symlink(source.parent().expect("a folder"), &link).expect("a link");
    let same = link.join(name);
    let found = json(&wcet(&elf, &["--json", "--entry", "heads", "--facts-from", text(&same)]));
    assert_eq!(found["entries"][0]["loops"][0]["iterations"], 5, "{found:#}");

    // One of the same name that the program does not come from says nothing about it, and why.
    let other = source.with_file_name("elsewhere").join(name);
    std::fs::create_dir_all(other.parent().expect("a folder")).expect("a folder");
    std::fs::copy(&source, &other).expect("a copy");
    let found = json(&wcet(&elf, &["--json", "--entry", "heads", "--facts-from", text(&other)]));
    assert!(found["entries"][0]["bound"].is_null(), "{found:#}");
    let why = "no instruction of the program comes from these lines of this file";
    assert_eq!(found["diagnostics"][0]["spans"][0]["label"], why, "{found:#}");
}

/// Loops of which it is said that no body is executed, behind a branch and before one.
const NEVER: &str = r#"
unsigned mode, table[8];

unsigned rarely(void)
{
    unsigned sum = mode;
    if (mode == 7) {
        _Pragma("loopbound min 0 max 0")
        for (int i = 0; i < 8; i++)
            sum ^= table[i] + sum * 3;
    }
    return sum;
}

unsigned always(void)
{
    unsigned sum = mode;
    _Pragma("loopbound min 0 max 0")
    for (int i = 0; i < 8; i++)
        sum ^= table[i] + sum * 3;
    return sum;
}

void measure_all(void)
{
    rarely();
    always();
}
"#;

#[test]
fn nobody_comes_to_a_loop_whose_body_nobody_executes() {
    for (target, level) in [(Target::Rv32, "-O1"), (Target::Aarch64, "-Os"), (Target::A32, "-O0")] {
        let case = format!("{target:?} {level}");
        let (source, elf) = written("never", NEVER, target, level);
        let bound = |document: &Value| document["entries"][0]["bound"].as_u64().expect("a bound");
        let all = bound(&json(&wcet(&elf, &["--json", "--entry", "rarely"])));
        let given = ["--json", "--facts-from", text(&source), "--entry"];
        let document = json(&wcet(&elf, &[&given[..], &["rarely"]].concat()));
        assert!(bound(&document) * 2 < all, "{case}: {document:#}");
        let assumed = document["entries"][0]["assumptions"].as_array().expect("assumptions");
        // A test in front of the body lets paths leave the loop that never are in it.
        let never = |one: &Value| one.as_str().is_some_and(|one| one.contains("never comes to"));
        assert!(level == "-O0" || assumed.iter().any(never), "{case}: {document:#}");
        // Of a loop to which everybody comes it cannot be true.
        let all = bound(&json(&wcet(&elf, &["--json", "--entry", "always"])));
        let document = json(&wcet(&elf, &[&given[..], &["always"]].concat()));
        assert_eq!(bound(&document), all, "{case}: {document:#}");
        assert!(!refuted(&document, "warning").is_empty(), "{case}: {document:#}");
    }
}

/// The lines of pragmas that are told to be false, with this severity.
fn refuted(document: &Value, severity: &str) -> Vec<u64> {
    let said = document["diagnostics"].as_array().expect("diagnostics");
    let of = said.iter().filter(|one| one["code"] == "F0810" && one["severity"] == severity);
    of.map(|one| one["spans"][0]["line"].as_u64().expect("a line")).collect()
}

/// Pragmas in lines 5, 15, 29 and 38 are false, the others are true.
const FALSE: &str = r#"
struct item { struct item *next; } *head;
volatile unsigned table[64];
unsigned fixed(void) {
    _Pragma("loopbound min 5 max 5")
    for (int i = 0; i < 8; i++)
        table[i] ^= table[8 + i];
    _Pragma("loopbound min 9 max 9")
    for (int i = 0; i < 9; i++)
        table[i] += 1;
    return table[0];
}
unsigned many(void) {
    unsigned sum = 0;
    _Pragma("loopbound min 300 max 300")
    for (int i = 0; i < 400; i++) {
        _Pragma("loopbound min 500 max 500")
        for (int j = 0; j < 500; j++)
            sum += table[(i + j) & 63];
        _Pragma("loopbound min 0 max 8")
        while (sum & 7)
            sum++;
        table[i & 63] = sum;
    }
    return sum;
}
unsigned listed(void) {
    unsigned sum = 0;
    _Pragma("loopbound min 1 max 2")
    for (int i = 0; i < 12; i++)
        sum += table[i];
    for (struct item *item = head; item; item = item->next)
        sum++;
    return sum;
}
__attribute__((noinline, noclone)) unsigned shared(int n) {
    unsigned sum = 0;
    _Pragma("loopbound min 1 max 3")
    for (int i = 0; i < n; i++)
        sum += table[i];
    return sum;
}
unsigned five(void) { return shared(5) + 1; }
unsigned any(int n) { return shared(n) + 1; }
void measure_all(void) {
    fixed();
    many();
    listed();
    five();
    any(2);
}
"#;

#[test]
fn a_false_pragma_costs_no_bound() {
    for (target, level) in [(Target::Rv32, "-O1"), (Target::Aarch64, "-O1"), (Target::A32, "-O0")] {
        let case = format!("{target:?} {level}");
        let (source, elf) = written("false", FALSE, target, level);
        let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
        for (entry, line, more) in
            [("fixed", 5, "--path"), ("fixed", 5, "--as-loaded"), ("many", 15, "--as-loaded")]
        {
            let given = ["--json", more, "--entry", entry, "--facts-from", text(&source)];
            let run = wcet(&elf, &given);
            let document = json(&run);
            let found = &document["entries"][0];
            let address = program.symbol(entry).expect("a function").address;
            let longest = Interpreter::new(&program).call(address, 0);
            assert_eq!(found["bound"].as_u64(), Some(longest), "{case} {entry}: {found:#}");
            assert_eq!(refuted(&document, "warning"), [line], "{case} {entry}: {document:#}");
            assert_eq!(run.status.code(), Some(0), "{case} {entry}");
            let named = |fact: &Value| fact.as_str().is_some_and(|fact| fact.contains("max 5 "));
            let rests = found["facts"].as_array().expect("facts");
            assert!(!rests.iter().any(named), "{case} {entry}: {rests:?}");
        }
        // Where something else is missing that is told as well, and the pragma is an error.
        let run = wcet(&elf, &["--json", "--entry", "listed", "--facts-from", text(&source)]);
        let document = json(&run);
        assert!(document["entries"][0]["bound"].is_null(), "{case}: {document:#}");
        assert_eq!(refuted(&document, "error"), [29], "{case}: {document:#}");
        let obstacles = document["entries"][0]["obstacles"].as_array().expect("obstacles");
        assert!(!obstacles.is_empty(), "{case}: {document:#}");
        assert_eq!(run.status.code(), Some(2), "{case}");
        // One entry shows it to be false, and another one rests on it.
        let entries = ["--json", "--entry", "five", "--entry", "any", "--facts-from"];
        let run = wcet(&elf, &[&entries[..], &[text(&source)]].concat());
        let document = json(&run);
        let bounds = [0, 1].map(|entry| document["entries"][entry]["bound"].as_u64());
        let address = program.symbol("five").expect("a function").address;
        assert_eq!(bounds[0], Some(Interpreter::new(&program).call(address, 0)), "{case}");
        assert!(bounds[1].is_some(), "{case}: {document:#}");
        assert_eq!(refuted(&document, "error"), [38], "{case}: {document:#}");
        assert_eq!(run.status.code(), Some(2), "{case}");
    }
}

#[test]
fn refuses_pragmas_that_say_nothing() {
    let (source, elf) =
        written("wrong-pragmas", &LISTS.replace("max 20", "max many"), Target::Rv32, "-O1");
    let source = text(&source);
    assert_eq!(
        codes(&wcet(&elf, &["--json", "--facts-from", source])),
        (Some(2), vec!["F0805".to_owned()])
    );
    let none = facts("no-pragmas", "int x;\n");
    let none = text(&none);
    assert_eq!(
        codes(&wcet(&elf, &["--json", "--entry", "heads", "--facts-from", none])),
        (Some(1), vec!["F0807".to_owned()])
    );
    assert_eq!(
        codes(&wcet(&elf, &["--json", "--facts-from", "no-such.c"])),
        (Some(2), vec!["F0001".to_owned()])
    );
}

/// In blocks that are executed: whoever keeps the machine busy changes nothing.
#[test]
fn a_refusal_takes_hardly_longer_than_a_bound() {
    let (source, elf) = written("lists-refused", LISTS, Target::Rv32, "-O2");
    let asked = |effort: u64, facts: &[&str]| {
        let effort = effort.to_string();
        let entries = ["--json", "--entry", "total", "--entry", "heads", "--effort", &effort];
        json(&wcet(&elf, &[&entries[..], facts].concat()))
    };
    // With less than that facts alone give a bound, without execution.
    let is_bounded = |effort: &u64| {
        let document = asked(*effort, &["--facts-from", text(&source)]);
        let entries = document["entries"].as_array().expect("a list");
        entries.iter().all(|entry| {
            entry["bound"].is_u64() && !entry["assumptions"].to_string().contains("not executed")
        })
    };
    let effort = (4..20).map(|power| 1 << power).find(is_bounded).expect("a bound");
    let document = asked(10 * effort, &[]);
    // All loops are named in one run, those behind another one as well.
    let obstacles =
        |entry: usize| document["entries"][entry]["obstacles"].as_array().map_or(0, Vec::len);
    assert_eq!((obstacles(0), obstacles(1)), (2, 1), "{document:#}");
}

/// A loop whose end nobody foresees, because each number jumps to another one.
const JUMPS: &str = "unsigned jump(void) { unsigned at = 1, n = 0; do { at = at * 1664525u + \
                     1013904223u; n++; } while (at != 1 && at != 7); return n; }\nvoid \
                     measure_all(void) { jump(); }\n";

#[test]
fn an_interrupt_ends_the_work_with_what_is_known() {
    let (_, elf) = written("jumps", JUMPS, Target::Rv32, "-O1");
    let mut running = Command::new(snapbox::cmd::cargo_bin!("fusee"))
        .args(["wcet", "--entry", "jump", "--effort", "1000000000000", "--json"])
        .arg(&elf)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    // It would take days.
    std::thread::sleep(Duration::from_secs(3));
    assert!(running.try_wait().expect("a child").is_none(), "it has ended by itself");
    let sent =
        Command::new("kill").args(["-INT", &running.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let run = running.wait_with_output().expect("it ends");
    assert_eq!(run.status.code(), Some(1));
    let document = json(&run);
    let obstacles = document["entries"][0]["obstacles"].as_array().expect("obstacles");
    let stopped =
        |one: &Value| one["what"].as_str().is_some_and(|what| what.ends_with("it was stopped"));
    assert!(obstacles.iter().any(stopped), "{document:#}");
}

/// Whoever bounds a whole program is told what a program is that has just been loaded.
#[test]
fn names_what_is_known_of_a_program_that_has_just_been_loaded() {
    let code = "volatile unsigned seen; unsigned left = 12;\n\
                int main(void) { while (left) { seen = left; left -= 3; } return 0; }\n\
                int again(void) { return main(); }\n\
                void measure_all(void) { again(); again(); }\n";
    let (_, elf) = written("just_loaded", code, Target::Rv32, "-O1");
    let of = |arguments: &[&str]| {
        let run = wcet(&elf, arguments);
        (run.status.code(), String::from_utf8_lossy(&run.stdout).into_owned())
    };
    let (status, refused) = of(&["--entry", "main"]);
    assert!(
        status == Some(1) && refused.contains("--as-loaded takes the first values"),
        "{refused}"
    );
    let (status, again) = of(&["--entry", "again"]);
    assert!(status == Some(1) && !again.contains("--as-loaded"), "{again}");
    let (status, bounded) = of(&["--entry", "main", "--as-loaded"]);
    assert!(status == Some(0) && !bounded.contains("--as-loaded"), "{bounded}");
    let (_, elf) = written("called_once", &code.replacen("again(); ", "", 1), Target::Rv32, "-O1");
    let run = wcet(&elf, &["main"]);
    let once = String::from_utf8_lossy(&run.stdout).into_owned();
    let assumed = "`main` is called once, by what the program does from its start at `_start` on";
    assert!(run.status.code() == Some(0) && once.contains(assumed), "{once}");
}

/// With nothing but its depth, a function is called 2^n times.
#[test]
fn tells_which_number_of_calls_would_lower_a_bound() {
    let code = "volatile unsigned leaves;\n\
                __attribute__((noinline)) unsigned climb(unsigned left) {\n\
                if (!left) return leaves; unsigned one = climb(left - 1);\n\
                return one ^ (climb(left - 1) + leaves); }\n\
                void measure_all(void) { climb(leaves); }\n";
    let (_, elf) = written("climb", code, Target::Rv64, "-O0");
    let of = |name: &str, lines: &str| {
        let facts = facts(name, lines);
        let arguments = ["--entry", "measure_all", "--facts", text(&facts)];
        let shown = String::from_utf8_lossy(&wcet(&elf, &arguments).stdout).into_owned();
        let found = json(&wcet(&elf, &[&arguments[..], &["--json"]].concat()));
        (shown, found["entries"][0].clone())
    };
    let (shown, deep) = of("climb-depth", "recursion.climb = 8\n");
    let advice = "  may be lower with: calls.\"climb\" = N (255 calls are counted";
    assert!(shown.contains(advice), "{shown}");
    assert_eq!(deep["may_lower"][0]["calls_counted"], 255, "{deep:#}");
    let fact = deep["may_lower"][0]["fact"].as_str().expect("a fact").replace('N', "31");
    let (shown, told) = of("climb-calls", &format!("recursion.climb = 8\n{fact}\n"));
    assert!(!shown.contains("may be lower"), "{shown}");
    let bound = |entry: &Value| entry["bound"].as_u64().expect("a bound");
    assert!(bound(&told) * 6 < bound(&deep), "{told:#}");
    // As often as it is under way at once: there is nothing to gain.
    assert!(!of("climb-once", "recursion.climb = 1\n").0.contains("may be lower"));
}
