//! Programs that invoke, signal and send messages: bounded, then run.

use std::path::{Path, PathBuf};

use fusee_testing::{Tool, document, row};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const SYSTEM: &str = "import <std_connector.camkes>;

procedure Smoothing { int smooth(in int sample); int reset(); }
procedure Storing { int put(in int value); int find(in int value); int sum(in int values[]); }

component Filter { provides Smoothing smoothing; uses Storing storing; }
component Store { provides Storing storing; }
component Pump { control; uses Smoothing smoothing; uses Storing storing; emits Tick done; }
component Watch { control; consumes Tick done; }

assembly {
    composition {
        component Filter filter;
        component Store store;
        component Pump pump;
        component Watch watch;
        connection seL4RPCCall ask(from pump.smoothing, to filter.smoothing);
        connection seL4RPCCall keep(from filter.storing, from pump.storing, to store.storing);
        connection seL4Notification tell(from pump.done, to watch.done);
    }
    configuration {
        store.storing_priority_protocol = \"inherited\";
        filter.smoothing_smooth_calls = FILTER_CALLS;
        filter.smoothing_reset_calls = [];
        pump.period = \"2 ms\";
        pump.calls = [\"smoothing.smooth\", \"smoothing.smooth\", \"smoothing.smooth\",
        \"storing.sum\", \"emit done\"];
        watch.period = \"1 ms\";
        watch.calls = [];
TIMES
    }
}
";

const FILTER: &str = "#include <camkes.h>
static int samples[16];
int smoothing_smooth(int sample)
{
    int sum = 0;
    for (int i = 15; i > 0; i--) {
        samples[i] = samples[i - 1];
        sum += samples[i];
    }
    samples[0] = sample;
    int before = storing_find(sum & 31);
    for (int i = 0; i < 2; i++) {
        before += storing_put(sum + before + i);
    }
    return (sum + before) / 16;
}
int smoothing_reset(void)
{
    for (int i = 0; i < 16; i++) samples[i] = 0;
    return 0;
}
";

const STORE: &str = "#include <camkes.h>
struct entry { int value; struct entry *next; };
static struct entry entries[8];
static struct entry *first;
static int used;
static volatile int marks[20];
int storing_put(int value)
{
    struct entry *entry = &entries[used++ & 7];
    if (used <= 8) {
        entry->next = first;
        first = entry;
    }
    entry->value = value & 31;
    return value;
}
int storing_find(int value)
{
    for (struct entry *entry = first; entry != 0; entry = entry->next) {
        if (entry->value == value) return 1;
    }
    return 0;
}
int storing_sum(size_t values_sz, const int *values)
{
    int sum = 0;
    for (int i = 0; i < 20; i++) marks[i] = sum;
    for (size_t i = 0; i < values_sz; i++) sum += values[i];
    return sum;
}
";

const PUMP: &str = "#include <camkes.h>
static int total;
int run(void)
{
    for (int i = 0; i < 3; i++) total += smoothing_smooth(total + i);
    int values[12];
    for (int i = 0; i < 12; i++) values[i] = total + i;
    total += storing_sum(12, values);
    done_emit();
    return 0;
}
";

const WATCH: &str = "#include <camkes.h>
static int jobs;
int run(void)
{
    for (int i = 0; i < 50; i++) jobs += i & jobs;
    return 0;
}
";

/// Returns the fact about the loop in the store whose line has this text.
fn fact(text: &str, iterations: u32) -> String {
    let line = STORE.lines().position(|line| line.contains(text)).expect("the loop") + 1;
    format!("loops.\"store.c:{line}\" = {iterations}\n")
}

/// Data and pointers say how long `find` goes on; nobody but the author knows that there are eight
/// entries.
fn facts() -> String {
    fact("for (struct entry", 8)
}

/// The invocations of the filter's method, as a list of calls.
const CALLS: &str = "[\"storing.find\", \"storing.put\", \"storing.put\"]";

/// Times to run the system with: what it is analyzed with comes from its programs.
const TIMES: &str = "        filter.smoothing_wcet = \"10 us\"; store.storing_wcet = \"10 us\";
        pump.wcet = \"10 us\"; watch.wcet = \"10 us\";";

/// Returns a system in a folder of its own, with and without times.
fn system(name: &str, calls: &str, facts: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("requests-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    let sources =
        [("Filter", "filter.c", FILTER), ("Store", "store.c", STORE), ("Pump", "pump.c", PUMP)];
    for (component, file, source) in sources.into_iter().chain([("Watch", "watch.c", WATCH)]) {
        let place = folder.join("components").join(component);
        std::fs::create_dir_all(&place).expect("a folder");
        std::fs::write(place.join(file), source).expect("a source");
    }
    if !facts.is_empty() {
        std::fs::write(folder.join("components/Store/Store.facts.toml"), facts).expect("facts");
    }
    let text = SYSTEM.replace("FILTER_CALLS", calls);
    std::fs::write(folder.join("system.camkes"), text.replace("TIMES", "")).expect("a description");
    std::fs::write(folder.join("timed.camkes"), text.replace("TIMES", TIMES))
        .expect("a description");
    folder
}

/// Returns the analysis of what was built, without a time in the description.
fn analyze(folder: &Path) -> (Option<i32>, Value) {
    let built = FUSEE.run_in(folder, &["build", "system.camkes", "-o", "made"]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let run = FUSEE.run_in(
        folder,
        &["analyze", "system.camkes", "--platform", "qemu-rv64", "--programs", "made", "--json"],
    );
    (run.status.code(), document(&run))
}

/// Returns the notes of all messages with this code.
fn notes(document: &Value, code: &str) -> Vec<String> {
    let diagnostics = document["diagnostics"].as_array().expect("a list");
    let meant = diagnostics.iter().filter(|diagnostic| diagnostic["code"] == code);
    meant.map(|diagnostic| format!("{} {}", diagnostic["message"], diagnostic["notes"])).collect()
}

#[test]
fn no_run_is_longer_than_what_the_programs_say() {
    let folder = system("bounds", CALLS, &facts());
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(0), "{document:#}");
    let of = |body: &str| row(&document["origins"]["times"], "body", body);
    for body in [
        "pump",
        "watch",
        "filter.smoothing.smooth",
        "filter.smoothing.reset",
        "store.storing.put",
        "store.storing.sum",
    ] {
        assert_eq!(of(body)["from"], "proved", "{body}");
    }
    let find = of("store.storing.find");
    assert_eq!(
        (&find["from"], &find["facts"]),
        (&"fact".into(), &serde_json::json!([facts().trim()]))
    );
    // Each method has its own time: eight steps of a list, not a message of 114 words.
    let own = |body: &str| of(body)["wcet_ns"].as_u64().expect("a time");
    assert!(
        own("store.storing.put") < own("store.storing.find")
            && own("store.storing.find") < own("store.storing.sum")
    );
    // Two iterations of a loop with a call in it, and what those who are called need is not in it.
    assert!(
        (15 * 4..600).contains(&own("filter.smoothing.smooth")),
        "{}",
        own("filter.smoothing.smooth")
    );

    let run = fusee_testing::document(
        &FUSEE.run_in(&folder, &["run", "timed.camkes", "--for", "100ms", "--json", "-o", "timed"]),
    );
    let (bounds, tasks) =
        (document["tasks"].as_array().expect("tasks"), run["tasks"].as_array().expect("tasks"));
    for name in ["pump", "watch"] {
        let find = |tasks: &[Value]| {
            tasks.iter().find(|task| task["name"] == name).cloned().expect("the task")
        };
        let (bound, seen) =
            (find(bounds)["response_bound_ns"].as_u64(), find(tasks)["response_max_ns"].as_u64());
        assert!(seen > Some(0) && seen <= bound, "{name}: {seen:?} is above {bound:?}");
    }
}

#[test]
fn a_program_that_asks_for_more_than_its_calls_is_refused() {
    let folder = system("more", "[\"storing.find\", \"storing.put\"]", &facts());
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(2));
    let [refused] = &notes(&document, "F0812")[..] else { panic!("{document:#}") };
    assert!(refused.contains("filter.smoothing.smooth"), "{refused}");
    let what =
        "an invocation of `store.storing.put` is made up to 2 times, and its `calls` have it once";
    assert!(refused.contains(what), "{refused}");
}

#[test]
fn facts_are_asked_for_and_judged() {
    let folder = system("without", CALLS, "");
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(2));
    let [refused] = &notes(&document, "F0812")[..] else { panic!("{document:#}") };
    assert!(
        refused.contains("store.storing.find") && refused.contains("loops.\\\"storing_find"),
        "{refused}"
    );
    assert!(refused.contains("Store.facts.toml"), "{refused}");
    // One fact is of use, one is not, and one cannot be true.
    let folder =
        system("unused", CALLS, &format!("{}unreachable = [\"storing_reset\"]\n", facts()));
    assert_eq!(notes(&analyze(&folder).1, "F0806").len(), 1);
    let folder = system("unneeded", CALLS, &(facts() + &fact("i < 20; i++", 4000)));
    let (status, document) = analyze(&folder);
    assert_eq!((status, notes(&document, "F0807").len()), (Some(0), 1), "{document:#}");
    let folder = system("untrue", CALLS, "unreachable = [\"storing_find\"]\n");
    let (status, document) = analyze(&folder);
    assert_eq!((status, notes(&document, "F0810").len()), (Some(2), 1), "{document:#}");
}

#[test]
fn what_others_may_change_meanwhile_is_not_known() {
    // How often the loop iterates is decided before an invocation, in `place`, and looked up
    // behind it.
    for (place, bounded) in [("static volatile int", false), ("volatile int", true)] {
        let folder = system(if bounded { "own" } else { "shared" }, CALLS, &facts());
        let (outside, inside) = if bounded { ("", place) } else { (place, "") };
        let limit =
            |place: &str| if place.is_empty() { String::new() } else { format!("{place} limit;") };
        let source = format!(
            "#include <camkes.h>\n{}\nint smoothing_smooth(int sample)\n{{\n{}\n    limit = \
             4;\n    storing_put(sample);\n    for (int i = 0; i < limit; i++) sample += sample / \
             3;\n    return sample;\n}}\n\
             int smoothing_reset(void) {{ return 0; }}\n",
            limit(outside),
            limit(inside)
        );
        std::fs::write(folder.join("components/Filter/filter.c"), source).expect("a source");
        let (status, document) = analyze(&folder);
        let refused = notes(&document, "F0812");
        assert_eq!(
            (status, refused.is_empty()),
            (Some(if bounded { 0 } else { 2 }), bounded),
            "{document:#}"
        );
        assert!(bounded || refused[0].contains("smoothing_smooth"), "{refused:?}");
    }
}

#[test]
fn jobs_and_methods_that_are_called_directly_are_bounded_too() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/groups");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("requests-direct");
    for file in
        ["components/Control/control.c", "components/Filter/filter.c", "components/Log/log.c"]
    {
        let copy = folder.join(file);
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        std::fs::copy(example.join(file), copy).expect("a copy");
    }
    let text = std::fs::read_to_string(example.join("groups.camkes")).expect("the description");
    let of_others = |line: &&str| !line.contains("loop.wcet") && !line.contains("filter_wcet");
    let text: Vec<&str> = text.lines().filter(of_others).collect();
    std::fs::write(folder.join("system.camkes"), text.join("\n")).expect("a description");
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(0), "{document:#}");
    let of = |body: &str| row(&document["origins"]["times"], "body", body);
    let own = |body: &str| of(body)["wcet_ns"].as_u64().expect("a time");
    assert_eq!(
        (&of("loop")["from"], &of("log.log.note")["from"]),
        (&"proved".into(), &"attribute".into())
    );
    // What is called directly is a part of the caller's program, and counted there as well.
    assert!(own("loop") > own("filter.filtering.filter") + 20, "{document:#}");
}
