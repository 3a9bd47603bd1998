//! The shared state of reading one description: files, letters, messages.

use super::files::{Files, clean};
use super::library;
use super::report::Report;
use super::token::{Scratch, Token};
use crate::{Options, rules};
use fusee_diagnostics::closest;
use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The longest file that is read, in bytes.
pub(crate) const MAX_FILE: usize = 1 << 28;

/// The state that the parts of reading one description share.
pub(crate) struct Session<'a> {
    /// The source of files.
    pub(crate) files: &'a dyn Files,
    /// Search paths and macros.
    pub(crate) options: &'a Options,
    /// Every file that was read.
    pub(crate) sources: SourceMap,
    /// Letters that stand in no file.
    pub(crate) scratch: Scratch,
    /// The messages about errors.
    pub(crate) report: Report,
    /// Files that were read and come with Fusee.
    pub(crate) library: BTreeSet<FileId>,
    read: BTreeMap<PathBuf, FileId>,
}

/// A file that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// Its name as written.
    pub(crate) path: String,
    /// `true` if it is in angle brackets: looked for in the search paths only.
    pub(crate) system: bool,
    /// The place at which it is asked for.
    pub(crate) span: Span,
}

/// The reason for which there is no file.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It is nowhere; these places were tried.
    Missing(Vec<PathBuf>),
    /// It is there and can't be used.
    Unusable(Diagnostic),
}

impl<'a> Session<'a> {
    /// Nothing read yet.
    pub(crate) fn new(files: &'a dyn Files, options: &'a Options) -> Self {
        Self {
            files,
            options,
            sources: SourceMap::default(),
            scratch: Scratch::default(),
            report: Report::default(),
            library: BTreeSet::new(),
            read: BTreeMap::new(),
        }
    }

    /// Returns a token's letters.
    pub(crate) fn text(&self, token: &Token) -> &str {
        self.scratch.text(&self.sources, token)
    }

    /// Reads a file, unless it has been read.
    pub(crate) fn open(&mut self, path: &Path) -> Result<FileId, Diagnostic> {
        let identity = self.files.identity(path);
        if let Some(file) = self.read.get(&identity) {
            return Ok(*file);
        }
        let failed = |why: String| {
            Diagnostic::error(
                rules::UNREADABLE_FILE,
                format!("cannot read `{}`: {why}", path.display()),
            )
        };
        let bytes = self.files.read(path).map_err(|error| failed(describe(&error)))?;
        if bytes.starts_with(b"\x7fELF") {
            let error = failed("it is a linked program, not a description".to_owned());
            return Err(error.with_note(
                "`fusee run` and `fusee verify` take images, `fusee wcet` takes programs",
            ));
        }
        if bytes.len() > MAX_FILE {
            return Err(failed(format!(
                "it has {} bytes, more than the {MAX_FILE} that are allowed",
                bytes.len()
            )));
        }
        let shown = if self.files.identity(&clean(path)) == identity {
            clean(path)
        } else {
            path.to_owned()
        };
        let file = self.add(shown, bytes);
        self.read.insert(identity, file);
        Ok(file)
    }

    /// Adds a file's text; bytes that are no UTF-8 are reported and replaced.
    fn add(&mut self, path: PathBuf, bytes: Vec<u8>) -> FileId {
        if matches!(bytes.as_slice(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
            // Every second byte would be reported.
            let file = self.sources.add(path, String::new());
            let message =
                format!("`{}` is UTF-16 text, not UTF-8", self.sources.file(file).path.display());
            let error =
                Diagnostic::error(rules::NOT_UTF8, message).at(Span { file, start: 0, end: 0 }, "");
            self.report.add(error.with_note("save the file as UTF-8"));
            return file;
        }
        let (text, bad) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let place = error.utf8_error().valid_up_to();
                (
                    String::from_utf8_lossy(error.as_bytes()).into_owned(),
                    Some((place, error.as_bytes()[place])),
                )
            }
        };
        let file = self.sources.add(path, text);
        if let Some((place, byte)) = bad {
            let span = Span { file, start: place as u32, end: place as u32 + 3 };
            let message = format!("`{}` is not UTF-8 text", self.sources.file(file).path.display());
            let error = Diagnostic::error(rules::NOT_UTF8, message)
                .at(span, format!("byte 0x{byte:02x} here"));
            self.report.add(error.with_note(
                "save the file as UTF-8; if it is not a description, another file was meant",
            ));
        }
        file
    }

    /// Adds a text of Fusee's own, such as a file of the library.
    pub(crate) fn add_own(&mut self, name: &str, text: String) -> FileId {
        let path = PathBuf::from(name);
        if let Some(file) = self.read.get(&path) {
            return *file;
        }
        let file = self.sources.add(path.clone(), text);
        self.read.insert(path, file);
        file
    }

    /// Finds the file that is asked for: beside `from` (unless in angle brackets), in the search
    /// paths, in the library.
    pub(crate) fn find(&mut self, request: &Request, from: FileId) -> Result<FileId, Failure> {
        let mut tried = Vec::new();
        for place in self.places(request, from) {
            if self.files.is_file(&place) {
                let opened = self.open(&place);
                return opened
                    .map_err(|error| Failure::Unusable(error.at(request.span, "asked for here")));
            }
            tried.push(place);
        }
        if let Some(name) = library::name(&request.path) {
            let file = self.add_own(&format!("<{name}>"), library::text(name));
            self.library.insert(file);
            return Ok(file);
        }
        Err(Failure::Missing(tried))
    }

    fn places(&self, request: &Request, from: FileId) -> Vec<PathBuf> {
        let beside =
            self.sources.file(from).path.parent().unwrap_or(Path::new("")).join(&request.path);
        let beside = (!request.system).then_some(beside);
        beside
            .into_iter()
            .chain(self.options.include_paths.iter().map(|path| path.join(&request.path)))
            .collect()
    }

    /// Completes the message about a file that is nowhere: what was tried, and what may have been
    /// meant.
    pub(crate) fn explain_missing(
        &self,
        mut error: Diagnostic,
        request: &Request,
        tried: &[PathBuf],
    ) -> Diagnostic {
        for place in tried.iter().take(8) {
            let folder =
                if self.files.names(place).is_empty() { "" } else { ", which is a folder" };
            error = error.with_note(format!("looked for `{}`{folder}", place.display()));
        }
        if tried.len() > 8 {
            error = error.with_note(format!("and in {} more places", tried.len() - 8));
        }
        if let Some(name) = self.similar(request, tried) {
            let quoted = if request.system { format!("<{name}>") } else { format!("\"{name}\"") };
            return error.with_note(format!("did you mean {quoted}?"));
        }
        if request.system && self.options.include_paths.is_empty() {
            error = error
                .with_note("no search path was given: use `-I FOLDER` as the program's build does");
        }
        error
    }

    /// Returns a file with a similar name in one of the places, or in the library.
    fn similar(&self, request: &Request, tried: &[PathBuf]) -> Option<String> {
        let asked = Path::new(&request.path);
        let name = asked.file_name()?.to_str()?;
        for place in tried {
            let names = self.files.names(place.parent().unwrap_or(Path::new("")));
            if let Some(found) = closest(name, names.iter().map(String::as_str)) {
                return asked.with_file_name(found).to_str().map(str::to_owned);
            }
        }
        closest(&request.path, library::NAMES.iter().copied()).map(str::to_owned)
    }
}

/// Returns the description of an error, in the same words on every machine.
fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}
