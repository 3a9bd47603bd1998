//! Chains as a document for programs, from the verdict about them.

use fusee_bounds::{Analysis, ChainPartKind};
use fusee_model::{Duration, System};
use fusee_report::verdict::ChainVerdict;
use serde_json::{Value, json};

/// Returns the promise for each chain.
pub(crate) fn promised(system: &System, analysis: &Analysis) -> Vec<ChainVerdict> {
    let chains = system.chains.iter().zip(&analysis.chains);
    chains.map(|(chain, bound)| ChainVerdict::promised(system, chain, Some(bound))).collect()
}

/// Adds the chains of a description, if it names any.
pub(crate) fn describe(chains: &[ChainVerdict], value: &mut Value) {
    if !chains.is_empty() {
        value["chains"] = chains.iter().map(of_chain).collect();
    }
}

fn of_chain(chain: &ChainVerdict) -> Value {
    let ns = |time: Option<Duration>| time.map(Duration::ns);
    let way = chain.way.iter().map(|(through, task)| {
        let through = (!through.is_empty()).then_some(through);
        json!({ "task": task, "through": through })
    });
    let parts = chain.parts.iter().map(|part| {
        let kind = match part.kind {
            ChainPartKind::Wait => "wait",
            ChainPartKind::Response => "response",
            ChainPartKind::Deferral => "deferral",
        };
        json!({ "task": part.task, "kind": kind, "time_ns": part.time.ns() })
    });
    let mut value = json!({
        "name": chain.name,
        "way": way.collect::<Vec<_>>(),
        "reaction_bound_ns": ns(chain.bound),
        "reaction_deadline_ns": ns(chain.within),
        "age_bound_ns": ns(chain.age_bound),
        "age_deadline_ns": ns(chain.age_limit),
        "guaranteed": chain.is_limited().then(|| chain.is_guaranteed()),
        "parts": parts.collect::<Vec<_>>(),
        "verdict": chain.word,
    });
    if let Some(seen) = chain.seen {
        value["reactions"] = seen.reactions.into();
        value["reaction_max_ns"] = ns(seen.reaction).into();
        value["age_max_ns"] = ns(seen.age).into();
        value["late"] = seen.late.into();
    }
    value
}
