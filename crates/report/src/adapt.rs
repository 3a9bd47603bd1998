//! From the model, what was derived, promised and observed, to what is shown.

mod messages;
mod observed;
mod structure;
mod tasks;
mod timeline;

pub(crate) use observed::{window, worst_task};

use crate::Inputs;
use crate::verdict::ChainVerdict;
use crate::view::{Growth, View};
use fusee_bounds::{Analysis, Load, Repair};
use fusee_model::System;
use fusee_model::costs::Provenance;

/// Returns the view of a system.
pub(crate) fn view(inputs: &Inputs<'_>) -> View {
    let system = inputs.system;
    let order = tasks::by_urgency(system);
    let mut view = View {
        system: system.name.clone(),
        facts: facts(inputs),
        components: structure::components(system),
        edges: structure::edges(system),
        gates: structure::gates(system, inputs.derived),
        tasks: order.iter().map(|&id| tasks::task(inputs, id)).collect(),
        chains: chains(inputs),
        growth: inputs.growth.iter().map(|g| growth(system, g)).collect(),
        verdict: inputs
            .run
            .map(|run| (format!("{}: {}", system.name, run.verdict.line()), run.verdict.is_fine())),
        timeline: None,
        messages: messages::messages(&everything(inputs), inputs.sources),
        assumptions: assumptions(inputs.analysis),
        run: None,
        provenance: inputs.provenance.clone(),
    };
    for repair in inputs.repairs {
        if let Some(position) = order.iter().position(|&id| id == repair.task) {
            view.tasks[position].repair = Some(repaired(system, repair));
        }
    }
    if let Some(run) = &inputs.run {
        observed::add(&mut view, system, &order, run);
    }
    view
}

/// Messages about the description, and what the run found.
fn everything(inputs: &Inputs<'_>) -> Vec<fusee_diagnostics::Diagnostic> {
    let found = inputs.run.map_or(&[][..], |run| run.verdict.findings.as_slice());
    inputs.diagnostics.iter().chain(found).cloned().collect()
}

/// Chains as the run's verdict has them, or as far as they are promised.
fn chains(inputs: &Inputs<'_>) -> Vec<ChainVerdict> {
    let bound = |at: usize| inputs.analysis.and_then(|analysis| analysis.chains.get(at));
    let promised = |(at, chain)| ChainVerdict::promised(inputs.system, chain, bound(at));
    match inputs.run {
        Some(run) => run.verdict.chains.clone(),
        None => inputs.system.chains.iter().enumerate().map(promised).collect(),
    }
}

fn growth(system: &System, growth: &fusee_bounds::Growth) -> Growth {
    Growth { body: growth.body.name(system), now: growth.now, most: growth.most }
}

fn repaired(system: &System, repair: &Repair) -> String {
    let change = repair.change.text(system);
    let scope = if repair.complete { "every deadline is guaranteed, and " } else { "" };
    format!("Repair: with `{change}` {scope}its response takes at most {}.", repair.response)
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

/// Returns the part of each core that its tasks need, if all execution times are known.
fn load(inputs: &Inputs<'_>, analysis: &Analysis) -> Option<String> {
    let loads = analysis.loads(inputs.system);
    let percent = |load: &Load| format!("{:.1} %", load.share * 100.0);
    let all = loads.iter().all(|load| load.is_complete);
    all.then(|| loads.iter().map(percent).collect::<Vec<_>>().join(" + "))
}

fn assumptions(analysis: Option<&Analysis>) -> Vec<String> {
    let Some(analysis) = analysis else { return vec!["Nothing was analysed.".into()] };
    let platform = &analysis.platform;
    let costs = match (analysis.has_kernel_costs, analysis.provenance) {
        (false, _) => format!("The kernel costs no time (platform `{platform}`)."),
        (true, Provenance::Proved) => {
            format!("Kernel costs of `{platform}` come from static analysis of its binary.")
        }
        (true, Provenance::Measured) => {
            format!(
                "Kernel costs of `{platform}` are the largest measured ones, which is no proof."
            )
        }
        (true, Provenance::Given) => format!("Kernel costs of `{platform}` are as given."),
    };
    let rest = [
        "Execution times are those of the description, or of the programs that it was completed \
         from: code that takes longer breaks the promise. In those of programs no component \
         faults.",
        "Releases of sporadic tasks are at least a period apart, and no release is later than its \
         jitter.",
        "Threads run by fixed priorities, preemptively, each on its own core; equal priorities are \
         first come, first served.",
        "Bounds count from a job's nominal arrival to its completion, and they are upper bounds: \
         nothing says that they are reached.",
    ];
    [costs].into_iter().chain(rest.map(str::to_owned)).collect()
}
