//! Is the description right?

use fusee_pipeline::checked::{self, Checked};
use fusee_pipeline::options::Source;
use fusee_pipeline::provenance::with_sources;
use fusee_pipeline::repair::{self, Repaired};
use fusee_pipeline::status::Status;
use fusee_report::time_tree;
use serde_json::{Value, json};

use crate::args::Check;
use crate::difference;
use crate::gates;
use crate::output::Output;

/// A description that was checked, and the files that repairs change.
type Outcome = (Vec<Repaired>, Checked);

/// Reports everything about descriptions, and their gates. Ends with the worst of their statuses.
pub(crate) fn run(arguments: &Check, output: &mut Output) -> Status {
    let repairs = arguments.fix || arguments.diff;
    let look = |source: &Source| match repairs {
        true => repair::run(source),
        false => (Vec::new(), checked::run(source)),
    };
    let sources = arguments.systems.iter().map(|system| arguments.reading.of(system.clone()));
    let all: Vec<Outcome> = sources.map(|source| look(&source)).collect();
    output.json(|| document(&all, repairs));
    let mut status = Status::Fine;
    for (repaired, checked) in &all {
        let shown = match arguments.fix {
            true => written(repaired, output),
            false => {
                repaired.iter().for_each(|one| output.text(difference(one)));
                Ok(())
            }
        };
        let own = match shown {
            Ok(()) => said(checked, output),
            Err(sentence) => output.failed(sentence),
        };
        status = status.max(own);
    }
    status
}

/// Says what there is to say about one description.
fn said(checked: &Checked, output: &mut Output) -> Status {
    output.diagnostics(&checked.loaded.diagnostics, &checked.loaded.sources);
    let Some((system, derived)) = checked.usable() else { return Status::BadInput };
    let (components, tasks) = (system.components.len(), system.tasks.len());
    if !system.gates.is_empty() {
        output.text(format!("{}\n", gates::table(system, derived)));
    }
    if !system.schedulers.is_empty() {
        output.text(format!("{}\n", time_tree::table(system)));
    }
    let times = match checked.from_code.len() {
        0 => String::new(),
        1 => "; 1 time comes from the code".to_owned(),
        many => format!("; {many} times come from the code"),
    };
    output.text(format!(
        "{}: {components} components, {tasks} tasks, {} gates{times}\n",
        system.name,
        system.gates.len()
    ));
    Status::Fine
}

/// Writes the files that repairs change, and says which repairs these are.
fn written(repaired: &[Repaired], output: &mut Output) -> Result<(), String> {
    let file = |one: &Repaired| (one.path.clone(), one.after.clone().into_bytes());
    output.write(&repaired.iter().map(file).collect::<Vec<_>>())?;
    for Repaired { path, changes, .. } in repaired {
        for change in changes {
            output.text(format!("{}: {change}\n", path.display()));
        }
    }
    Ok(())
}

/// Returns what repairs change in a file, as `patch` takes it.
fn difference(repaired: &Repaired) -> String {
    let Repaired { path, before, after, .. } = repaired;
    difference::of_file(path, before, after)
}

/// Returns the document: of one description its own, of several a list of these.
fn document(all: &[Outcome], repairs: bool) -> Value {
    let of = |(repaired, checked): &Outcome| {
        let mut document = with_sources(&checked.loaded.sources, checked.json());
        if repairs {
            document["repaired"] = repaired.iter().map(of_file).collect();
        }
        document
    };
    match all {
        [one] => of(one),
        all => json!({ "systems": all.iter().map(of).collect::<Vec<_>>() }),
    }
}

fn of_file(repaired: &Repaired) -> Value {
    json!({
        "file": repaired.path.to_string_lossy(),
        "changes": repaired.changes,
        "diff": difference(repaired),
    })
}
