//! Bounds from binaries: numbers, obstacles, facts, and bad input.

mod asking;
mod foreign;
mod page;
mod written;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wcet-{name}"))
}

/// Returns the test programs, linked; each test has a file of its own.
fn program(test: &str) -> PathBuf {
    compiled(test, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wcet/programs.c"))
}

/// Returns a program with a start of its own, linked.
fn compiled(test: &str, source: &Path) -> PathBuf {
    let output = scratch(&format!("{test}.elf"));
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args([
            "-march=rv32imac",
            "-mabi=ilp32",
            "-O2",
            "-g",
            "-nostdlib",
            "-nostartfiles",
            "-ffreestanding",
        ])
        .args(["-fno-tree-vectorize", "-Wl,-Ttext=0x80000000", "-o"])
        .args([output.as_path(), source])
        .status()
        .expect("riscv64-unknown-elf-gcc runs; `make setup` installs it");
    assert!(status.success());
    output
}

fn facts(test: &str, text: &str) -> PathBuf {
    let path = scratch(&format!("{test}.toml"));
    std::fs::write(&path, text).expect("a file");
    path
}

fn wcet(elf: &Path, arguments: &[&str]) -> Output {
    Command::new(snapbox::cmd::cargo_bin!("fusee"))
        .arg("wcet")
        .arg(elf)
        .args(arguments)
        .output()
        .expect("it runs")
}

fn json(run: &Output) -> Value {
    serde_json::from_slice(&run.stdout).expect("one JSON document")
}

#[test]
fn bounds_a_counted_loop() {
    let run = wcet(&program("sum"), &["--entry", "sum", "--path", "--json"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let document = json(&run);
    let entry = &document["entries"][0];
    let bound = entry["bound"].as_u64().expect("a bound");
    assert!((16 * 3..16 * 8).contains(&bound), "{bound}");
    assert_eq!(entry["stack_bytes"], 0);
    assert!(entry.get("obstacles").is_none() && entry["observed"].is_null());
    let loops = entry["loops"].as_array().expect("a list");
    assert_eq!((loops.len(), &loops[0]["source"]), (1, &Value::from("programs.c:9")), "{loops:?}");
    assert!([15, 16].contains(&loops[0]["iterations"].as_u64().expect("a number")), "{loops:?}");
    for list in ["functions", "blocks", "lines"] {
        let shares = entry["path"][list].as_array().expect("a list");
        let total: u64 = shares.iter().map(|share| share["time"].as_u64().expect("a time")).sum();
        assert_eq!(total, bound, "{list}");
    }
    let blocks = entry["path"]["blocks"].as_array().expect("a list");
    assert!(blocks.iter().any(|block| block["executed"] == 16), "{blocks:?}");
    assert_eq!(run.stdout, wcet(&program("sum"), &["--entry", "sum", "--path", "--json"]).stdout);
    // A function behind the program is what people type first.
    let short = json(&wcet(&program("sum"), &["sum", "--path", "--json"]));
    assert_eq!(document["entries"], short["entries"]);
}

/// Returns the time of steps, each as often as it is taken.
fn unfolded(steps: &Value) -> u64 {
    let step = |step: &Value| match step["times"].as_u64() {
        Some(times) => times * unfolded(&step["steps"]),
        None => step["time"].as_u64().expect("a time"),
    };
    steps.as_array().expect("steps").iter().map(step).sum()
}

#[test]
fn shows_the_worst_path_step_by_step_with_source_and_code() {
    let elf = program("path");
    let document = json(&wcet(&elf, &["--entry", "sum", "--path", "--json"]));
    let entry = &document["entries"][0];
    let steps = &entry["path"]["steps"];
    assert_eq!(unfolded(steps), entry["bound"].as_u64().expect("a bound"));
    assert!(
        steps
            .as_array()
            .expect("steps")
            .iter()
            .any(|step| step["times"] == 15 || step["times"] == 16),
        "{steps}"
    );
    let blocks = entry["path"]["blocks"].as_array().expect("blocks");
    let code = blocks[0]["code"].as_array().expect("code");
    assert!(
        code.iter().any(|line| line["text"].as_str().is_some_and(|text| text.contains("lw a"))),
        "{code:?}"
    );
    assert!(
        code.iter()
            .any(|line| line["source"].as_str().is_some_and(|s| s.starts_with("programs.c:"))),
        "{code:?}"
    );
    let text = wcet(&elf, &["--entry", "sum", "--path"]);
    let text = String::from_utf8_lossy(&text.stdout);
    for part in ["by line of source", "programs.c:9", "times:", "lw a", "step by step"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let page = scratch("path.html");
    let run = wcet(&elf, &["--entry", "sum", "--report", page.to_str().expect("a path")]);
    assert!(String::from_utf8_lossy(&run.stdout).contains("path.html"));
    let page = std::fs::read_to_string(page).expect("a page");
    for part in ["times, ", "programs.c:9", "lw a", "instructions"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let cached =
        json(&wcet(&elf, &["--entry", "sum", "--path", "--json", "--machine", "vexriscv"]));
    let path = &cached["entries"][0]["path"];
    assert!(
        path["functions"][0]["misses"]["instructions"].as_u64().is_some_and(|misses| misses > 0),
        "{path}"
    );
    assert_eq!(unfolded(&path["steps"]), cached["entries"][0]["bound"].as_u64().expect("a bound"));
}

#[test]
fn answers_what_if_a_loop_went_round_less_often() {
    let elf = program("what-if");
    let asked =
        |question: &str| json(&wcet(&elf, &["--entry", "sum", "--json", "--what-if", question]));
    let document = asked("programs.c:9=16");
    let entry = &document["entries"][0];
    let (bound, answer) = (entry["bound"].as_u64().expect("a bound"), &entry["what_if"][0]);
    assert_eq!(
        (answer["bound"].as_u64(), &answer["matters"]),
        (Some(bound), &Value::Bool(false)),
        "{answer}"
    );
    let answer = &asked("programs.c:9=4")["entries"][0]["what_if"][0];
    assert_eq!(
        (&answer["bound"], &answer["possible"]),
        (&Value::Null, &Value::Bool(false)),
        "{answer}"
    );
    // What a fact bounds can be more or less.
    let header = json(&wcet(&elf, &["--entry", "search", "--json"]))["entries"][0]["obstacles"][0]
        ["symbol"]
        .clone();
    let header = header.as_str().expect("a place");
    let file = facts("what-if", &format!("loops.\"{header}\" = 10\n"));
    let file = file.to_str().expect("a path");
    let run = |question: &str| {
        json(&wcet(&elf, &["--entry", "search", "--json", "--facts", file, "--what-if", question]))
    };
    let twice = run(&format!("{header}=20"));
    let entry = &twice["entries"][0];
    let (ten, twenty) = (entry["bound"].as_u64(), entry["what_if"][0]["bound"].as_u64());
    assert!(twenty > ten && ten.is_some(), "{entry}");
    assert_eq!(
        codes(&wcet(&elf, &["--json", "--entry", "sum", "--what-if", "serach=3"])).1,
        ["F0806"]
    );
}

#[test]
fn refuses_a_processor_of_another_kind() {
    let arm = scratch("other.elf");
    let status = Command::new("clang-19")
        .args(["--target=aarch64-none-elf", "-O1", "-nostdlib", "-static", "-fuse-ld=lld-19", "-o"])
        .arg(&arm)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wcet/programs.c"))
        .status()
        .expect("clang-19 runs; `make setup` installs it");
    assert!(status.success());
    assert_eq!(
        codes(&wcet(&arm, &["--json", "--entry", "sum", "--machine", "vexriscv"])),
        (Some(2), vec!["F0811".to_owned()])
    );
    assert_eq!(wcet(&arm, &["--json", "--entry", "sum"]).status.code(), Some(0));
}

/// Runs without facts, fills the line that is asked for in, and runs with it.
fn settle(test: &str, fill_in: impl Fn(&str) -> String) -> Output {
    let elf = program(test);
    let refused = wcet(&elf, &["--entry", test, "--json"]);
    assert_eq!(refused.status.code(), Some(1));
    let document = json(&refused);
    assert!(
        document["entries"][0]["bound"].is_null()
            && document["entries"][0]["stack_bytes"].is_null()
    );
    let obstacles = document["entries"][0]["obstacles"].as_array().expect("obstacles");
    assert_eq!(obstacles.len(), 1, "{obstacles:?}");
    assert!(
        obstacles[0]["source"].as_str().is_some_and(|at| at.starts_with("programs.c:")),
        "{obstacles:?}"
    );
    assert!(document.get("obstacles").is_none(), "once is enough");
    let loops = document["entries"][0]["loops"].as_array().expect("loops");
    let known = loops.iter().any(|one| !one["iterations"].is_null());
    assert!(!known, "nobody knows how often it iterates: {loops:?}");
    let line = fill_in(obstacles[0]["fact"].as_str().expect("a fact"));
    let file = facts(test, &line);
    let settled =
        wcet(&elf, &["--entry", test, "--json", "--facts", file.to_str().expect("a path")]);
    assert_eq!(settled.status.code(), Some(0), "{}", String::from_utf8_lossy(&settled.stderr));
    assert_eq!(json(&settled)["entries"][0]["facts"], serde_json::json!([line]));
    settled
}

fn bound(run: &Output) -> u64 {
    json(run)["entries"][0]["bound"].as_u64().expect("a bound")
}

#[test]
fn takes_the_bound_of_a_loop_from_the_line_it_asked_for() {
    let ten = bound(&settle("search", |line| line.replace('N', "10")));
    let hundred = bound(&settle("search", |line| line.replace('N', "100")));
    assert_eq!((hundred - ten) % 90, 0);
    assert!(ten >= 20 && hundred >= 200, "{ten} {hundred}");
}

#[test]
fn takes_targets_from_the_line_it_asked_for() {
    let run = settle("dispatch", |line| line.replace(r#""A", "B""#, r#""twice""#));
    assert!((5..20).contains(&bound(&run)), "{}", bound(&run));
}

#[test]
fn refuses_facts_that_cannot_be_true_and_names_those_that_nothing_rests_on() {
    let elf = program("unused");
    for (name, text, code, place, status) in [
        ("unused", "unreachable = [\"twice\"]\n", "F0807", "unused.toml:1:16", 0),
        ("unneeded", "loops.\"programs.c:9\" = 40\n", "F0807", "unneeded.toml:1:7", 0),
        ("contradicted", "unreachable = [\"sum\"]\n", "F0810", "contradicted.toml:1:16", 2),
    ] {
        let file = facts(name, text);
        let run = wcet(&elf, &["--entry", "sum", "--facts", file.to_str().expect("a path")]);
        let text = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(status), "{text}");
        assert!(text.contains(code) && text.contains(place), "{text}");
    }
}

/// Returns the codes of all messages, with the exit status.
fn codes(run: &Output) -> (Option<i32>, Vec<String>) {
    let document = json(run);
    let diagnostics = document["diagnostics"].as_array().expect("a list");
    let codes = diagnostics.iter().map(|d| d["code"].as_str().expect("a code").to_owned());
    (run.status.code(), codes.collect())
}

#[test]
fn names_all_that_is_wrong_with_a_facts_file() {
    let elf = program("wrong");
    for (text, expected) in [
        ("[loops\n", vec!["F0805"]),
        ("[lops]\n", vec!["F0805"]),
        ("loops = 3\nunreachable = 4\n[targets]\nsum = []\n", vec!["F0805"; 3]),
        (
            "[loops]\nserach = 1\nsum = -1\n\"sum+x\" = 2\n\"0x10\" = 1\n",
            vec!["F0806", "F0805", "F0806", "F0806"],
        ),
        ("unreachable = [1, \"nothing\"]\n", vec!["F0805", "F0806"]),
    ] {
        let file = facts("wrong", text);
        let run =
            wcet(&elf, &["--json", "--entry", "sum", "--facts", file.to_str().expect("a path")]);
        let (status, mut found) = codes(&run);
        let mut expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        found.sort();
        expected.sort();
        assert_eq!((status, found), (Some(2), expected), "{text}");
    }
    let file = facts("wrong", "[loops]\nserach = 1\n");
    let run = wcet(&elf, &["--facts", file.to_str().expect("a path")]);
    let text = String::from_utf8_lossy(&run.stderr);
    assert!(text.contains("did you mean `search`?") && text.contains("wrong.toml:2:1"), "{text}");
}

#[test]
fn refuses_what_is_no_program() {
    let text = scratch("notes.txt");
    std::fs::write(&text, "no ELF").expect("a file");
    let foreign = PathBuf::from(snapbox::cmd::cargo_bin!("fusee"));
    assert_eq!(codes(&wcet(&text, &["--json"])), (Some(2), vec!["F0801".to_owned()]));
    assert_eq!(codes(&wcet(&foreign, &["--json"])), (Some(2), vec!["F0802".to_owned()]));
    assert_eq!(
        codes(&wcet(Path::new("no-such.elf"), &["--json"])),
        (Some(2), vec!["F0001".to_owned()])
    );
}

#[test]
fn names_the_entry_that_was_probably_meant() {
    let run = wcet(&program("entry"), &["--entry", "serach"]);
    assert_eq!(run.status.code(), Some(2));
    let text = String::from_utf8_lossy(&run.stderr);
    assert!(text.contains("F0804") && text.contains("did you mean `search`?"), "{text}");
}

/// Returns a program for the board, linked.
fn board(test: &str) -> PathBuf {
    let output = scratch(&format!("{test}.elf"));
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args([
            "-march=rv32ima",
            "-mabi=ilp32",
            "-mcmodel=medany",
            "-O1",
            "-nostdlib",
            "-nostartfiles",
        ])
        .args(["-ffreestanding", "-Wl,-Ttext=0x80000000", "-o"])
        .arg(&output)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wcet/board.c"))
        .status()
        .expect("riscv64-unknown-elf-gcc runs; `make setup` installs it");
    assert!(status.success());
    output
}

#[test]
fn machines_have_times_of_their_own() {
    let elf = board("machines");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines");
    let time = |machine: &str| {
        let document = json(&wcet(&elf, &["--entry", "work", "--json", "--machine", machine]));
        (
            document["unit"].as_str().expect("a unit").to_owned(),
            document["entries"][0]["bound"].as_u64().expect("a bound"),
        )
    };
    let (unit, instructions) = time("instructions");
    assert_eq!(unit, "instructions");
    let described = ["small.toml", "cortex-a8.toml"]
        .map(|name| examples.join(name).to_str().expect("a path").to_owned());
    for machine in ["vexriscv".to_owned()].into_iter().chain(described) {
        let (unit, cycles) = time(&machine);
        assert_eq!(unit, "cycles");
        assert!(cycles > instructions, "{machine}: {cycles}");
    }
}

#[test]
fn machines_that_are_wrong_are_refused() {
    let elf = board("wrong-machines");
    let code =
        |machine: &str| codes(&wcet(&elf, &["--json", "--entry", "work", "--machine", machine]));
    assert_eq!(code("vexrisc"), (Some(2), vec!["F0809".to_owned()]));
    assert_eq!(code("no-such.toml"), (Some(2), vec!["F0001".to_owned()]));
    let all = "[issue]\nmultiply = 1\ndivide = 1\nstatus = 1\nfence = 1\nfence_i = 1\nsystem = 1\n";
    let memory = "[memory]\nline = 1\nread = 1\nwrite = 1\n";
    for wrong in [
        "name = 1".to_owned(),
        format!("name = \"m\"\n{memory}"),
        format!("name = \"m\"\n{all}"),
        format!("name = \"m\"\n{all}{memory}spead = 1\n"),
        format!("name = \"m\"\n{all}{memory}[data_cache]\nsize = 3000\nline = 32\n"),
        format!("name = \"m\"\n{all}{memory}pending_writes = 2000000\n"),
    ] {
        let file = facts("wrong-machine", &wrong);
        assert_eq!(
            code(file.to_str().expect("a path")),
            (Some(2), vec!["F0808".to_owned()]),
            "{wrong}"
        );
    }
}

#[test]
fn observes_the_core() {
    let elf = board("observed");
    let run = Command::new(snapbox::cmd::cargo_bin!("fusee"))
        .arg("wcet")
        .arg(&elf)
        .args([
            "--entry",
            "work",
            "--machine",
            "vexriscv",
            "--observe",
            "rtl-vexriscv",
            "--wait-states",
            "4",
            "--json",
        ])
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("it runs");
    let document = json(&run);
    let entry = &document["entries"][0];
    let (bound, observed) =
        (entry["bound"].as_u64().expect("a bound"), entry["observed"].as_u64().expect("a time"));
    assert_eq!((run.status.code(), entry["calls"].as_u64()), (Some(0), Some(2)));
    assert!(observed <= bound && bound <= observed * 2, "{observed} observed, bound {bound}");
}

/// Known arguments bound a loop: told, or by their types.
#[test]
fn takes_what_registers_hold_at_the_entry() {
    let elf = program("registers");
    let run = |entry: &str, register: &str| {
        let told = [entry, "--json", "--register", register];
        let arguments: &[&str] = if register.is_empty() { &told[..2] } else { &told };
        wcet(&elf, &[&["--entry"], arguments].concat())
    };
    assert_eq!(run("repeat", "").status.code(), Some(1), "nothing is known of `n`");
    let times: Vec<u64> =
        ["a0=9", "x10=0..19", "a0=-3..29"].map(|told| bound(&run("repeat", told))).to_vec();
    assert_eq!(times[2] - times[1], times[1] - times[0], "{times:?}");
    let typed = run("repeat_byte", "");
    let assumed = json(&typed)["entries"][0]["assumptions"].to_string();
    assert!(
        bound(&typed) >= 2 * 255 && assumed.contains("`n` in `a0` is from 0 to 255"),
        "{assumed}"
    );
    assert!(bound(&run("repeat_byte", "a0=4")) < 40);
    for (wrong, status) in [("r0=4", 2), ("a0=4..3", 2), ("sp=4", 2), ("a0=x", 2)] {
        assert_eq!(run("repeat", wrong).status.code(), Some(status), "{wrong}");
    }
    assert_eq!(codes(&run("repeat", "r0=4")).1, ["F0813"]);
}

/// The content of memory bounds a loop where the program has just been loaded.
#[test]
fn takes_what_the_file_loads_where_it_is_told() {
    let elf = program("as_loaded");
    let run = |more: &[&str]| wcet(&elf, &[&["--entry", "count_down", "--json"], more].concat());
    assert_eq!(run(&[]).status.code(), Some(1), "nothing is known of `left`");
    let told = run(&["--as-loaded"]);
    let assumed = json(&told)["entries"][0]["assumptions"].to_string();
    assert!((12..60).contains(&bound(&told)), "{}", bound(&told));
    assert!(assumed.contains("memory is as the file loads it"), "{assumed}");
}

#[test]
fn names_what_is_no_code_and_what_is_not_in_the_program() {
    let elf = program("others");
    let data = wcet(&elf, &["--entry", "table", "--json"]);
    assert_eq!(codes(&data), (Some(2), vec!["F0804".to_owned()]));
    let call = json(&wcet(&elf, &["--entry", "ask", "--json"]));
    let obstacle = &call["entries"][0]["obstacles"][0];
    assert_eq!(
        (&obstacle["fact"], call["entries"][0]["bound"].is_null()),
        (&Value::from("times.\"ask\" = N"), true),
        "{obstacle}"
    );
}
