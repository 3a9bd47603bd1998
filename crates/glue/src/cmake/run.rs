//! Blocks, loops, functions and files.

use super::Said;
use super::condition::Asked;
use super::text::{self, Node, Word};
use super::values::{self, Values};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Commands that one project may run.
const MOST_STEPS: usize = 200_000;

/// Files and functions within each other.
const MOST_DEPTH: usize = 60;

/// A function or a macro.
#[derive(Debug)]
struct Routine {
    parameters: Vec<String>,
    body: Vec<Node>,
    own_scope: bool,
}

/// A project on its way.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) values: Values,
    pub(super) said: Said,
    /// The folder of the file that runs, and the file.
    pub(super) here: PathBuf,
    pub(super) file: PathBuf,
    routines: BTreeMap<String, Rc<Routine>>,
    /// Folders that were run.
    seen: BTreeSet<PathBuf>,
    steps: usize,
    depth: usize,
    /// Whether the file or function that runs has come to its `return`.
    pub(super) returned: bool,
}

impl Run {
    pub(super) fn new(cache: BTreeMap<String, String>) -> Self {
        Self {
            values: Values::new(cache),
            said: Said::default(),
            here: PathBuf::new(),
            file: PathBuf::new(),
            routines: BTreeMap::new(),
            seen: BTreeSet::new(),
            steps: 0,
            depth: 0,
            returned: false,
        }
    }

    /// Runs a folder's file in a scope of its own, once.
    pub(super) fn folder(&mut self, folder: &Path, file: &Path) {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let Ok(text) = std::fs::read_to_string(file) else { return };
        if !self.seen.insert(folder.clone()) {
            return;
        }
        let around = std::mem::replace(&mut self.here, folder.clone());
        self.values.enter();
        let here = folder.to_string_lossy().into_owned();
        for name in ["CMAKE_CURRENT_SOURCE_DIR", "PROJECT_SOURCE_DIR"] {
            self.values.set(name, here.clone(), false);
        }
        self.values.cache("CMAKE_SOURCE_DIR", here, false);
        self.file(file, &text);
        self.values.leave();
        self.here = around;
    }

    /// Runs a file in the scope that is.
    pub(super) fn include(&mut self, file: &Path) {
        if let Ok(text) = std::fs::read_to_string(file) {
            self.file(file, &text);
        }
    }

    fn file(&mut self, file: &Path, text: &str) {
        let around = std::mem::replace(&mut self.file, file.to_owned());
        self.list_folder();
        self.inner(&text::nodes(text));
        self.file = around;
        self.list_folder();
    }

    fn list_folder(&mut self) {
        let folder = self
            .file
            .parent()
            .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        let folder = folder.map_or(String::new(), |folder| folder.to_string_lossy().into_owned());
        self.values.set("CMAKE_CURRENT_LIST_DIR", folder, false);
        self.values.set("CMAKE_CURRENT_LIST_FILE", self.file.to_string_lossy().into_owned(), false);
    }

    /// Runs the body of a file or function; its `return` ends nothing else.
    fn inner(&mut self, nodes: &[Node]) {
        if self.depth >= MOST_DEPTH {
            return;
        }
        self.depth += 1;
        self.nodes(nodes);
        self.returned = false;
        self.depth -= 1;
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.steps += 1;
            if self.steps > MOST_STEPS || self.returned || self.said.refusal.is_some() {
                return;
            }
            match node {
                Node::Command(command) => {
                    let words = self.values.words(&command.words);
                    match self.routines.get(&command.name).cloned() {
                        Some(routine) => self.call(&routine, &words),
                        None => self.command(&command.name, &words, command.line),
                    }
                }
                Node::If(choices) => {
                    let chosen = choices
                        .iter()
                        .find(|(condition, _)| condition.as_deref().is_none_or(|c| self.holds(c)));
                    if let Some((_, body)) = chosen {
                        self.nodes(body);
                    }
                }
                Node::Foreach(words, body) => self.foreach(words, body),
                Node::Routine { words, body, own_scope } => {
                    let mut words = self.values.words(words).into_iter();
                    let name = words.next().unwrap_or_default().to_ascii_lowercase();
                    let routine = Routine {
                        parameters: words.collect(),
                        body: body.clone(),
                        own_scope: *own_scope,
                    };
                    self.routines.insert(name, Rc::new(routine));
                }
            }
        }
    }

    fn holds(&self, condition: &[Word]) -> bool {
        let asked = Asked {
            values: &self.values,
            here: &self.here,
            target: &|name| self.said.libraries.contains_key(name),
            command: &|name| self.routines.contains_key(name),
        };
        asked.holds(condition)
    }

    fn foreach(&mut self, words: &[Word], body: &[Node]) {
        let words = self.values.words(words);
        let Some((name, rest)) = words.split_first() else { return };
        let items: Vec<String> = match rest {
            [range, ends @ ..] if range == "RANGE" => range_of(ends),
            [within, rest @ ..] if within == "IN" => {
                let mut items = Vec::new();
                let mut lists = false;
                for word in rest {
                    match word.as_str() {
                        "LISTS" => lists = true,
                        "ITEMS" => lists = false,
                        name if lists => {
                            items.extend(values::list(self.values.get(name).unwrap_or("")))
                        }
                        item => items.push(item.to_owned()),
                    }
                }
                items
            }
            items => items.to_vec(),
        };
        for item in items {
            self.values.set(name, item, false);
            self.nodes(body);
        }
    }

    fn call(&mut self, routine: &Routine, words: &[String]) {
        if routine.own_scope {
            self.values.enter();
        }
        for (position, name) in routine.parameters.iter().enumerate() {
            self.values.set(name, words.get(position).cloned().unwrap_or_default(), false);
        }
        for (position, word) in words.iter().enumerate() {
            self.values.set(&format!("ARGV{position}"), word.clone(), false);
        }
        let rest = words.get(routine.parameters.len()..).unwrap_or(&[]);
        self.values.set("ARGC", words.len().to_string(), false);
        self.values.set("ARGV", words.join(";"), false);
        self.values.set("ARGN", rest.join(";"), false);
        self.inner(&routine.body);
        if routine.own_scope {
            self.values.leave();
        }
    }
}

fn range_of(ends: &[String]) -> Vec<String> {
    let numbers: Vec<i64> = ends.iter().filter_map(|end| end.parse().ok()).collect();
    let (from, to, step) = match numbers.as_slice() {
        [to] => (0, *to, 1),
        [from, to] => (*from, *to, 1),
        [from, to, step, ..] => (*from, *to, (*step).max(1)),
        [] => return Vec::new(),
    };
    (from..=to)
        .step_by(usize::try_from(step).unwrap_or(1))
        .take(10_000)
        .map(|n| n.to_string())
        .collect()
}
