//! Machines are named in one place, the crate `platform`.
//!
//! Elsewhere a machine is a value that one is given, or one of all. Code that names one
//! is code that somebody must find and change for the next one. Tests name machines, and
//! so do the examples of rules, which people read.

use crate::text::code_only;
use crate::{File, Finding, Tree};

/// The folder in which machines have their names.
const HOME: &str = "crates/platform/";

/// The list of all platforms.
const LIST: &str = "crates/platform/src/lib.rs";

/// Looks for the names of machines in all code but tests.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let machines: Vec<String> =
        tree.files.iter().filter(|file| file.path == LIST).flat_map(variants).collect();
    let names: Vec<String> =
        tree.files.iter().filter(|file| file.path.starts_with(HOME)).filter_map(name).collect();
    tree.files
        .iter()
        .filter(|file| is_code(file))
        .flat_map(|file| findings(file, &machines, &names))
        .collect()
}

/// Programs and libraries; the rules of each crate are text for people.
fn is_code(file: &File) -> bool {
    file.is_rust()
        && file.path.contains("/src/")
        && !file.path.contains("/tests/")
        && !file.path.starts_with(HOME)
        && !file.path.ends_with("/rules.rs")
}

/// `Platform::QemuRv64` for each line of the list such as `QemuRv64 = 1: machines::...`.
fn variants(list: &File) -> Vec<String> {
    let lines = list.text.lines().filter(|line| line.contains(": machines::"));
    lines
        .filter_map(|line| Some(format!("Platform::{}", line.trim().split_once(" = ")?.0)))
        .collect()
}

/// The name that a descriptor gives its machine.
fn name(descriptor: &File) -> Option<String> {
    let line = descriptor.text.lines().find_map(|line| line.trim().strip_prefix("name: \""))?;
    Some(line.split_once('"')?.0.to_owned())
}

fn findings(file: &File, machines: &[String], names: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, (line, code)) in file.text.lines().zip(code_only(&file.text).lines()).enumerate() {
        let is_comment = line.trim_start().starts_with("//");
        let in_code = machines.iter().find(|machine| code.contains(machine.as_str()));
        let in_text = names.iter().find(|name| !is_comment && line.contains(name.as_str()));
        if let Some(machine) = in_code.or(in_text) {
            let message = format!(
                "`{machine}` is named only in `platform`: take it from there, or be given it"
            );
            findings.push(Finding::new(&file.path, number + 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let list = file(LIST, "platforms! {\n    Board = 1: machines::board::DESCRIPTOR,\n}\n");
        let descriptor = file(
            "crates/platform/src/machines/board.rs",
            "Descriptor {\n    name: \"board-64\",\n}\n",
        );
        check(&Tree { files: vec![list, descriptor, file(path, text)] }).len()
    }

    #[test]
    fn a_machine_is_named_at_home_only() {
        assert_eq!(
            count("crates/cli/src/limits.rs", "let map = Platform::Board.memory_map();\n"),
            1
        );
        assert_eq!(
            count(
                "os/arch-riscv/src/devices.rs",
                "const P: Platform = fusee_platform::Platform::Board;\n"
            ),
            1
        );
        assert_eq!(count("crates/run/src/qemu.rs", "say(\"booted on board-64\");\n"), 1);
        assert_eq!(
            count("crates/run/src/qemu.rs", "Platform::ALL.into_iter().map(Platform::name)\n"),
            0
        );
    }

    #[test]
    fn tests_and_texts_name_machines() {
        assert_eq!(count("crates/run/tests/boot.rs", "boot(Platform::Board);\n"), 0);
        assert_eq!(
            count("crates/run/src/rules.rs", "example: \"fusee run --platform board-64\",\n"),
            0
        );
        assert_eq!(count("crates/cli/src/args.rs", "/// On `board-64` without this.\n"), 0);
    }
}
