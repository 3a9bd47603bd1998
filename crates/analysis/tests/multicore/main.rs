//! Random sets, simulated in unit steps: no response above its bound.
//!
//! `MULTICORE_SETS` says how many sets each protocol gets; `make soundness` asks
//! for 20,000 of each.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod global;
mod late;
mod nested_fifo;
mod phase_fair;
mod published;
mod random;

use fusee_analysis::{Request, SchedulabilityTest, TaskSet, partitioned, registry};
use fusee_schedules::{
    Base, Clusters, Donation, Dpcp, Fmlp, LOADS, Load, Mpcp, Mrsp, MrspMoving, Order, PhaseFair,
    Protocol, Random, SpinLock, Token, VirtualSpinning, simulate,
};
use random::Shape;

fn sets_wanted() -> u64 {
    fusee_testing::given_or("MULTICORE_SETS", 300)
}

/// The counts of a campaign.
#[derive(Debug, Default)]
struct Tally {
    accepted: u64,
    bounds: u64,
    reached: u64,
    /// Responses longer than without any resource.
    blocked: u64,
    /// Refused sets that missed a deadline.
    missed: u64,
}

/// A comparison in which some bound must be reached.
fn campaign(
    test: &dyn SchedulabilityTest,
    shape: Shape,
    protocol: impl FnMut(&TaskSet) -> Box<dyn Protocol>,
) {
    let tally = compare(test, shape, protocol);
    assert!(tally.reached > 0, "no bound was ever reached: {tally:?}");
}

/// Draws sets until enough have a bound, simulates each, and compares.
fn compare(
    test: &dyn SchedulabilityTest,
    shape: Shape,
    mut protocol: impl FnMut(&TaskSet) -> Box<dyn Protocol>,
) -> Tally {
    let mut tally = Tally::default();
    let mut index = 0;
    while tally.accepted < sets_wanted() && index < 20 * sets_wanted() {
        let mut random = Random::new(1, index);
        let set = random::task_set(&mut random, shape);
        index += 1;
        if test.covers(&set).is_err() {
            continue;
        }
        let schedulable = test.decide(&set).is_schedulable();
        let none = || vec![None; set.tasks().len()];
        let mut bounds = test.response_times(&set).unwrap_or_else(none);
        if schedulable {
            tally.accepted += 1;
            for (bound, task) in bounds.iter_mut().zip(set.tasks()) {
                let limit = bound.unwrap_or(task.deadline);
                assert!(
                    limit <= task.deadline,
                    "{index}: a bound beyond the deadline of an accepted set"
                );
                *bound = Some(limit);
            }
        }
        if bounds.iter().all(Option::is_none) && tally.missed > 0 {
            continue;
        }
        let alone =
            registry::by_name("fp-rta").unwrap().response_times(&set.clone().without_requests());
        let mut worst = vec![0; bounds.len()];
        for (dense, together) in LOADS {
            let load = Load { dense, together, ticks: 600 };
            let seen = simulate(&set, &mut *protocol(&set), load, &mut random);
            worst.iter_mut().zip(seen).for_each(|(w, s)| *w = (*w).max(s));
        }
        tally.missed += u64::from(worst.iter().zip(set.tasks()).any(|(w, t)| *w > t.deadline));
        for (task, (bound, &worst)) in bounds.iter().zip(&worst).enumerate() {
            let Some(bound) = *bound else { continue };
            tally.blocked +=
                u64::from(alone.as_ref().is_some_and(|a| a[task].is_some_and(|a| worst > a)));
            let name = test.metadata().name;
            assert!(
                worst <= bound,
                "{name}, set {index}: task {task} took {worst} > {bound}\n{set:#?}\n{bounds:?}"
            );
            tally.bounds += 1;
            tally.reached += u64::from(worst == bound);
        }
    }
    eprintln!("{}: {tally:?} of {index} sets", test.metadata().name);
    assert!(
        tally.accepted > sets_wanted() / 2,
        "too few sets are accepted to say anything: {tally:?}"
    );
    assert!(tally.blocked > 0 && tally.missed > 0, "resources never mattered: {tally:?}");
    tally
}

const FIXED: Shape =
    Shape { jitter: true, equal_priorities: true, nesting: false, suspension: false, reads: false };
const STEADY: Shape = Shape {
    jitter: false,
    equal_priorities: true,
    nesting: false,
    suspension: false,
    reads: false,
};
const EDF: Shape = Shape {
    jitter: false,
    equal_priorities: true,
    nesting: false,
    suspension: false,
    reads: false,
};

#[test]
fn msrp_under_fixed_priorities() {
    let protocol =
        |_: &TaskSet| Box::new(SpinLock(Base::FixedPriority, Order::Fifo)) as Box<dyn Protocol>;
    campaign(&partitioned::msrp::MsrpClassic, FIXED, protocol);
    campaign(&partitioned::msrp::MsrpHolistic, FIXED, protocol);
}

#[test]
fn msrp_under_edf() {
    let protocol =
        |_: &TaskSet| Box::new(SpinLock(Base::EarliestDeadline, Order::Fifo)) as Box<dyn Protocol>;
    campaign(&partitioned::msrp::MsrpClassicEdf, EDF, protocol);
    campaign(&partitioned::msrp::MsrpHolisticEdf, EDF, protocol);
}

#[test]
fn mpcp_suspending() {
    campaign(&partitioned::mpcp::Mpcp, FIXED, |_| Box::new(Mpcp));
    campaign(&partitioned::mpcp::MpcpLinear, FIXED, |_| Box::new(Mpcp));
}

#[test]
fn mpcp_virtually_spinning() {
    campaign(&partitioned::mpcp::MpcpVirtualSpinning, FIXED, |_| {
        Box::new(VirtualSpinning::default())
    });
}

#[test]
fn spin_locks_in_priority_order_and_in_none() {
    let ordered = |order| {
        move |_: &TaskSet| Box::new(SpinLock(Base::FixedPriority, order)) as Box<dyn Protocol>
    };
    campaign(&partitioned::ordered_spin::PrioritySpinLock, FIXED, ordered(Order::Priority));
    campaign(&partitioned::ordered_spin::UnorderedSpinLock, FIXED, ordered(Order::Any));
}

#[test]
fn phase_fair_locks() {
    let test = partitioned::phase_fair::PhaseFair;
    let protocol = |_: &TaskSet| Box::new(PhaseFair::default()) as Box<dyn Protocol>;
    campaign(&test, Shape { reads: true, ..FIXED }, protocol);
    // Without readers they are FIFO locks.
    campaign(&test, FIXED, protocol);
    campaign(&test, FIXED, |_| Box::new(SpinLock(Base::FixedPriority, Order::Fifo)));
}

#[test]
fn mrsp_with_free_helping() {
    let protocol = |set: &TaskSet| Box::new(Mrsp::new(set)) as Box<dyn Protocol>;
    campaign(&partitioned::mrsp::Mrsp2013::default(), FIXED, protocol);
    campaign(&partitioned::mrsp::Mrsp2017::default(), FIXED, protocol);
    campaign(&partitioned::mrsp::MrspNested, Shape { nesting: true, ..FIXED }, protocol);
}

#[test]
fn mrsp_with_costly_helping() {
    // Each bound has room for a holder that moves in at the start, which no run needs in full.
    for (migration, non_preemptive) in [(1, 1), (1, 2), (2, 3)] {
        let helping = partitioned::mrsp::Helping { migration, non_preemptive };
        let protocol = |set: &TaskSet| Box::new(MrspMoving::new(set, helping)) as Box<dyn Protocol>;
        compare(&partitioned::mrsp::Mrsp2013 { helping }, FIXED, protocol);
        compare(&partitioned::mrsp::Mrsp2017 { helping }, FIXED, protocol);
    }
}

#[test]
fn dpcp() {
    campaign(&partitioned::dpcp::Dpcp::default(), FIXED, |_| Box::new(Dpcp));
}

#[test]
fn fmlp_plus() {
    campaign(&partitioned::fmlp::FmlpPlus, FIXED, |_| Box::new(Fmlp(Base::FixedPriority)));
    campaign(&partitioned::fmlp::FmlpPlusLinear, FIXED, |_| Box::new(Fmlp(Base::FixedPriority)));
    campaign(&partitioned::fmlp::FmlpPlusEdf, EDF, |_| Box::new(Fmlp(Base::EarliestDeadline)));
}

#[test]
fn locks_of_jobs_that_suspend_themselves() {
    let shape = Shape { suspension: true, ..FIXED };
    campaign(&partitioned::mpcp::Mpcp, shape, |_| Box::new(Mpcp));
    campaign(&partitioned::fmlp::FmlpPlus, shape, |_| Box::new(Fmlp(Base::FixedPriority)));
    campaign(&partitioned::fmlp::FmlpPlusLinear, shape, |_| Box::new(Fmlp(Base::FixedPriority)));
}

#[test]
fn omlp_with_donation() {
    campaign(&partitioned::omlp::OmlpDonation, FIXED, |_| Box::new(Donation(Base::FixedPriority)));
    campaign(&partitioned::omlp::OmlpDonationEdf, EDF, |_| {
        Box::new(Donation(Base::EarliestDeadline))
    });
}

#[test]
fn omlp_with_tokens() {
    campaign(&partitioned::omlp::OmlpToken, FIXED, |_| Box::new(Token::new(Base::FixedPriority)));
    campaign(&partitioned::omlp::OmlpTokenEdf, EDF, |_| {
        Box::new(Token::new(Base::EarliestDeadline))
    });
}

#[test]
fn omlp_on_clusters() {
    for cores in [2, 4] {
        let fixed = partitioned::omlp::ClusteredOmlp { cores };
        campaign(&fixed, STEADY, |_| Box::new(Clusters::new(Base::FixedPriority, cores)));
        let edf = partitioned::omlp::ClusteredOmlpEdf { cores };
        campaign(&edf, EDF, |_| Box::new(Clusters::new(Base::EarliestDeadline, cores)));
    }
}

/// The set with all resources that are nested in each other, directly or not, as one.
fn grouped_by_hand(set: &TaskSet) -> TaskSet {
    let mut group: Vec<usize> = (0..set.resources()).collect();
    fn spread(request: &Request, group: &mut [usize]) {
        for inner in &request.nested {
            let least = group[request.resource].min(group[inner.resource]);
            (group[request.resource], group[inner.resource]) = (least, least);
            spread(inner, group);
        }
    }
    for _ in 0..set.resources() * set.resources() {
        (0..set.tasks().len())
            .for_each(|i| set.requests(i).iter().for_each(|r| spread(r, &mut group)));
    }
    let flat = |r: &Request| Request::new(group[r.resource], r.count, r.length);
    let lists = (0..set.tasks().len()).map(|i| set.requests(i).iter().map(flat).collect());
    TaskSet::new(set.tasks().to_vec())
        .unwrap()
        .with_cores(set.cores())
        .unwrap()
        .with_requests(lists.collect())
        .unwrap()
}

#[test]
fn nested_sections_under_group_locks() {
    let mut protocols: [(&dyn SchedulabilityTest, Box<dyn Protocol>); 4] = [
        (&partitioned::msrp::MsrpHolistic, Box::new(SpinLock(Base::FixedPriority, Order::Fifo))),
        (&partitioned::mpcp::Mpcp, Box::new(Mpcp)),
        (&partitioned::fmlp::FmlpPlus, Box::new(Fmlp(Base::FixedPriority))),
        (&partitioned::dpcp::Dpcp::default(), Box::new(Dpcp)),
    ];
    let (mut nested, mut reached) = (0, 0);
    for index in 0..sets_wanted() {
        let mut random = Random::new(2, index);
        let set = random::task_set(&mut random, Shape { nesting: true, ..FIXED });
        let (flat, of_library) = (grouped_by_hand(&set), set.clone().with_group_locks());
        nested += u64::from(flat != set);
        for (test, protocol) in &mut protocols {
            let bounds = test.response_times(&of_library).unwrap();
            for (dense, together) in LOADS {
                let seen = simulate(
                    &flat,
                    &mut **protocol,
                    Load { dense, together, ticks: 600 },
                    &mut random,
                );
                for (bound, seen) in bounds.iter().zip(seen) {
                    let name = test.metadata().name;
                    assert!(
                        bound.is_none_or(|bound| seen <= bound),
                        "{name}, set {index}: {seen} > {bound:?}\n{set:#?}"
                    );
                    reached += u64::from(*bound == Some(seen));
                }
            }
        }
    }
    assert!(nested > sets_wanted() / 4 && reached > 0, "{nested} nested, {reached} reached");
}

#[test]
fn the_book_names_every_test() {
    let page = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../book/src/multicore.md"
    ))
    .unwrap();
    for test in partitioned::TESTS.iter().chain(fusee_analysis::global::TESTS) {
        let name = test.metadata().name;
        assert!(page.contains(&format!("`{name}`")), "{name} is not in the book");
    }
}
