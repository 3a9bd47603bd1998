//! What do calls of schedulers cost, and how does it grow with their number?

use std::path::Path as FilePath;

use fusee_measure::Path;
use fusee_measure::tcaps::{Growth, figure, growths};
use fusee_pipeline::measure::{Asked, of_growing_schedulers, unit};
use fusee_pipeline::problem::Problem;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::output::Output;

/// How many schedulers have a say where a table has one number only.
const FEW: usize = 3;

/// Measures, shows, and draws into a folder.
pub(crate) fn run(asked: &Asked, folder: &FilePath, output: &mut Output) -> Status {
    let paths = match of_growing_schedulers(asked) {
        Ok(paths) => paths,
        Err(problem) => {
            let Problem { diagnostics, status } = problem.without_places();
            output.json(|| json!({ "platform": asked.platform.name(), "paths": [] }));
            output.diagnostics(&diagnostics, &Default::default());
            return status;
        }
    };
    let growths = match growths(&paths) {
        Ok(growths) => growths,
        Err(error) => return output.failed(error),
    };
    if let Err(error) = std::fs::create_dir_all(folder) {
        return output.failed(format!("cannot make `{}`: {error}", folder.display()));
    }
    let picture = figure(&growths, unit(asked.platform)).svg().into_bytes();
    if let Err(sentence) = output.write(&[(folder.join("tcaps-6.svg"), picture)]) {
        return output.failed(sentence);
    }
    output.json(|| {
        json!({
            "platform": asked.platform.name(),
            "unit": unit(asked.platform),
            "paths": paths.iter().map(Path::json).collect::<Vec<_>>(),
            "growth": growths.iter().map(document).collect::<Vec<_>>(),
        })
    });
    output.text(table(&growths, unit(asked.platform)));
    Status::Fine
}

fn document(growth: &Growth) -> serde_json::Value {
    let rounded = |number: f64| (number * 10.0).round() / 10.0;
    json!({
        "call": growth.call,
        "points": growth.points.iter().map(point).collect::<Vec<_>>(),
        "slope": rounded(growth.slope),
        "off": rounded(growth.off),
        "article_cycles": { "mean": growth.article.0, "worst": growth.article.1 },
    })
}

fn point((schedulers, path): &(usize, Path)) -> serde_json::Value {
    json!({ "schedulers": schedulers, "path": path.json() })
}

/// Table III, a row for each call: mean and worst below few schedulers and below many.
fn table(growths: &[Growth], unit: &str) -> String {
    let most = growths.first().and_then(|growth| growth.points.last()).map_or(0, |last| last.0);
    let both = |mean: f64, worst: u64| format!("{mean:.0} / {worst}");
    let mut rows = vec![[
        format!("mean / worst, in {unit}"),
        format!("{FEW} schedulers"),
        format!("{most} schedulers"),
        "a further one".to_owned(),
        "off the line".to_owned(),
        "article, cycles".to_owned(),
    ]];
    for growth in growths {
        let at = |schedulers| {
            growth.at(schedulers).map_or_else(String::new, |path| both(path.mean(), path.max))
        };
        rows.push([
            growth.call.replace('_', " "),
            at(FEW),
            at(most),
            format!("{:.1}", growth.slope),
            format!("{:.1}", growth.off),
            both(growth.article.0 as f64, growth.article.1),
        ]);
    }
    columns(&rows)
}

/// Rows in columns; the first is flush left.
fn columns<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        text += &format!("{:<1$}", row[0], width(0));
        for (column, cell) in row.iter().enumerate().skip(1) {
            text += &format!("  {cell:>0$}", width(column));
        }
        text.push('\n');
    }
    text
}
