//! A writer of HTML and SVG that cannot produce broken pages.
//!
//! Text and attribute values are escaped on their way in and every element is
//! closed by the call that opened it, so whatever names a description contains,
//! the result is well-formed XML as well as HTML. There is deliberately no way
//! to write raw markup, except for style sheet and script, parts of this crate.

use std::fmt::{Display, Write};

/// A growing piece of a page.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    out: String,
}

/// Attributes of an element: names and values.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// Passes text on with the characters that mean something to HTML replaced.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(character),
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                    self.0.push('\u{fffd}')
                }
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

impl Markup {
    /// Adds a text, escaped.
    pub(crate) fn text(&mut self, text: impl Display) {
        // Writing to a `String` cannot fail.
        let _ = write!(Escaped(&mut self.out), "{text}");
    }

    /// Adds prose in which `names` stand between backticks.
    pub(crate) fn prose(&mut self, text: &str) {
        for (position, piece) in text.split('`').enumerate() {
            if position % 2 == 1 {
                self.leaf("code", &[], piece);
            } else {
                self.text(piece);
            }
        }
    }

    /// Adds an element with what `content` writes in it.
    pub(crate) fn element(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        content: impl FnOnce(&mut Markup),
    ) {
        self.open(name, attributes);
        self.out.push('>');
        content(self);
        let _ = write!(self.out, "</{name}>");
        if is_block(name) {
            self.out.push('\n');
        }
    }

    /// Adds an element that contains only text.
    pub(crate) fn leaf(&mut self, name: &str, attributes: Attributes<'_>, text: impl Display) {
        self.element(name, attributes, |m| m.text(text));
    }

    /// Adds an element without content, such as an SVG shape.
    pub(crate) fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.open(name, attributes);
        self.out.push_str("/>");
    }

    /// Adds an SVG shape with a tooltip, which screen readers read as well.
    pub(crate) fn shape(&mut self, name: &str, attributes: Attributes<'_>, title: impl Display) {
        self.element(name, attributes, |m| m.leaf("title", &[], title));
    }

    /// Adds the document's style sheet.
    pub(crate) fn style(&mut self, sheet: &'static str) {
        self.out.push_str("<style>\n");
        self.out.push_str(sheet);
        self.out.push_str("</style>\n");
    }

    /// Adds a script.
    pub(crate) fn script(&mut self, script: &'static str) {
        self.out.push_str("<script>\n");
        self.out.push_str(script);
        self.out.push_str("</script>\n");
    }

    /// Returns the text so far.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes {
            let _ = write!(self.out, " {key}=\"");
            let _ = write!(Escaped(&mut self.out), "{value}");
            self.out.push('"');
        }
    }
}

fn is_block(name: &str) -> bool {
    !matches!(
        name,
        "a" | "b"
            | "code"
            | "span"
            | "title"
            | "td"
            | "th"
            | "text"
            | "tspan"
            | "rect"
            | "path"
            | "line"
    )
}

/// The sign for an unknown value.
pub(crate) const DASH: &str = "\u{2013}";

/// Something wide that scrolls by itself.
pub(crate) fn labelled(m: &mut Markup, label: &str, content: impl FnOnce(&mut Markup)) {
    let attributes: Attributes<'_> =
        &[("class", &"scroll"), ("tabindex", &"0"), ("role", &"group"), ("aria-label", &label)];
    m.element("div", attributes, content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_text_it_stays_text() {
        let mut markup = Markup::default();
        markup.element("p", &[("title", &"a \"b\" & <c>")], |m| {
            m.text("<script>alert('x')</script>\u{7}")
        });
        assert_eq!(
            markup.finish(),
            "<p title=\"a &quot;b&quot; &amp; \
             &lt;c&gt;\">&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\u{fffd}</p>\n"
        );
    }
}
