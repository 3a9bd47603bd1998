//! The launcher `fusee` at the root, with a `cargo` that builds a script.
//!
//! Building Fusee itself would take a minute and would show less: here every step
//! can be made to fail.

mod programs;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A tree with the real launcher and a stand-in for everything that it calls.
struct Project {
    folder: snapbox::dir::DirRoot,
}

const CARGO: &str = r#"#!/bin/sh
echo "noise from the compiler"
[ -e "$(dirname "$0")/broken" ] && exit 101
while [ "$1" != --target-dir ]; do shift; done
printf '#!/bin/sh\necho "ran in $PWD with $*"\nexit 7\n' > "$2/release/fusee"
chmod +x "$2/release/fusee"
"#;

impl Project {
    fn new() -> Self {
        let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
        let project = Self { folder };
        fs::create_dir_all(project.path("scripts")).expect("a folder");
        fs::create_dir_all(project.path("crates/a b")).expect("a folder");
        let launcher = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fusee");
        project.script("fusee", &fs::read_to_string(launcher).expect("the launcher"));
        project.script("scripts/cargo", CARGO);
        project.script("scripts/setup", "#!/bin/sh\n");
        for file in ["Cargo.toml", "Cargo.lock", "crates/a b/lib.rs"] {
            fs::write(project.path(file), "").expect("a file");
        }
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().expect("it has a path").join(name)
    }

    fn script(&self, name: &str, text: &str) {
        programs::write(&self.path(name), text);
    }

    fn run(&self, launcher: &Path) -> Output {
        let mut command = Command::new(launcher);
        programs::output(
            command.args(["check", "a b"]).current_dir("/").env_remove("CARGO_TARGET_DIR"),
        )
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn builds_once_and_passes_everything_on() {
    let project = Project::new();
    let first = project.run(&project.path("fusee"));
    assert_eq!(stdout(&first), "ran in / with check a b\n");
    assert!(stderr(&first).contains("fusee: building") && stderr(&first).contains("noise"));
    assert_eq!(first.status.code(), Some(7));

    symlink(project.path("fusee"), project.path("link")).expect("a link");
    let second = project.run(&project.path("link"));
    assert_eq!(
        (stdout(&second), stderr(&second)),
        ("ran in / with check a b\n".to_owned(), String::new())
    );
    assert_eq!(second.status.code(), Some(7));
}

#[test]
fn builds_again_after_a_change() {
    let project = Project::new();
    project.run(&project.path("fusee"));
    for file in ["Cargo.toml", "crates/a b/lib.rs"] {
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
        let handle = fs::OpenOptions::new().write(true).open(project.path(file)).expect("a file");
        handle.set_modified(later).expect("a time");
        assert!(stderr(&project.run(&project.path("fusee"))).contains("fusee: building"), "{file}");
        handle.set_modified(std::time::UNIX_EPOCH).expect("a time");
    }
    assert_eq!(stderr(&project.run(&project.path("fusee"))), "");
}

#[test]
fn says_when_the_build_fails_and_never_runs_an_old_binary() {
    let project = Project::new();
    project.run(&project.path("fusee"));
    fs::remove_file(project.path("target/release/.fusee-built")).expect("a stamp");
    fs::write(project.path("scripts/broken"), "").expect("a file");
    for _ in 0..2 {
        let run = project.run(&project.path("fusee"));
        assert_eq!((stdout(&run), run.status.code()), (String::new(), Some(3)));
        assert!(stderr(&run).contains("the build failed"));
    }
}

#[test]
fn stops_when_the_set_up_fails() {
    let project = Project::new();
    project.script("scripts/setup", "#!/bin/sh\necho 'no compiler'\nexit 3\n");
    let run = project.run(&project.path("fusee"));
    assert_eq!((stdout(&run), run.status.code()), (String::new(), Some(3)));
    assert!(stderr(&run).contains("no compiler"));
}
