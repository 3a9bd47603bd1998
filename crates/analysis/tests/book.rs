//! The book's table of tests is what the registry says.
//!
//! `SNAPSHOTS=overwrite` writes it anew.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write;

use fusee_analysis::generation::{Generator, Recipe};
use fusee_analysis::registry::all;
use fusee_analysis::{Family, SchedulabilityTest};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/src/schedulability.md");
const BEGIN: &str = "<!-- the registry begins -->\n";
const END: &str = "<!-- the registry ends -->";

/// One table for each family, in the order of the registry.
fn tables() -> String {
    let mut text = String::new();
    let mut family: Option<Family> = None;
    for test in all() {
        let about = test.metadata();
        if family != Some(about.family) {
            family = Some(about.family);
            write!(text, "\n### {}\n\n", title(about.family)).unwrap();
            text.push_str(
                "| test | what it is | assumptions | exact or sufficient | source \
                 |\n|---|---|---|---|---|\n",
            );
        }
        text.push_str(&row(test));
    }
    text.push('\n');
    text
}

fn title(family: Family) -> String {
    let text = family.to_string();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn row(test: &dyn SchedulabilityTest) -> String {
    let about = test.metadata();
    let assumptions: Vec<String> = about.assumptions.iter().map(ToString::to_string).collect();
    let assumptions =
        if assumptions.is_empty() { "none".to_owned() } else { assumptions.join("; ") };
    format!(
        "| `{}` | {} | {assumptions} | {} | {} |\n",
        about.name, about.title, about.exactness, about.source
    )
}

#[test]
fn the_table_is_the_registry() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    let tables = tables();
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::write(PAGE, format!("{before}{BEGIN}{tables}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(
        table, tables,
        "SNAPSHOTS=overwrite cargo test -p fusee-analysis --test book rewrites the table"
    );
}

#[test]
fn families_stand_together() {
    let mut families: Vec<Family> = all().map(|t| t.metadata().family).collect();
    families.dedup();
    let count = families.len();
    families.sort_unstable();
    families.dedup();
    assert_eq!(families.len(), count, "each family has one table");
}

#[test]
fn the_recipe_draws_sets() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let recipe = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let recipe: Recipe = toml::from_str(recipe).unwrap();
    assert_eq!(Generator::new(recipe).unwrap().set(1, 1).unwrap().tasks().len(), 20);
}
