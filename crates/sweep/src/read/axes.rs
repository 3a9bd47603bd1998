//! The `[grid]` table: fields and the values that they take.
//!
//! ```toml
//! "resources.count" = [1, 2, 4]
//! load = { path = "utilizations.cap", from = 0.05, to = "cores", step = 0.05 }
//! periods = { path = "periods", values = { short = { kind = "..." }, long = { kind = "..." } } }
//! ```
//!
//! Paths lead into the recipe, or with `analysis.` in front into the analysis.

use toml::de::{DeTable, DeValue};

use super::reader::{Item, Key, Reader, elements, entries, kind, millionths, whole};
use crate::experiment::{Axis, Setting, Stage};
use crate::value::{MILLION, Value};

const KEYS: [&str; 5] = ["path", "values", "from", "to", "step"];
/// The most values of one axis.
const MOST: u64 = 100_000;

impl Reader {
    /// All axes in the order of the file.
    pub(super) fn axes(
        &mut self,
        table: &DeTable<'_>,
        plain: &toml::Table,
        recipe: &toml::Table,
    ) -> Vec<Axis> {
        let Some(item) = table.get("grid") else { return Vec::new() };
        let (Some(grid), Some(plain)) =
            (item.get_ref().as_table(), plain.get("grid").and_then(toml::Value::as_table))
        else {
            self.value(
                item.span(),
                "`grid` must be a table",
                format!("this is {}", kind(item.get_ref())),
            );
            return Vec::new();
        };
        let mut axes: Vec<Axis> = Vec::new();
        for (key, item) in entries(grid) {
            let Some(value) = plain.get(key.get_ref().as_ref()) else { continue };
            let Some(axis) = self.axis(key, item, value, most_cores(&axes, recipe)) else {
                continue;
            };
            if axes.iter().any(|other| other.stage == axis.stage && other.path == axis.path) {
                let label = "another axis sets the same field";
                self.value(key.span(), format!("`{}` is set twice", axis.path.join(".")), label);
            }
            axes.push(axis);
        }
        axes
    }

    fn axis(
        &mut self,
        key: &Key<'_>,
        item: &Item<'_>,
        plain: &toml::Value,
        most_cores: u64,
    ) -> Option<Axis> {
        let name = key.get_ref().as_ref();
        if crate::table::COLUMNS.contains(&name) || name.is_empty() {
            self.value(
                key.span(),
                format!("an axis can't be called `{name}`"),
                "results have a column of that name",
            );
        }
        let (path, settings, up_to_cores) = match item.get_ref() {
            DeValue::Table(inner) => {
                entries(inner).into_iter().for_each(|(key, _)| self.known(key, &KEYS, "an axis"));
                let path = self.text(inner, "path").unwrap_or_else(|| name.to_owned());
                let (settings, up_to_cores) = match inner.get("values") {
                    Some(values) => (self.settings(values, plain.get("values")?), false),
                    None => self.range(key, inner, most_cores)?,
                };
                (path, settings, up_to_cores)
            }
            _ => (name.to_owned(), self.settings(item, plain), false),
        };
        let mut path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let stage = if path[0] == "analysis" { Stage::Analysis } else { Stage::Recipe };
        if stage == Stage::Analysis || path[0] == "recipe" {
            path.remove(0);
        }
        if path.is_empty() || path.iter().any(String::is_empty) {
            self.value(
                key.span(),
                format!("`{name}` names no field"),
                "write names with dots between them",
            );
        }
        if settings.is_empty() {
            self.value(item.span(), format!("`{name}` has no values"), "at least one is needed");
            return None;
        }
        Some(Axis { name: name.to_owned(), stage, path, settings, up_to_cores })
    }

    /// Listed values, or named ones.
    fn settings(&mut self, item: &Item<'_>, plain: &toml::Value) -> Vec<Setting> {
        let mut settings: Vec<Setting> = Vec::new();
        if let (DeValue::Table(named), toml::Value::Table(plain)) = (item.get_ref(), plain) {
            for (key, _) in entries(named) {
                let label = Value::Word(key.get_ref().as_ref().to_owned());
                settings.extend(
                    plain
                        .get(key.get_ref().as_ref())
                        .map(|value| Setting { label, value: value.clone() }),
                );
            }
            return settings;
        }
        let plain = match plain {
            toml::Value::Array(list) => list.as_slice(),
            other => std::slice::from_ref(other),
        };
        let decimals = plain.iter().any(toml::Value::is_float);
        for (item, value) in elements(item).into_iter().zip(plain) {
            let Some(label) = label(item.get_ref(), decimals) else {
                let hint = "others need names: values = { name = value }";
                let problem = match value {
                    toml::Value::Float(_) | toml::Value::Integer(_) => {
                        "numbers along an axis are 0 or above, finite, and have at most six \
                         decimals"
                    }
                    _ => "only numbers and words are their own names",
                };
                self.value(item.span(), problem, hint);
                continue;
            };
            if settings.iter().any(|setting| setting.label == label) {
                self.value(item.span(), format!("`{label}` stands here twice"), "");
            }
            settings.push(Setting { label, value: value.clone() });
        }
        settings
    }

    /// Values in equal steps.
    fn range(
        &mut self,
        key: &Key<'_>,
        table: &DeTable<'_>,
        most_cores: u64,
    ) -> Option<(Vec<Setting>, bool)> {
        let up_to_cores =
            table.get("to").is_some_and(|item| item.get_ref().as_str() == Some("cores"));
        let number = |reader: &mut Self, name: &str| {
            let Some(item) = table.get(name) else {
                let label = "give `values`, or `from`, `to` and `step`";
                reader.value(key.span(), format!("`{}` has no `{name}`", key.get_ref()), label);
                return None;
            };
            let number = millionths(item.get_ref());
            if number.is_none() {
                reader.value(
                    item.span(),
                    format!("`{name}` must be a number, 0 or more"),
                    kind(item.get_ref()),
                );
            }
            number
        };
        let from = number(self, "from");
        let step = number(self, "step");
        let to = if up_to_cores { Some(most_cores * MILLION) } else { number(self, "to") };
        let (from, to, step) = (from?, to?, step?);
        if step == 0 || to < from || (to - from) / step >= MOST {
            let message = format!("`{}` has no values, or more than {MOST}", key.get_ref());
            self.value(
                key.span(),
                message,
                "`from` must not exceed `to`, and `step` must be above 0",
            );
            return None;
        }
        let setting = |k: u64| {
            let label = Value::Real(from + k * step);
            let value = toml::Value::Float(label.number().unwrap_or(0.0));
            Setting { label, value }
        };
        Some(((0..=(to - from) / step).map(setting).collect(), up_to_cores))
    }
}

/// Returns the label of a plain value.
fn label(value: &DeValue<'_>, decimals: bool) -> Option<Value> {
    match value {
        DeValue::Integer(_) | DeValue::Float(_) if decimals => millionths(value).map(Value::Real),
        DeValue::Integer(_) => whole(value).map(Value::Integer),
        DeValue::String(text) => Some(Value::Word(text.as_ref().to_owned())),
        DeValue::Boolean(value) => Some(Value::Word(value.to_string())),
        _ => None,
    }
}

/// Returns the largest number of cores that the axes read so far or the recipe give.
fn most_cores(axes: &[Axis], recipe: &toml::Table) -> u64 {
    let of_axes = axes.iter().filter(|axis| axis.stage == Stage::Recipe && axis.path == ["cores"]);
    let values = of_axes.flat_map(|axis| axis.settings.iter().map(|setting| &setting.value));
    let values = values.chain(recipe.get("cores")).filter_map(toml::Value::as_integer);
    values.filter_map(|cores| u64::try_from(cores).ok()).max().unwrap_or(1).min(4096)
}
