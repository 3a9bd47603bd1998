//! The list of tests: names, or tables where more is to be said.
//!
//! ```toml
//! tests = ["fp-rta", { test = "mpcp", label = "MPCP", where = { cores = [2, 4, 8] } },
//!          { test = "fp-rta", label = "no resources", resources = "ignored" }]
//! ```

use fusee_analysis::registry;
use toml::de::{DeTable, DeValue};

use super::reader::{Item, Reader, elements, entries, kind, millionths, whole};
use crate::experiment::{Axis, Choice, Sharing, Test};
use crate::value::Value;

const KEYS: [&str; 4] = ["test", "label", "where", "resources"];
/// The most tests of one experiment.
const MOST: usize = 1000;

impl Reader {
    /// All tests in the order of the file.
    pub(super) fn tests(&mut self, table: &DeTable<'_>, axes: &[Axis]) -> Vec<Test> {
        let Some(item) = table.get("tests") else { return Vec::new() };
        let list = elements(item);
        if list.is_empty() || list.len() > MOST {
            self.value(item.span(), format!("there must be 1 to {MOST} tests"), "");
        }
        let mut tests: Vec<Test> = Vec::new();
        for item in list {
            let Some(test) = self.test(item, axes) else { continue };
            if tests.iter().any(|other| other.label == test.label) {
                self.value(
                    item.span(),
                    format!("two tests are called `{}`", test.label),
                    "give one another `label`",
                );
            }
            tests.push(test);
        }
        tests
    }

    fn test(&mut self, item: &Item<'_>, axes: &[Axis]) -> Option<Test> {
        match item.get_ref() {
            DeValue::String(_) => {
                let test = self.lookup(item)?;
                let label = test.metadata().name.to_owned();
                Some(Test { label, test, resources: Sharing::Seen, only: Vec::new() })
            }
            DeValue::Table(table) => {
                entries(table).into_iter().for_each(|(key, _)| self.known(key, &KEYS, "a test"));
                let Some(name) = table.get("test") else {
                    self.value(item.span(), "this table names no test", "write `test = \"...\"`");
                    return None;
                };
                let test = self.lookup(name)?;
                let label =
                    self.text(table, "label").unwrap_or_else(|| test.metadata().name.to_owned());
                let resources = self.sharing(table);
                let only =
                    table.get("where").map(|item| self.choices(item, axes)).unwrap_or_default();
                Some(Test { label, test, resources, only })
            }
            other => {
                self.value(
                    item.span(),
                    "a test is a name or a table",
                    format!("this is {}", kind(other)),
                );
                None
            }
        }
    }

    fn lookup(
        &mut self,
        item: &Item<'_>,
    ) -> Option<&'static dyn fusee_analysis::SchedulabilityTest> {
        let Some(name) = item.get_ref().as_str() else {
            self.value(
                item.span(),
                "the name of a test is a text",
                format!("this is {}", kind(item.get_ref())),
            );
            return None;
        };
        let test = registry::by_name(name).or_else(|| self.own.test(name));
        if test.is_none() {
            let all = registry::all().chain(self.own.tests.iter().copied());
            let known: Vec<&str> = all.map(|test| test.metadata().name).collect();
            self.unknown(item.span(), "test", name, &known);
        }
        test
    }

    fn sharing(&mut self, table: &DeTable<'_>) -> Sharing {
        match self.text(table, "resources").as_deref() {
            None | Some("seen") => Sharing::Seen,
            Some("ignored") => Sharing::Ignored,
            Some(other) => {
                let at = table.get("resources").map_or(0..0, |item| item.span());
                self.unknown(at, "way to treat resources", other, &["seen", "ignored"]);
                Sharing::Seen
            }
        }
    }

    /// Axes and the values that are chosen of each.
    pub(super) fn choices(&mut self, item: &Item<'_>, axes: &[Axis]) -> Vec<Choice> {
        let Some(table) = item.get_ref().as_table() else {
            self.value(item.span(), "`where` must be a table", "names of axes and values");
            return Vec::new();
        };
        let mut choices = Vec::new();
        for (key, item) in entries(table) {
            let name = key.get_ref().as_ref();
            let Some(axis) = self.axis_number(key.span(), name, axes) else { continue };
            let labels: Vec<&Value> =
                axes[axis].settings.iter().map(|setting| &setting.label).collect();
            let mut settings = Vec::new();
            for item in elements(item) {
                match labels.iter().position(|label| is(label, item.get_ref())) {
                    Some(setting) => settings.push(setting),
                    None => {
                        let known: Vec<String> =
                            labels.iter().map(|label| label.to_string()).collect();
                        let known: Vec<&str> = known.iter().map(String::as_str).collect();
                        let written = item
                            .get_ref()
                            .as_str()
                            .map_or_else(|| "this".to_owned(), str::to_owned);
                        self.unknown(item.span(), &format!("value of `{name}`"), &written, &known);
                    }
                }
            }
            choices.push(Choice { axis, settings });
        }
        choices
    }

    /// An axis by name.
    pub(super) fn axis_number(
        &mut self,
        at: std::ops::Range<usize>,
        name: &str,
        axes: &[Axis],
    ) -> Option<usize> {
        let number = axes.iter().position(|axis| axis.name == name);
        if number.is_none() {
            let known: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
            self.unknown(at, "axis", name, &known);
        }
        number
    }
}

/// Returns `true` if a label is what is written.
fn is(label: &Value, written: &DeValue<'_>) -> bool {
    match label {
        Value::Integer(value) => whole(written) == Some(*value),
        Value::Real(value) => millionths(written) == Some(*value),
        Value::Word(word) => {
            written.as_str() == Some(word)
                || written.as_bool().is_some_and(|b| *word == b.to_string())
        }
    }
}
