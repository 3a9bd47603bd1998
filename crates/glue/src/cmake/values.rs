//! Variables of CMake files, and words with their values put in.

use super::text::Word;
use std::collections::BTreeMap;

/// What is known at one place of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    /// Innermost last; each has all that the one around it had when it began.
    scopes: Vec<BTreeMap<String, String>>,
    /// What holds everywhere, unless a scope says otherwise.
    cache: BTreeMap<String, String>,
}

/// Variables in the names of variables are looked up no deeper than this.
const MOST_DEPTH: usize = 20;

/// No value is longer than this.
const MOST_BYTES: usize = 1 << 20;

impl Values {
    /// Only what holds everywhere.
    pub(super) fn new(cache: BTreeMap<String, String>) -> Self {
        Self { scopes: vec![BTreeMap::new()], cache }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let scope = self.scopes.last().and_then(|scope| scope.get(name));
        scope.or_else(|| self.cache.get(name)).map(String::as_str)
    }

    /// Sets a variable, in the scope around this one if `outside`.
    pub(super) fn set(&mut self, name: &str, mut value: String, outside: bool) {
        if value.len() > MOST_BYTES {
            value.clear();
        }
        let position = self.scopes.len().saturating_sub(if outside { 2 } else { 1 });
        if let Some(scope) = self.scopes.get_mut(position) {
            scope.insert(name.to_owned(), value);
        }
    }

    /// Sets a variable for everywhere, unless it is set already and this is not by force.
    pub(super) fn cache(&mut self, name: &str, value: String, force: bool) {
        if force || !self.cache.contains_key(name) {
            self.cache.insert(name.to_owned(), value);
        }
    }

    pub(super) fn unset(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.remove(name);
        }
    }

    /// Begins a scope.
    pub(super) fn enter(&mut self) {
        let around = self.scopes.last().cloned().unwrap_or_default();
        self.scopes.push(around);
    }

    /// Ends a scope.
    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// All words with their values; what is a list gives several words, an unquoted nothing gives
    /// none.
    pub(super) fn words(&self, words: &[Word]) -> Vec<String> {
        let mut expanded = Vec::new();
        for word in words {
            if word.raw {
                expanded.push(word.text.clone());
                continue;
            }
            let text = self.expand(&word.text, 0);
            if word.quoted {
                expanded.push(text);
            } else {
                expanded.extend(list(&text));
            }
        }
        expanded
    }

    /// A text with its variables' values put in and its backslashes taken out.
    pub(super) fn expand(&self, text: &str, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['$', '\\']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(escaped) = rest.strip_prefix('\\') {
                let mut letters = escaped.chars();
                match letters.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(';') => out.push_str("\\;"),
                    Some(c) => out.push(c),
                    None => out.push('\\'),
                }
                rest = letters.as_str();
                continue;
            }
            let reference =
                ["${", "$ENV{", "$CACHE{"].iter().find(|start| rest.starts_with(**start));
            let (Some(start), true) = (reference, depth < MOST_DEPTH) else {
                out.push('$');
                rest = &rest[1..];
                continue;
            };
            let Some((name, after)) = closed(&rest[start.len()..]) else {
                out.push_str(rest);
                return out;
            };
            let name = self.expand(name, depth + 1);
            // The environment of whoever builds decides nothing.
            let value = if *start == "$ENV{" { None } else { self.get(&name) };
            if out.len() < MOST_BYTES {
                out.push_str(value.unwrap_or(""));
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// What stands before the brace that closes, and what follows it.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

/// The elements of a list.
pub(super) fn list(text: &str) -> Vec<String> {
    let text = text.replace("\\;", "\u{0}");
    text.split(';').filter(|part| !part.is_empty()).map(|part| part.replace('\u{0}', ";")).collect()
}
