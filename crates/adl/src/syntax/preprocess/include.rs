//! `#include`: another file's text in this place.

use super::{Preprocessor, Reader};
use crate::rules;
use crate::syntax::foreign;
use crate::syntax::lexer::Lexer;
use crate::syntax::session::{Failure, Request};
use crate::syntax::token::{Kind, Symbol, Token};
use fusee_diagnostics::{Diagnostic, FileId, Span};

/// The greatest depth of inclusions.
const MAX_INCLUDE_DEPTH: usize = 64;

/// The number of inclusions that one file and what it includes may make.
const MAX_INCLUSIONS: usize = 4000;

/// The number of bytes that one file may include.
const MAX_INCLUDED: usize = 1 << 25;

impl Preprocessor<'_, '_> {
    /// Reads a file from here on, and then goes on where it was.
    pub(super) fn enter_file(&mut self, file: FileId, included_at: Option<Span>) {
        self.readers.push(Reader { lexer: Lexer::new(file), branches: Vec::new(), included_at });
    }

    /// `#include` with everything after it on its line.
    pub(super) fn include(&mut self, directive: Span, line: &[Token]) {
        let Some(request) = self.request(directive, line) else { return };
        if self.include_limit(&request) {
            return;
        }
        let Some(from) = self.readers.last().map(|reader| reader.lexer.file) else { return };
        match self.session.find(&request, from) {
            Ok(file) if self.once.contains(&file) => {}
            Ok(file) => {
                self.inclusions += 1;
                self.included += self.session.sources.file(file).text.len();
                self.enter_file(file, Some(request.span));
            }
            Err(Failure::Unusable(error)) => self.error(error),
            Err(Failure::Missing(tried)) => {
                if let Some(error) = foreign::missing(&request.path, request.span) {
                    return self.error(error);
                }
                let message = format!("included file `{}` was not found", request.path);
                let error = Diagnostic::error(rules::MISSING_INCLUDE, message)
                    .at(request.span, "included here");
                let error = self.session.explain_missing(error, &request, &tried);
                self.error(error);
            }
        }
    }

    /// Returns `true` if files include each other without end.
    fn include_limit(&mut self, request: &Request) -> bool {
        let small = self.inclusions < MAX_INCLUSIONS
            && self.included < MAX_INCLUDED
            && !self.inclusions_ended;
        if small && self.readers.len() < MAX_INCLUDE_DEPTH {
            return false;
        }
        let error = Diagnostic::error(rules::INCLUDE_LOOP, "files include each other without end");
        let mut error = error.at(request.span, "this would be one more");
        for span in self.readers.iter().rev().filter_map(|reader| reader.included_at).take(3) {
            error = error.because(span, "because of this");
        }
        if !std::mem::replace(&mut self.inclusions_ended, true) {
            self.error(
                error.with_note(
                    "guard the file: `#pragma once`, or `#ifndef NAME` and `#define NAME`",
                ),
            );
        }
        true
    }

    /// The file that the line names.
    fn request(&mut self, directive: Span, line: &[Token]) -> Option<Request> {
        let written =
            line.first().is_some_and(|first| first.kind == Kind::Text || first.is(Symbol::Less));
        let expanded = if written { line.to_vec() } else { self.expand_alone(line.to_vec()) };
        match expanded.split_first() {
            Some((first, [])) if first.kind == Kind::Text => {
                let path = self.session.text(first).trim_matches('"').to_owned();
                Some(Request { path, system: false, span: first.span })
            }
            Some((open, rest))
                if open.is(Symbol::Less)
                    && rest.last().is_some_and(|last| last.is(Symbol::Greater)) =>
            {
                let inside = &rest[..rest.len() - 1];
                let path = inside.iter().map(|token| self.session.text(token)).collect();
                let span = rest.last().map_or(open.span, |last| open.span.to(last.span));
                Some(Request { path, system: true, span })
            }
            _ => {
                let span = line.first().map_or(directive, |first| first.span);
                let error =
                    Diagnostic::error(rules::BAD_DIRECTIVE, "`#include` needs a file's name");
                self.error(error.at(span, "expected \"file\" or <file>"));
                None
            }
        }
    }
}
