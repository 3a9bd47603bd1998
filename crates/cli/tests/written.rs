//! Written times against programs; programs against their sources.

use std::path::{Path, PathBuf};

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const SYSTEM: &str = "import <std_connector.camkes>;
procedure Samples { void put(in int32_t value); int32_t latest(); };
component Sensor { control; uses Samples samples; emits Fresh fresh; }
component Control { control; uses Samples samples; consumes Fresh fresh; }
component Store { provides Samples samples; }
assembly {
    composition {
        component Sensor sensor;
        component Control control_loop;
        component Store store;
        connection seL4RPCCall reads(from sensor.samples, from control_loop.samples,
                                     to store.samples);
        connection seL4Notification news(from sensor.fresh, to control_loop.fresh);
    }
    configuration {
        sensor.period = \"10 ms\";
        control_loop.arrival = \"event fresh\";
        control_loop.calls = [\"samples.latest\"];
        TIMES
    }
}
";

const WRITTEN: &str = "sensor.wcet = \"1 ms\"; control_loop.wcet = \"500 us\";
        sensor.calls = [\"samples.put\", \"emit fresh\"];
        store.samples_put_wcet = \"20 us\"; store.samples_latest_wcet = \"20 us\";";

const SENSOR: &str = "samples_put(1); fresh_emit();";

/// Returns a system in a folder of its own, with the times in its description and the body of the
/// sensor's jobs.
fn system(name: &str, times: &str, sensor: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("written-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    let sensor = format!("#include <camkes.h>\nint run(void) {{ {sensor} return 0; }}\n");
    let store = "#include <camkes.h>\n#include \"rounds.h\"\nstatic volatile int32_t last;\n\
                 void samples_put(int32_t value)\n\
                 { for (int i = 0; i < ROUNDS; i++) last = value; }\n\
                 int32_t samples_latest(void) { return last; }\n";
    let control = "#include <camkes.h>\nint run(void) { return samples_latest() & 0; }\n";
    for (path, text) in [
        ("system.camkes", SYSTEM.replace("TIMES", times).as_str()),
        ("components/Sensor/sensor.c", &sensor),
        ("components/Control/control.c", control),
        ("components/Store/store.c", store),
        ("components/Store/rounds.h", "#define ROUNDS 100\n"),
    ] {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// Returns a command's status, its document, and the codes of all that is more than a note.
fn fusee(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value, Vec<String>) {
    let run = FUSEE.run_in(folder, &[arguments, &["--json"]].concat());
    let document: Value = serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&run.stderr)));
    let all = document["diagnostics"].as_array().expect("a list").iter();
    let all = all.filter(|one| one["severity"] != "note");
    let codes = all.map(|one| one["code"].as_str().expect("a code").to_owned()).collect();
    (run.status.code(), document, codes)
}

const BUILD: [&str; 4] = ["build", "system.camkes", "-o", "made"];
const RUN: [&str; 6] = ["run", "system.camkes", "-o", "made", "--for", "30ms"];
const ANALYZE: [&str; 6] =
    ["analyze", "system.camkes", "--platform", "qemu-rv64", "--programs", "made"];

#[test]
fn a_time_below_the_proved_one_is_an_error() {
    let folder = system("time", WRITTEN, SENSOR);
    // All is as it is written; what is proved stands beside it.
    let (status, document, codes) = fusee(&folder, &RUN);
    assert_eq!((status, codes), (Some(0), vec![]), "{document:#}");
    let times = document["origins"]["times"].as_array().expect("a list");
    let put = times.iter().find(|time| time["body"] == "store.samples.put").expect("it");
    let proved = put["proved_ns"].as_u64().expect("a time");
    assert!((300..2_000).contains(&proved) && put["wcet_ns"] == 20_000, "{put}");
    assert_eq!(document["trusted"], serde_json::json!([]));
    // 20,000 rounds of at least three instructions.
    std::fs::write(folder.join("components/Store/rounds.h"), "#define ROUNDS 20000\n").expect("it");
    for command in [&BUILD[..], &RUN[..]] {
        let (status, document, codes) = fusee(&folder, command);
        assert_eq!((status, codes), (Some(2), vec!["F1017".to_owned()]), "{document:#}");
        let message = document["diagnostics"].to_string();
        assert!(
            message.contains("store.samples.put") && message.contains("not 20 us"),
            "{message}"
        );
    }
    assert!(!folder.join("made/image.elf").exists(), "nobody shall take it for a good one");
    let (status, _, codes) = fusee(&folder, &[&BUILD[..], &["--trust-written"]].concat());
    assert_eq!((status, codes), (Some(0), vec!["F1017".to_owned()]));
    let (status, _, codes) = fusee(&folder, &ANALYZE);
    assert_eq!((status, codes), (Some(2), vec!["F1017".to_owned()]));
    // Who goes on is told on what the verdict rests: in the text, in the document, on the page.
    let page = ["--report", "page.html"];
    for command in [&ANALYZE[..], &[&RUN[..], &page].concat()] {
        let run = FUSEE.run_in(&folder, &[command, &["--trust-written"]].concat());
        let text = String::from_utf8_lossy(&run.stdout);
        let rests = "resting on what is written of `store.samples.put`";
        assert!(run.status.success() && text.contains(rests), "{text}");
        let (_, document, _) = fusee(&folder, &[command, &["--trust-written"]].concat());
        assert_eq!(document["trusted"], serde_json::json!(["store.samples.put"]));
    }
    let page = std::fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(page.contains("resting on what is written of"), "{page}");
    assert!(page.contains("What this page is made from") && page.contains("is proved"), "{page}");
}

#[test]
fn calls_that_a_list_leaves_out_are_an_error() {
    for (name, sensor, what) in [
        ("twice", "samples_put(1); samples_put(2); fresh_emit();", "samples.put"),
        ("other", "samples_put(samples_latest()); fresh_emit();", "samples.latest"),
        (
            "path",
            "static int n; if (n++ & 1) samples_put(1); samples_put(2); fresh_emit();",
            "samples.put",
        ),
        ("loop", "for (int i = 0; i < 3; i++) samples_put(i); fresh_emit();", "up to 3 times"),
        ("event", "samples_put(1); fresh_emit(); fresh_emit();", "a signal to"),
    ] {
        let folder = system(name, WRITTEN, sensor);
        let (status, document, codes) = fusee(&folder, &BUILD);
        assert_eq!((status, codes), (Some(2), vec!["F1018".to_owned()]), "{name}: {document:#}");
        assert!(document["diagnostics"].to_string().contains(what), "{name}: {document:#}");
    }
    // A list may say more than the code does, in any order.
    let folder = system("fewer", WRITTEN, "fresh_emit();");
    assert_eq!(fusee(&folder, &BUILD).0, Some(0));
    let other = "if (samples_latest) { fresh_emit(); samples_put(1); }";
    assert_eq!(fusee(&system("order", WRITTEN, other), &BUILD).0, Some(0));
}

#[test]
fn a_mutex_that_a_list_leaves_out_is_an_error() {
    let folder = system("mutex", WRITTEN, SENSOR);
    let edit = |file: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(folder.join(file)).expect("a file");
        assert!(text.contains(from), "{text}");
        std::fs::write(folder.join(file), text.replace(from, to)).expect("a file");
    };
    let store = "components/Store/store.c";
    edit(
        store,
        "{ return last; }",
        "{ guard_lock(); int now = last; guard_unlock(); return now; }",
    );
    let mutex = "provides Samples samples; has mutex guard;";
    edit("system.camkes", "provides Samples samples;", mutex);
    // The list of another method has a section: `latest` has none.
    let section = "_calls = [\"lock guard\", \"5 us\", \"unlock guard\"];";
    edit(
        "system.camkes",
        "store.samples_put_wcet = \"20 us\";",
        &format!("store.samples_put{section}"),
    );
    let (status, document, codes) = fusee(&folder, &BUILD);
    assert_eq!((status, codes), (Some(2), vec!["F1018".to_owned()]), "{document:#}");
    assert!(document["diagnostics"].to_string().contains("the lock of `store.guard`"));
    let latest = "store.samples_latest_wcet = \"20 us\";";
    edit("system.camkes", latest, &format!("store.samples_latest{section}"));
    let (status, document, codes) = fusee(&folder, &BUILD);
    assert_eq!((status, codes), (Some(0), vec![]), "{document:#}");
}

/// Code that could not be compared is in every verdict that rests on it.
#[test]
fn of_code_without_a_bound_nothing_is_claimed_and_that_is_said() {
    let endless = "static volatile int go; while (go) {} samples_put(1); fresh_emit();";
    let counted = "static volatile int n = 3; for (int i = 0; i < n; i++); samples_put(1); \
                   fresh_emit();";
    for (name, job) in [("endless", endless), ("counted", counted)] {
        let folder = system(name, WRITTEN, job);
        let (status, document, codes) = fusee(&folder, &BUILD);
        assert_eq!((status, codes), (Some(0), vec![]), "{document:#}");
        let told = document["diagnostics"].to_string();
        assert!(told.contains("F1019") && told.contains("`sensor`: run"), "{told}");
        let open = "1 written time not compared";
        for command in [&ANALYZE[..], &RUN] {
            let (status, document, codes) = fusee(&folder, command);
            assert_eq!((status, codes), (Some(0), vec![]), "{document:#}");
            assert_eq!(document["not_compared"], serde_json::json!(["sensor"]), "{document:#}");
            let text = FUSEE.run_in(&folder, command);
            let text = String::from_utf8_lossy(&text.stdout).into_owned();
            assert!(text.contains(open), "{command:?}: {text}");
        }
    }
    // What a run sees of it all the same is told before the bounds that rest on it.
    let longer = counted.replace("= 3", "= 1000000");
    let (status, document, codes) = fusee(&system("longer", WRITTEN, &longer), &RUN);
    assert_eq!((status, codes[0].as_str()), (Some(1), "F1129"), "{document:#}");
    assert_eq!(document["not_compared"], serde_json::json!(["sensor"]), "{document:#}");
    // Where all is compared, nothing is said.
    let folder = system("compared", WRITTEN, SENSOR);
    let (_, document, _) = fusee(&folder, &RUN);
    assert_eq!(document["not_compared"], serde_json::json!([]), "{document:#}");
}

/// Refuses an image and its programs, and says why.
fn stale(folder: &Path, why: &str) {
    for command in [
        &ANALYZE[..],
        &["verify", "made/image.elf", "system.camkes"],
        &["verify", "made/image.elf"],
        &["run", "made/image.elf", "--for", "30ms"],
    ] {
        let (status, document, codes) = fusee(folder, command);
        let found = (status, codes.iter().any(|code| code == "F1024"));
        assert_eq!(found, (Some(2), true), "{command:?}: {document:#}");
        let told = document["diagnostics"].to_string();
        assert!(told.contains(why), "{command:?}: {told}");
    }
}

#[test]
fn programs_of_other_sources_are_refused() {
    let times = "sensor.calls = [\"samples.put\", \"emit fresh\"];";
    let folder = system("stale", times, SENSOR);
    assert_eq!(fusee(&folder, &BUILD).0, Some(0));
    let current = || {
        for command in [
            &ANALYZE[..],
            &["verify", "made/image.elf"],
            &["run", "made/image.elf", "--for", "30ms"],
        ] {
            let (status, document, _) = fusee(&folder, command);
            assert_eq!(status, Some(0), "{command:?}: {document:#}");
        }
    };
    current();
    for (path, why) in [
        ("components/Store/store.c", "`components/Store/store.c` has changed"),
        ("components/Store/rounds.h", "`components/Store/rounds.h` has changed"),
    ] {
        let path = folder.join(path);
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::write(&path, format!("{text}\n// another one\n")).expect("a file");
        stale(&folder, why);
        std::fs::write(&path, text).expect("a file");
        current();
    }
    let added = folder.join("components/Store/more.c");
    std::fs::write(&added, "int more;\n").expect("a file");
    stale(&folder, "`components/Store/more.c` is a source of `store` now");
    std::fs::remove_file(&added).expect("it is there");
    let (source, other) = (folder.join("components/Sensor/sensor.c"), folder.join("sensor.c"));
    std::fs::rename(&source, &other).expect("it can be moved");
    stale(&folder, "sensor.c` is gone");
    std::fs::rename(&other, &source).expect("it can be moved");
    // Another procedure is another program, though no number of the system is another one.
    let description = folder.join("system.camkes");
    let text = std::fs::read_to_string(&description).expect("a description");
    std::fs::write(&description, text.replace("in int32_t value", "in int64_t value"))
        .expect("a description");
    stale(&folder, "the interfaces of `store` are others");
    // What nothing is made from may change: words in a description, a file beside it.
    std::fs::write(&description, format!("// a word\n{text}")).expect("a description");
    std::fs::write(folder.join("notes.txt"), "a word").expect("a file");
    current();
    // An image that was copied runs, and nobody takes times from what is beside it.
    let alone = folder.join("alone");
    std::fs::create_dir(&alone).expect("a folder");
    std::fs::copy(folder.join("made/image.elf"), alone.join("image.elf")).expect("a file");
    let (status, document, codes) = fusee(&folder, &["run", "alone/image.elf", "--for", "30ms"]);
    assert_eq!((status, codes), (Some(0), vec![]), "{document:#}");
    assert!(document["diagnostics"].to_string().contains("F1025"), "{document:#}");
}

/// A component in Rust is another one as soon as any of its files has changed.
#[test]
fn programs_of_other_sources_in_rust_are_refused() {
    let times = "sensor.calls = [\"samples.put\", \"emit fresh\"];";
    let folder = system("stale-rust", times, SENSOR);
    std::fs::remove_file(folder.join("components/Store/store.c")).expect("it is there");
    let store = "#![no_std]\nuse core::sync::atomic::{AtomicI32, Ordering::Relaxed};\nmod far;\n\
                 static LAST: AtomicI32 = AtomicI32::new(far::FIRST);\nstruct Store;\n\
                 impl camkes::provided::Samples for Store {\n    \
                 fn put(value: i32) { LAST.store(value, Relaxed); }\n    \
                 fn latest() -> i32 { LAST.load(Relaxed) }\n}\ncamkes::component!(Store);\n";
    let files = [("lib.rs", store), ("far.rs", "pub const FIRST: i32 = 3;\n")];
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join("components/Store").join(name), text).expect("a file");
    };
    files.iter().for_each(|(name, text)| write(name, text));
    let (status, document, _) = fusee(&folder, &BUILD);
    assert_eq!(status, Some(0), "{document:#}");
    for (name, text) in files {
        write(name, &format!("{text}\n// another one\n"));
        stale(&folder, &format!("`components/Store/{name}` has changed"));
        write(name, text);
        for command in [&ANALYZE[..], &["verify", "made/image.elf"]] {
            let (status, document, _) = fusee(&folder, command);
            assert_eq!(status, Some(0), "{command:?}: {document:#}");
        }
    }
}

#[test]
fn programs_of_another_compiler_or_of_other_options_are_refused() {
    let times = "sensor.calls = [\"samples.put\", \"emit fresh\"];";
    let folder = system("tools", times, SENSOR);
    let compiler = folder.join("cc");
    let script = |version: &str| {
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && echo 'cc {version}' && exit\n\
             exec riscv64-unknown-elf-gcc \"$@\"\n"
        );
        std::fs::write(&compiler, text).expect("a script");
        use std::os::unix::fs::PermissionsExt;
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&compiler, executable).expect("a script");
    };
    script("1");
    let path = compiler.to_str().expect("a path");
    assert_eq!(fusee(&folder, &[&BUILD[..], &["--compiler", path]].concat()).0, Some(0));
    assert_eq!(fusee(&folder, &ANALYZE).0, Some(0));
    script("2");
    stale(&folder, "the C compiler was `cc 1`, and is `cc 2`");
    script("1");
    // Macros that a user gives are options, too.
    let (status, document, codes) =
        fusee(&folder, &[&ANALYZE[..], &["-D", "ROUNDS_OF=3"]].concat());
    assert_eq!((status, codes), (Some(2), vec!["F1024".to_owned()]), "{document:#}");
    assert!(document["diagnostics"].to_string().contains("compiled with other options"));
}

#[test]
fn the_advice_about_missing_times_leads_to_a_verdict() {
    use std::process::Command;
    let times = "sensor.calls = [\"samples.put\", \"emit fresh\"];";
    let folder = system("advice", times, SENSOR);
    let tool = Path::new(FUSEE.0).parent().expect("a folder");
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").expect("a path"));
    for command in ["analyze", "simulate", "report"] {
        let _ = std::fs::remove_dir_all(folder.join("build"));
        let (status, document, _) =
            fusee(&folder, &[command, "system.camkes", "-D", "A=b c", "--no-build"]);
        assert_eq!(status, Some(2), "{document:#}");
        let all = document["diagnostics"].as_array().expect("a list").iter();
        let notes = all.flat_map(|one| one["notes"].as_array().expect("a list").clone());
        let notes: Vec<String> =
            notes.map(|note| note.as_str().expect("text").to_owned()).collect();
        let commands =
            notes.iter().filter_map(|note| note.split('`').find(|p| p.starts_with("fusee ")));
        let commands: Vec<&str> = commands.collect();
        assert_eq!(commands.len(), 2, "{notes:?}");
        for command in commands {
            let mut shell = Command::new("sh");
            let run = shell.args(["-c", command]).current_dir(&folder).env("PATH", &path).output();
            let run = run.expect("a shell");
            let text = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
            assert!(
                !command.contains("analyze") || text.contains("every deadline holds"),
                "{text}"
            );
        }
    }
}

#[test]
fn a_compiler_that_is_not_there_is_no_bad_input() {
    let folder = system("status", WRITTEN, SENSOR);
    for command in [&BUILD[..], &RUN[..]] {
        let (status, document, _) =
            fusee(&folder, &[command, &["--compiler", "no-such-compiler"]].concat());
        assert_eq!(status, Some(3), "{document:#}");
    }
    std::fs::write(folder.join("components/Store/store.c"), "int 3;").expect("a file");
    for command in [&BUILD[..], &RUN[..]] {
        let (status, document, _) = fusee(&folder, command);
        assert_eq!(status, Some(2), "{document:#}");
    }
}
