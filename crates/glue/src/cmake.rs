//! As much of `CMakeLists.txt` as says which sources a component has.
//!
//! A CAmkES project names each component's sources in a call of
//! `DeclareCAmkESComponent`. Only that call is understood, with variables that `set`
//! and `file(GLOB ...)` made; conditions and functions are passed over, and a word with
//! a generator expression in it is dropped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a project says about one component.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    /// Files, relative to the project's folder or absolute.
    pub(crate) sources: Vec<PathBuf>,
    /// Folders of headers.
    pub(crate) includes: Vec<PathBuf>,
    /// Options of the C compiler.
    pub(crate) flags: Vec<String>,
}

/// All components that the project in a folder declares.
pub(crate) fn declared(text: &str, folder: &Path) -> BTreeMap<String, Declared> {
    let mut variables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let here = folder.to_string_lossy().into_owned();
    for name in ["CMAKE_CURRENT_SOURCE_DIR", "CMAKE_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "PROJECT_SOURCE_DIR"] {
        variables.insert(name.into(), vec![here.clone()]);
    }
    let mut components = BTreeMap::new();
    for (command, words) in commands(text) {
        let words: Vec<String> = words.iter().flat_map(|word| expand(word, &variables)).collect();
        match (command.to_ascii_lowercase().as_str(), words.as_slice()) {
            ("set", [name, values @ ..]) => {
                variables.insert(name.clone(), values.to_vec());
            }
            ("file", [kind, name, patterns @ ..]) if kind == "GLOB" => {
                variables.insert(name.clone(), patterns.iter().flat_map(|pattern| glob(pattern, folder)).collect());
            }
            ("declarecamkescomponent", [name, rest @ ..]) => {
                components.entry(name.clone()).or_insert_with(Declared::default).extend(rest);
            }
            _ => {}
        }
    }
    components
}

impl Declared {
    fn extend(&mut self, words: &[String]) {
        let mut part = "";
        for word in words {
            if word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_') {
                part = word;
                continue;
            }
            match part {
                "SOURCES" => self.sources.push(word.into()),
                "INCLUDES" => self.includes.push(word.into()),
                "C_FLAGS" => self.flags.push(word.clone()),
                _ => {}
            }
        }
    }
}

/// Commands with their words; comments are left out, quotes taken off.
fn commands(text: &str) -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['(', '#']) {
        if rest.as_bytes()[open] == b'#' {
            rest = rest[open..].split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let name = rest[..open].split_whitespace().next_back().unwrap_or("").to_owned();
        let (words, after) = words(&rest[open + 1..]);
        commands.push((name, words));
        rest = after;
    }
    commands
}

/// The words up to the closing parenthesis, and what follows it.
fn words(text: &str) -> (Vec<String>, &str) {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut depth, mut quoted, mut comment) = (1, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '\n' if comment => comment = false,
            _ if comment => {}
            '"' => quoted = !quoted,
            '#' if !quoted => comment = true,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    push(&mut words, &mut word);
                    return (words, &text[at + 1..]);
                }
            }
            c if c.is_whitespace() && !quoted => push(&mut words, &mut word),
            c => word.push(c),
        }
    }
    push(&mut words, &mut word);
    (words, "")
}

fn push(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// A word with its variables put in; a variable that is a list gives several words.
fn expand(word: &str, variables: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    if word.contains("$<") {
        return Vec::new();
    }
    let Some((before, rest)) = word.split_once("${") else { return vec![word.to_owned()] };
    let Some((name, after)) = rest.split_once('}') else { return vec![word.to_owned()] };
    let values = variables.get(name).map_or(&[][..], Vec::as_slice);
    let expanded = values.iter().map(|value| format!("{before}{value}{after}"));
    expanded.collect()
}

/// The files that match a pattern with `*` in its last part, in order.
fn glob(pattern: &str, folder: &Path) -> Vec<String> {
    let pattern = folder.join(pattern);
    let (Some(parent), Some(last)) = (pattern.parent(), pattern.file_name().and_then(|name| name.to_str())) else {
        return Vec::new();
    };
    let Some((start, end)) = last.split_once('*') else { return vec![pattern.to_string_lossy().into_owned()] };
    let files = std::fs::read_dir(parent).into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let fits = name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end);
        fits.then(|| entry.path().to_string_lossy().into_owned())
    });
    let mut files: Vec<String> = files.collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_a_project_declares() {
        let text = "project(p C)  # DeclareCAmkESComponent(No SOURCES no.c)\n\
                    set(common src/common.c src/more.c)\n\
                    if(KernelDebug)\n    DeclareCAmkESComponent(A\n        SOURCES src/a.c ${common}\n\
                    INCLUDES \"include dir\" C_FLAGS -DX=1 LIBS foo)\nendif()\n\
                    DeclareCAmkESComponent(B SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/b.c $<if:x,y>)\n";
        let components = declared(text, Path::new("/p"));
        let a = &components["A"];
        assert_eq!(a.sources, ["src/a.c", "src/common.c", "src/more.c"].map(PathBuf::from));
        assert_eq!(a.includes, [PathBuf::from("include dir")]);
        assert_eq!(a.flags, ["-DX=1"]);
        assert_eq!(components["B"].sources, [PathBuf::from("/p/b.c")]);
        assert_eq!(components.len(), 2);
    }

    #[test]
    fn survives_what_it_does_not_understand() {
        for text in
            ["", "(", "a(", "a)", "DeclareCAmkESComponent()", "x(${", "DeclareCAmkESComponent(A SOURCES ${b", "é(#"]
        {
            let _ = declared(text, Path::new("."));
        }
    }
}
