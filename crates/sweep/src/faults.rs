//! Everything that is wrong with a recipe or with the options of an analysis.
//!
//! Reading a table ends at the first field that is wrong. So each field is read once
//! more by itself, among others that are fine, and one run names all of them.

use fusee_analysis::generation::{Generator, Recipe};

use crate::Options;
use crate::experiment::Test;

/// An error in one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The field; `None`: it is about what is missing, or about several.
    pub(crate) field: Option<String>,
    /// The error as a sentence.
    pub(crate) problem: String,
}

/// The fields that a recipe needs.
const NEEDED: &str = r#"
utilizations = { method = "uunifast", tasks = 1, total = 0.5 }
periods = { kind = "log-uniform", min = "1 ms", max = "1 s" }
"#;

/// Returns a recipe, or why there is none.
pub(crate) fn generator(table: toml::Table) -> Result<Generator, String> {
    let recipe: Recipe =
        table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
    Generator::new(recipe).map_err(|error| error.to_string())
}

/// Returns the options of an analysis, or why there are none.
pub(crate) fn options(table: toml::Table) -> Result<Options, String> {
    table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

/// Everything that is wrong with a recipe.
pub(crate) fn of_recipe(table: &toml::Table) -> Vec<Fault> {
    let needed: toml::Table = NEEDED.parse().unwrap_or_default();
    let missing = needed.keys().filter(|name| !table.contains_key(*name));
    let missing = missing
        .map(|name| Fault { field: None, problem: format!("the recipe has no field `{name}`") });
    let mut faults = of_fields(table, &needed, |table| generator(table).err());
    faults.extend(missing);
    faults
}

/// Everything that is wrong with the options for these tests; `None`: not all tests are known.
pub(crate) fn of_analysis(table: &toml::Table, tests: Option<&[Test]>) -> Vec<Fault> {
    let faults = of_fields(table, &toml::Table::new(), |table| options(table).err());
    let Some(tests) = tests.filter(|_| faults.is_empty()) else { return faults };
    let overheads = |problem| Fault { field: Some("overheads".to_owned()), problem };
    let problems = options(table.clone()).map_or_else(|_| Vec::new(), |o| o.problems(tests));
    problems.into_iter().map(overheads).collect()
}

/// Returns the errors of each field by itself, or else of all of them together.
fn of_fields(
    table: &toml::Table,
    others: &toml::Table,
    wrong: impl Fn(toml::Table) -> Option<String>,
) -> Vec<Fault> {
    let alone = |(name, value): (&String, &toml::Value)| {
        let mut one = others.clone();
        one.insert(name.clone(), value.clone());
        wrong(one).map(|problem| Fault { field: Some(name.clone()), problem })
    };
    let mut faults: Vec<Fault> = table.iter().filter_map(alone).collect();
    let complete = others.keys().all(|name| table.contains_key(name));
    if faults.is_empty() && complete {
        faults.extend(wrong(table.clone()).map(|problem| Fault { field: None, problem }));
    }
    faults
}
