//! What do gates between cores cost?

use fusee_measure::{Path, PathBetween};
use fusee_model::Protocol;
use fusee_pipeline::measure::Asked;
use fusee_pipeline::problem::Problem;
use fusee_pipeline::protocols::{self, Added, Found};
use fusee_pipeline::status::Status;
use serde_json::{Value, json};

use crate::commands::measure::unit;
use crate::output::Output;
use fusee_report::table::{Table, left, right};

/// Measures and shows.
pub(crate) fn run(asked: &Asked, output: &mut Output) -> Status {
    if let Some(sentence) = protocols::obstacle(asked.platform, asked.policy) {
        return output.bad_input(sentence);
    }
    match protocols::all(asked) {
        Ok(found) => {
            output.json(|| json(asked, &found));
            show(&found, output);
            Status::Fine
        }
        Err(problem) => {
            let Problem { diagnostics, status } = problem.without_places();
            let (platform, unit) = (asked.platform.name(), unit(asked.platform));
            output.json(
                || json!({ "platform": platform, "unit": unit, "protocols": [], "paths": [] }),
            );
            output.diagnostics(&diagnostics, &Default::default());
            status
        }
    }
}

fn json(asked: &Asked, found: &Found) -> Value {
    let local = found.local.iter().flat_map(|local| {
        let path = |path: &Path| {
            json!({
                "name": format!("local.{}", path.name),
                "cores": local.cores,
                "waiting": 0,
                "runs": path.runs,
                "min": path.min,
                "max": path.max,
            })
        };
        local.paths.iter().map(path).collect::<Vec<_>>()
    });
    let between = found.between.paths.iter().map(PathBetween::json);
    json!({
        "platform": asked.platform.name(),
        "unit": unit(asked.platform),
        "protocols": found.protocols.iter().map(added).collect::<Vec<_>>(),
        "paths": between.chain(local).collect::<Vec<_>>(),
    })
}

fn added(added: &Added) -> Value {
    json!({
        "name": added.protocol.name(),
        "code_bytes": added.code_bytes,
        "data_bytes": added.data_bytes,
    })
}

fn show(found: &Found, output: &mut Output) {
    output.text(sizes(found));
    output.text("\n");
    let paths = &found.between.paths;
    let cells = |cell: &dyn Fn(&PathBetween) -> String| paths.iter().map(cell).collect::<Vec<_>>();
    output.text(Table::of([
        left("path", cells(&|path| path.name.clone())),
        right("cores", cells(&|path| path.cores.to_string())),
        right("waiting", cells(&|path| path.waiting.to_string())),
        right("runs", cells(&|path| path.runs.to_string())),
        right("min", cells(&|path| path.min.to_string())),
        right("max", cells(&|path| path.max.to_string())),
    ]));
    output.text("\n");
    output.text(local(found));
}

/// Table 1 of dos Santos et al. (2023), by what plays the same part here: code, data, static data.
/// Its processor is another one, whose instructions have other lengths.
const PAPER: [(Protocol, &str); 7] = [
    (Protocol::Inherited, "PIP 580, 0, 0"),
    (Protocol::Fixed, "IPCP 624, 0, 0"),
    (Protocol::Fifo, "semaphore 272, 16, 0"),
    (Protocol::Srp, "SRP 644, 168, 53"),
    (Protocol::Mpcp, "MPCP 666, 0, 4"),
    (Protocol::Msrp, "MSRP 412, 32, 73"),
    (Protocol::Mrsp, "MrsP 1552, 0, 60"),
];

/// What each protocol adds, beside the paper's.
fn sizes(found: &Found) -> Table {
    let all = &found.protocols;
    let cells = |cell: &dyn Fn(&Added) -> String| all.iter().map(cell).collect::<Vec<_>>();
    let paper = |added: &Added| {
        let same = PAPER.iter().find(|(protocol, _)| *protocol == added.protocol);
        same.map_or("-", |(_, sizes)| sizes).to_owned()
    };
    Table::of([
        left("protocol", cells(&|added| added.protocol.name().to_owned())),
        right("code bytes", cells(&|added| added.code_bytes.to_string())),
        right("data bytes", cells(&|added| added.data_bytes.to_string())),
        left("dos Santos et al., i7", cells(&paper)),
    ])
}

/// Local paths on one core, and how much longer they are where there are more.
fn local(found: &Found) -> Table {
    let Some((one, more)) = found.local.split_first() else { return Table::new(&[]) };
    let names = one.paths.iter().map(|path| format!("local.{}", path.name)).collect();
    let mut columns = vec![
        left("path", names),
        right("1 core", one.paths.iter().map(|path| path.max.to_string()).collect()),
    ];
    for local in more {
        let heading: &'static str = match local.cores {
            2 => "2 cores",
            4 => "4 cores",
            _ => "8 cores",
        };
        let same = |path: &Path| local.paths.iter().find(|other| other.name == path.name);
        let max = |path: &Path| same(path).map_or(String::new(), |path| path.max.to_string());
        columns.push(right(heading, one.paths.iter().map(max).collect()));
    }
    Table::of(columns)
}
