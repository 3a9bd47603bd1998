//! Compares the ways of giving a driver domain its time.

use fusee_diagnostics::Diagnostic;
use fusee_pipeline::kernel::Refused;
use fusee_pipeline::status::Status;
use fusee_pipeline::virtualization::{self, Asked, Row, Setup, Shown, Sweep};
use fusee_report::table::{Side, Table};
use serde_json::json;

use crate::args::Virtualization;
use crate::output::{Output, bad, good};

/// Makes the sweeps that are asked for, one after the other.
pub(crate) fn run(arguments: &Virtualization, output: &mut Output) -> Status {
    let asked = arguments.asked();
    let (mut documents, mut defects, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for sweep in arguments.sweeps() {
        let rows = match asked.run(sweep) {
            Ok(rows) => rows,
            Err(refused) => return not_run(&refused, output),
        };
        if let Some(folder) = &arguments.figures {
            if let Err(sentence) = output.folder(folder) {
                return output.failed(sentence);
            }
            for figure in sweep.figures(&rows) {
                let path = folder.join(figure.name).with_extension("svg");
                if let Err(sentence) = output.write(&[(path, figure.chart.svg().into_bytes())]) {
                    return output.failed(sentence);
                }
            }
        }
        defects.extend(virtualization::defects(&rows));
        documents.push(json!({ "name": sweep.name(), "rows": virtualization::json(&rows) }));
        texts.push((sweep, table(sweep, &asked, &rows)));
    }
    output.json(|| json!({ "sweeps": documents, "defects": defects, "diagnostics": [] }));
    for (sweep, table) in texts {
        output.text(format!("{}\n", sweep.name()));
        output.text(table);
        output.text("\n");
    }
    defects.iter().for_each(|defect| output.text(format!("{defect}\n")));
    let verdict = match defects.len() {
        0 => good("delegation misses no deadline, keeps its bounds, and answers as many packets"),
        1 => bad("1 promise was broken"),
        many => bad(&format!("{many} promises were broken")),
    };
    output.text(format!("{verdict}\n"));
    if defects.is_empty() { Status::Fine } else { Status::Missed }
}

fn not_run(refused: &Refused, output: &mut Output) -> Status {
    let diagnostics: &[Diagnostic] = &refused.problem.diagnostics;
    output.json(|| {
        let messages = fusee_diagnostics::render::json(diagnostics, &refused.sources);
        json!({ "sweeps": [], "defects": null, "diagnostics": messages })
    });
    output.diagnostics(diagnostics, &refused.sources);
    refused.problem.status
}

/// Returns a line for each point, and for each set-up what was seen there, beside the bound.
fn table(sweep: Sweep, asked: &Asked, rows: &[Row]) -> Table {
    let mut columns = vec![(sweep.axis(), Side::Right), ("set-up", Side::Left)];
    columns.extend(["met", "reaction", "bound"].map(|name| (name, Side::Right)));
    columns.push(("answers in 1 ms", Side::Right));
    if asked.booted.is_some() {
        columns.extend(["booted: met", "reaction", "answers"].map(|name| (name, Side::Right)));
    }
    let mut table = Table::new(&columns);
    for row in rows {
        let x = match row.setup {
            Setup::Delegation => format!("{:.1}", sweep.x(row.point)),
            _ => String::new(),
        };
        let bound = match row.bound {
            Some(bound) => bound.to_string(),
            None => row.withheld.iter().map(|code| code.0).collect::<Vec<_>>().join(" "),
        };
        let Shown { longest, .. } = row.simulated;
        let met = |met: u64| format!("{met} of {}", row.ticks);
        let mut cells = vec![x, row.setup.name().to_owned(), met(row.simulated.met)];
        cells.extend([longest.to_string(), bound, format!("{:.2}", row.answers())]);
        if asked.booted.is_some() {
            let nothing = || ["-", "-", "-"].map(str::to_owned);
            cells.extend(row.booted.map_or_else(nothing, |shown| {
                [met(shown.met), shown.longest.to_string(), shown.answered.to_string()]
            }));
        }
        table.row(cells);
    }
    table
}
