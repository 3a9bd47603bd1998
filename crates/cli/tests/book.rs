//! Every command in the book and the README runs and prints what stands there.
//!
//! A fenced block of language `console` is a session: lines that start with `$ `
//! are given to a shell, the lines below are what they print on both streams. A
//! page is one session from top to bottom, in a folder of its own with the
//! examples beside it. With `SNAPSHOTS=overwrite` the pages are rewritten.
//!
//! Commands that can't run in a test (`make bench`, cloning) stand in blocks of
//! language `sh`; there only make's targets and a few words are allowed, and the
//! targets must exist.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use snapbox::Data;

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("the root")
}

/// README.md and all pages of the book.
fn pages() -> Vec<PathBuf> {
    let chapters = fs::read_dir(root().join("book/src"))
        .expect("the book")
        .map(|entry| entry.expect("a page").path());
    let mut pages: Vec<_> =
        chapters.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// A folder in which a page's commands run, one after another.
struct Session {
    folder: snapbox::dir::DirRoot,
    inside: PathBuf,
    status: i32,
}

impl Session {
    fn new() -> Self {
        let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
        let path = folder.path().expect("it has a path").to_owned();
        fs::create_dir(path.join("bin")).expect("a folder");
        fs::create_dir(path.join("here")).expect("a folder");
        let link = |target: PathBuf, name: &str| {
            std::os::unix::fs::symlink(target, path.join(name)).expect("a link")
        };
        link(PathBuf::from(snapbox::cmd::cargo_bin!("fusee")), "bin/fusee");
        link(PathBuf::from(snapbox::cmd::cargo_bin!("fusee")), "here/fusee");
        link(root().join("examples"), "here/examples");
        link(root().join("experiments"), "here/experiments");
        Self { inside: path.join("here"), folder, status: 0 }
    }

    /// Returns the output of a command on both streams.
    fn run(&mut self, command: &str) -> String {
        let folder = self.folder.path().expect("it has a path");
        let script = format!(
            "(exit {}); {command}\nstatus=$?; pwd >'{}/pwd'; exit $status",
            self.status,
            folder.display()
        );
        let path = format!("{}/bin:{}", folder.display(), std::env::var("PATH").expect("a path"));
        let run = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{script}")])
            .current_dir(&self.inside)
            .env("PATH", path)
            .env("FUSEE_PROGRESS", "never")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("COLUMNS")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        self.inside =
            PathBuf::from(fs::read_to_string(folder.join("pwd")).expect("where it is").trim_end());
        self.status = run.status.code().expect("it ended by itself");
        String::from_utf8(run.stdout).expect("text")
    }
}

/// Returns the page with every session's output as it is now; what matches stays as written.
fn rerun(page: &str) -> String {
    let mut session = Session::new();
    let mut lines = page.lines().peekable();
    let mut result = String::new();
    while let Some(line) = lines.next() {
        result += &format!("{line}\n");
        if line != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```") {
            result += &format!("{line}\n");
            let command = line
                .strip_prefix("$ ")
                .unwrap_or_else(|| panic!("output without a command: {line}"));
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                expected += &format!("{line}\n");
            }
            result += &printed(&expected, &session.run(command));
        }
    }
    result
}

/// True if the actual text matches the wildcards of the expected one.
fn matches(expected: &str, actual: &str) -> bool {
    let (actual, expected) = (Data::text(actual.to_owned()), Data::text(expected.to_owned()));
    snapbox::assert::Assert::new().try_eq(None, actual, expected).is_ok()
}

/// Returns the actual text with the wildcards of the expected one: `...` and what stands before it
/// stay if as many lines follow, and so does each line that still matches.
fn with_wildcards(expected: &str, actual: &str) -> String {
    let (before, after) = match expected.rsplit_once("...\n") {
        Some((before, after)) => (format!("{before}...\n"), after),
        None => (String::new(), expected),
    };
    let skipped = if before.is_empty() {
        0
    } else {
        actual.lines().count().saturating_sub(after.lines().count())
    };
    let mut written = after.lines();
    let lines = actual.lines().skip(skipped).map(|line| {
        let kept = written.next().filter(|written| matches(written, line));
        format!("{}\n", kept.unwrap_or(line))
    });
    before + &lines.collect::<String>()
}

/// Returns the expected text if the actual one matches its wildcards, else the actual one with
/// these wildcards.
fn printed(expected: &str, actual: &str) -> String {
    let mut actual = actual.to_owned();
    if !actual.is_empty() && !actual.ends_with('\n') {
        actual.push('\n');
    }
    let normal = snapbox::filter::normalize_lines(&actual);
    if matches(expected, &normal) { expected.to_owned() } else { with_wildcards(expected, &normal) }
}

#[test]
fn commands_print_what_the_book_says() {
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let mut wrong = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let now = rerun(&page);
        if page == now {
            continue;
        }
        if overwrite {
            fs::write(&path, now).expect("a page");
        } else {
            wrong.push(difference(&path, &page, &now));
        }
    }
    assert!(wrong.is_empty(), "{}\nSNAPSHOTS=overwrite rewrites the pages", wrong.join("\n"));
}

/// From the first place where two texts differ to the end of what is printed there.
fn difference(path: &Path, page: &str, now: &str) -> String {
    let place =
        page.lines().zip(now.lines()).position(|(a, b)| a != b).unwrap_or(page.lines().count());
    let part = |text: &str| {
        let lines = text.lines().skip(place).take_while(|line| !line.starts_with("```"));
        lines.map(|line| format!("    {line}\n")).collect::<String>()
    };
    format!("{}:{}: written:\n{}  printed:\n{}", path.display(), place + 1, part(page), part(now))
}

#[test]
fn a_wrong_page_is_noticed() {
    let page = "```console\n$ fusee --version\nfusee 0.0.0\n$ exit 7\n$ echo $?\n7\n```\n";
    let now = rerun(page);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        now,
        format!("```console\n$ fusee --version\nfusee {version}\n$ exit 7\n$ echo $?\n7\n```\n")
    );
}

#[test]
fn a_page_that_is_rewritten_keeps_its_wildcards() {
    let page = "```console\n$ printf 'a\\nb 1\\nc 2\\nd\\n'\n...\nb [..]\nc 1\nd\n```\n";
    assert_eq!(rerun(page), page.replace("c 1", "c 2"));
    let lines = "```console\n$ printf 'in 3 s\\nlate\\n'\nin [..] s\nearly\n```\n";
    assert_eq!(rerun(lines), lines.replace("early", "late"));
}

#[test]
fn blocks_that_do_not_run_name_things_that_exist() {
    let makefile = fs::read_to_string(root().join("Makefile")).expect("the Makefile");
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let mut language = None;
        for line in page.lines() {
            if let Some(fence) = line.trim_start().strip_prefix("```") {
                language = if language.is_some() { None } else { Some(fence.to_owned()) };
                let known = ["", "console", "sh", "text", "camkes", "toml", "json", "c", "rust"];
                assert!(known.contains(&fence), "{}: a block in `{fence}`", path.display());
            } else if language.as_deref() == Some("sh") {
                assert!(
                    may_stand(line, &makefile),
                    "{}: put this into a `console` block: {line}",
                    path.display()
                );
            }
        }
    }
}

fn may_stand(line: &str, makefile: &str) -> bool {
    match line.split_once(' ') {
        Some(("make", rest)) => {
            let target = rest.split_whitespace().next().unwrap_or("help");
            makefile.contains(&format!("\n{target}:"))
        }
        Some(("git" | "cd" | "apt-get" | "sudo", _)) => true,
        _ => line.is_empty(),
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("book/src/SUMMARY.md")).expect("the summary");
    let linked: Vec<&str> =
        summary.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let names = pages().into_iter().filter(|path| path.starts_with(root().join("book")));
    let mut names: Vec<String> = names
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.retain(|name| name != "SUMMARY.md");
    let mut sorted = linked.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, names);
}
