//! Locks that suspend: Lakshmanan et al. 2009, Brandenburg 2011 and 2013.
//!
//! Jitter of higher tasks is R - C of who can wait (Chen et al. 2019), and a wait counts
//! the job that is pending at its start: without either, what is published is not sound.

use fusee_analysis::TaskSet;
use microlp::Variable;

use crate::facts::{Facts, least, least_wait, longest};
use crate::program::Maximum;

/// The highest priority among users of a resource on cores other than that of a task.
fn remote_ceiling(facts: &Facts<'_>, x: usize, q: usize) -> Option<u32> {
    facts.remote(x).filter(|&y| facts.n(y, q) > 0).map(|y| facts.task(y).priority).max()
}

/// From grant to end of a section under MPCP: one section of each other task of the core that can
/// preempt it.
fn holding(facts: &Facts<'_>, x: usize, q: usize) -> u64 {
    let own = remote_ceiling(facts, x, q);
    let preempts = |u: usize| {
        let above = facts.global().filter(move |&p| p != q && remote_ceiling(facts, u, p) >= own);
        above.map(|p| facts.l(u, p)).max().unwrap_or(0)
    };
    let mates = facts.others(x).filter(|&u| facts.same_core(u, x));
    facts.l(x, q) + mates.map(preempts).sum::<u64>()
}

/// The longest wait under MPCP, `jobs` giving how many of a higher task come within a time.
fn mpcp_wait(
    facts: &Facts<'_>,
    (i, q): (usize, usize),
    jobs: impl Fn(usize, u64) -> u64,
) -> Option<u64> {
    let users = || facts.others(i).filter(|&x| facts.n(x, q) > 0);
    let lower = users().filter(|&x| facts.is_higher(i, x)).map(|x| holding(facts, x, q)).max();
    least_wait(lower.unwrap_or(0), facts.task(i).deadline, |wait| {
        let of = |x: usize| jobs(x, wait) * facts.n(x, q) * holding(facts, x, q);
        users().filter(|&x| facts.is_higher(x, i)).map(of).sum()
    })
}

/// Equations 1 to 3 of Lakshmanan et al. 2009.
pub(crate) fn mpcp_sum(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    let longest = |l: usize| facts.global().map(|q| facts.l(l, q)).max().unwrap_or(0);
    let fixed = |i: usize| {
        let jobs = |x: usize, b: u64| facts.released(x, b) + 1;
        let own = facts.global().filter(|&q| facts.n(i, q) > 0);
        let waits: Option<u64> =
            own.map(|q| Some(facts.n(i, q) * mpcp_wait(facts, (i, q), jobs)?)).sum();
        let lower = facts.lower(i).map(longest).sum::<u64>() + facts.local_blocking(i);
        Some(waits? + (1 + facts.all_n(i)) * lower)
    };
    let fixed: Option<Vec<u64>> = (0..set.tasks().len()).map(fixed).collect();
    let fixed = fixed?;
    least(set, |i, w, responses| {
        Some(fixed[i] + facts.execution(i, w, |h| facts.late(h, responses)))
    })
}

/// The longest requests of a task in a window, for these resources, so many of them.
fn longest_requests(
    facts: &Facts<'_>,
    x: usize,
    jobs: u64,
    (wanted, only): (u64, Option<usize>),
) -> u64 {
    let resources = facts.global().filter(|&q| only.is_none_or(|only| only == q));
    longest(resources.map(|q| (facts.l(x, q), jobs * facts.n(x, q))), wanted)
}

/// Brandenburg 2011, section 6.2: each other task delays at most once for each request that is
/// delayed directly on its core, a lower local one once more.
pub(crate) fn fmlp_sum(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    let conflicting = |i: usize, core: usize| -> u64 {
        let there =
            |q: usize| facts.remote(i).any(|y| facts.task(y).core == core && facts.n(y, q) > 0);
        facts.global().filter(|&q| there(q)).map(|q| facts.n(i, q)).sum()
    };
    least(set, |i, w, responses| {
        let remote = |x: usize| {
            let most = conflicting(i, facts.task(x).core);
            longest_requests(facts, x, facts.pending(x, w, responses), (most, None))
        };
        let begins = 1 + facts.all_n(i);
        let lower =
            |x: usize| longest_requests(facts, x, facts.pending(x, w, responses), (begins, None));
        let blocking = facts.remote(i).map(remote).sum::<u64>()
            + facts.lower(i).map(lower).sum::<u64>()
            + begins * facts.local_blocking(i);
        Some(blocking + facts.execution(i, w, |h| facts.late(h, responses)))
    })
}

/// Ways in which requests of one task for one resource delay: directly, indirectly, by preempting.
#[derive(Clone, Copy)]
struct Ways {
    x: usize,
    q: usize,
    direct: Variable,
    indirect: Variable,
    preempts: Variable,
}

/// Constraints 1 and 9 to 11 of Brandenburg 2013, which all protocols in shared memory keep.
fn common(
    facts: &Facts<'_>,
    i: usize,
    (window, responses): (u64, &[u64]),
    maximum: &mut Maximum,
) -> Vec<Ways> {
    let mut ways = Vec::new();
    for x in facts.others(i).filter(|&x| !facts.same_core(x, i) || facts.is_higher(i, x)) {
        let local = facts.same_core(x, i);
        for q in facts.global().filter(|&q| facts.n(x, q) > 0) {
            let all = facts.pending(x, window, responses) * facts.n(x, q);
            let mut way = |may: bool| maximum.variable(facts.l(x, q), if may { all } else { 0 });
            let (direct, indirect, preempts) = (way(facts.n(i, q) > 0), way(!local), way(local));
            maximum.at_most([direct, indirect, preempts], all);
            ways.push(Ways { x, q, direct, indirect, preempts });
        }
    }
    for l in facts.lower(i) {
        let of = ways.iter().filter(|way| way.x == l).map(|way| way.preempts);
        maximum.at_most(of, 1 + facts.all_n(i));
    }
    ways
}

/// R = C + optimum + local sections + interference.
fn with_program(
    set: &TaskSet,
    constraints: impl Fn(&Facts<'_>, usize, (u64, &[u64]), (&[Ways], &mut Maximum)),
) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    least(set, |i, w, responses| {
        let mut maximum = Maximum::new();
        let ways = common(facts, i, (w, responses), &mut maximum);
        constraints(facts, i, (w, responses), (&ways, &mut maximum));
        let local = (1 + facts.all_n(i)) * facts.local_blocking(i);
        Some(maximum.solve() + local + facts.execution(i, w, |h| facts.late(h, responses)))
    })
}

/// Constraints 12 to 14.
pub(crate) fn fmlp_program(set: &TaskSet) -> Option<Vec<u64>> {
    with_program(set, |facts, i, (w, responses), (ways, maximum)| {
        // For each own resource, as often as others of the core request it, without one of them.
        let opportunities = |x: usize, but: Option<usize>| -> u64 {
            let mates = || facts.others(i).filter(|&y| facts.same_core(y, x) && Some(y) != but);
            let of = |q: usize| {
                mates().map(|y| facts.pending(y, w, responses) * facts.n(y, q)).sum::<u64>()
            };
            facts.global().map(|q| facts.n(i, q).min(of(q))).sum()
        };
        for way in ways {
            maximum.at_most([way.direct], facts.n(i, way.q));
        }
        for x in facts.others(i) {
            let of = || ways.iter().filter(|way| way.x == x);
            let both = of().flat_map(|way| [way.direct, way.indirect]);
            maximum.at_most(both, opportunities(x, None));
            maximum.at_most(of().map(|way| way.indirect), opportunities(x, Some(x)));
        }
    })
}

/// Constraints 15 to 18.
pub(crate) fn mpcp_program(set: &TaskSet) -> Option<Vec<u64>> {
    with_program(set, |facts, i, (w, responses), (ways, maximum)| {
        let mut direct = vec![vec![0; set.resources()]; set.tasks().len()];
        for q in facts.global().filter(|&q| facts.n(i, q) > 0) {
            let wait = mpcp_wait(facts, (i, q), |x, b| facts.pending(x, b, responses));
            let lower = ways.iter().filter(|way| way.q == q && facts.is_higher(i, way.x));
            maximum.at_most(lower.map(|way| way.direct), facts.n(i, q));
            for x in facts.others(i).filter(|&x| facts.n(x, q) > 0) {
                let all = facts.pending(x, w, responses) * facts.n(x, q);
                let within = match wait {
                    _ if facts.is_higher(i, x) => 1,
                    Some(wait) => facts.pending(x, wait, responses) * facts.n(x, q),
                    None => all,
                };
                direct[x][q] = all.min(within * facts.n(i, q));
            }
        }
        for way in ways {
            maximum.at_most([way.direct], direct[way.x][way.q]);
            let ceiling = remote_ceiling(facts, way.x, way.q);
            let preempted = facts.others(i).filter(|&y| y != way.x && facts.same_core(y, way.x));
            let held = preempted.flat_map(|y| facts.global().map(move |q| (y, q)));
            let held = held.filter(|&(y, q)| q != way.q && ceiling >= remote_ceiling(facts, y, q));
            let often = held.map(|(y, q)| direct[y][q]).sum();
            maximum.at_most([way.indirect], often);
        }
        for x in facts.remote(i) {
            let above = |q: usize| {
                let own = ways.iter().filter(|way| way.x == x);
                own.map(|way| remote_ceiling(facts, x, way.q))
                    .any(|c| c >= remote_ceiling(facts, x, q))
            };
            let preempted = facts.others(i).filter(|&y| y != x && facts.same_core(y, x));
            let often = preempted
                .flat_map(|y| facts.global().map(move |q| (y, q)))
                .filter(|&(_, q)| above(q))
                .map(|(y, q)| direct[y][q])
                .sum();
            let of = ways.iter().filter(|way| way.x == x).map(|way| way.indirect);
            maximum.at_most(of, often);
        }
    })
}
