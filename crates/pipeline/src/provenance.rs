//! The origin of a result: this program, its call, and its files.
//!
//! A number that is found in a file a year later is worth what is known of where it came
//! from. So each document and each page says it, in words that are the same on every
//! machine: paths are relative to the folder in which the command ran, and nothing tells
//! when. How the command was called is the same for a whole process, so it is named once,
//! as with [`progress`](crate::progress).

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use fusee_diagnostics::SourceMap;
use fusee_glue::relative;
use fusee_report::view::{Provenance, TimeOrigin};
use serde_json::{Map, Value, json};

/// The form of the documents. It grows when a field is taken away or means something else.
pub const SCHEMA: u32 = 1;

static COMMAND: OnceLock<String> = OnceLock::new();

/// Names the command line of this process; only the first counts.
pub fn called(arguments: impl IntoIterator<Item = String>) {
    let here = here();
    let words = arguments.into_iter().map(|word| quoted(&argument(&word, here.as_deref())));
    let words: Vec<String> = ["fusee".to_owned()].into_iter().chain(words).collect();
    // Who comes second has been called by the first.
    let _ = COMMAND.set(words.join(" "));
}

/// Returns the command line, if this process has one.
pub fn command() -> Option<&'static str> {
    COMMAND.get().map(String::as_str)
}

/// Returns the version of this program.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns a document with its form in front and what it was made by; what it says of the files
/// that it was made from stays.
pub fn stamped(document: Value) -> Value {
    let Value::Object(fields) = document else { return document };
    let mut stamped = Map::new();
    stamped.insert("schema".to_owned(), SCHEMA.into());
    stamped.extend(fields);
    let provenance = stamped.entry("provenance").or_insert_with(|| json!({}));
    provenance["fusee"] = version().into();
    provenance["command"] = command().into();
    let mut stamped = Value::Object(stamped);
    // In the root folder nothing would be left of a path.
    let here = here().filter(|here| here.parent().is_some());
    if let Some(here) = here {
        shorten(&mut stamped, &format!("{}/", here.display()));
    }
    stamped
}

/// Paths below the folder in which the command runs are seen from there, wherever a text has one.
fn shorten(value: &mut Value, here: &str) {
    match value {
        Value::String(text) if text.contains(here) => *text = text.replace(here, ""),
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, here)),
        Value::Object(fields) => fields.values_mut().for_each(|value| shorten(value, here)),
        _ => {}
    }
}

/// Returns a document with the files of a description and their SHA-256.
pub fn with_sources(sources: &SourceMap, mut document: Value) -> Value {
    document["provenance"]["sources"] = files(sources).map(file_json).collect();
    document
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its path, relative to the folder in which the command runs.
    pub path: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// Returns the files of a description.
pub fn files(sources: &SourceMap) -> impl Iterator<Item = Read> {
    let of = |path: &Path, text: &str| Read {
        path: shown(path),
        sha256: fusee_glue::digest(text.as_bytes()),
    };
    // What comes with Fusee has its version, and what was read twice is one file.
    let own = |path: &Path| !path.to_string_lossy().starts_with('<');
    let mut known = std::collections::BTreeSet::new();
    let files = sources.files().filter(move |(_, file)| own(&file.path));
    files
        .filter(move |(_, file)| known.insert(file.path.clone()))
        .map(move |(_, file)| of(&file.path, &file.text))
}

/// Returns the tools and files that a page about a description is made by and from.
pub fn of_page(sources: &SourceMap, times: Vec<TimeOrigin>) -> Provenance {
    let command = command().map(|command| ("command".to_owned(), command.to_owned()));
    let made_by = [("Fusee".to_owned(), version().to_owned())].into_iter().chain(command);
    let files = files(sources).map(|file| (file.path, file.sha256));
    Provenance { made_by: made_by.collect(), files: files.collect(), times }
}

/// Returns a file for a document.
pub fn file_json(file: Read) -> Value {
    json!({ "path": file.path, "sha256": file.sha256 })
}

/// Returns a path as documents and pages show it: relative to the folder in which the command runs.
pub fn shown(path: &Path) -> String {
    match here() {
        Some(here) if path.is_absolute() => relative(path, &here).display().to_string(),
        _ => path.display().to_string(),
    }
}

/// Returns the folder in which the command runs.
fn here() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Returns an argument whose path, if it is one, is relative to the folder in which the command
/// runs.
fn argument(word: &str, here: Option<&Path>) -> String {
    let Some(here) = here else { return word.to_owned() };
    // `--report=/a/b`, `-o/a/b` and `/a/b`.
    let start = match word.split_once('=') {
        Some((name, _)) if name.starts_with("--") => name.len() + 1,
        _ if word.starts_with("-") && !word.starts_with("--") => word.len().min(2),
        _ => 0,
    };
    let Some((option, path)) = word.split_at_checked(start) else { return word.to_owned() };
    match Path::new(path).is_absolute() {
        true => format!("{option}{}", relative(Path::new(path), here).display()),
        false => word.to_owned(),
    }
}

/// Returns a word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(&byte);
    match !word.is_empty() && word.bytes().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_say_nothing_of_the_machine() {
        let seen = |word: &str| argument(word, Some(Path::new("/a/b/c")));
        assert_eq!(seen("/a/b/c/a.camkes"), "a.camkes");
        assert_eq!(seen("--report=/a/b/b.html"), "--report=../b.html");
        assert_eq!(seen("-o/a/b/c"), "-o.");
        assert_eq!(seen("-D"), "-D");
        for same in ["a.camkes", "--json", "-DPATH=/x", "--for", "../a", ""] {
            assert_eq!(seen(same), same);
        }
    }

    #[test]
    fn words_are_what_a_shell_takes() {
        assert_eq!(quoted("a.camkes"), "a.camkes");
        assert_eq!(quoted("500 ms"), "'500 ms'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn no_text_of_a_document_has_the_folder_in_it() {
        let mut document = json!({ "a": ["/x/y/z.c:3", { "b": "in /x/y/a and /x/yz" }], "c": 3 });
        shorten(&mut document, "/x/y/");
        assert_eq!(document, json!({ "a": ["z.c:3", { "b": "in a and /x/yz" }], "c": 3 }));
    }

    #[test]
    fn a_document_keeps_what_it_says() {
        let document = stamped(json!({ "a": 1, "provenance": { "sources": [] } }));
        assert_eq!(document["schema"], SCHEMA);
        assert_eq!((&document["a"], &document["provenance"]["sources"]), (&1.into(), &json!([])));
        assert_eq!(document["provenance"]["fusee"], version());
        assert_eq!(stamped(json!([1])), json!([1]));
    }
}
