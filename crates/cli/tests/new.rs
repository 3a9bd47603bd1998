//! The starter project.

use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;

#[test]
fn writes_a_project_once() {
    let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let path = folder.path().expect("it has a path");
    let new = || Command::new(cargo_bin!("fusee")).current_dir(path).args(["new", "thermostat"]);
    new().assert().code(0).stdout_eq(str![[r#"
next: fusee analyze thermostat/system.camkes
wrote thermostat/system.camkes
wrote thermostat/README.md

"#]]);
    new().assert().code(2).stderr_eq(str![[r#"
error: `thermostat` exists already

"#]]);
    let names: Vec<_> = std::fs::read_dir(path)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names, ["thermostat"], "nothing else is left behind");
}

#[test]
fn leaves_nothing_behind_where_it_cannot_write() {
    let run = Command::new(cargo_bin!("fusee")).args(["new", "/proc/thermostat"]).assert().code(3);
    run.stderr_eq(str![[r#"
error: cannot write `/proc/thermostat`: [..]

"#]]);
}
