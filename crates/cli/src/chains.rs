//! Chains on the console.

use fusee_model::Duration;
use fusee_report::verdict::ChainVerdict;

use crate::output::{bad, good};
use crate::verdict::{coloured, times};
use fusee_report::table::{Side, Table};

/// Returns a table of chains behind an empty line; nothing where there are none.
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

/// Returns the verdict on all of them, as the end of a line.
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
