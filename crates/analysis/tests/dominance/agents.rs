//! DPCP, resources on cores in turn: Rajkumar 1991, Brandenburg 2013.

use fusee_analysis::TaskSet;
use microlp::Variable;

use crate::facts::{Facts, least, least_wait, longest};
use crate::program::Maximum;

/// The core of a resource.
fn home(facts: &Facts<'_>, q: usize) -> usize {
    q % facts.set.cores()
}

/// The highest priority among all users.
fn reaches(facts: &Facts<'_>, i: usize, q: usize) -> bool {
    facts.n(i, q) > 0 || facts.others(i).any(|x| facts.n(x, q) > 0 && facts.is_higher(x, i))
}

/// Requests of a job to a core.
fn sent(facts: &Facts<'_>, i: usize, core: usize) -> u64 {
    facts.global().filter(|&q| home(facts, q) == core).map(|q| facts.n(i, q)).sum()
}

/// Execution of a job, agents included, and of higher ones, without; these come late by R less
/// that if they request anything.
fn execution(facts: &Facts<'_>, i: usize, window: u64, responses: &[u64]) -> u64 {
    let alone = |h: usize| {
        let agents = facts.global().map(|q| facts.n(h, q) * facts.l(h, q)).sum::<u64>();
        facts.task(h).wcet - agents
    };
    let higher = facts.higher(i).map(|h| {
        let late = if facts.all_n(h) > 0 { responses[h] - alone(h) } else { 0 };
        facts.released(h, window + late) * alone(h)
    });
    let local = (1 + facts.all_n(i)) * facts.local_blocking(i);
    facts.task(i).wcet + higher.sum::<u64>() + local
}

/// All agents of the own core; elsewhere all higher requests, and the longest lower ones, one for
/// each own request.
pub(crate) fn dpcp_sum(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    least(set, |i, w, responses| {
        let supply = |x: usize, q: usize| facts.pending(x, w, responses) * facts.n(x, q);
        let on_core = |core: usize| -> u64 {
            let here = || facts.global().filter(|&q| home(facts, q) == core);
            let all = |x: usize| here().map(move |q| supply(x, q) * facts.l(x, q)).sum::<u64>();
            if core == facts.task(i).core {
                return facts.others(i).map(all).sum();
            }
            let wanted = sent(facts, i, core);
            if wanted == 0 {
                return 0;
            }
            let lower = facts.others(i).filter(|&x| facts.is_higher(i, x));
            let sections = lower
                .flat_map(|x| here().map(move |q| (x, q)))
                .filter(|&(_, q)| reaches(facts, i, q))
                .map(|(x, q)| (facts.l(x, q), supply(x, q)));
            longest(sections, wanted)
                + facts.others(i).filter(|&x| facts.is_higher(x, i)).map(all).sum::<u64>()
        };
        let agents = (0..set.cores()).map(on_core).sum::<u64>();
        Some(agents + execution(facts, i, w, responses))
    })
}

/// The longest time from a request to the end of its section; `None`: beyond the deadline.
fn wait(facts: &Facts<'_>, i: usize, q: usize, responses: &[u64]) -> Option<u64> {
    let here = || facts.global().filter(|&p| home(facts, p) == home(facts, q));
    let sections = || facts.others(i).flat_map(move |x| here().map(move |p| (x, p)));
    let lower = sections().filter(|&(x, p)| facts.is_higher(i, x) && reaches(facts, i, p));
    let fixed = facts.l(i, q) + lower.map(|(x, p)| facts.l(x, p)).max().unwrap_or(0);
    least_wait(fixed, facts.task(i).deadline, |wait| {
        let of = |(x, p): (usize, usize)| {
            facts.pending(x, wait, responses) * facts.n(x, p) * facts.l(x, p)
        };
        sections().filter(|&(x, _)| facts.is_higher(x, i)).map(of).sum()
    })
}

/// Constraints 2 to 8 of Brandenburg 2013: elsewhere, for each own request one lower one, and of
/// the higher ones those that come within the waits.
pub(crate) fn dpcp_program(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    least(set, |i, w, responses| {
        let mut maximum = Maximum::new();
        let mut lower: Vec<Vec<Variable>> = vec![Vec::new(); set.cores()];
        for x in facts.others(i) {
            for q in facts.global().filter(|&q| facts.n(x, q) > 0) {
                let core = home(facts, q);
                let all = facts.pending(x, w, responses) * facts.n(x, q);
                let own = || facts.global().filter(|&p| home(facts, p) == core);
                let may = match () {
                    () if core == facts.task(i).core => all,
                    () if sent(facts, i, core) == 0 => 0,
                    () if facts.is_higher(x, i) => {
                        let within = own().filter(|&p| facts.n(i, p) > 0).map(|p| {
                            let jobs = facts.pending(x, wait(facts, i, p, responses)?, responses);
                            Some(jobs * facts.n(x, q) * facts.n(i, p))
                        });
                        within.sum::<Option<u64>>().unwrap_or(all).min(all)
                    }
                    () if reaches(facts, i, q) => all,
                    () => 0,
                };
                let variable = maximum.variable(facts.l(x, q), may);
                if core != facts.task(i).core && facts.is_higher(i, x) {
                    lower[core].push(variable);
                }
            }
        }
        for (core, of_core) in lower.into_iter().enumerate() {
            maximum.at_most(of_core, sent(facts, i, core));
        }
        Some(maximum.solve() + execution(facts, i, w, responses))
    })
}
