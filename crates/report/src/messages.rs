//! The list of diagnostics with their places.

use crate::markup::Markup;
use crate::view::{Message, View};
use fusee_diagnostics::Severity;

/// Writes the section, if there is anything to say.
pub(crate) fn write(m: &mut Markup, view: &View) {
    if view.messages.is_empty() {
        return;
    }
    m.element("section", &[("id", &"diagnostics")], |m| {
        m.leaf("h2", &[], "Diagnostics");
        m.element("ol", &[("class", &"messages")], |m| {
            for message in &view.messages {
                m.element("li", &[("class", &word(message.severity))], |m| item(m, message));
            }
        });
    });
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn item(m: &mut Markup, message: &Message) {
    m.element("p", &[("class", &"message")], |m| {
        m.leaf("b", &[], format_args!("{} {}: ", word(message.severity), message.code));
        m.prose(&message.text);
    });
    m.element("ul", &[], |m| {
        for (place, text) in &message.places {
            m.element("li", &[], |m| {
                m.leaf("code", &[], place);
                if !text.is_empty() {
                    m.text(" ");
                    m.prose(text);
                }
            });
        }
        for note in &message.notes {
            m.element("li", &[], |m| m.prose(note));
        }
    });
}
