//! The chain: times of methods from the programs that a build has made.

use std::path::{Path, PathBuf};

use fusee_testing::{Tool, row};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const SYSTEM: &str = "import <std_connector.camkes>;

procedure Smoothing { int smooth(in int sample); }
procedure Waiting { int wait(in int until); }

component Filter { provides Smoothing smoothing; }
component Door { provides Waiting waiting; }
component Pump {
    control;
    uses Smoothing smoothing;
    uses Waiting waiting;
}

assembly {
    composition {
        component Filter filter;
        component Door door;
        component Pump pump;
        connection seL4RPCCall ask(from pump.smoothing, to filter.smoothing);
        connection seL4RPCCall stand(from pump.waiting, to door.waiting);
    }
    configuration {
        pump.period = \"10 ms\";
        pump.wcet = \"100 us\";
        pump.calls = [CALLS];
        door.waiting_wcet = WAITING;
    }
}
";

const FILTER: &str = "#include <camkes.h>
static int samples[32];
int smoothing_smooth(int sample)
{
    int sum = 0;
    for (int i = 31; i > 0; i--) { samples[i] = samples[i - 1]; sum += samples[i]; }
    samples[0] = sample;
    return (sum + sample) / 32;
}
";

const DOOR: &str = "#include <camkes.h>
static volatile int now;
int waiting_wait(int until) { while (now != until) {} return now; }
";

const PUMP: &str = "#include <camkes.h>
int run(void) { return smoothing_smooth(3); }
";

/// Returns a system in a folder of its own; only what it `calls` needs times.
fn system(name: &str, calls: &str, waiting: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("methods-{name}"));
    for (component, source) in [("Filter", FILTER), ("Door", DOOR), ("Pump", PUMP)] {
        let place = folder.join("components").join(component);
        std::fs::create_dir_all(&place).expect("a folder");
        std::fs::write(place.join("code.c"), source).expect("a source");
    }
    let text = SYSTEM.replace("CALLS", calls);
    let text = match waiting {
        "" => text.replace("        door.waiting_wcet = WAITING;\n", ""),
        time => text.replace("WAITING", time),
    };
    std::fs::write(folder.join("system.camkes"), text).expect("a description");
    folder
}

fn analyze(folder: &Path) -> (Option<i32>, Value) {
    let built = FUSEE.run_in(folder, &["build", "system.camkes", "-o", "made"]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    analyze_built(folder)
}

fn analyze_built(folder: &Path) -> (Option<i32>, Value) {
    let run = FUSEE.run_in(
        folder,
        &["analyze", "system.camkes", "--platform", "qemu-rv64", "--programs", "made", "--json"],
    );
    (run.status.code(), serde_json::from_slice(&run.stdout).expect("JSON"))
}

#[test]
fn a_method_without_a_number_gets_that_of_its_program() {
    let folder = system("proved", "\"smoothing\"", "\"1 us\"");
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(0), "{document:#}");
    let of = |body: &str| row(&document["origins"]["times"], "body", body);
    let smooth = of("filter.smoothing.smooth");
    assert_eq!(smooth["from"], "proved");
    // 31 iterations of five instructions or more, each a nanosecond; the glue is short.
    let nanoseconds = smooth["wcet_ns"].as_u64().expect("a time");
    assert!((31 * 4..31 * 12 + 200).contains(&nanoseconds), "{nanoseconds}");
    assert_eq!(
        (&of("pump")["from"], &of("pump")["wcet_ns"]),
        (&"attribute".into(), &100_000.into())
    );
    assert_eq!(document["origins"]["kernel"]["from"], "measured");
    assert_eq!(document["tasks"][0]["wcet_ns"], 100_000 + nanoseconds);
}

#[test]
fn programs_of_another_description_say_nothing() {
    let folder = system("stale", "\"smoothing\"", "\"1 us\"");
    assert_eq!(analyze(&folder).0, Some(0));
    let description = folder.join("system.camkes");
    let text = std::fs::read_to_string(&description).expect("the description");
    std::fs::write(&description, text.replacen("period = \"", "period = \"1", 1))
        .expect("another one");
    let (status, document) = analyze_built(&folder);
    assert_eq!(status, Some(2), "{document:#}");
    let diagnostics = document["diagnostics"].as_array().expect("a list");
    assert!(!diagnostics.is_empty(), "{document:#}");
    for diagnostic in diagnostics {
        let notes = diagnostic["notes"].to_string();
        assert!(
            diagnostic["code"] == "F1021" && notes.contains("build it again, with `-o made`"),
            "{diagnostic:#}"
        );
    }
    // A program that is not the one in the image.
    std::fs::write(&description, text).expect("the description");
    let code = folder.join("components/Filter/code.c");
    std::fs::write(&code, FILTER.replace("31", "30")).expect("other code");
    let built = FUSEE.run_in(&folder, &["build", "system.camkes", "-o", "other"]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let copied = std::fs::copy(
        folder.join("other/domains/filter.elf"),
        folder.join("made/domains/filter.elf"),
    );
    assert!(copied.is_ok_and(|bytes| bytes > 0));
    let (status, document) = analyze_built(&folder);
    assert_eq!(
        (status, &document["diagnostics"][0]["code"]),
        (Some(2), &"F1021".into()),
        "{document:#}"
    );
    assert_eq!(analyze(&folder).0, Some(0));
}

#[test]
fn what_stands_in_the_way_is_named() {
    let folder = system("refused", "\"waiting\"", "");
    // What is called is what the list says: else that is what is refused.
    let waits = PUMP.replace("smoothing_smooth", "waiting_wait");
    std::fs::write(folder.join("components/Pump/code.c"), waits).expect("a source");
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(2));
    let diagnostics = document["diagnostics"].as_array().expect("a list");
    let refused = diagnostics
        .iter()
        .find(|d| d["code"] == "F0812")
        .unwrap_or_else(|| panic!("{diagnostics:?}"));
    let notes = refused["notes"].to_string();
    assert!(
        notes.contains("no bound was found for this loop") && notes.contains("waiting_wait"),
        "{refused}"
    );
    let wrong =
        FUSEE.run_in(&folder, &["analyze", "system.camkes", "--programs", "made", "--json"]);
    assert!(String::from_utf8_lossy(&wrong.stdout).contains("F0812"));
    let wrong = FUSEE.run_in(
        &folder,
        &["analyze", "system.camkes", "--platform", "qemu-rv64", "--programs", "nowhere", "--json"],
    );
    assert!(String::from_utf8_lossy(&wrong.stdout).contains("F0001"));
}

/// Returns a filter that waits in a loop for the event that releases it; its code's parts are
/// filled in.
fn released(name: &str, [set_up, job]: [&str; 2]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("methods-{name}"));
    let description = "import <std_connector.camkes>;
component Source { control; emits Tick tick; }
component Filter { control; consumes Tick tick; }
assembly {
    composition {
        component Source source;
        component Filter filter;
        connection seL4Notification wake(from source.tick, to filter.tick);
    }
    configuration {
        source.period = \"10 ms\";
        source.calls = [\"emit tick\"];
        filter.arrival = \"event tick\";
    }
}
";
    let filter = format!(
        "#include <camkes.h>\nstatic volatile int now;\n\
         static void work(int rounds) {{ for (int i = 0; i < rounds; i++) {{ now++; }} }}\n\
         int run(void) {{ {set_up} for (;;) {{ tick_wait(); {job} }} }}\n"
    );
    let source = "#include <camkes.h>\nint run(void) { tick_emit(); return 0; }\n";
    for (component, code) in [("Source", source), ("Filter", &filter)] {
        let place = folder.join("components").join(component);
        std::fs::create_dir_all(&place).expect("a folder");
        std::fs::write(place.join("code.c"), code).expect("a source");
    }
    std::fs::write(folder.join("system.camkes"), description).expect("a description");
    folder
}

/// Returns the time of `filter` in an analysis with its program.
fn filter_time(document: &Value) -> u64 {
    let tasks = document["tasks"].as_array().expect("a list");
    let filter = tasks.iter().find(|task| task["name"] == "filter").expect("the task");
    filter["wcet_ns"].as_u64().unwrap_or_else(|| panic!("{document:#}"))
}

#[test]
fn a_wait_in_a_loop_cuts_jobs_and_the_longest_of_them_counts() {
    let time = |name: &str, parts| {
        let (status, document) = analyze(&released(name, parts));
        assert_eq!(status, Some(0), "{document:#}");
        filter_time(&document)
    };
    // Four instructions an iteration or more. One job is not two of them, and the first one, which
    // sets up, is one too.
    let short = time("cut-short", ["", "work(10);"]);
    let long = time("cut-long", ["", "work(1000);"]);
    let first = time("cut-first", ["work(1000);", "work(10);"]);
    assert!(short < 400 && (3_000..8_000).contains(&long), "{short} {long}");
    assert!(long.abs_diff(first) < 200, "{long} {first}");
}

#[test]
fn simulate_and_report_take_times_from_programs() {
    let folder = released("simulated", ["", "work(100);"]);
    assert_eq!(analyze(&folder).0, Some(0));
    for command in ["simulate", "report"] {
        let bare = ["system.camkes", "--platform", "qemu-rv64", "--no-build", "--for", "50ms"];
        let bare = FUSEE.run_in(&folder, &[&[command], &bare[..]].concat());
        assert!(
            bare.status.code() == Some(2)
                && String::from_utf8_lossy(&bare.stderr).contains("F0530"),
            "{bare:?}"
        );
        let options = [
            "system.camkes",
            "--platform",
            "qemu-rv64",
            "--programs",
            "made",
            "--for",
            "50ms",
            "--json",
        ];
        let run = FUSEE.run_in(&folder, &[&[command], options.as_slice()].concat());
        let document: Value = serde_json::from_slice(&run.stdout).expect("JSON");
        assert_eq!(
            (run.status.code(), &document["bounds_held"]),
            (Some(0), &true.into()),
            "{document:#}"
        );
        let seen = document["tasks"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|task| task["name"] == "filter");
        let seen = seen.expect("the task");
        assert!(
            seen["jobs"].as_u64() >= Some(4) && seen["response_max_ns"].as_u64() > Some(300),
            "{seen:#}"
        );
    }
    assert!(
        std::fs::read_to_string(folder.join("system.html"))
            .expect("a page")
            .contains("every bound held")
    );
}

#[test]
fn code_that_polls_the_event_that_releases_it_is_refused() {
    let folder = released("polls", ["", "tick_poll();"]);
    let built = FUSEE.run_in(&folder, &["build", "system.camkes", "-o", "made"]);
    let text = String::from_utf8_lossy(&built.stderr);
    assert_eq!(built.status.code(), Some(2), "{text}");
    assert!(
        text.contains("error[F0930]")
            && text.contains("`tick_poll`")
            && text.contains("`tick_wait()`"),
        "{text}"
    );
}

/// No program tells the number of iterations of its loops for locks: its time is asked for, and
/// where it is given, it is taken.
#[test]
fn the_time_of_a_lock_component_is_in_no_program() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("methods-locks");
    let locks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/locks");
    let diary = folder.join("components/Diary");
    std::fs::create_dir_all(&diary).expect("a folder");
    let code = locks.join("components/Diary/diary.c");
    std::fs::copy(code, diary.join("diary.c")).expect("a source");
    let text = std::fs::read_to_string(locks.join("component.camkes")).expect("the example");
    let is_time = |line: &&str| line.contains("locks_wcet") || line.contains("scheduling_wcet");
    let without: Vec<&str> = text.lines().filter(|line| !is_time(line)).collect();
    assert_eq!(text.lines().count() - without.len(), 2, "{text}");
    let description = folder.join("system.camkes");
    std::fs::write(&description, without.join("\n")).expect("a description");
    let (status, refused) = analyze(&folder);
    assert_eq!(status, Some(2), "{refused:#}");
    let told = refused["diagnostics"].as_array().expect("a list").iter();
    let told: Vec<&Value> = told.filter(|one| one["severity"] == "error").collect();
    assert_eq!(told.len(), 2, "{refused:#}");
    for (diagnostic, enough) in told.into_iter().zip(["2 us", "1 us"]) {
        let notes = diagnostic["notes"].to_string();
        assert!(diagnostic["code"] == "F0531" && notes.contains(enough), "{diagnostic:#}");
    }
    std::fs::write(&description, text).expect("a description");
    let (status, document) = analyze(&folder);
    assert_eq!(status, Some(0), "{document:#}");
}
