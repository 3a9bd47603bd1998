//! Chosen values written into the text of a description.
//!
//! A value that the assembly's own configuration gives is replaced where it stands; what it leaves
//! out is a new line at the end of the configuration. A value is not touched that comes from a
//! macro, holds under a condition of the preprocessor, or stands in a file that comes with Fusee:
//! its line is told instead.

use std::path::{Path, PathBuf};

use fusee_adl::syntax::Loaded;
use fusee_adl::syntax::files::{Disk, Files};
use fusee_adl::tree::{AssemblyMember, Configuration, Definition, Item, SettingValue, Tree};
use fusee_diagnostics::{FileId, Span};
use fusee_model::System;

use super::setting::{Setting, Subject};

/// A file with its chosen values.
#[derive(Debug, Clone)]
pub struct Rewritten {
    /// Its path, as the user knows it.
    pub path: PathBuf,
    /// The text on the disk.
    pub before: String,
    /// The text with the values.
    pub after: String,
}

/// A changed place of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file in which it is, by its number.
    file: u32,
    /// The first byte that is replaced.
    pub start: usize,
    /// One past the last of them.
    pub end: usize,
    /// The path of the file, as the user knows it.
    pub path: PathBuf,
    /// The text there.
    pub old: String,
    /// The new text.
    pub new: String,
}

/// Chosen values as changes of texts.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The files that change.
    pub files: Vec<Rewritten>,
    /// The places that change, in order.
    pub edits: Vec<Edit>,
    /// Lines that an engineer must write.
    pub lines: Vec<String>,
}

/// A description's text.
pub(super) struct Text<'a> {
    pub(super) loaded: &'a Loaded,
    /// The description that was asked about, not what it imports.
    pub(super) path: &'a Path,
}

impl Text<'_> {
    /// Returns the text with these values in place of those that it has.
    pub(super) fn with(&self, system: &System, settings: &[Setting]) -> Written {
        let mut written = Written::default();
        let mut new = Vec::new();
        for &setting in settings {
            match self.given(system, setting) {
                Place::Here(edits) => written.edits.extend(edits),
                Place::Elsewhere => written.lines.push(setting.line(system)),
                Place::Nowhere => new.push(setting.line(system)),
            }
        }
        match self.end() {
            Some(at) if !new.is_empty() => written.edits.push(self.inserted(at, &new)),
            _ => written.lines.append(&mut new),
        }
        written.edits.sort();
        written.files = self.files(&written.edits);
        written
    }

    /// Returns the places at which the assembly's configuration gives the value of a subject.
    fn given(&self, system: &System, setting: Setting) -> Place {
        let (owner, names) = setting.subject().names(system);
        let mut edits = Vec::new();
        for configuration in configurations(&self.loaded.tree) {
            for found in &configuration.settings {
                let Some((attribute, instance)) = found.target.names.split_last() else { continue };
                let instance: Vec<&str> = instance.iter().map(|name| name.text.as_str()).collect();
                let same =
                    instance.join(".") == owner || is_whole(&self.loaded.tree, setting, &instance);
                if !same || !names.contains(&attribute.text) {
                    continue;
                }
                let edit = match &found.value {
                    SettingValue::Value(value) => self.replaced(value.span, setting.text()),
                    SettingValue::Alias(_) => {
                        let span = Span { start: found.target.span.end, ..found.span };
                        self.replaced(span, format!(" = {}", setting.text()))
                    }
                };
                match edit {
                    Some(edit) => edits.push(edit),
                    None => return Place::Elsewhere,
                }
            }
        }
        if edits.is_empty() { Place::Nowhere } else { Place::Here(edits) }
    }

    /// Returns the replacement of a text, if that may be changed.
    fn replaced(&self, span: Span, new: String) -> Option<Edit> {
        let sources = &self.loaded.sources;
        let old = sources.text(span).to_owned();
        let file = sources.file(span.file);
        // The place of what a macro gives is where the macro is used.
        let is_macro = old.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let changes = Disk.is_file(&file.path)
            && !self.loaded.tree.library.contains(&span.file)
            && !is_conditional(&file.text, span.start as usize);
        (changes && !is_macro).then(|| Edit {
            file: span.file.0,
            start: span.start as usize,
            end: span.end as usize,
            path: file.path.clone(),
            old,
            new,
        })
    }

    /// Returns where the assembly's configuration ends, that of the description's own file first:
    /// the place of its closing brace.
    fn end(&self) -> Option<Span> {
        let all = configurations(&self.loaded.tree).into_iter();
        let spans = all.map(|configuration| configuration.span).filter(|span| {
            let file = self.loaded.sources.file(span.file);
            Disk.is_file(&file.path)
                && !self.loaded.tree.library.contains(&span.file)
                && self.loaded.sources.text(*span).ends_with('}')
                && !is_conditional(&file.text, span.end as usize)
        });
        let own = |span: &Span| self.loaded.sources.file(span.file).path == self.path;
        spans.max_by_key(|span| (own(span), span.start))
    }

    /// Returns the insertion of lines before a closing brace.
    fn inserted(&self, end: Span, lines: &[String]) -> Edit {
        let file = self.loaded.sources.file(end.file);
        let brace = end.end as usize - 1;
        let start = file.text[..brace].rfind('\n').map_or(0, |at| at + 1);
        let indent = &file.text[start..brace];
        let is_alone = indent.chars().all(char::is_whitespace);
        let (at, new) = if is_alone {
            let line = |line: &String| format!("{indent}    {line}\n");
            (start, lines.iter().map(line).collect::<String>())
        } else {
            (brace, lines.iter().map(|line| format!("{line} ")).collect())
        };
        let path = file.path.clone();
        Edit { file: end.file.0, start: at, end: at, path, old: String::new(), new }
    }

    /// Returns the files with these edits, which are in order.
    fn files(&self, edits: &[Edit]) -> Vec<Rewritten> {
        let of_files = edits.chunk_by(|one, other| one.file == other.file);
        let changed = of_files.map(|edits| {
            let file = self.loaded.sources.file(FileId(edits[0].file));
            let mut after = file.text.clone();
            for edit in edits.iter().rev() {
                after.replace_range(edit.start..edit.end, &edit.new);
            }
            Rewritten { path: file.path.clone(), before: file.text.clone(), after }
        });
        changed.collect()
    }
}

/// The place of a value.
enum Place {
    /// It is given here.
    Here(Vec<Edit>),
    /// It is given where nothing may be changed.
    Elsewhere,
    /// The assembly's configuration does not give it.
    Nowhere,
}

/// Returns the configurations of assemblies, in order.
fn configurations(tree: &Tree) -> Vec<&Configuration> {
    let named = |name: &str| {
        tree.items.iter().find_map(|item| match item {
            Item::Configuration(own) => {
                own.name.as_ref().is_some_and(|own| own.text == name).then_some(own)
            }
            _ => None,
        })
    };
    let assemblies = tree.items.iter().filter_map(|item| match item {
        Item::Assembly(assembly) => Some(assembly),
        _ => None,
    });
    let members = assemblies.flat_map(|assembly| &assembly.members);
    let configuration = |member| match member {
        &AssemblyMember::Configuration(Definition::Here(ref own)) => Some(own),
        AssemblyMember::Configuration(Definition::Named(name)) => named(&name.text()),
        _ => None,
    };
    members.filter_map(configuration).collect()
}

/// Returns `true` if a setting is for the whole system under the name of an assembly.
fn is_whole(tree: &Tree, setting: Setting, instance: &[&str]) -> bool {
    let named = |item: &Item| match item {
        Item::Assembly(assembly) => {
            assembly.name.as_ref().is_some_and(|name| instance == [name.text.as_str()])
        }
        _ => false,
    };
    setting.subject() == Subject::Policy && tree.items.iter().any(named)
}

/// Returns `true` if a place in a text is under a condition of the preprocessor.
fn is_conditional(text: &str, at: usize) -> bool {
    let mut depth = 0_i32;
    for line in text[..at].lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else { continue };
        let directive = directive.trim_start();
        depth += i32::from(directive.starts_with("if"));
        depth -= i32::from(directive.starts_with("endif"));
    }
    depth > 0
}

impl Written {
    /// Returns the paths of files that change without being the description itself.
    pub fn included(&self, description: &Path) -> Vec<&Path> {
        let is_own = |path: &Path| Disk.identity(path) == Disk.identity(description);
        let paths = self.files.iter().map(|file| file.path.as_path());
        paths.filter(|path| !is_own(path)).collect()
    }

    /// Returns a file whose text on the disk is no longer the one that was read.
    pub fn outdated(&self) -> Option<&Path> {
        let now = |file: &&Rewritten| {
            std::fs::read_to_string(&file.path).is_ok_and(|text| text == file.before)
        };
        self.files.iter().find(|file| !now(file)).map(|file| file.path.as_path())
    }
}
