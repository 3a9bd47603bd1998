//! A verdict is about what ran: small systems in which something goes wrong.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// Returns a command about a system of `tests/systems/verdicts`: its exit status, its results, and
/// what it says.
fn fusee(command: &str, system: &str, options: &[&str]) -> (Option<i32>, Value, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let description = format!("tests/systems/verdicts/{system}.camkes");
    let mut fusee = Command::new(snapbox::cmd::cargo_bin!("fusee"));
    let run =
        fusee.current_dir(root).args([command, &description, "--json"]).args(options).output();
    let run = run.expect("fusee starts");
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    let json = serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{system}: {error}\n{text}"));
    (run.status.code(), json, text)
}

fn run(system: &str, time: &str, more: &[&str]) -> (Option<i32>, Value, String) {
    // Tests that run beside each other may build one system in several ways.
    let more_in_a_name: String =
        more.concat().chars().filter(char::is_ascii_alphanumeric).collect();
    let folder = format!("{}/verdicts-{system}{more_in_a_name}", env!("CARGO_TARGET_TMPDIR"));
    fusee("run", system, &[&["--for", time, "-o", &folder], more].concat())
}

/// Returns the codes of what was found, each once.
fn codes(run: &Value) -> Vec<&str> {
    let all = run["diagnostics"].as_array().expect("a list").iter();
    let mut codes: Vec<&str> = all.map(|one| one["code"].as_str().expect("a code")).collect();
    codes.dedup();
    codes
}

fn totals(run: &Value) -> [&Value; 4] {
    ["deadlines_held", "bounds_held", "refused", "crashed"].map(|key| &run[key])
}

#[test]
fn a_run_of_crashes_is_not_fine() {
    let (status, seen, text) = run("crash", "100ms", &[]);
    assert_eq!((status, codes(&seen)), (Some(1), vec!["F1109", "F1115"]), "{text}");
    assert_eq!(totals(&seen), [&json!(false), &json!(false), &json!(0), &json!(10)]);
    assert_eq!(seen["faults"].as_array().map(Vec::len), Some(10));
    let task = &seen["tasks"][0];
    assert_eq!(
        (&task["jobs"], &task["crashed"], &task["faults"]),
        (&json!(0), &json!(10), &json!(10))
    );
    assert!(
        text.contains(
            "crash: 10 faults, 10 jobs crashed, 0 of 1 bounds held, 1 written time not compared in \
             100 ms on qemu-rv64"
        ),
        "{text}"
    );
}

#[test]
fn faults_that_are_alike_are_told_once() {
    let (_, seen, text) = run("crash", "100ms", &[]);
    let faults: Vec<&Value> = seen["diagnostics"].as_array().expect("a list").iter().collect();
    assert_eq!(faults.iter().filter(|one| one["code"] == "F1109").count(), 1, "{text}");
    assert!(text.contains("9 more like it, the last one at 90."), "{text}");
}

/// One of three requests is served; the job goes on without the others.
#[test]
fn a_heap_without_room_is_told() {
    let (status, seen, text) = run("hoarder", "5ms", &[]);
    assert_eq!((status, codes(&seen)), (Some(1), vec!["F1135"]), "{text}");
    assert!(text.contains("the heap of `hoarder` had no room for 2 requests for memory"), "{text}");
    assert!(text.contains("it has 4096 bytes") && text.contains("`hoarder.heap_size = "), "{text}");
    let (status, seen, text) = run("hoarder", "5ms", &["-D", "ROOM=65536"]);
    assert_eq!((status, codes(&seen)), (Some(0), vec![]), "{text}");
}

#[test]
fn refused_calls_are_counted_and_placed() {
    let (status, seen, text) = run("dead", "100ms", &[]);
    assert_eq!((status, codes(&seen)), (Some(1), vec!["F1109", "F1114"]), "{text}");
    // The first call came back because the callee crashed, the other nine were not let in.
    assert_eq!(
        (&seen["refused"], &seen["tasks"][0]["refused"]),
        (&json!(10), &json!(10)),
        "{seen:#}"
    );
    assert_eq!(seen["faults"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        totals(&seen)[..2],
        [&json!(true), &Value::Null],
        "no job did what its bound is about"
    );
    assert!(text.contains("10 calls of `caller` were answered with an error"), "{text}");
    assert!(
        text.contains("the component behind the gate is dead") && text.contains("caller.c:5"),
        "{text}"
    );
    // A stack remembers eight.
    assert!(
        text.contains("8 calls, error 7, called in ")
            && text.contains("2 calls before that are not remembered"),
        "{text}"
    );
}

/// Returns the output of a run of the system in which something stays locked.
fn locked(how: &str, more: &[&str]) -> (Value, String) {
    let how = format!("HOW={how}");
    let (status, seen, text) = run("locker", "5ms", &[&["-D", &how], more].concat());
    assert_eq!(status, Some(1), "{how}: {text}");
    assert!(text.contains("the last one first") && !text.contains("breakpoint"), "{how}: {text}");
    (seen, text)
}

#[test]
fn a_mutex_that_is_still_locked_is_named_as_the_cause() {
    for (how, ends, which, refused) in [
        ("1", "`locker` ended its job", "`locker.first`, whose unlocking was refused", 1),
        ("2", "`locker` ended its job", "`locker.first`, `locker.second` or `locker.third`", 0),
        ("3", "`keeper` ended a call", "`keeper.only`", 0),
        (
            "4",
            "`locker` ended its job",
            "`locker.first` and `locker.second`, whose unlocking was refused",
            2,
        ),
    ] {
        let (seen, text) = locked(how, &[]);
        assert!(text.contains(&format!("{ends} with a mutex still locked")), "{how}: {text}");
        assert!(text.contains(&format!("still locked: {which}")), "{how}: {text}");
        // What led there is told besides: the unlocking in another order, with its place.
        let order = text.contains("not what the caller has locked last, and stays locked");
        assert_eq!(order, refused > 0, "{how}: {text}");
        assert!(seen["refused"].as_u64() >= Some(refused), "{how}: {seen:#}");
        // Each of several is told.
        let told = text.matches("1 call, error 17").count() as u64;
        assert_eq!(told, if refused > 1 { refused } else { 0 }, "{text}");
        let is_open = text.contains("`--kernel traced` records which");
        assert_eq!(is_open, how == "2", "{how}: {text}");
    }
    // The kernel that records its decisions knows all of it.
    let order = "locked `locker.first`, locked `locker.second`";
    for (how, which, way) in [
        ("1", "`locker.first`", format!("{order}, unlocked `locker.second`")),
        ("2", "`locker.second`", "locked `locker.second`".to_owned()),
        ("3", "`keeper.only`", "locked `keeper.only`".to_owned()),
        (
            "4",
            "`locker.first` and `locker.second`",
            format!("{order}, locked `locker.third`, unlocked `locker.third`"),
        ),
    ] {
        let (_, text) = locked(how, &["--kernel", "traced"]);
        assert!(text.contains(&format!("still locked: {which}\n")), "{how}: {text}");
        assert!(text.contains(&format!("since the job began: {way}\n")), "{how}: {text}");
    }
    let (_, _, text) = run("locker", "5ms", &["-D", "HOW=5"]);
    assert!(!text.contains("still locked") && text.contains("F1109"), "{text}");
    let (status, seen, text) = run("locker", "5ms", &["-D", "HOW=0"]);
    assert_eq!((status, &seen["refused"]), (Some(0), &json!(0)), "{text}");
}

#[test]
fn stubs_count_what_is_refused_to_them_too() {
    let (status, seen, text) = run("dead", "100ms", &["-D", "STUB"]);
    assert_eq!(
        (status, &seen["refused"], &seen["stubs"]),
        (Some(1), &json!(10), &json!(["caller"])),
        "{text}"
    );
}

#[test]
fn nothing_is_said_of_what_did_not_run() {
    for command in ["run", "simulate"] {
        let (status, seen, text) = match command {
            "run" => run("late", "20ms", &[]),
            _ => fusee("simulate", "late", &["--for", "20ms", "--releases", "drawn"]),
        };
        assert_eq!((status, codes(&seen)), (Some(1), vec!["F1116"]), "{command}: {text}");
        assert!(text.contains("its first job is due 50 ms after the start"), "{command}: {text}");
        assert!(text.contains("1 of 2 bounds were put to the test, and held"), "{command}: {text}");
    }
    let (status, seen, text) = fusee("simulate", "late", &["--for", "5us"]);
    assert_eq!((status, codes(&seen)), (Some(1), vec!["F1117"]), "{text}");
    assert_eq!(totals(&seen)[..2], [&Value::Null, &Value::Null]);
    let (status, seen, _) = run("late", "200ms", &[]);
    assert_eq!((status, codes(&seen)), (Some(0), vec![]));
    assert_eq!(totals(&seen)[..2], [&json!(true), &json!(true)]);
}

#[test]
fn a_server_may_wait_for_ever_and_it_is_said() {
    let (status, seen, text) = run("loop", "50ms", &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(codes(&seen).contains(&"F1122") && seen["unfinished"] == 1, "{seen:#}");
}

#[test]
fn lost_output_is_not_fine() {
    let (status, seen, text) = run("talk", "100ms", &[]);
    assert_eq!((status, codes(&seen)), (Some(1), vec!["F1111"]), "{text}");
}

#[test]
fn stubs_are_asked_for_and_named_also_by_the_image_alone() {
    let (status, seen, text) = run("stub", "50ms", &[]);
    assert_eq!(
        (status, &seen["stubs"], codes(&seen)),
        (Some(0), &json!(["miner"]), vec!["F1121"]),
        "{text}"
    );
    assert!(text.contains("every bound held, stubs for `miner` in 50 ms"), "{text}");
    let image = format!("{}/verdicts-stub/image.elf", env!("CARGO_TARGET_TMPDIR"));
    let mut fusee = Command::new(snapbox::cmd::cargo_bin!("fusee"));
    let run =
        fusee.args(["run", &image, "--for", "50ms", "--json"]).output().expect("fusee starts");
    let seen: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(
        (run.status.code(), &seen["stubs"], &seen["bounds_held"]),
        (Some(0), &json!(["miner"]), &Value::Null)
    );
}

#[test]
fn a_run_does_not_stand_for_a_promise() {
    // The loop has no bound, so neither has anybody below; the run itself is spotless.
    let (status, seen, text) = run("unbounded", "50ms", &[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(codes(&seen).contains(&"F1123"), "{text}");
    assert_eq!(
        (&seen["deadlines_held"], &seen["not_guaranteed"][0]),
        (&json!(true), &json!("endless")),
        "{seen:#}"
    );
    assert!(text.contains("no deadline missed, ") && text.contains(" not guaranteed, "), "{text}");
    assert!(!text.contains("every bound held"), "{text}");
}

#[test]
fn set_up_that_outlasts_the_start_is_told() {
    // Ten instructions or so a round are 10 ms; a low task waits for them, and no bound counts
    // them.
    let (status, seen, text) = run("setup", "50ms", &["-D", "STARTUP=\"2 ms\""]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        codes(&seen).contains(&"F1124") && text.contains("`preparer` was still setting itself up"),
        "{text}"
    );
    let (status, seen, text) = run("setup", "50ms", &["-D", "STARTUP=\"30 ms\""]);
    assert_eq!((status, codes(&seen)), (Some(0), vec![]), "{text}");
    assert_eq!(totals(&seen)[..2], [&json!(true), &json!(true)]);
}

#[test]
fn what_a_component_prints_stays_apart_from_the_verdict() {
    let (status, seen, text) = run("mutter", "100ms", &[]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(
        seen["console"][0]["text"], "\u{1b}[32mevery bound held\rin mid-line",
        "as it was printed"
    );
    assert!(
        text.contains(r"mutterer: \u{1b}[32mevery bound held\rin mid-line")
            && !text.contains('\u{1b}'),
        "{text}"
    );
    assert!(text.contains("in mid-line\n\ntask "), "{text}");
}

/// Returns the text of each message with this code, with its notes.
fn messages(run: &Value, code: &str) -> Vec<String> {
    let all = run["diagnostics"].as_array().expect("a list").iter();
    all.filter(|one| one["code"] == code).map(Value::to_string).collect()
}

/// A bound that rests on a false statement is not the first to be accused.
#[test]
fn a_false_execution_time_comes_before_the_bounds_that_rest_on_it() {
    let (status, seen, text) = run("burst", "200ms", &[]);
    assert_eq!((status, codes(&seen)), (Some(1), vec!["F1129", "F1110"]), "{text}");
    let (stated, bounds) = (messages(&seen, "F1129"), messages(&seen, "F1110"));
    assert_eq!((stated.len(), bounds.len()), (1, 2), "{text}");
    assert!(stated[0].contains("task `burst` executed for"), "{text}");
    assert!(stated[0].contains("its description states 100 us"), "{text}");
    for bound in &bounds {
        assert!(bound.contains("`burst` executed for"), "the cause is named: {bound}");
        assert!(!bound.contains("please report"), "{bound}");
    }
}

/// A budget that ends is told of as well, and whom it suspends takes no more from others than they
/// count for it.
#[test]
fn whom_a_budget_contains_is_no_reason_for_others() {
    let (status, seen, text) = run("burst", "200ms", &["-D", "BUDGET=\"200 us\""]);
    assert_eq!(status, Some(1), "{text}");
    for bound in messages(&seen, "F1110") {
        let is_own = bound.contains("task `burst` took");
        assert_eq!(bound.contains("the budget of `burst` ended"), is_own, "{bound}");
    }
}
