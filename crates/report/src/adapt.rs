//! From the model, what was derived, promised and observed, to what is shown.

mod messages;
mod structure;
mod tasks;

use crate::Inputs;
use crate::view::View;
use fusee_bounds::Analysis;
use fusee_model::costs::Provenance;

/// The view of a system.
pub(crate) fn view(inputs: &Inputs<'_>) -> View {
    let system = inputs.system;
    let order = tasks::by_urgency(system);
    View {
        system: system.name.clone(),
        facts: facts(inputs),
        components: structure::components(system),
        edges: structure::edges(system),
        gates: structure::gates(system, inputs.derived),
        tasks: order.iter().map(|&id| tasks::task(system, id, inputs.analysis)).collect(),
        timeline: None,
        messages: messages::messages(inputs.diagnostics, inputs.sources),
        assumptions: assumptions(inputs.analysis),
        run: None,
    }
}

fn facts(inputs: &Inputs<'_>) -> Vec<(String, String)> {
    let system = inputs.system;
    let mut facts = vec![
        ("tasks".to_owned(), system.tasks.len().to_string()),
        ("components".to_owned(), system.components.len().to_string()),
        ("gates".to_owned(), system.gates.len().to_string()),
        ("deepest nesting".to_owned(), inputs.derived.longest_nesting.to_string()),
    ];
    if let Some(load) = inputs.analysis.and_then(|analysis| load(inputs, analysis)) {
        facts.push(("utilisation at worst".to_owned(), load));
    }
    facts
}

/// The sum of execution times over periods, if all of them are known.
fn load(inputs: &Inputs<'_>, analysis: &Analysis) -> Option<String> {
    let mut thousandths = 0u128;
    for (task, bound) in inputs.system.tasks.iter().zip(&analysis.tasks) {
        let Some(release) = &task.release else { continue };
        thousandths += u128::from(bound.wcet?.ns()) * 100_000 / u128::from(release.period.value.ns().max(1));
    }
    let tenths = (thousandths + 50) / 100;
    Some(format!("{}.{} %", tenths / 10, tenths % 10))
}

fn assumptions(analysis: Option<&Analysis>) -> Vec<String> {
    let Some(analysis) = analysis else { return vec!["Nothing was analysed.".into()] };
    let platform = &analysis.platform;
    let costs = match (analysis.has_kernel_costs, analysis.provenance) {
        (false, _) => format!("The kernel costs no time (platform `{platform}`)."),
        (true, Provenance::Proved) => format!("Kernel costs of `{platform}` come from static analysis of its binary."),
        (true, Provenance::Measured) => {
            format!("Kernel costs of `{platform}` are the largest measured ones, which is no proof.")
        }
        (true, Provenance::Given) => format!("Kernel costs of `{platform}` are as given."),
    };
    let rest = [
        "Execution times are those of the description: a method that takes longer breaks the promise.",
        "Releases of sporadic tasks are at least a period apart, and no release is later than its jitter.",
        "Threads run by fixed priorities, preemptively, each on its own core; equal priorities are first come, first \
         served.",
        "Bounds count from a job's nominal arrival to its completion, and they are upper bounds: nothing says that \
         they are reached.",
    ];
    [costs].into_iter().chain(rest.map(str::to_owned)).collect()
}
