//! The conditions of `if`.

use super::text::Word;
use super::values::Values;
use std::cmp::Ordering;
use std::path::Path;

/// What conditions ask besides variables.
pub(super) struct Asked<'a> {
    pub(super) values: &'a Values,
    /// The folder of the file.
    pub(super) here: &'a Path,
    /// Whether there is a target of that name, or a command.
    pub(super) target: &'a dyn Fn(&str) -> bool,
    pub(super) command: &'a dyn Fn(&str) -> bool,
}

/// A word with its values in it, and whether it was quoted.
type Term = (String, bool);

impl Asked<'_> {
    /// Whether a condition holds; one that cannot be read does not.
    pub(super) fn holds(&self, words: &[Word]) -> bool {
        let mut terms: Vec<Term> = Vec::new();
        for word in words {
            let one = std::slice::from_ref(word);
            terms.extend(self.values.words(one).into_iter().map(|text| (text, word.quoted)));
        }
        let mut at = 0;
        self.any(&terms, &mut at, 0)
    }

    fn any(&self, terms: &[Term], at: &mut usize, depth: usize) -> bool {
        let mut holds = self.all(terms, at, depth);
        while word(terms, *at) == Some("OR") {
            *at += 1;
            holds |= self.all(terms, at, depth);
        }
        holds
    }

    fn all(&self, terms: &[Term], at: &mut usize, depth: usize) -> bool {
        let mut holds = self.not(terms, at, depth);
        while word(terms, *at) == Some("AND") {
            *at += 1;
            holds &= self.not(terms, at, depth);
        }
        holds
    }

    fn not(&self, terms: &[Term], at: &mut usize, depth: usize) -> bool {
        let mut turned = false;
        while word(terms, *at) == Some("NOT") {
            turned = !turned;
            *at += 1;
        }
        turned != self.one(terms, at, depth)
    }

    fn one(&self, terms: &[Term], at: &mut usize, depth: usize) -> bool {
        let Some((text, quoted)) = terms.get(*at) else { return false };
        let unquoted = (!quoted).then_some(text.as_str());
        *at += 1;
        if unquoted == Some("(") {
            let holds = depth < 50 && self.any(terms, at, depth + 1);
            *at += 1;
            return holds;
        }
        if let Some(holds) = unquoted.and_then(|test| self.unary(test, terms.get(*at))) {
            *at += 1;
            return holds;
        }
        let comparison = terms.get(*at).filter(|term| !term.1).and_then(|term| binary(&term.0));
        if let (Some(compare), Some(right)) = (comparison, terms.get(*at + 1)) {
            *at += 2;
            return compare(&self.value(&terms[*at - 3]), &self.value(right));
        }
        match unquoted {
            Some(name) => truth(name).unwrap_or_else(|| {
                truth(self.values.get(name).unwrap_or("")) != Some(false)
                    && self.values.get(name).is_some_and(|value| !value.is_empty())
            }),
            None => truth(text) == Some(true),
        }
    }

    fn unary(&self, test: &str, term: Option<&Term>) -> Option<bool> {
        let (text, _) = term?;
        Some(match test {
            "DEFINED" => self.values.get(text).is_some(),
            "TARGET" => (self.target)(text),
            "COMMAND" => (self.command)(&text.to_ascii_lowercase()),
            "EXISTS" => self.here.join(text).exists(),
            "IS_DIRECTORY" => self.here.join(text).is_dir(),
            "IS_ABSOLUTE" => Path::new(text).is_absolute(),
            "POLICY" => true,
            _ => return None,
        })
    }

    /// A side of a comparison: the variable's value where an unquoted word names one.
    fn value(&self, (text, quoted): &Term) -> String {
        let variable = if *quoted { None } else { self.values.get(text) };
        variable.unwrap_or(text).to_owned()
    }
}

fn word(terms: &[Term], at: usize) -> Option<&str> {
    terms.get(at).filter(|term| !term.1).map(|term| term.0.as_str())
}

/// What a constant says; `None` for what is a variable's name.
fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_uppercase().as_str() {
        "1" | "ON" | "YES" | "TRUE" | "Y" => Some(true),
        "" | "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND" => Some(false),
        upper if upper.ends_with("-NOTFOUND") => Some(false),
        _ => text.parse::<f64>().ok().map(|number| number != 0.0),
    }
}

fn binary(operator: &str) -> Option<fn(&str, &str) -> bool> {
    Some(match operator {
        "STREQUAL" | "PATH_EQUAL" => |a, b| a == b,
        "STRLESS" => |a, b| a < b,
        "STRGREATER" => |a, b| a > b,
        "EQUAL" => |a, b| numbers(a, b) == Some(Ordering::Equal),
        "LESS" => |a, b| numbers(a, b) == Some(Ordering::Less),
        "GREATER" => |a, b| numbers(a, b) == Some(Ordering::Greater),
        "LESS_EQUAL" => |a, b| matches!(numbers(a, b), Some(Ordering::Less | Ordering::Equal)),
        "GREATER_EQUAL" => {
            |a, b| matches!(numbers(a, b), Some(Ordering::Greater | Ordering::Equal))
        }
        "VERSION_EQUAL" => |a, b| version(a) == version(b),
        "VERSION_LESS" => |a, b| version(a) < version(b),
        "VERSION_GREATER" => |a, b| version(a) > version(b),
        "VERSION_GREATER_EQUAL" => |a, b| version(a) >= version(b),
        "VERSION_LESS_EQUAL" => |a, b| version(a) <= version(b),
        "IN_LIST" => |a, b| super::values::list(b).iter().any(|element| element == a),
        "MATCHES" => |a, b| super::pattern::matches(b, a),
        _ => return None,
    })
}

fn numbers(a: &str, b: &str) -> Option<Ordering> {
    a.trim().parse::<f64>().ok()?.partial_cmp(&b.trim().parse::<f64>().ok()?)
}

fn version(text: &str) -> Vec<u64> {
    text.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}
