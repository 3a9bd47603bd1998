//! `scripts/test-rust` runs what cargo has built, and fails if one of it does.

mod programs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use snapbox::dir::DirRoot;

/// A tree with the real script, a cargo that has built tests already, and those.
struct Project {
    folder: DirRoot,
}

impl Project {
    fn new() -> Project {
        let project = Project { folder: DirRoot::mutable_temp().expect("a temporary folder") };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/test-rust");
        let text = fs::read_to_string(script).expect("the script");
        project.script("scripts/test-rust", &text);
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().expect("it has a path").canonicalize().expect("it is there").join(name)
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        programs::write(&path, text);
    }

    /// Returns cargo's message about a program that it has built.
    fn artifact(&self, package: &str, name: &str, is_test: bool) -> String {
        let path = |name: &str| self.path(&format!("{package}/{name}")).display().to_string();
        format!(r#"{{"reason":"compiler-artifact","manifest_path":"{}","#, path("Cargo.toml"))
            + &format!(r#""target":{{"kind":["test"],"name":"{name}"}},"#)
            + &format!(r#""profile":{{"test":{is_test}}},"executable":"{}"}}"#, path(name))
    }

    /// Lets a cargo say this and end so, for documentation in another way.
    fn cargo(&self, artifacts: &[String], status: i32, documentation: i32) {
        let said = artifacts.join("\n");
        self.script(
            "scripts/cargo",
            &format!(
                "#!/bin/sh\ncase \"$*\" in *--doc*) exit {documentation} ;; esac\n\
                 cat <<'END'\n{said}\n{{\"reason\":\"build-finished\"}}\nEND\nexit {status}\n"
            ),
        );
    }

    fn run(&self, beside: &[&str]) -> Output {
        programs::output(Command::new(self.path("scripts/test-rust")).args(beside).current_dir("/"))
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const FINE: &str = "#!/bin/sh\necho \"$(basename \"$PWD\") $* in $CARGO_MANIFEST_DIR\"\n";

#[test]
fn every_test_runs_in_the_folder_of_its_package() {
    let project = Project::new();
    project.script("a/first", FINE);
    project.script("b/second", FINE);
    let artifacts = [("a", "first", true), ("b", "second", true), ("b", "no-test", false)];
    project.cargo(
        &artifacts.map(|(package, name, is_test)| project.artifact(package, name, is_test)),
        0,
        0,
    );
    let run = project.run(&["true"]);
    let said = text(&run);
    assert_eq!(run.status.code(), Some(0), "{said}");
    for package in ["a", "b"] {
        let line = format!("{package} --quiet in {}\n", project.path(package).display());
        assert!(said.contains(&line), "{line} in {said}");
    }
    assert!(said.ends_with("2 programs and 2 others, all fine\n"), "{said}");
}

#[test]
fn one_failure_fails_all_and_keeps_nothing_from_running() {
    let project = Project::new();
    project.script("a/first", FINE);
    project.script("b/second", "#!/bin/sh\necho this is wrong\nexit 101\n");
    let artifacts = [("a", "first", true), ("b", "second", true)];
    project.cargo(
        &artifacts.map(|(package, name, is_test)| project.artifact(package, name, is_test)),
        0,
        0,
    );
    let run = project.run(&["false"]);
    let said = text(&run);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("this is wrong") && said.contains("a --quiet in"), "{said}");
    assert!(said.ends_with("failed:\n    b, test second\n    false\n"), "{said}");
}

#[test]
fn an_example_that_fails_and_tests_that_do_not_compile_fail_all() {
    let project = Project::new();
    project.script("a/first", FINE);
    let artifact = [project.artifact("a", "first", true)];
    project.cargo(&artifact, 0, 101);
    let run = project.run(&[]);
    assert!(
        run.status.code() == Some(1) && text(&run).contains("examples of the documentation\n"),
        "{}",
        text(&run)
    );
    project.cargo(&artifact, 101, 0);
    let run = project.run(&[]);
    assert!(run.status.code() == Some(101) && !text(&run).contains("a --quiet"), "{}", text(&run));
    project.cargo(&[], 0, 0);
    assert_eq!(project.run(&[]).status.code(), Some(1));
}
