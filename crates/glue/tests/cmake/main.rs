//! The sources of components, compared with CMake itself.
//!
//! Each case says in another way which sources there are, with which macros, options and
//! folders. CMake writes the commands that it would compile with into
//! `compile_commands.json`, on a run of its own that knows nothing of Fusee: what CAmkES
//! does with a component is said by `oracle.cmake` in this folder.

mod cases;
mod oracle;

use cases::Case;
use fusee_glue::{Given, Project};
use oracle::{Compiled, Oracle};
use std::path::{Path, PathBuf};

/// The files that each case has in its folder.
const FILES: [(&str, &str); 10] = [
    ("a.c", "int a(void) { return 1; }\n"),
    ("b.c", "int b(void) { return 2; }\n"),
    ("sub/c.c", "int c(void) { return 3; }\n"),
    ("sub/d.c", "int d(void) { return 4; }\n"),
    ("e.S", ".globl e\ne: ret\n"),
    ("f.inc", "int f(void) { return 6; }\n"),
    ("inc/one.h", "#pragma once\n"),
    ("other/two.h", "#pragma once\n"),
    ("template.in", "#define ANSWER @ANSWER@\n"),
    ("more.cmake", "set(from_more b.c)\n"),
];

/// A folder of its own for one project.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cmake").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.canonicalize().expect("a folder")
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

/// The macros that the user gives.
fn given() -> Given {
    Given { defines: vec![("CHOSEN".into(), Some("ON".into()))], includes: Vec::new() }
}

/// Returns the files that Fusee compiles for a component and its instance, with CMake's own folder
/// called `BUILD`.
fn ours(project: &Project, out: &Path, component: &str, instance: &str) -> Vec<Compiled> {
    let sources = project.sources(component, instance);
    let build = oracle::build_folder(out);
    let mut all = Vec::new();
    for part in &sources.parts {
        for source in &part.sources {
            all.push(Compiled::new(source, part.arguments_of(source), &build));
        }
    }
    all.sort();
    all
}

/// Returns the difference for a case, if there is one.
fn difference(case: &Case, project: &Project, out: &Path, oracle: &Oracle) -> Option<String> {
    let component = format!("C{}", case.name);
    let targets = &case.targets;
    let instance = if targets[0].ends_with(".one") { "one" } else { "any" };
    let ours = ours(project, out, &component, instance);
    let theirs = oracle.of_targets(targets);
    assert!(!theirs.is_empty(), "{}: CMake compiles nothing for {targets:?}", case.name);
    (ours != theirs).then(|| format!("{}:\n  Fusee {ours:#?}\n  CMake {theirs:#?}", case.name))
}

#[test]
fn cases_in_folders_of_one_project() {
    let root = folder("folders");
    let mut top = String::from("cmake_minimum_required(VERSION 3.16)\nproject(all C)\n");
    let cases = cases::in_a_folder();
    for case in &cases {
        top.push_str(&format!("add_subdirectory({})\n", case.name));
        let own = root.join(&case.name);
        FILES.iter().for_each(|(name, text)| write(&own, name, text));
        write(&own, "CMakeLists.txt", &case.text);
    }
    write(&root, "CMakeLists.txt", &top);
    let out = folder("folders-built");
    let project = Project::built_in(&out, &root, 8, &given());
    assert_eq!(project.problems(), []);
    let oracle = Oracle::of(&root, &folder("folders-oracle"));
    let different: Vec<String> =
        cases.iter().filter_map(|case| difference(case, &project, &out, &oracle)).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn cases_that_are_projects() {
    let checked = |case: &Case| {
        let root = folder(&case.name);
        FILES.iter().for_each(|(name, text)| write(&root, name, text));
        for file in case.text.split("=== ").skip(1) {
            let (name, text) = file.split_once('\n').expect("a file's name in a line");
            write(&root, name, text);
        }
        let description = root.join(&case.description);
        let out = folder(&format!("{}-built", case.name));
        let project = Project::built_in(&out, &description, 8, &given());
        if !project.problems().is_empty() {
            return Some(format!("{}: {:#?}", case.name, project.problems()));
        }
        let oracle = Oracle::of(&root, &folder(&format!("{}-oracle", case.name)));
        difference(case, &project, &out, &oracle)
    };
    let cases = cases::whole();
    let (left, right) = cases.split_at(cases.len() / 2);
    let different: Vec<String> = std::thread::scope(|scope| {
        let all = |cases: &[Case]| cases.iter().filter_map(checked).collect::<Vec<_>>();
        let other = scope.spawn(move || all(left));
        let mut different = all(right);
        different.extend(other.join().expect("a result"));
        different
    });
    assert!(different.is_empty(), "{}", different.join("\n"));
}
