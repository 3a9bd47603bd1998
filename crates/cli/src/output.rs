//! Everything that is printed.
//!
//! A command hands over results, diagnostics and the paths it has written; where
//! they go is decided here. Without `--json`, text is the result and goes to
//! standard output. With it, standard output carries one JSON document and text
//! moves to standard error, where a person still sees it. Diagnostics always go
//! to standard error. Paths come last.
//!
//! A reader that closes the pipe (`fusee analyze S | head -1`) is no failure.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use fusee_diagnostics::render::{self, Sarif, Style};
use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_pipeline::files;
use fusee_pipeline::problem::{Problem, lacks_tool};
use fusee_pipeline::provenance;
use fusee_pipeline::status::Status;
use serde_json::{Value, json};

use crate::args::{Common, Messages, When};

/// The stream and the format of the output.
pub(crate) struct Output {
    format: Format,
    colour: ColorChoice,
    written: Vec<PathBuf>,
    /// The messages so far, for one document at the end.
    sarif: Sarif,
    /// `true` if output was lost for another reason than that nobody reads it.
    lost: bool,
    /// `true` if a message was about a tool that is not there.
    lacks_tool: bool,
}

/// The format of standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A result for people.
    Text,
    /// The same, with the messages as annotations before it.
    Github,
    /// One document with the result.
    Json,
    /// One document with all messages.
    Sarif,
}

impl Output {
    /// As the user asked.
    pub(crate) fn new(common: &Common) -> Self {
        let colour = match common.color {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        colour.write_global();
        let format = match common.messages {
            _ if common.json => Format::Json,
            Messages::Text => Format::Text,
            Messages::Github => Format::Github,
            Messages::Sarif => Format::Sarif,
        };
        let (written, sarif) = (Vec::new(), Sarif::default());
        Self { format, colour, written, sarif, lost: false, lacks_tool: false }
    }

    /// A result for people.
    pub(crate) fn text(&mut self, text: impl Display) {
        let result = match self.format {
            Format::Text | Format::Github => {
                write!(AutoStream::new(io::stdout().lock(), self.colour), "{text}")
            }
            Format::Json | Format::Sarif => {
                write!(AutoStream::new(io::stderr().lock(), self.colour), "{text}")
            }
        };
        self.note(result);
    }

    /// A result for programs, made only if one is asked for.
    pub(crate) fn json(&mut self, value: impl FnOnce() -> Value) {
        if self.format == Format::Json {
            let document = provenance::stamped(value());
            self.note(writeln!(io::stdout().lock(), "{document:#}"));
        }
    }

    /// The same about a description or other texts.
    pub(crate) fn json_of(&mut self, sources: &SourceMap, value: impl FnOnce() -> Value) {
        self.json(|| provenance::with_sources(sources, value()));
    }

    /// Messages about the input, with a line that counts them.
    pub(crate) fn diagnostics(&mut self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        self.lacks_tool |= lacks_tool(diagnostics);
        match self.format {
            Format::Text | Format::Json => {}
            Format::Github => {
                let lines = render::github(diagnostics, sources);
                self.note(io::stdout().lock().write_all(lines.as_bytes()));
            }
            Format::Sarif => self.sarif.add(diagnostics, sources),
        }
        let style = match (self.colour, AutoStream::choice(&io::stderr())) {
            (ColorChoice::Always, _) | (ColorChoice::Auto, ColorChoice::Always) => Style::Coloured,
            _ => Style::Plain,
        };
        let mut text = render::text(diagnostics, sources, style);
        let closing = render::closing(diagnostics);
        if !closing.is_empty() {
            text = format!("{text}{closing}\n");
        }
        self.error_text(text);
    }

    /// Wrong arguments: a sentence, and an exit status to return.
    pub(crate) fn bad_input(&mut self, sentence: impl Display) -> Status {
        self.stop(sentence, Status::BadInput)
    }

    /// Arguments that are wrong together: a message, and an exit status to return.
    pub(crate) fn diagnosed(&mut self, wrong: Diagnostic) -> Status {
        let (wrong, sources) = ([wrong], SourceMap::default());
        self.json(|| {
            let mut document = refusal(&wrong[0].message);
            document["diagnostics"] = render::json(&wrong, &sources);
            document
        });
        self.diagnostics(&wrong, &sources);
        Status::BadInput
    }

    /// A failure of the machine or of a tool: a sentence, and an exit status to return.
    pub(crate) fn failed(&mut self, sentence: impl Display) -> Status {
        self.stop(sentence, Status::ToolFailed)
    }

    /// The document about arguments that can't be read, from which nobody knows how to print.
    pub(crate) fn refusal(sentence: &str) {
        let document = provenance::stamped(refusal(sentence));
        // Who does not read it is told by the status.
        let _ = writeln!(io::stdout().lock(), "{document:#}");
    }

    fn stop(&mut self, sentence: impl Display, status: Status) -> Status {
        let sentence = sentence.to_string();
        self.json(|| refusal(&sentence));
        self.error_text(format!("error: {sentence}\n"));
        status
    }

    /// Says why something of no description was not done; for programs beside this document.
    pub(crate) fn problem(&mut self, problem: Problem, document: impl FnOnce() -> Value) -> Status {
        let Problem { diagnostics, status } = problem.without_places();
        let nowhere = SourceMap::default();
        self.json(|| {
            let mut document = document();
            document["diagnostics"] = render::json(&diagnostics, &nowhere);
            document
        });
        self.diagnostics(&diagnostics, &nowhere);
        status
    }

    /// Makes a folder for files if it is not there.
    pub(crate) fn folder(&self, path: &Path) -> Result<(), String> {
        std::fs::create_dir_all(path)
            .map_err(|error| format!("cannot make `{}`: {error}", path.display()))
    }

    /// Writes files, and remembers them to name at the end.
    pub(crate) fn write(&mut self, products: &[(PathBuf, Vec<u8>)]) -> Result<(), String> {
        for (path, content) in products {
            files::write(path, content)
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
        products.iter().for_each(|(path, _)| self.wrote(path));
        Ok(())
    }

    /// Remembers a file to name at the end.
    pub(crate) fn wrote(&mut self, path: &Path) {
        self.written.push(path.to_owned());
    }

    /// Names the files that were written; the status is the command's unless output failed or a
    /// tool was missing.
    pub(crate) fn finish(&mut self, status: Status) -> Status {
        if self.format == Format::Sarif {
            let document = self.sarif.document(env!("CARGO_PKG_VERSION"));
            self.note(writeln!(io::stdout().lock(), "{document:#}"));
        }
        for path in std::mem::take(&mut self.written) {
            self.text(format!("wrote {}\n", path.display()));
        }
        self.note(io::stdout().flush());
        if self.lost || self.lacks_tool { Status::ToolFailed } else { status }
    }

    fn note(&mut self, result: io::Result<()>) {
        self.lost |= result.is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe);
    }

    fn error_text(&mut self, text: String) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.colour);
        // Nobody is left to be told when standard error is gone.
        let _ = stderr.write_all(text.as_bytes());
    }
}

/// Returns the document about something that was not done.
fn refusal(sentence: &str) -> Value {
    json!({ "error": sentence, "diagnostics": [] })
}

/// Returns a word for what is as it should be.
pub(crate) fn good(text: &str) -> String {
    format!("\u{1b}[32m{text}\u{1b}[0m")
}

/// Returns a word for what is not.
pub(crate) fn bad(text: &str) -> String {
    format!("\u{1b}[1;31m{text}\u{1b}[0m")
}
