//! The parser of connector types.

use super::Parser;
use crate::rules;
use crate::tree::{ConnectorBody, ConnectorEnd, InterfaceSort};
use fusee_diagnostics::{Diagnostic, Span};

/// The sorts of interfaces that an end may join.
const SORTS: &[&str] = &["Procedure", "Procedures", "Event", "Events", "Dataport", "Dataports"];

impl Parser<'_, '_> {
    /// A connector type from its opening brace on.
    pub(super) fn connector_body(&mut self) -> Option<ConnectorBody> {
        let start = self.current.span;
        let mut body = ConnectorBody { from: None, to: None, attributes: Vec::new(), span: start };
        let clean = self.failed_at;
        body.span = self.block("this connector", |parser| parser.connector_member(&mut body))?;
        let missing = match (&body.from, &body.to) {
            _ if self.failed_at != clean => None,
            (None, _) => Some("from"),
            (_, None) => Some("to"),
            _ => None,
        };
        if let Some(end) = missing {
            let error = Diagnostic::error(
                rules::CONNECTOR_ENDS,
                format!("this connector has no `{end}` end"),
            );
            self.fail(error.at(body.span, format!("expected `{end} Procedure;` or another kind")));
        }
        Some(body)
    }

    fn connector_member(&mut self, body: &mut ConnectorBody) -> Option<()> {
        let keyword =
            self.keyword(&["from", "to", "attribute"], "`from`, `to`, `attribute` or `}`")?;
        let start = self.current.span;
        self.advance();
        if keyword == "attribute" {
            body.attributes.push(self.attribute(start)?);
            return Some(());
        }
        let end = self.connector_end(start)?;
        let place = if keyword == "from" { &mut body.from } else { &mut body.to };
        match place {
            None => *place = Some(end),
            Some(first) => {
                let error = Diagnostic::error(
                    rules::CONNECTOR_ENDS,
                    format!("a connector has only one `{keyword}` end"),
                );
                let error =
                    error.at(end.span, "this is another one").because(first.span, "the first one");
                self.tokens.session.report.add(error);
            }
        }
        Some(())
    }

    /// An end after its `from` or `to`.
    fn connector_end(&mut self, start: Span) -> Option<ConnectorEnd> {
        let hardware = self.take_word("hardware");
        let keyword =
            self.keyword(SORTS, "`Procedure`, `Event` or `Dataport`, or one of them with `s`")?;
        self.advance();
        let sort = match keyword {
            "Procedure" | "Procedures" => InterfaceSort::Procedure,
            "Event" | "Events" => InterfaceSort::Event,
            _ => InterfaceSort::Dataport,
        };
        let template = self.old_end()?;
        let threads = self.take_word("with").map(|_| self.threads());
        let span = self.since(start);
        self.end_statement()?;
        Some(ConnectorEnd { hardware, sort, many: keyword.ends_with('s'), threads, template, span })
    }

    /// Parses the part of old descriptions behind the kind: a name for the end, and the file that
    /// its code is made from.
    fn old_end(&mut self) -> Option<Option<String>> {
        if !matches!(self.word(), "" | "with" | "template") {
            self.name("`;`")?;
        }
        if self.take_word("template").is_none() {
            return Some(None);
        }
        let names = self.strings();
        if names.is_empty() {
            self.unexpected("the template's name");
        }
        Some(Some(names))
    }

    /// `n threads` after `with`.
    fn threads(&mut self) -> crate::tree::Expr {
        let number = self.expression();
        if self.take_word("threads").is_none() && self.take_word("thread").is_none() {
            self.unexpected("`threads`");
        }
        number
    }
}
