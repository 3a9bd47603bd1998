//! Measures the costs of schedulers' calls, and their growth.

use std::path::Path as FilePath;

use fusee_measure::Path;
use fusee_measure::tcaps::{Growth, SHOWN, figure};
use fusee_pipeline::measure::{Asked, of_growing_schedulers, unit};
use fusee_pipeline::status::Status;
use fusee_report::table::{Side, Table};
use serde_json::json;

use crate::output::Output;

/// Measures, shows, and draws into a folder.
pub(crate) fn run(asked: &Asked, folder: &FilePath, output: &mut Output) -> Status {
    let (paths, growths) = match of_growing_schedulers(asked) {
        Ok(measured) => measured,
        Err(problem) => {
            let platform = asked.platform.name();
            return output.problem(problem, || json!({ "platform": platform, "paths": [] }));
        }
    };
    if let Err(sentence) = output.folder(folder) {
        return output.failed(sentence);
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
fn table(growths: &[Growth], unit: &str) -> Table {
    let both = |mean: f64, worst: u64| format!("{mean:.0} / {worst}");
    let [few, many] = SHOWN.map(|schedulers| format!("{schedulers} schedulers"));
    let mut table = Table::new(&[
        (&format!("mean / worst, in {unit}"), Side::Left),
        (&few, Side::Right),
        (&many, Side::Right),
        ("a further one", Side::Right),
        ("off the line", Side::Right),
        ("article, cycles", Side::Right),
    ]);
    for growth in growths {
        let [few, many] = SHOWN.map(|schedulers| {
            growth.at(schedulers).map_or_else(String::new, |path| both(path.mean(), path.max))
        });
        table.row([
            growth.call.replace('_', " "),
            few,
            many,
            format!("{:.1}", growth.slope),
            format!("{:.1}", growth.off),
            both(growth.article.0 as f64, growth.article.1),
        ]);
    }
    table
}
