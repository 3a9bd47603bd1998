//! The choice of a cargo by `scripts/cargo`, and linking by `scripts/link-cc`.
//!
//! What they call are stand-ins.

mod programs;

use std::path::Path;
use std::process::{Command, Output};

use snapbox::dir::DirRoot;

/// A folder of commands that stands first in the path.
fn commands(scripts: &[(&str, &str)]) -> DirRoot {
    let folder = DirRoot::mutable_temp().expect("a temporary folder");
    for (name, text) in scripts {
        let path = folder.path().expect("it has a path").join(name);
        programs::write(&path, &format!("#!/bin/sh\n{text}\n"));
    }
    folder
}

fn script(name: &str, folder: &DirRoot, arguments: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts").join(name);
    let path = format!("{}:/usr/bin:/bin", folder.path().expect("it has a path").display());
    let mut command = Command::new(script);
    programs::output(command.args(arguments).env("PATH", path).env_remove("RUSTUP_TOOLCHAIN"))
}

fn run(folder: &DirRoot) -> Output {
    script("cargo", folder, &["build", "a b"])
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const NEW: &str =
    "[ \"$1\" = --version ] && echo 'cargo 1.95.0 (x)' || echo \"$RUSTUP_TOOLCHAIN: $*\"";
const OLD: &str = "[ \"$1\" = --version ] && echo 'cargo 1.94.1 (x)' || echo \"too old: $*\"";

#[test]
fn takes_the_first_that_works() {
    let run = run(&commands(&[("cargo", NEW), ("rustc", "")]));
    assert_eq!((stdout(&run), run.status.code()), (": build a b\n".to_owned(), Some(0)));
}

#[test]
fn looks_for_another_toolchain_when_the_pinned_one_is_missing() {
    // As rustup's stand-in for cargo does: it fails until a toolchain that is there is named.
    let cargo = format!(
        "case \"$RUSTUP_TOOLCHAIN\" in stable) ;; old) {OLD}; exit ;; *) exit 1 ;; esac\n{NEW}"
    );
    let rustup = "printf 'old\\nmissing\\nstable (default)\\nnever\\n'";
    let run = run(&commands(&[("cargo", &cargo), ("rustc", ""), ("rustup", rustup)]));
    assert_eq!((stdout(&run), run.status.code()), ("stable: build a b\n".to_owned(), Some(0)));
}

#[test]
fn never_takes_one_that_is_too_old_or_lacks_its_compiler() {
    for scripts in [[("cargo", OLD), ("rustc", "")], [("cargo", NEW), ("rustc", "exit 1")]] {
        let run = run(&commands(&scripts));
        assert!(!stdout(&run).contains("build a b"), "{}", stdout(&run));
        // Debian's own cargo may be there, and rightly refuses the argument.
        assert_ne!(run.status.code(), Some(0));
    }
}

#[test]
fn the_linker_is_told_everything_and_that_of_the_compiler_is_kept() {
    let folder = commands(&[("cc", "printf '%s;' \"$@\"; exit 5")]);
    let plain = script("link-cc", &folder, &["-o", "a b", "x.o"]);
    assert_eq!(plain.status.code(), Some(5));
    // With LLVM's linker or without: both are right, on the machines where they are.
    let (chosen, rest) =
        stdout(&plain).split_once("-o;").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("all");
    assert_eq!(rest, "a b;x.o;");
    assert!(chosen.is_empty() || chosen.starts_with("-fuse-ld=lld;-B/"), "{chosen}");
    let told = script("link-cc", &folder, &["-B/its/own", "-fuse-ld=lld", "x.o"]);
    assert_eq!(stdout(&told), "-B/its/own;-fuse-ld=lld;x.o;");
}
