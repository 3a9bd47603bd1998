//! The files that a command writes never replace those that it reads.

use std::path::{Path, PathBuf};

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const SYSTEM: &str = "import \"parts.camkes\";
#include \"times.inc\"
assembly {
    composition { component Blinker blinker; }
    configuration { blinker.period = \"10 ms\"; blinker.wcet = BLINK; }
}
";

/// Returns a system with an import, an included file, a source, a header and facts, in a folder of
/// its own.
fn system(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("overwrites-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    let files = [
        ("system.camkes", SYSTEM),
        ("parts.camkes", "component Blinker { control; }\n"),
        ("times.inc", "#define BLINK \"100 us\"\n"),
        ("components/Blinker/blinker.c", "#include \"led.h\"\nint run(void) { return LED; }\n"),
        ("components/Blinker/led.h", "#define LED 0\n"),
        ("components/Blinker/Blinker.facts.toml", ""),
    ];
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// Runs a command that must be refused, and that must leave this file as it is.
fn refused(folder: &Path, arguments: &[&str], file: &str) {
    let before = std::fs::read(folder.join(file)).expect("a file");
    let run = FUSEE.run_in(folder, &[arguments, &["--json"]].concat());
    let text = String::from_utf8_lossy(&run.stderr);
    let document: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let code = &document["diagnostics"][0]["code"];
    assert_eq!((run.status.code(), code), (Some(2), &"F0006".into()), "{arguments:?}: {text}");
    assert!(std::fs::read(folder.join(file)).expect("a file") == before, "{arguments:?}");
}

#[test]
fn no_file_of_a_description_is_replaced() {
    let folder = system("description");
    std::os::unix::fs::symlink("system.camkes", folder.join("link.html")).expect("a link");
    std::fs::hard_link(folder.join("times.inc"), folder.join("hard.html")).expect("a link");
    let whole = folder.join("parts.camkes");
    let whole = whole.to_str().expect("a path");
    for (file, path) in [
        ("system.camkes", "system.camkes"),
        ("system.camkes", "components/../system.camkes"),
        ("system.camkes", "link.html"),
        ("parts.camkes", whole),
        ("times.inc", "hard.html"),
        ("components/Blinker/blinker.c", "components/Blinker/blinker.c"),
        ("components/Blinker/led.h", "./components/Blinker/led.h"),
        ("components/Blinker/Blinker.facts.toml", "components/Blinker/Blinker.facts.toml"),
    ] {
        for option in ["--report", "--trace"] {
            for command in ["simulate", "run"] {
                refused(&folder, &[command, "system.camkes", "--for", "1ms", option, path], file);
            }
        }
        refused(&folder, &["report", "system.camkes", "--for", "1ms", "--report", path], file);
    }
    // A page that was written before is no input, wherever it is.
    for path in ["page.html", "components/Blinker/page.html"] {
        for _ in 0..2 {
            let options = ["simulate", "system.camkes", "--for", "50ms", "--report", path];
            let run = FUSEE.run_in(&folder, &options);
            assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        }
    }
}

#[test]
fn no_table_program_or_experiment_is_replaced() {
    let folder = system("others");
    let platforms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../platform/tables");
    let table = std::fs::read_dir(platforms).expect("tables").flatten().next().expect("a table");
    std::fs::copy(table.path(), folder.join("costs.toml")).expect("a table");
    let simulate = ["simulate", "system.camkes", "--costs", "costs.toml", "--report"];
    refused(&folder, &[simulate.as_slice(), &["costs.toml"]].concat(), "costs.toml");
    std::fs::write(folder.join("program.elf"), "none").expect("a file");
    refused(&folder, &["wcet", "program.elf", "--report", "program.elf"], "program.elf");
    let facts = ["wcet", "program.elf", "--facts", "costs.toml", "--report", "./costs.toml"];
    refused(&folder, &facts, "costs.toml");
    let kernel = ["wcet", "--kernel", "system.camkes", "-o", "parts.camkes"];
    refused(&folder, &kernel, "parts.camkes");
    // Nor is the first of two results.
    let twice = ["simulate", "system.camkes", "--report", "one", "--trace", "./one"];
    refused(&folder, &twice, "system.camkes");
    assert!(!folder.join("one").exists());
}

#[test]
fn no_build_replaces_a_source_in_its_folder() {
    let folder = system("build");
    let text = std::fs::read_to_string(folder.join("parts.camkes")).expect("a file");
    std::fs::create_dir(folder.join("glue")).expect("a folder");
    std::fs::write(folder.join("glue/parts.camkes"), text).expect("a file");
    let described = SYSTEM.replace("\"parts.camkes\"", "\"glue/parts.camkes\"");
    std::fs::write(folder.join("system.camkes"), described).expect("a file");
    refused(&folder, &["build", "system.camkes", "-o", "."], "glue/parts.camkes");
    refused(&folder, &["run", "system.camkes", "-o", "glue/.."], "glue/parts.camkes");
}

#[test]
fn a_document_is_the_same_in_every_folder() {
    let document = |folder: &Path, path: &str| {
        let run = FUSEE.run_in(folder, &["analyze", path, "--sensitivity", "--json"]);
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        run.stdout
    };
    let (one, other) = (system("here"), system("there"));
    let here = document(&one, "system.camkes");
    assert!(here == document(&other, "system.camkes"));
    // Who names the whole path gets the same.
    let whole = other.join("system.camkes");
    let there = document(&other, whole.to_str().expect("a path"));
    assert!(here == there, "{}", String::from_utf8_lossy(&there));
    let document: Value = serde_json::from_slice(&here).expect("JSON");
    let read = document["provenance"]["sources"].as_array().expect("a list").iter();
    let read: Vec<&str> = read.map(|file| file["path"].as_str().expect("a path")).collect();
    assert_eq!(read.len(), 3, "{read:?}");
}
