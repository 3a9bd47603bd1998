//! Times that a description leaves out come from the code of its components.

use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_testing::document;
use serde_json::{Value, json};

const SYSTEM: &str = "import <std_connector.camkes>;
procedure Level { int read(); };
component Pump { control; uses Level level; }
component Tank { provides Level level; }
assembly {
    composition {
        component Pump pump;
        component Tank tank;
        connection seL4RPCCall reads(from pump.level, to tank.level);
    }
    configuration {
        pump.period = \"10 ms\";
        pump.calls = [\"level.read\"];
        TIMES
    }
}
";

const PUMP: &str = "#include <camkes.h>\nint run(void) { return level_read() & 0; }\n";

const TANK: &str = "#include <camkes.h>\nstatic volatile int level;\n\
                    int level_read(void) { for (int i = 0; i < 50; i++) level++; return level; }\n";

/// A project in a folder of its own.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, times: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("from-code-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        let project = Self(folder);
        project.write("system.camkes", &SYSTEM.replace("TIMES", times));
        project.write("components/Pump/pump.c", PUMP);
        project.write("components/Tank/tank.c", TANK);
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Replaces a text in a file that has it.
    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.0.join(name)).expect("a file");
        assert!(text.contains(from), "{text}");
        self.write(name, &text.replace(from, to));
    }

    /// Returns a command's status, its document, and the codes of all that is more than a note; the
    /// compiler is one that counts.
    fn ask(&self, arguments: &[&str]) -> (Option<i32>, Value, Vec<String>) {
        let compiler = self.0.join("cc");
        let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
        if compiler.is_file() {
            command.env("FUSEE_CC", compiler);
        }
        let run = command.current_dir(&self.0).args(arguments).arg("--json").output();
        let run = run.expect("it starts");
        let document = document(&run);
        let all = document["diagnostics"].as_array().expect("a list").iter();
        let all = all.filter(|one| one["severity"] != "note");
        let codes = all.map(|one| one["code"].as_str().expect("a code").to_owned()).collect();
        (run.status.code(), document, codes)
    }

    /// Writes a compiler that notes what it is called with.
    fn count_calls(&self) {
        use std::os::unix::fs::PermissionsExt;
        self.write(
            "cc",
            "#!/bin/sh\necho \"$@\" >>\"$0.calls\"\nexec riscv64-unknown-elf-gcc \"$@\"\n",
        );
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.0.join("cc"), executable).expect("a script");
    }

    /// Returns the sources of components that were compiled since this was asked last.
    fn compiled(&self) -> Vec<&'static str> {
        let calls = self.0.join("cc.calls");
        let text = std::fs::read_to_string(&calls).unwrap_or_default();
        let _ = std::fs::remove_file(&calls);
        let is_compiled = |name: &&str| text.lines().any(|line| line.contains(name));
        ["pump.c", "tank.c"].into_iter().filter(is_compiled).collect()
    }

    fn has_built(&self) -> bool {
        self.0.join("build").exists()
    }
}

const ANALYZE: [&str; 2] = ["analyze", "system.camkes"];

fn time<'d>(document: &'d Value, body: &str) -> &'d Value {
    fusee_testing::row(&document["origins"]["times"], "body", body)
}

#[test]
fn all_commands_that_need_times_build_them() {
    let project = Project::new("all", "");
    // A check judges the description, and needs no time.
    let (status, checked, codes) = project.ask(&["check", "system.camkes"]);
    assert_eq!((status, codes, project.has_built()), (Some(0), vec![], false), "{checked:#}");
    assert_eq!(checked["from_code"], json!(["pump", "tank.level.read"]));
    let run = ["--for", "50ms"];
    for (arguments, is_run) in [
        (&ANALYZE[..], false),
        (&["simulate", "system.camkes"], true),
        (&["report", "system.camkes"], true),
    ] {
        let _ = std::fs::remove_dir_all(project.0.join("build"));
        let more: &[&str] = if is_run { &run } else { &[] };
        let (status, document, codes) = project.ask(&[arguments, more].concat());
        assert_eq!((status, codes), (Some(0), vec![]), "{arguments:?}: {document:#}");
        assert_eq!(document["origins"]["kernel"]["platform"], "qemu-rv64", "{document:#}");
        for body in ["pump", "tank.level.read"] {
            assert_eq!(time(&document, body)["from"], "proved", "{document:#}");
        }
        assert!(project.has_built());
    }
    // The same numbers as from a folder of programs.
    let programs = ["--platform", "qemu-rv64", "--programs", "build/system"];
    let (_, asked, _) = project.ask(&[&ANALYZE[..], &programs].concat());
    let (_, built, _) = project.ask(&ANALYZE);
    assert_eq!(asked["tasks"], built["tasks"]);
    for arguments in [&["--compare", "tank.level"][..], &["--sensitivity"], &["--offsets"]] {
        let (status, document, _) = project.ask(&[&ANALYZE[..], arguments].concat());
        assert_eq!(status, Some(0), "{document:#}");
    }
    let (status, placed, _) = project.ask(&["place", "system.camkes", "--cores", "2"]);
    assert_eq!(status, Some(0), "{placed:#}");
}

#[test]
fn who_wants_no_build_is_told_what_is_missing() {
    let project = Project::new("none", "");
    for arguments in [&["--no-build"][..], &["--platform", "sim"]] {
        let (status, document, codes) = project.ask(&[&ANALYZE[..], arguments].concat());
        assert_eq!((status, project.has_built()), (Some(2), false), "{document:#}");
        assert_eq!(codes, ["F0530", "F0531"]);
        assert!(document["diagnostics"][0]["notes"].to_string().contains("fusee build"));
    }
    // A description with all times needs no build.
    let times = "pump.wcet = \"1 ms\"; tank.level_wcet = \"1 ms\";";
    let project = Project::new("written", times);
    for command in ["check", "analyze", "simulate"] {
        let (status, document, codes) = project.ask(&[command, "system.camkes"]);
        assert_eq!((status, codes), (Some(0), vec![]), "{command}: {document:#}");
        let platform = &document["origins"]["kernel"]["platform"];
        assert!(platform.is_null() || platform == "sim", "{document:#}");
    }
    assert!(!project.has_built());
}

#[test]
fn a_description_whose_sources_are_not_there_is_refused_as_ever() {
    for (name, gone) in [("caller", "components/Pump"), ("callee", "components/Tank")] {
        let project = Project::new(name, "");
        std::fs::remove_dir_all(project.0.join(gone)).expect("it was there");
        for command in ["check", "analyze", "simulate"] {
            let (status, document, codes) = project.ask(&[command, "system.camkes"]);
            assert_eq!(
                (status, codes.as_slice()),
                (Some(2), &["F0530", "F0531"].map(str::to_owned)[..])
            );
            assert!(!project.has_built(), "{document:#}");
        }
    }
    // A stub has the times that are written, and code that is not compiled here tells none.
    let stub = "tank.stub = true; tank.level_wcet = \"1 ms\";";
    let project = Project::new("stub", stub);
    std::fs::remove_dir_all(project.0.join("components/Tank")).expect("it was there");
    let (status, document, codes) = project.ask(&ANALYZE);
    assert_eq!((status, codes), (Some(0), vec![]), "{document:#}");
    assert_eq!(time(&document, "tank.level.read")["from"], "attribute");
    let project = Project::new("foreign", "");
    let tank = project.0.join("components/Tank");
    std::fs::rename(tank.join("tank.c"), tank.join("tank.cpp")).expect("a file");
    assert_eq!(project.ask(&ANALYZE).2, ["F0530", "F0531"]);
}

#[test]
fn a_changed_number_compiles_nothing_and_a_changed_source_itself() {
    let project = Project::new("changed", "pump.priority = 7;");
    project.count_calls();
    // Nobody has compiled this before.
    let fresh = format!("// {:?}\n", std::time::SystemTime::now());
    project.write("components/Pump/pump.c", &format!("{fresh}{PUMP}"));
    project.write("components/Tank/tank.c", &format!("{fresh}{TANK}"));
    std::thread::sleep(std::time::Duration::from_millis(50));
    let analyze = || {
        let (status, document, _) = project.ask(&ANALYZE);
        assert_eq!(status, Some(0), "{document:#}");
        document
    };
    let first = analyze();
    assert_eq!(project.compiled(), ["pump.c", "tank.c"]);
    let image =
        || std::fs::metadata(project.0.join("build/system/image.elf")).expect("it").modified();
    let (built, same) = (image().expect("a time"), analyze());
    assert_eq!((image().expect("a time"), &same["tasks"]), (built, &first["tasks"]));
    assert_eq!(project.compiled(), [""; 0]);
    for (from, to) in [
        ("\"10 ms\"", "\"5 ms\""),
        ("priority = 7", "priority = 9"),
        ("pump.period", "tank.level_priority_protocol = \"fixed\"; pump.period"),
    ] {
        project.edit("system.camkes", from, to);
        analyze();
        assert_eq!(project.compiled(), [""; 0], "{to}");
    }
    project.edit("components/Tank/tank.c", "i < 50", "i < 500");
    std::thread::sleep(std::time::Duration::from_millis(50));
    let longer = analyze();
    assert_eq!(project.compiled(), ["tank.c"]);
    let of = |document: &Value| time(document, "tank.level.read")["wcet_ns"].as_u64();
    assert!(of(&longer) > of(&first).map(|time| time * 5), "{longer:#}");
}

#[test]
fn what_is_wrong_with_the_code_is_told_instead() {
    let project = Project::new("wrong", "");
    project.write("components/Tank/tank.c", "#include <camkes.h>\nint level_read(void) { 3 }\n");
    for command in ["analyze", "simulate", "report"] {
        let (status, document, codes) = project.ask(&[command, "system.camkes"]);
        assert_eq!(status, Some(2), "{document:#}");
        let missing = ["F0530", "F0531"];
        assert!(!codes.is_empty() && codes.iter().all(|code| !missing.contains(&code.as_str())));
        assert!(document["diagnostics"].to_string().contains("tank.c"), "{document:#}");
    }
    project.write("cc", "a compiler that does not start\n");
    let (status, document, _) = project.ask(&ANALYZE);
    assert_eq!(status, Some(3), "{document:#}");
    // What has no bound is named, and so is a written time that is too short.
    let endless = "#include <camkes.h>\nstatic volatile int go;\n\
                   int level_read(void) { while (go) {} return 0; }\n";
    let project = Project::new("endless", "");
    project.write("components/Tank/tank.c", endless);
    let (status, document, codes) = project.ask(&ANALYZE);
    assert_eq!((status, codes[0].as_str()), (Some(2), "F0812"), "{document:#}");
    let project = Project::new("short", "tank.level_wcet = \"10 ns\";");
    assert_eq!(project.ask(&ANALYZE).2, ["F1017"]);
    let (status, document, codes) = project.ask(&[&ANALYZE[..], &["--trust-written"]].concat());
    assert_eq!((status, codes), (Some(0), vec!["F1017".to_owned()]), "{document:#}");
    assert_eq!(document["trusted"], json!(["tank.level.read"]));
}

/// Places a project, and analyzes its description with the lines that were printed.
fn placed_and_analyzed(project: &Project, cores: &str, platform: &[&str]) -> (Value, Value) {
    let command = ["place", "system.camkes", "--cores", cores];
    let (_, placed, _) = project.ask(&[&command[..], platform].concat());
    let lines = placed["lines"].as_array().expect("lines").iter();
    let lines: Vec<&str> = lines.map(|line| line.as_str().expect("a line")).collect();
    assert!(!lines.is_empty(), "{placed:#}");
    let key = |line: &str| line.split(" = ").next().expect("a key").trim().to_owned();
    let anew: Vec<String> = lines.iter().map(|line| key(line)).collect();
    let text = std::fs::read_to_string(project.0.join("system.camkes")).expect("a description");
    let kept: Vec<&str> = text.lines().filter(|line| !anew.contains(&key(line))).collect();
    let configuration = format!("configuration {{\n{}", lines.join("\n"));
    project.write("placed.camkes", &kept.join("\n").replace("configuration {", &configuration));
    let (_, analyzed, _) = project.ask(&[&["analyze", "placed.camkes"][..], platform].concat());
    (placed, analyzed)
}

/// Times from the program are in what is placed as they are in what is analyzed.
#[test]
fn a_placement_of_code_is_judged_as_analyze_judges_its_lines() {
    let project = Project::new("place", "");
    let text = SYSTEM
        .replace("component Pump pump;", "component Pump pump;\n        component Pump other;")
        .replace("(from pump.level", "(from pump.level, from other.level")
        .replace(
            "TIMES",
            "other.period = \"10 ms\";\n        other.calls = [\"level.read\"];\nMORE",
        );
    let cases = [
        // On one core, where the description has two.
        ("other.core = 1;\ntank.level_priority_protocol = \"msrp\";", "1", true),
        ("other.deadline = \"100 ns\";", "1", false),
        // On two cores, of which each takes one.
        ("pump.wcet = \"6 ms\";\nother.wcet = \"6 ms\";", "2", true),
    ];
    for (more, cores, holds) in cases {
        project.write("system.camkes", &text.replace("MORE", more));
        for platform in [&[][..], &["--platform", "qemu-rv64"], &["--platform", "qemu-rv32"]] {
            let (placed, analyzed) = placed_and_analyzed(&project, cores, platform);
            let all = format!("{platform:?} {more}: {placed:#}\n{analyzed:#}");
            assert_eq!(placed["tasks"], analyzed["tasks"], "{all}");
            assert_eq!(placed["schedulable"], analyzed["schedulable"], "{all}");
            assert_eq!(placed["schedulable"], holds, "{all}");
            assert_eq!(time(&analyzed, "tank.level.read")["from"], "proved", "{all}");
        }
    }
}

/// Returns a tank in Rust that counts so far, with a note that makes it another source.
fn tank_in_rust(rounds: u32, note: &str) -> String {
    format!(
        "#![no_std]\n// {note}\nuse core::sync::atomic::{{AtomicI32, Ordering::Relaxed}};\n\
         mod far;\nstatic LEVEL: AtomicI32 = AtomicI32::new(0);\nstruct Tank;\n\
         impl camkes::provided::Level for Tank {{\n    fn read() -> i32 {{\n        \
         for _ in 0..{rounds} {{ LEVEL.fetch_add(far::STEP, Relaxed); }}\n        \
         LEVEL.load(Relaxed)\n    }}\n}}\ncamkes::component!(Tank);\n"
    )
}

#[test]
fn a_component_in_rust_is_compiled_when_its_files_change() {
    let project = Project::new("rust", "");
    std::fs::remove_file(project.0.join("components/Tank/tank.c")).expect("it was there");
    let note = format!("{:?}", std::time::SystemTime::now());
    project.write("components/Tank/lib.rs", &tank_in_rust(10, &note));
    project.write("components/Tank/far.rs", "pub const STEP: i32 = 1;\n");
    std::thread::sleep(std::time::Duration::from_millis(50));
    let analyze = || {
        let (status, document, _) = project.ask(&ANALYZE);
        assert_eq!(status, Some(0), "{document:#}");
        time(&document, "tank.level.read")["wcet_ns"].as_u64().expect("a time")
    };
    // The archive that a compiler has made is where the object came from.
    let archive = || {
        let objects = project.0.join("build/system/objects/tank");
        let text = std::fs::read_to_string(objects.join("rust.d")).expect("what was read");
        text.contains("libcomponent_tank")
    };
    let first = analyze();
    assert!(archive(), "it was compiled");
    project.edit("system.camkes", "\"10 ms\"", "\"5 ms\"");
    assert_eq!(analyze(), first);
    assert!(!archive(), "it was kept");
    for (path, text) in [
        ("components/Tank/lib.rs", tank_in_rust(100, &note).as_str()),
        ("components/Tank/far.rs", "pub const STEP: i32 = { 3 };\n"),
    ] {
        project.write(path, text);
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(analyze() > first * 3);
        assert!(archive(), "{path}: it was compiled");
    }
}

/// An obstacle is told by the name that people wrote, with its file, and so is the fact that
/// settles it.
#[test]
fn a_loop_in_rust_is_named_as_it_was_written() {
    let project = Project::new("names", "");
    std::fs::remove_file(project.0.join("components/Tank/tank.c")).expect("it was there");
    let code = "#![no_std]
static mut LEVEL: i32 = 0;
mod far {
    #[inline(never)]
    pub fn below(most: i32) -> i32 {
        let mut rounds = 0;
        while unsafe { core::ptr::read_volatile(&raw const super::LEVEL) } < most { rounds += 1; }
        rounds
    }
}
struct Tank;
impl camkes::provided::Level for Tank {
    fn read() -> i32 { far::below(7) }
}
camkes::component!(Tank);
";
    project.write("components/Tank/lib.rs", code);
    let (status, document, _) = project.ask(&ANALYZE);
    assert_eq!(status, Some(2), "{document:#}");
    let told = document["diagnostics"][0]["notes"][0].as_str().expect("a note");
    assert!(told.starts_with("component_tank::far::below+") && !told.contains("_R"), "{told}");
    // The branch back may have no line of its own.
    assert!(told.contains(", lib.rs") && told.contains("no bound was found"), "{told}");
    let (_, fact) = told.split_once("settle it: ").expect("a fact");
    assert!(fact.starts_with("loops.\"component_tank::far::below+"), "{fact}");
    project.write("components/Tank/Tank.facts.toml", &fact.replace(" N", " 9"));
    let (status, document, _) = project.ask(&ANALYZE);
    assert_eq!(status, Some(0), "{document:#}");
}

/// A compiler jumps through a table by the value of an `enum`, and checks nothing before.
#[test]
fn a_match_on_an_enum_has_the_stack_that_its_deepest_case_needs() {
    let project = Project::new("enum", "");
    let cases: String = ('B'..='H').enumerate().fold(String::new(), |text, (number, case)| {
        text + &format!("            Mode::{case} => {{ PATHS[n & 1](); {} }}\n", number * number)
    });
    let source = format!(
        "#![no_std]\nuse core::sync::atomic::{{AtomicI32, Ordering::Relaxed}};\n\
         use core::ptr::{{read_volatile, write_volatile}};\n\
         static LEVEL: AtomicI32 = AtomicI32::new(0);\n\
         #[derive(Clone, Copy)] #[repr(u8)] enum Mode {{ A, B, C, D, E, F, G, H }}\n\
         static mut MODE: Mode = Mode::B;\n\
         #[inline(never)] fn mode() -> Mode {{ unsafe {{ read_volatile(&raw const MODE) }} }}\n\
         fn up() {{ LEVEL.fetch_add(1, Relaxed); }}\n\
         fn down() {{ LEVEL.fetch_sub(1, Relaxed); }}\n\
         static PATHS: [fn(); 2] = [up, down];\n\
         #[inline(never)] fn large() {{\n    let mut many = [0u8; 9000];\n    \
         let place = LEVEL.load(Relaxed) as usize % 9000;\n    \
         unsafe {{ write_volatile(&mut many[place], 1) }};\n}}\nstruct Basin;\n\
         impl camkes::provided::Level for Basin {{\n    fn read() -> i32 {{\n        \
         let n = LEVEL.load(Relaxed) as usize;\n        \
         if n == 77 {{ unsafe {{ write_volatile(&raw mut MODE, Mode::A) }} }}\n        \
         match mode() {{\n            Mode::A => {{ large(); 1 }}\n{cases}        }}\n    }}\n\
         }}\ncamkes::component!(Basin);\n"
    );
    project.write("components/Basin/lib.rs", &source);
    let times = "pump.wcet = \"1 ms\"; basin.level_wcet = \"1 ms\";";
    let system = SYSTEM.replace("TIMES", times).replace("Tank", "Basin").replace("tank", "basin");
    project.write("system.camkes", &system);
    let (status, built, _) =
        project.ask(&["build", "system.camkes", "--platform", "qemu-rv64", "-o", "made"]);
    assert_eq!(status, Some(0), "{built:#}");
    let basin = fusee_testing::row(&built["sizes"]["domains"], "name", "basin");
    assert!(basin["stack_bytes"].as_u64() >= Some(9_000 + 4_096), "{basin:#}");
}
