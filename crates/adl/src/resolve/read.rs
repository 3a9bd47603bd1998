//! Reads the attributes that have a meaning: times, priorities, choices.
//!
//! An attribute that is declared by the component itself with a type that does not
//! fit (`attribute int period`, in a component that counts its own milliseconds) is
//! the component's affair: it is left alone, with a note. Anything else that cannot
//! be understood is an error, never a default.

use super::codes;
use super::report::Report;
use super::settings::Given;
use super::value::{Datum, Located};
use crate::tree::Attribute;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Duration, ParseDurationError, Priority, Sourced};
use std::collections::{BTreeMap, HashMap};

/// The highest core number that a description may use.
pub(super) const LAST_CORE: u32 = 63;

/// The attributes of one owner.
pub(super) struct Attributes<'a, 't> {
    pub(super) given: &'a BTreeMap<String, Given>,
    pub(super) declared: Option<&'a HashMap<&'t str, &'t Attribute>>,
    pub(super) tick: Duration,
    /// True for a look: a value that is read stays unsettled.
    pub(super) looks: bool,
}

/// The meaning of zero as a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zero {
    Allowed,
    Refused,
}

impl<'a, 't> Attributes<'a, 't> {
    /// The same attributes, to look at them without settling any.
    pub(super) fn looking(&self) -> Self {
        Attributes { looks: true, ..*self }
    }

    /// Returns the attribute, whatever its value; it stays unsettled.
    pub(super) fn get(&self, name: &str) -> Option<&'a Given> {
        self.given.get(name)
    }

    /// The attribute, if its value fits, or is not the component's own affair.
    fn readable(
        &self,
        name: &str,
        fits: impl Fn(&Datum) -> bool,
        report: &mut Report,
    ) -> Option<&'a Given> {
        let given = self.given.get(name)?;
        if !self.looks {
            given.settle();
        }
        if fits(&given.value.datum) {
            return Some(given);
        }
        if given.value.datum == Datum::Unknown {
            if !report.has_errors() {
                let message =
                    format!("the value of `{name}` is not known here, and results depend on it");
                report.push(
                    Diagnostic::error(codes::UNKNOWN_VALUE, message).at(given.value.span, ""),
                );
            }
            return None;
        }
        if let Some(attribute) = self.declared.and_then(|declared| declared.get(name)) {
            let message =
                format!("`{name}` is the component's own attribute here, and not read as timing");
            let note = Diagnostic::note(codes::SHADOWED_ATTRIBUTE, message)
                .at(attribute.name.span, "declared here");
            report.push(
                note.with_note("to give the task its timing, rename it, or declare it as `string`"),
            );
            return None;
        }
        Some(given)
    }

    /// `true` or `false`.
    pub(super) fn truth(&self, name: &str, report: &mut Report) -> Option<bool> {
        let given = self.readable(name, |datum| matches!(datum, Datum::Boolean(_)), report)?;
        if let Datum::Boolean(truth) = given.value.datum {
            return Some(truth);
        }
        let kind = given.value.datum.kind();
        let message = format!("`{name}` is `true` or `false`, this is {kind}");
        report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(given.value.span, ""));
        None
    }

    /// Returns a length of time.
    pub(super) fn duration(
        &self,
        name: &str,
        zero: Zero,
        report: &mut Report,
    ) -> Option<Sourced<Duration>> {
        let given = self.readable(name, |datum| matches!(datum, Datum::Text(_)), report)?;
        let value = match &given.value.datum {
            Datum::Text(text) => self.parse_duration(name, text, &given.value, report)?,
            Datum::Integer(n) => {
                report.push(no_unit(name, *n, &given.value));
                return None;
            }
            other => {
                let message =
                    format!("`{name}` takes a time such as \"10 ms\", this is {}", other.kind());
                report
                    .push(Diagnostic::error(codes::WRONG_VALUE, message).at(given.value.span, ""));
                return None;
            }
        };
        if zero == Zero::Refused && value == Duration::ZERO {
            report.push(
                Diagnostic::error(codes::ZERO_TIME, format!("`{name}` cannot be zero"))
                    .at(given.value.span, ""),
            );
            return None;
        }
        Some(Sourced { value, origin: report.origin(given.value.span) })
    }

    /// Returns a length of time; a bare number counts microseconds, as CAmkES has it.
    pub(super) fn duration_or_microseconds(
        &self,
        name: &str,
        report: &mut Report,
    ) -> Option<Sourced<Duration>> {
        let given = self.readable(name, |datum| matches!(datum, Datum::Text(_)), report)?;
        let Datum::Integer(n) = given.value.datum else {
            return self.duration(name, Zero::Refused, report);
        };
        let nanoseconds =
            u64::try_from(n).ok().filter(|&n| n > 0).and_then(|n| n.checked_mul(1000));
        let Some(nanoseconds) = nanoseconds else {
            let (code, what) = match n {
                0 => (codes::ZERO_TIME, "cannot be zero"),
                n if n < 0 => (codes::OUT_OF_RANGE, "cannot be negative"),
                _ => (codes::OUT_OF_RANGE, "is longer than 584 years"),
            };
            report
                .push(Diagnostic::error(code, format!("`{name}` {what}")).at(given.value.span, ""));
            return None;
        };
        if !name.starts_with('_') {
            let message =
                format!("`{name}` has no unit and is read as CAmkES does, in microseconds");
            let note = Diagnostic::note(codes::NO_UNIT, message).at(given.value.span, "");
            report.push(note.with_note(format!(
                "`\"{n} us\"` says the unit, where CAmkES, which takes numbers only, is not to \
                 read the file"
            )));
        }
        Some(Sourced { value: Duration(nanoseconds), origin: report.origin(given.value.span) })
    }

    fn parse_duration(
        &self,
        name: &str,
        text: &str,
        value: &Located,
        report: &mut Report,
    ) -> Option<Duration> {
        parse_duration(text, self.tick)
            .map_err(|error| report.push(refused(name, text, &error, value)))
            .ok()
    }

    /// Returns a whole number in a range.
    pub(super) fn integer(
        &self,
        name: &str,
        range: (u32, u32),
        report: &mut Report,
    ) -> Option<Sourced<u32>> {
        let given = self.readable(name, |datum| matches!(datum, Datum::Integer(_)), report)?;
        let Datum::Integer(n) = given.value.datum else {
            let message =
                format!("`{name}` takes a whole number, this is {}", given.value.datum.kind());
            report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(given.value.span, ""));
            return None;
        };
        let number = u32::try_from(n).ok().filter(|n| (range.0..=range.1).contains(n));
        if number.is_none() {
            let message = format!("`{name}` is {n}, outside of {} to {}", range.0, range.1);
            report.push(Diagnostic::error(codes::OUT_OF_RANGE, message).at(given.value.span, ""));
        }
        number.map(|value| Sourced { value, origin: report.origin(given.value.span) })
    }

    /// Returns a fixed priority.
    pub(super) fn priority(&self, name: &str, report: &mut Report) -> Option<Sourced<Priority>> {
        let number = self.integer(name, (0, 255), report)?;
        Some(Sourced { value: u8::try_from(number.value).ok()?, origin: number.origin })
    }

    /// Returns a text, with its value's place.
    pub(super) fn text(&self, name: &str, report: &mut Report) -> Option<(&'a str, &'a Given)> {
        let given = self.readable(name, |datum| matches!(datum, Datum::Text(_)), report)?;
        if let Datum::Text(text) = &given.value.datum {
            return Some((text.trim(), given));
        }
        let message = format!("`{name}` takes a text, this is {}", given.value.datum.kind());
        report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(given.value.span, ""));
        None
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&str, T)],
        report: &mut Report,
    ) -> Option<Sourced<T>> {
        let (text, given) = self.text(name, report)?;
        match choices.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => {
                Some(Sourced { value: *value, origin: report.origin(given.value.span) })
            }
            None => {
                report.push(no_choice(name, text, given, choices.iter().map(|(word, _)| *word)));
                None
            }
        }
    }

    /// Returns a list of texts with their places.
    pub(super) fn texts(
        &self,
        name: &str,
        report: &mut Report,
    ) -> Option<(Vec<(&'a str, &'a Located)>, &'a Given)> {
        let given = self.readable(name, |datum| matches!(datum, Datum::List(_)), report)?;
        let Datum::List(items) = &given.value.datum else {
            let message = format!(
                "`{name}` takes a list such as [\"store.put\", \"10 us\"], this is {}",
                given.value.datum.kind()
            );
            report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(given.value.span, ""));
            return None;
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let Datum::Text(text) = &item.datum else {
                if item.datum != Datum::Unknown {
                    let message =
                        format!("an entry of `{name}` is a text, this is {}", item.datum.kind());
                    report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(item.span, ""));
                }
                return None;
            };
            texts.push((text.trim(), item));
        }
        Some((texts, given))
    }
}

/// Reads a time; a whole number of microseconds or more may have a sign, which is refused by name.
pub(super) fn parse_duration(text: &str, tick: Duration) -> Result<Duration, ParseDurationError> {
    Duration::parse(text, tick)
}

/// Returns a word that is none of the words allowed.
pub(super) fn no_choice<'w>(
    name: &str,
    text: &str,
    given: &Given,
    words: impl Iterator<Item = &'w str> + Clone,
) -> Diagnostic {
    let list: Vec<String> = words.clone().map(|word| format!("`{word}`")).collect();
    let message = format!("`{name}` is `{text}`, but can be {}", list.join(", "));
    let error = Diagnostic::error(codes::UNKNOWN_CHOICE, message).at(given.value.span, "");
    match fusee_diagnostics::closest(text, words) {
        Some(word) => error.with_fix(
            format!("did you mean `{word}`?"),
            given.value.span,
            format!("\"{word}\""),
        ),
        None => error,
    }
}

fn no_unit(name: &str, n: i128, value: &Located) -> Diagnostic {
    if n < 0 {
        return Diagnostic::error(codes::OUT_OF_RANGE, format!("`{name}` cannot be negative"))
            .at(value.span, "");
    }
    let error =
        Diagnostic::error(codes::NO_UNIT, format!("`{name}` has no unit")).at(value.span, "");
    let error = error.with_note("times are texts with a unit: ns, us, ms, s or ticks");
    error.with_fix("write the unit, if milliseconds are meant", value.span, format!("\"{n} ms\""))
}

/// Returns the message about a text that is no time, with the repair that its unit suggests.
pub(super) fn refused(
    name: &str,
    text: &str,
    error: &ParseDurationError,
    value: &Located,
) -> Diagnostic {
    if text.starts_with('-') {
        return Diagnostic::error(codes::OUT_OF_RANGE, format!("`{name}` cannot be negative"))
            .at(value.span, "");
    }
    if matches!(error, ParseDurationError::TooLong(_)) {
        return Diagnostic::error(codes::OUT_OF_RANGE, format!("`{name}`: {error}"))
            .at(value.span, "");
    }
    let diagnostic =
        Diagnostic::error(codes::NO_DURATION, format!("`{name}`: {error}")).at(value.span, "");
    let split =
        text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    if let Some((title, time)) = elsewhere(text, (number, unit.trim())) {
        return diagnostic.with_fix(title, value.span, format!("\"{time}\""));
    }
    let meant = match unit.trim() {
        "" => "ms",
        "msec" | "msecs" | "millisecond" | "milliseconds" | "MS" | "Ms" => "ms",
        "usec" | "usecs" | "microsecond" | "microseconds" | "u" | "US" => "us",
        "nsec" | "nsecs" | "nanosecond" | "nanoseconds" | "NS" => "ns",
        "sec" | "secs" | "second" | "seconds" | "S" => "s",
        _ => return diagnostic,
    };
    if number.is_empty() || !matches!(error, ParseDurationError::Unit(_)) {
        return diagnostic;
    }
    let title = if unit.is_empty() {
        "write the unit, if milliseconds are meant"
    } else {
        "write the unit in short"
    };
    diagnostic.with_fix(title, value.span, format!("\"{number} {meant}\""))
}

/// Returns the repair for notations of other languages: a decimal comma, minutes and hours,
/// frequencies.
fn elsewhere(text: &str, (number, unit): (&str, &str)) -> Option<(&'static str, String)> {
    let pointed = text.replacen(',', ".", 1);
    if pointed != text && Duration::parse(&pointed, Duration(1)).is_ok() {
        return Some(("write the decimals behind a point", pointed));
    }
    let number: u64 = number.parse().ok().filter(|number| *number > 0)?;
    let seconds = |each: u64| Some(("write seconds", format!("{} s", number.checked_mul(each)?)));
    let period = |second: u64| {
        let time = Duration(second / number);
        second.is_multiple_of(number).then(|| ("write the time from one to the next", time.exact()))
    };
    match unit {
        "min" | "mins" | "minute" | "minutes" => seconds(60),
        "h" | "hour" | "hours" => seconds(3600),
        "Hz" | "hz" | "HZ" => period(1_000_000_000),
        "kHz" | "khz" | "KHz" => period(1_000_000),
        _ => None,
    }
}
