//! The open documents, and what is understood of their descriptions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fusee_adl::syntax::files::Overlay;
use fusee_adl::tree::Item;
use fusee_bounds::Analysis;
use fusee_diagnostics::{FileId, SourceMap};
use fusee_pipeline::checked::{self, Checked};
use fusee_pipeline::costs::Costs;
use fusee_pipeline::load::Surroundings;
use fusee_pipeline::options::Source;

use crate::names::Names;

/// Folders above a file in which descriptions that import it are looked for.
const FOLDERS: usize = 3;
/// Descriptions of one folder that are read for that.
const DESCRIPTIONS: usize = 64;

/// What is understood of a description.
pub(crate) struct Understood {
    /// All that is to be said about it.
    pub(crate) checked: Checked,
    /// Its bounds without costs of the kernel, if it can be analyzed.
    pub(crate) analysis: Option<Analysis>,
    /// Its names.
    pub(crate) names: Names,
    /// The files behind the names.
    pub(crate) sources: SourceMap,
}

impl Understood {
    /// Returns a file that took part.
    pub(crate) fn file(&self, path: &Path) -> Option<FileId> {
        let is_it = |known: &Path| known == path || same(known, path);
        self.sources.files().find(|(_, file)| is_it(&file.path)).map(|(id, _)| id)
    }

    /// Returns the text of a file that took part.
    pub(crate) fn text(&self, file: FileId) -> &str {
        &self.sources.file(file).text
    }
}

fn same(one: &Path, other: &Path) -> bool {
    one.file_name() == other.file_name()
        && one.canonicalize().ok().is_some_and(|one| other.canonicalize().ok() == Some(one))
}

/// The user's options for all descriptions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) defines: Vec<String>,
    pub(crate) include_paths: Vec<PathBuf>,
}

/// The open documents.
#[derive(Default)]
pub(crate) struct Workspace {
    options: Options,
    files: Overlay,
    /// The open documents, each with the description that it belongs to.
    open: BTreeMap<PathBuf, PathBuf>,
    around: BTreeMap<PathBuf, Surroundings>,
    understood: BTreeMap<PathBuf, Understood>,
}

impl Workspace {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// A document is open from now on, or has another text.
    pub(crate) fn change(&mut self, path: &Path, text: String) {
        self.files.insert(path, text);
        let belongs = self.open.get(path).cloned();
        let root = belongs.unwrap_or_else(|| self.root_of(path));
        self.open.insert(path.to_owned(), root);
        self.understood.clear();
    }

    /// A document is no longer open: what counts is the file.
    pub(crate) fn close(&mut self, path: &Path) {
        self.files.remove(path);
        self.open.remove(path);
        self.understood.clear();
    }

    /// Files on the disk may have changed, those of CMake too, and other descriptions may import a
    /// document now.
    pub(crate) fn look_around(&mut self) {
        self.around.clear();
        let open: Vec<PathBuf> = self.open.keys().cloned().collect();
        for path in open {
            let root = self.root_of(&path);
            self.open.insert(path, root);
        }
        self.understood.clear();
    }

    /// Returns the files of open documents, saved or not.
    pub(crate) fn files(&self) -> &Overlay {
        &self.files
    }

    /// Returns a description with how it is read.
    pub(crate) fn source(&self, root: &Path) -> Source {
        let Options { defines, include_paths } = self.options.clone();
        Source { defines, include_paths, ..Source::of(root.to_owned()) }
    }

    /// Returns the descriptions that open documents belong to.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        let mut roots: Vec<PathBuf> = self.open.values().cloned().collect();
        roots.sort();
        roots.dedup();
        roots
    }

    /// Returns what is understood of the description that a document belongs to.
    pub(crate) fn of_document(&mut self, path: &Path) -> Option<&Understood> {
        let root = self.open.get(path)?.clone();
        Some(self.understand(&root))
    }

    /// Returns the description that a document belongs to.
    pub(crate) fn root(&self, path: &Path) -> Option<&Path> {
        self.open.get(path).map(PathBuf::as_path)
    }

    /// Returns what is understood of a description.
    pub(crate) fn understand(&mut self, root: &Path) -> &Understood {
        if !self.understood.contains_key(root) {
            let found = self.read(root);
            self.understood.insert(root.to_owned(), found);
        }
        &self.understood[root]
    }

    /// Returns what stands around a description.
    pub(crate) fn around(&mut self, root: &Path) -> &Surroundings {
        let source = self.source(root);
        around(&mut self.around, &source)
    }

    fn read(&mut self, root: &Path) -> Understood {
        let source = self.source(root);
        let around = around(&mut self.around, &source);
        let tree = around.tree(&self.files, &source);
        let checked = checked::run_within(around, &self.files, &source);
        let analysis = checked.timed().map(|(system, derived)| {
            fusee_bounds::analyze(system, derived, &Costs::nothing().of(system))
        });
        Understood { checked, analysis, names: Names::of(&tree.tree), sources: tree.sources }
    }

    /// Returns the description that a document belongs to: itself, if it has an assembly; else one
    /// near it that imports it; else itself.
    fn root_of(&mut self, path: &Path) -> PathBuf {
        if self.has_assembly(path) {
            return path.to_owned();
        }
        let open: Vec<PathBuf> = self.open.keys().cloned().collect();
        let near = path.ancestors().skip(1).take(FOLDERS).flat_map(descriptions);
        let candidates = open.into_iter().chain(near).filter(|one| one != path);
        let mut found = candidates.filter(|one| self.imports(one, path));
        found.next().unwrap_or_else(|| path.to_owned())
    }

    fn has_assembly(&self, path: &Path) -> bool {
        let loaded = Self::loaded(&self.source(path), &self.files);
        let main = loaded.sources.files().next().map(|(id, _)| id);
        loaded.tree.items.iter().any(|item| match item {
            Item::Assembly(own) => Some(own.span.file) == main,
            _ => false,
        })
    }

    fn imports(&self, root: &Path, path: &Path) -> bool {
        let loaded = Self::loaded(&self.source(root), &self.files);
        let has_assembly = loaded.tree.items.iter().any(|item| matches!(item, Item::Assembly(_)));
        has_assembly && loaded.sources.files().any(|(_, file)| same(&file.path, path))
    }

    fn loaded(source: &Source, files: &Overlay) -> fusee_adl::syntax::Loaded {
        let options = fusee_adl::Options {
            include_paths: source.include_paths.clone(),
            ..fusee_adl::Options::default()
        };
        fusee_adl::syntax::load_from(files, &source.system, &options)
    }
}

/// Returns what stands around a description; it is looked for once.
fn around<'a>(known: &'a mut BTreeMap<PathBuf, Surroundings>, source: &Source) -> &'a Surroundings {
    known.entry(source.system.clone()).or_insert_with(|| Surroundings::of(source))
}

/// Returns the descriptions in a folder.
fn descriptions(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_one = |path: &PathBuf| path.extension().is_some_and(|end| end == "camkes");
    let mut found: Vec<PathBuf> = paths.filter(is_one).take(DESCRIPTIONS).collect();
    found.sort();
    found
}
