//! The longest chain of waiting threads, against the kernel's tables.
//!
//! Lengths grow along the capabilities from round to round until nothing changes. What
//! still changes after as many rounds as there are domains leads back to where it was:
//! then each gate at which one can wait counts once.

use super::Subject;
use super::finding::Findings;
use crate::roles::GateRole;
use fusee_kernel::Capability;
use std::collections::BTreeSet;

/// Checks that the kernel follows chains to their ends.
pub(crate) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let (found, longest) = (subject.tables.header.chain, longest(subject));
    if usize::from(found) < longest {
        findings.unsound(format!(
            "threads can wait along {longest} gates, the kernel follows them along {found}"
        ));
    }
    if usize::from(found) > longest {
        findings.differs(format!(
            "the kernel follows chains of {found} gates, none is longer than {longest}"
        ));
    }
}

fn longest(subject: &Subject<'_>) -> usize {
    let (gates, names) = (&subject.tables.gates, &subject.names.components);
    // Who waits for another core waits at no gate of this one.
    let between = |gate: usize| {
        subject.names.gates.get(gate).is_some_and(|name| name.role == GateRole::Between)
    };
    let waits = |gate: usize| {
        gates.get(gate).is_some_and(|gate| gate.config.protocol.is_exclusive()) && !between(gate)
    };
    let all = (0..gates.len()).filter(|&gate| waits(gate)).count();
    // All components of a domain have its capabilities.
    let domain = |component: usize| names.get(component).map_or(0, |name| name.domain);
    let mut edges = BTreeSet::new();
    let mut mutexes = BTreeSet::new();
    for (index, component) in subject.tables.components.iter().enumerate() {
        for capability in &component.capabilities {
            match *capability {
                Capability::Gate(gate) => {
                    let to = gates.get(gate.at()).map_or(0, |gate| gate.config.component.at());
                    edges.insert((domain(index), domain(to), usize::from(waits(gate.at()))));
                }
                Capability::Mutex(mutex) => {
                    mutexes.insert((mutex.at(), domain(index)));
                }
                // Whoever sleeps may do so on anybody's account.
                Capability::Thread(..) => return all,
                _ => {}
            }
        }
    }
    let distinct: BTreeSet<usize> = mutexes.iter().map(|&(mutex, _)| mutex).collect();
    let domains = names.iter().map(|name| name.domain + 1).max().unwrap_or(0);
    let own = |domain: usize| mutexes.iter().filter(|&&(_, home)| home == domain).count();
    let mut lengths: Vec<usize> = (0..domains).map(own).collect();
    for _ in 0..=domains {
        let before = lengths.clone();
        for &(from, to, waits) in &edges {
            lengths[to] = lengths[to].max(before[from] + waits + own(to));
        }
        if before == lengths && distinct.len() == mutexes.len() {
            return lengths.into_iter().max().unwrap_or(0).min(all);
        }
    }
    all
}
