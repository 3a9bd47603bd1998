//! The common parts of reading: places, types, ranges.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use fusee_diagnostics::{Diagnostic, FileId, Span, closest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Own, rules};

/// A key with its place.
pub(super) type Key<'a> = Spanned<Cow<'a, str>>;
/// A value with its place.
pub(super) type Item<'a> = Spanned<DeValue<'a>>;

/// Collects what is wrong.
pub(super) struct Reader {
    file: FileId,
    pub(super) own: Own,
    pub(super) wrong: Vec<Diagnostic>,
}

/// Returns the entries of a table in the order of the file.
pub(super) fn entries<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t Key<'a>, &'t Item<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Returns the elements of a list, or the value itself as a list of one.
pub(super) fn elements<'t, 'a>(item: &'t Item<'a>) -> Vec<&'t Item<'a>> {
    match item.get_ref() {
        DeValue::Array(list) => list.iter().collect(),
        _ => vec![item],
    }
}

/// Returns the kind of a value, for messages.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Returns a whole number that is not negative.
pub(super) fn whole(value: &DeValue<'_>) -> Option<u64> {
    value.as_integer().and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok())
}

/// Returns a number in millionths, if it is one within 0 and a billion.
pub(super) fn millionths(value: &DeValue<'_>) -> Option<u64> {
    let number = match value {
        DeValue::Float(float) => float.as_str().parse::<f64>().ok()?,
        _ => whole(value)? as f64,
    };
    (0.0..=1e9).contains(&number).then(|| (number * 1e6).round() as u64)
}

impl Reader {
    pub(super) fn new(file: FileId, own: Own) -> Self {
        Self { file, own, wrong: Vec::new() }
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    /// Returns the place of a field: that of the deepest key on the way to it.
    pub(super) fn place(&self, table: &DeTable<'_>, path: &[&str]) -> Span {
        let (mut span, mut inside) = (0..0, Some(table));
        for name in path {
            let Some((key, value)) = inside.and_then(|table| table.get_key_value(*name)) else {
                break;
            };
            span = key.span();
            inside = value.get_ref().as_table();
        }
        self.span(span)
    }

    /// A wrong value.
    pub(super) fn value(
        &mut self,
        at: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        let span = self.span(at);
        self.wrong.push(Diagnostic::error(rules::VALUE, message).at(span, label));
    }

    /// Complains about a key that is not among those known.
    pub(super) fn known(&mut self, key: &Key<'_>, known: &[&str], whose: &str) {
        let name = key.get_ref().as_ref();
        if !known.contains(&name) {
            let label = match closest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known are {}", listed(known.iter().copied())),
            };
            let span = self.span(key.span());
            self.wrong.push(
                Diagnostic::error(rules::KEY, format!("{whose} has no `{name}`")).at(span, label),
            );
        }
    }

    /// A name that is not among those known.
    pub(super) fn unknown(&mut self, at: Range<usize>, what: &str, name: &str, known: &[&str]) {
        let label = match closest(name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known are {}", listed(known.iter().copied())),
        };
        let span = self.span(at);
        self.wrong.push(
            Diagnostic::error(rules::NAME, format!("there is no {what} `{name}`")).at(span, label),
        );
    }

    /// A whole number within a range, if the key is there.
    pub(super) fn whole(
        &mut self,
        table: &DeTable<'_>,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Option<u64> {
        let item = table.get(name)?;
        let number = whole(item.get_ref()).filter(|number| range.contains(number));
        if number.is_none() {
            let message = format!(
                "`{name}` must be a whole number from {} to {}",
                range.start(),
                range.end()
            );
            self.value(item.span(), message, format!("this is {}", kind(item.get_ref())));
        }
        number
    }

    /// A text, if the key is there.
    pub(super) fn text(&mut self, table: &DeTable<'_>, name: &str) -> Option<String> {
        let item = table.get(name)?;
        let text = item.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.value(
                item.span(),
                format!("`{name}` must be a text"),
                format!("this is {}", kind(item.get_ref())),
            );
        }
        text
    }

    /// A table as it is; empty if the key is not there.
    pub(super) fn table(
        &mut self,
        table: &DeTable<'_>,
        plain: &toml::Table,
        name: &str,
    ) -> toml::Table {
        let Some(item) = table.get(name) else { return toml::Table::new() };
        match plain.get(name) {
            Some(toml::Value::Table(inner)) => inner.clone(),
            _ => {
                let label = format!("this is {}", kind(item.get_ref()));
                self.value(item.span(), format!("`{name}` must be a table"), label);
                toml::Table::new()
            }
        }
    }
}

/// Names for a message; many are cut short.
pub(super) fn listed<'k>(names: impl Iterator<Item = &'k str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        few if few.len() <= 30 => few.join(", "),
        many => format!("{} and {} more", many[..30].join(", "), many.len() - 30),
    }
}
