//! Closed forms of MrsP (2013, 2017) and of OMLP with donation.

use fusee_analysis::TaskSet;

use crate::facts::{Facts, least};
use crate::spin;

/// The longest section of a resource, whoever's.
fn longest(facts: &Facts<'_>, q: usize) -> u64 {
    (0..facts.set.tasks().len()).map(|x| facts.l(x, q)).max().unwrap_or(0)
}

/// Execution outside of all sections.
fn outside(facts: &Facts<'_>, i: usize) -> u64 {
    let inside = (0..facts.set.resources()).map(|q| facts.n(i, q) * facts.l(i, q));
    facts.task(i).wcet - inside.sum::<u64>()
}

/// Resources of lower tasks of the core whose ceiling there reaches a task.
fn reaching<'a>(facts: &'a Facts<'_>, i: usize) -> impl Iterator<Item = usize> + 'a {
    (0..facts.set.resources()).filter(move |&q| {
        let above = facts.n(i, q) > 0 || facts.higher(i).any(|h| facts.n(h, q) > 0);
        above && facts.lower(i).any(|l| facts.n(l, q) > 0)
    })
}

/// R = C + sum of N e + max e + interference, e = (cores that use it) c.
pub(crate) fn mrsp_2013(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    let cores = |q: usize| {
        let uses = |core: usize| set.on_core(core).any(|(x, _)| facts.n(x, q) > 0);
        (0..set.cores()).filter(|&core| uses(core)).count() as u64
    };
    let cost = |q: usize| cores(q) * longest(facts, q);
    let need = |i: usize| {
        let inside = (0..set.resources()).map(|q| facts.n(i, q) * cost(q));
        outside(facts, i) + inside.sum::<u64>()
    };
    least(set, |i, w, _| {
        let higher = facts.higher(i).map(|h| facts.released(h, w) * need(h)).sum::<u64>();
        Some(need(i) + reaching(facts, i).map(cost).max().unwrap_or(0) + higher)
    })
}

/// z own requests of the window wait for min(z, xi) of each other core, the blocking one for
/// min(1, xi - z).
pub(crate) fn mrsp_2017(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    least(set, |i, w, responses| {
        let z = |q: usize| {
            let higher = facts.higher(i).map(|h| facts.released(h, w) * facts.n(h, q));
            facts.n(i, q) + higher.sum::<u64>()
        };
        let xi = |core: usize, q: usize| {
            let of = |(x, _)| facts.pending(x, w, responses) * facts.n(x, q);
            set.on_core(core).map(of).sum::<u64>()
        };
        let others = || (0..set.cores()).filter(|&core| core != facts.task(i).core);
        let spinning = |q: usize| {
            let remote = others().map(|core| z(q).min(xi(core, q)));
            longest(facts, q) * (z(q) + remote.sum::<u64>())
        };
        let blocking = |q: usize| {
            let remote = others().map(|core| xi(core, q).saturating_sub(z(q)).min(1));
            longest(facts, q) * (1 + remote.sum::<u64>())
        };
        let higher = facts.higher(i).map(|h| facts.released(h, w) * outside(facts, h));
        let execution = outside(facts, i) + higher.sum::<u64>();
        let sections = (0..set.resources()).map(spinning).sum::<u64>();
        Some(execution + sections + reaching(facts, i).map(blocking).max().unwrap_or(0))
    })
}

/// All waiting as execution; a new job donates once to a lower one of its core.
pub(crate) fn omlp_donation(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    let used = |i: usize| (0..set.resources()).filter(move |&q| facts.n(i, q) > 0);
    let need = |i: usize| {
        facts.task(i).wcet + used(i).map(|q| facts.n(i, q) * spin::once(facts, i, q)).sum::<u64>()
    };
    let donated = |l: usize| used(l).map(|q| facts.l(l, q) + spin::once(facts, l, q)).max();
    least(set, |i, w, _| {
        let higher = facts.higher(i).map(|h| facts.released(h, w) * need(h)).sum::<u64>();
        Some(need(i) + facts.lower(i).filter_map(donated).max().unwrap_or(0) + higher)
    })
}
