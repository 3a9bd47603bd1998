//! A table for systems whose cores have different policies.

use super::{CostTable, Limits, MessageCosts, MutexCosts, ProtocolCosts, Provenance};
use super::{DependencyCosts, DeviceCosts, SchedulerCosts};
use crate::{Duration, Policy};

use super::PATHS;

impl CostTable {
    /// Returns the highest costs of paths on a kernel by priorities or one by deadlines: each
    /// number is the larger one, and unknown where either is. A protocol that only one of them has
    /// costs what it costs there; by priorities `srp` and `non_preemptive` are `fixed`.
    #[must_use]
    pub fn of_both(by_priority: &CostTable, by_deadline: &CostTable) -> CostTable {
        let (one, other) = (by_priority, by_deadline);
        let gate = |of: fn(&CostTable) -> ProtocolCosts| {
            let (one, other) = (of(one), of(other));
            ProtocolCosts::of_each(|protocol| {
                let by_priority = one.of(protocol.descriptor().by_priority);
                match protocol.goes_with(Policy::EarliestDeadline) {
                    true => both(by_priority, other.of(protocol), Duration::max),
                    false => by_priority,
                }
            })
        };
        let most = |of: fn(&CostTable) -> Duration| of(one).max(of(other));
        let mut table = CostTable {
            platform: one.platform.clone(),
            policy: one.policy,
            also: Some(other.policy).filter(|&policy| policy != one.policy),
            image: one.image.clone().or_else(|| other.image.clone()),
            provenance: one.provenance,
            release: most(|table| table.release),
            completion: most(|table| table.completion),
            invoke: gate(|table| table.invoke),
            return_: gate(|table| table.return_),
            mutex: MutexCosts {
                lock: most(|table| table.mutex.lock),
                unlock: most(|table| table.mutex.unlock),
                uncontended: both(one.mutex.uncontended, other.mutex.uncontended, Duration::max),
            },
            block: most(|table| table.block),
            handoff: most(|table| table.handoff),
            inherit_step: most(|table| table.inherit_step),
            signal: most(|table| table.signal),
            wait: most(|table| table.wait),
            wake: most(|table| table.wake),
            budget_end: most(|table| table.budget_end),
            fault: most(|table| table.fault),
            time_slice: most(|table| table.time_slice),
            device: both(one.device, other.device, DeviceCosts::larger),
            message: both(one.message, other.message, MessageCosts::larger),
            cores: both(one.cores, other.cores, |one, other| one.larger(other)),
            schedulers: both(one.schedulers, other.schedulers, SchedulerCosts::larger),
            dependencies: both(one.dependencies, other.dependencies, DependencyCosts::larger),
            limits: Limits::smaller(one.limits, other.limits),
            origins: Default::default(),
        };
        let doubted = |path: &String| weaker(one.origin(path), other.origin(path));
        let origins = PATHS.iter().map(|path| (path.clone(), doubted(path)));
        table.origins = origins.filter(|&(_, origin)| origin != one.provenance).collect();
        table
    }

    /// Returns `true` if the numbers hold for a policy's kernel.
    pub fn covers(&self, policy: Policy) -> bool {
        self.policy == policy || self.also == Some(policy)
    }
}

/// Combines two values if both are known.
pub(super) fn both<T>(one: Option<T>, other: Option<T>, of: impl FnOnce(T, T) -> T) -> Option<T> {
    Some(of(one?, other?))
}

/// Returns the one that is to be relied on less.
fn weaker(one: Provenance, other: Provenance) -> Provenance {
    if one.doubt() < other.doubt() { other } else { one }
}

impl MessageCosts {
    fn larger(self, other: Self) -> Self {
        let (invocation, word) = (self.invocation.max(other.invocation), self.word.max(other.word));
        Self { invocation, word }
    }
}

impl Limits {
    /// Returns the limits within which both hold; none: any size.
    fn smaller(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
        let smaller = |of: fn(&Self) -> Option<u32>| match (of(&one), of(&other)) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Some(Self {
            threads: one.threads.min(other.threads),
            nesting: one.nesting.min(other.nesting),
            cores: smaller(|limits| limits.cores),
            schedulers: smaller(|limits| limits.schedulers),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Protocol;

    /// Tables in which every path costs so much.
    fn flat(policy: Policy, cost: u64) -> CostTable {
        let text = CostTable::zero("board").to_toml().unwrap();
        let mut table = CostTable::from_toml(&text.replace("= 0", &format!("= {cost}"))).unwrap();
        table.policy = policy;
        table
    }

    #[test]
    fn each_number_is_the_larger_one() {
        let tables = [flat(Policy::FixedPriority, 3), flat(Policy::EarliestDeadline, 5)];
        let [one, other] = &tables;
        for (mut mixed, cost) in
            [(CostTable::of_both(one, other), 5), (CostTable::of_both(one, &one.scaled(0, 1)), 3)]
        {
            mixed.also = None;
            for protocol in [Protocol::Fixed, Protocol::Ceiling, Protocol::Mrsp, Protocol::Mpcp] {
                for way in [&mut mixed.invoke, &mut mixed.return_] {
                    assert_eq!(way.of(protocol), Some(Duration(3)), "{protocol:?}");
                    way.set(protocol, Duration(cost));
                }
            }
            assert_eq!(mixed, flat(Policy::FixedPriority, cost));
        }
    }

    #[test]
    fn what_one_does_not_say_is_unknown() {
        let (one, mut other) = (flat(Policy::FixedPriority, 3), flat(Policy::EarliestDeadline, 5));
        (other.cores, other.limits) =
            (None, Some(Limits { threads: 4, nesting: 2, cores: None, schedulers: None }));
        other.invoke = ProtocolCosts::of_each(|_| None);
        let mixed = CostTable::of_both(&one, &other);
        assert_eq!((mixed.cores, mixed.invoke.of(Protocol::Msrp)), (None, None));
        assert_eq!(mixed.invoke.of(Protocol::Srp), None);
        assert_eq!(mixed.invoke.of(Protocol::Fixed), Some(Duration(3)));
        assert_eq!(mixed.limits, other.limits);
        assert!(Policy::ALL.into_iter().all(|policy| mixed.covers(policy)));
        assert!(!one.covers(Policy::EarliestDeadline));
    }

    #[test]
    fn a_number_is_relied_on_as_the_weaker_one() {
        let (mut one, mut other) =
            (flat(Policy::FixedPriority, 3), flat(Policy::EarliestDeadline, 5));
        (one.provenance, other.provenance) = (Provenance::Proved, Provenance::Proved);
        other.origins.insert("wake".to_owned(), Provenance::Measured);
        let mixed = CostTable::of_both(&one, &other);
        let origins = (mixed.origin("wake"), mixed.origin("wait"));
        assert_eq!(origins, (Provenance::Measured, Provenance::Proved));
    }
}
