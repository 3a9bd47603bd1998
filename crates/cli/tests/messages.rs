//! Messages in the forms of other tools, and the repairs that they offer.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;

const WRONG: &str = "\
import <std_connector.camkes>;
procedure P { void go(); }
component A { control; uses P p; }
component B { provides P p; }
assembly {
  composition {
    component A a;
    component B b;
    connection seL4RPCCall c(to b.p, from a.p);
  }
  configuration {
    a.priorty = 100;
    a.period = \"10 ms\";
    a.deadline = 5;
    a.wcet = \"2 msec\";
    a.calls = [\"p.go\"];
    b.p_go_wcet = \"1 ms\";
  }
}
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("messages-{name}"));
    // An earlier run may have left files.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("s.camkes"), WRONG).expect("a description");
    folder
}

fn fusee(folder: &Path, arguments: &[&str]) -> Command {
    Command::new(cargo_bin!("fusee")).current_dir(folder).args(arguments)
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).expect("a file")
}

#[test]
fn repairs_are_shown_and_made() {
    let folder = folder("repairs");
    fusee(&folder, &["check", "--diff", "s.camkes"]).assert().code(0).stdout_eq(str![[r#"
--- a/s.camkes
+++ b/s.camkes
@@ -9,10 +9,10 @@
     connection seL4RPCCall c(to b.p, from a.p);
   }
   configuration {
-    a.priorty = 100;
+    a.priority = 100;
     a.period = "10 ms";
-    a.deadline = 5;
-    a.wcet = "2 msec";
+    a.deadline = "5 ms";
+    a.wcet = "2 ms";
     a.calls = ["p.go"];
     b.p_go_wcet = "1 ms";
   }
...
"#]]);
    assert_eq!(text(&folder, "s.camkes"), WRONG, "nothing is changed");
    fusee(&folder, &["check", "--fix", "s.camkes"]).assert().code(0).stdout_eq(str![[r#"
s.camkes: `priorty` is now `priority`
s.camkes: `5` is now `"5 ms"`
s.camkes: `"2 msec"` is now `"2 ms"`
...
wrote s.camkes

"#]]);
    let right = WRONG.replace("priorty", "priority").replace("= 5;", "= \"5 ms\";");
    assert_eq!(text(&folder, "s.camkes"), right.replace("msec", "ms"));
    let again = fusee(&folder, &["check", "--fix", "s.camkes"]).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&again.stdout).contains("wrote"), "nothing is left to do");
    fusee(&folder, &["check", "--fix", "--diff", "s.camkes"]).assert().code(2);
}

/// Repairs come to an end: those that are made offer nothing more.
#[test]
fn repairs_come_to_an_end() {
    let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad");
    let mut changed = 0;
    for entry in fs::read_dir(bad).expect("inputs") {
        let path = entry.expect("an input").path();
        if path.extension().is_none_or(|end| end != "camkes") || path.is_dir() {
            continue;
        }
        let source = fusee_pipeline::options::Source::of(path.clone());
        let (repaired, after) = fusee_pipeline::repair::run(&source);
        assert!(repaired.iter().all(|one| one.before != one.after), "{}", path.display());
        changed += usize::from(!repaired.is_empty());
        let sources = &after.loaded.sources;
        let own = |file| sources.file(file).path.is_file();
        let left = fusee_diagnostics::edits::edited(&after.loaded.diagnostics, sources, own);
        assert_eq!(left, [], "{}", path.display());
    }
    assert!(changed >= 20, "only {changed} inputs have repairs");
}

#[test]
fn several_descriptions_end_with_the_worst_status() {
    let folder = folder("several");
    fusee(&folder, &["check", "--fix", "s.camkes"]).assert().code(0);
    fusee(&folder, &["check", "s.camkes", "missing.camkes", "s.camkes"]).assert().code(2);
    let run = fusee(&folder, &["check", "s.camkes", "missing.camkes", "--json"]);
    let run = run.output().expect("it runs");
    let document: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(document["systems"][0]["system"], "s");
    assert_eq!(document["systems"][1]["diagnostics"][0]["code"], "F0101");
    fusee(&folder, &["check"]).assert().code(2);
}

#[test]
fn messages_are_annotations_and_sarif() {
    let folder = folder("forms");
    let run = fusee(&folder, &["check", "--messages", "github", "s.camkes"]);
    let run = run.output().expect("it runs");
    assert_eq!(run.status.code(), Some(2));
    let lines = String::from_utf8(run.stdout).expect("text");
    let lines: Vec<&str> = lines.lines().collect();
    let place = "file=s.camkes,line=14,endLine=14,col=18,endColumn=19,title=F0319";
    let said = "`deadline` has no unit%0Atimes are texts with a unit: ns, us, ms, s or ticks";
    let repair = "write the unit, if milliseconds are meant";
    assert_eq!(lines[0], format!("::error {place}::{said}%0A{repair}"));
    assert!(lines[1].starts_with("::error file=s.camkes,line=15,") && lines[1].contains("F0301"));
    assert!(lines[2].starts_with("::warning file=s.camkes,line=12,"), "{lines:?}");
    assert_eq!(lines.len(), 3);
    let run = fusee(&folder, &["check", "s.camkes", "--messages=sarif"]).output().expect("it runs");
    assert_eq!(run.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_slice(&run.stdout).expect("one document");
    assert_eq!(document["version"], "2.1.0");
    let results = document["runs"][0]["results"].as_array().expect("results");
    let codes: Vec<_> = results.iter().map(|one| one["ruleId"].as_str()).collect();
    assert_eq!(codes, [Some("F0319"), Some("F0301"), Some("F0314")]);
    let region = &results[2]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["endColumn"]), (&12.into(), &14.into()));
    let change = &results[2]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "priority");
    // Without messages it is a document, too.
    fusee(&folder, &["check", "--fix", "s.camkes"]).assert().code(0);
    let run = fusee(&folder, &["check", "s.camkes", "--messages", "sarif"]).output();
    let document: serde_json::Value =
        serde_json::from_slice(&run.expect("it runs").stdout).expect("one document");
    assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    fusee(&folder, &["check", "s.camkes", "--json", "--messages", "sarif"]).assert().code(2);
}

#[test]
fn verdicts_are_test_cases() {
    let folder = folder("junit");
    fusee(&folder, &["analyze", "s.camkes", "--junit", "bad.xml"]).assert().code(2);
    let bad = text(&folder, "bad.xml");
    assert!(bad.contains("errors=\"1\"") && bad.contains("`deadline` has no unit"), "{bad}");
    fusee(&folder, &["check", "--fix", "s.camkes"]).assert().code(0);
    fusee(&folder, &["analyze", "s.camkes", "--junit", "good.xml"]).assert().code(0);
    let good = text(&folder, "good.xml");
    assert!(good.contains("<testcase name=\"a\" classname=\"task\"/>"), "{good}");
    let late = text(&folder, "s.camkes").replace("\"2 ms\"", "\"4500 us\"");
    fs::write(folder.join("late.camkes"), late).expect("a description");
    fusee(&folder, &["analyze", "late.camkes", "--junit", "late.xml"]).assert().code(1);
    let late = text(&folder, "late.xml");
    let why = "<failure message=\"the bound 5.5 ms is above the deadline 5 ms\"/>";
    assert!(late.contains("failures=\"1\"") && late.contains(why), "{late}");
    let run = ["run", "late.camkes", "--platform=sim", "--for=1s", "--junit=run.xml"];
    fusee(&folder, &run).assert().code(1);
    let seen = text(&folder, "run.xml");
    assert!(!seen.contains("failures=\"0\"") && seen.contains("classname=\"run\""), "{seen}");
    // A description is not written over.
    fusee(&folder, &["analyze", "s.camkes", "--junit", "s.camkes"]).assert().code(2);
    assert!(text(&folder, "s.camkes").starts_with("import"));
}
