//! Chains on the console and in JSON, both from the verdict about them.

use fusee_bounds::{Analysis, ChainPartKind};
use fusee_model::{Duration, System};
use fusee_report::verdict::ChainVerdict;
use serde_json::{Value, json};

use crate::output::{bad, good};
use crate::table::{Side, Table};
use crate::verdict::{coloured, times};

/// What is promised of each chain.
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
    let way = chain
        .way
        .iter()
        .map(|(through, task)| json!({ "task": task, "through": (!through.is_empty()).then_some(through) }));
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

/// A table of chains behind an empty line; nothing where there are none.
pub(crate) fn text(chains: &[ChainVerdict]) -> String {
    if chains.is_empty() {
        return String::new();
    }
    let observed = chains.iter().any(|chain| chain.seen.is_some());
    let right = |name| (name, Side::Right);
    let mut heads = vec![("chain", Side::Left), right("allowed"), right("bound")];
    heads.extend(observed.then(|| right("longest")));
    heads.extend([right("age allowed"), right("age bound")]);
    heads.extend(observed.then(|| right("oldest")));
    heads.push(("verdict", Side::Left));
    let mut table = Table::new(&heads);
    let of = |time: &dyn Fn(&ChainVerdict) -> Option<Duration>| {
        times(&chains.iter().map(time).collect::<Vec<_>>())
    };
    let mut columns = vec![of(&|chain| chain.within), of(&|chain| chain.bound)];
    columns.extend(observed.then(|| of(&|chain| chain.seen.and_then(|seen| seen.reaction))));
    columns.extend([of(&|chain| chain.age_limit), of(&|chain| chain.age_bound)]);
    columns.extend(observed.then(|| of(&|chain| chain.seen.and_then(|seen| seen.age))));
    for (row, chain) in chains.iter().enumerate() {
        let times = columns.iter().map(|column| column[row].clone());
        table.row(
            [chain.name.clone()].into_iter().chain(times).chain([coloured(chain.mood, chain.word)]),
        );
    }
    format!("\n{table}")
}

/// What is promised of all of them, as the end of a line.
pub(crate) fn verdict(chains: &[ChainVerdict]) -> String {
    let limited: Vec<&ChainVerdict> = chains.iter().filter(|chain| chain.is_limited()).collect();
    let failed = limited.iter().filter(|chain| !chain.is_guaranteed()).count();
    match (limited.len(), failed) {
        (0, _) => String::new(),
        (1, 0) => format!("; {}", good("the chain holds")),
        (all, 0) => format!("; {}", good(&format!("all {all} chains hold"))),
        (1, _) => format!("; {}", bad("the chain is not guaranteed")),
        (all, failed) => {
            format!("; {}", bad(&format!("{failed} of {all} chains are not guaranteed")))
        }
    }
}
