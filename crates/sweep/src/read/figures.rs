//! The `[[figures]]`: what is drawn of the results.

use toml::de::DeTable;

use super::reader::{Item, Reader, elements, entries, kind};
use crate::experiment::{Experiment, Figure};

const KEYS: [&str; 7] = ["name", "title", "x", "x-label", "dotted", "where", "tests"];

impl Reader {
    /// All figures in the order of the file.
    pub(super) fn figures(&mut self, table: &DeTable<'_>, experiment: &Experiment) -> Vec<Figure> {
        let Some(item) = table.get("figures") else { return Vec::new() };
        let mut figures: Vec<Figure> = Vec::new();
        for item in elements(item) {
            let Some(figure) = self.figure(item, experiment) else { continue };
            if figures.iter().any(|other| other.name == figure.name) {
                self.value(item.span(), format!("two figures are called `{}`", figure.name), "");
            }
            figures.push(figure);
        }
        figures
    }

    fn figure(&mut self, item: &Item<'_>, experiment: &Experiment) -> Option<Figure> {
        let Some(table) = item.get_ref().as_table() else {
            self.value(
                item.span(),
                "a figure must be a table",
                format!("this is {}", kind(item.get_ref())),
            );
            return None;
        };
        entries(table).into_iter().for_each(|(key, _)| self.known(key, &KEYS, "a figure"));
        let name = self.text(table, "name").unwrap_or_else(|| "figure".to_owned());
        if name.is_empty()
            || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        {
            let at = table.get("name").map_or(item.span(), |item| item.span());
            self.value(
                at,
                "a figure's name becomes the name of a file",
                "letters, digits, `-` and `_` only",
            );
        }
        if !table.contains_key("x") {
            self.value(
                item.span(),
                "this figure has no `x`",
                "name the axis of the grid that runs along it",
            );
        }
        let x = self.axis_of(table, "x", experiment)?;
        let numbers =
            experiment.axes[x].settings.iter().all(|setting| setting.label.number().is_some());
        if !numbers {
            let at = table.get("x").map_or(item.span(), |item| item.span());
            self.value(
                at,
                format!("`{}` is no axis of numbers", experiment.axes[x].name),
                "words have no place on it",
            );
        }
        Some(Figure {
            name,
            title: self.text(table, "title").unwrap_or_else(|| experiment.title.clone()),
            x,
            x_label: self.text(table, "x-label").unwrap_or_else(|| experiment.axes[x].name.clone()),
            dotted: self.axis_of(table, "dotted", experiment),
            only: table
                .get("where")
                .map(|item| self.choices(item, &experiment.axes))
                .unwrap_or_default(),
            tests: self.labels(table, experiment),
        })
    }

    fn axis_of(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        experiment: &Experiment,
    ) -> Option<usize> {
        let name = self.text(table, key)?;
        let at = table.get(key).map_or(0..0, |item| item.span());
        self.axis_number(at, &name, &experiment.axes)
    }

    /// Labels of tests, each of which must exist.
    fn labels(&mut self, table: &DeTable<'_>, experiment: &Experiment) -> Vec<String> {
        let known: Vec<&str> = experiment.tests.iter().map(|test| test.label.as_str()).collect();
        let mut labels = Vec::new();
        for item in table.get("tests").map(elements).unwrap_or_default() {
            match item.get_ref().as_str() {
                Some(label) if known.contains(&label) => labels.push(label.to_owned()),
                Some(label) => {
                    self.unknown(item.span(), "test in this experiment called", label, &known)
                }
                None => {
                    self.value(item.span(), "the label of a test is a text", kind(item.get_ref()))
                }
            }
        }
        labels
    }
}
