//! Drawn systems of several cores on the kernels, held against their bounds.
//!
//! Two to four cores with up to four tasks each; one or two gates between them of any protocol,
//! one with a gate inside that lets all in; on each core perhaps a local gate, in which some ask
//! for a gate between cores. Where some wait suspended, at `mpcp` gates, periods are longer, and
//! there are crowds besides, in which each task has one job, with up to three requests, so that
//! bounds are reached. Times are small, so that instants coincide. In a second form the
//! kernels' paths cost time, drawn for each system, some of them nothing; all other times are then
//! longer.

mod attack;
mod drawn;

use attack::{ANY, CROWDS, Kind, MEETINGS, NESTED, Tally, attack, campaign};
use drawn::{Mix, costs};
use fusee_generate::Random;
use fusee_model::{Policy, Protocol};
use fusee_testing::given_or;

/// The scheduling policy, and the protocols between cores.
type Decided<'a> = (Option<Policy>, &'a [Protocol]);

const PRIORITIES: Option<Policy> = Some(Policy::FixedPriority);
const DEADLINES: Option<Policy> = Some(Policy::EarliestDeadline);

/// Kernels that cost nothing.
fn free((policy, protocols): Decided<'_>, seed: u64) -> Tally {
    campaign(Mix { policy, protocols, seed, unit: 1, path: 0, spread: 3 }, free_systems(), ANY)
}

/// `FREE_SYSTEMS` says how many systems of each kind there are; `make soundness` asks for 1,000.
fn free_systems() -> u64 {
    given_or("FREE_SYSTEMS", 75)
}

/// The same where some wait suspended, with longer periods: any system, and crowds.
fn suspended(protocols: &[Protocol], seed: u64) -> [Tally; 2] {
    let policy = PRIORITIES;
    let mix = Mix { policy, protocols, seed, unit: 1, path: 0, spread: 12 };
    [ANY, CROWDS].map(|kind| campaign(mix, free_systems(), kind))
}

/// Kernels whose paths cost up to so much, where 20 are a unit of all other times.
fn costly((policy, protocols): Decided<'_>, seed: u64, path: u64) -> [Tally; 2] {
    let mix = Mix { policy, protocols, seed, unit: 20, path, spread: 3 };
    [(ANY, cases()), (MEETINGS, 2 * cases())].map(|(kind, cases)| campaign(mix, cases, kind))
}

/// The same where some wait suspended: any system, meetings, and crowds.
fn costly_suspended(protocols: &[Protocol], seed: u64, path: u64) -> [Tally; 3] {
    let policy = PRIORITIES;
    let mix = Mix { policy, protocols, seed, unit: 20, path, spread: 12 };
    let kinds = [(ANY, cases()), (MEETINGS, 2 * cases()), (CROWDS, 2 * cases())];
    kinds.map(|(kind, cases)| campaign(mix, cases, kind))
}

/// `COSTLY_SYSTEMS` says how many systems of each kind there are, and twice as many meetings.
fn cases() -> u64 {
    given_or("COSTLY_SYSTEMS", 15)
}

#[test]
fn no_response_exceeds_its_bound_where_nobody_preempts_who_waits() {
    let tally = free((PRIORITIES, &[Protocol::Msrp]), 61);
    assert!(tally.systems >= 60 && tally.bounds > 250, "{tally:?}");
    assert!(tally.reached > 10 && tally.reached_by_waiting > 2, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_who_waits_helps() {
    let tally = free((PRIORITIES, &[Protocol::Mrsp]), 62);
    assert!(tally.systems >= 60 && tally.bounds > 250, "{tally:?}");
    assert!(tally.reached > 10 && tally.reached_by_waiting > 2, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_both_meet() {
    let tally = free((PRIORITIES, &[Protocol::Msrp, Protocol::Mrsp]), 63);
    assert!(tally.systems >= 60 && tally.bounds > 250, "{tally:?}");
    assert!(tally.reached > 10 && tally.reached_by_waiting > 2, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_who_waits_is_suspended() {
    let [any, crowds] = suspended(&[Protocol::Mpcp], 67);
    assert!(any.systems >= 60 && any.bounds > 250 && any.reached > 25, "{any:?}");
    assert!(crowds.bounds > 300 && crowds.reached_by_suspension > 2, "{crowds:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_all_three_meet() {
    let [any, crowds] = suspended(&[Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp], 68);
    assert!(any.systems >= 60 && any.bounds > 250 && any.reached > 10, "{any:?}");
    assert!(crowds.bounds > 300 && crowds.reached_by_suspension > 1, "{crowds:?}");
}

fn no_costly_response_exceeds_its_bound(decided: Decided<'_>, seed: u64) {
    for path in [6, 20] {
        let [any, meetings] = costly(decided, seed, path);
        assert!(any.systems > cases() / 2 && any.bounds > cases(), "{any:?}");
        assert!(meetings.bounds > 4 * meetings.systems && meetings.closest > 80, "{meetings:?}");
    }
}

#[test]
fn no_costly_response_exceeds_its_bound_where_nobody_preempts_who_waits() {
    let protocols = &[Protocol::Msrp];
    no_costly_response_exceeds_its_bound((PRIORITIES, protocols), 64);
}

#[test]
fn no_costly_response_exceeds_its_bound_where_who_waits_helps() {
    let protocols = &[Protocol::Mrsp];
    no_costly_response_exceeds_its_bound((PRIORITIES, protocols), 65);
}

#[test]
fn no_costly_response_exceeds_its_bound_where_both_meet() {
    let protocols = &[Protocol::Msrp, Protocol::Mrsp];
    no_costly_response_exceeds_its_bound((PRIORITIES, protocols), 66);
}

fn no_costly_response_exceeds_its_bound_in_suspension(protocols: &[Protocol], seed: u64) {
    for path in [6, 20, 200] {
        let [any, meetings, crowds] = costly_suspended(protocols, seed, path);
        if path < 200 {
            assert!(any.systems > cases() / 2 && any.bounds > cases(), "{any:?}");
        }
        assert!(meetings.bounds > 4 * meetings.systems && meetings.closest > 80, "{meetings:?}");
        assert!(crowds.bounds > 2 * crowds.systems && crowds.closest > 70, "{crowds:?}");
    }
}

#[test]
fn no_costly_response_exceeds_its_bound_where_who_waits_is_suspended() {
    no_costly_response_exceeds_its_bound_in_suspension(&[Protocol::Mpcp], 69);
}

#[test]
fn no_costly_response_exceeds_its_bound_where_all_three_meet() {
    let all = [Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp];
    no_costly_response_exceeds_its_bound_in_suspension(&all, 70);
}

#[test]
fn no_response_exceeds_its_bound_where_deadlines_decide() {
    let tally = free((DEADLINES, &[Protocol::Msrp]), 71);
    assert!(tally.systems >= 55 && tally.bounds > 200, "{tally:?}");
    assert!(tally.reached > 10 && tally.reached_by_waiting > 2, "{tally:?}");
}

#[test]
fn no_costly_response_exceeds_its_bound_where_deadlines_decide() {
    let protocols = &[Protocol::Msrp];
    no_costly_response_exceeds_its_bound((DEADLINES, protocols), 72);
}

/// Returns the kind drawn for an index of the large campaign: one system in four goes by deadlines.
fn mixed(index: u64) -> (Kind, Mix<'static>) {
    const ALL: [Protocol; 3] = [Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp];
    let (policy, protocols) = match (index % 4, index / 4 % 4) {
        (3, _) => (DEADLINES, &ALL[..1]),
        (_, 3) => (PRIORITIES, &ALL[..]),
        (_, one) => (PRIORITIES, &ALL[one as usize..][..1]),
    };
    let kind = [NESTED, MEETINGS, CROWDS, NESTED][(index / 16 % 4) as usize];
    let (unit, path) = [(1, 0), (20, 6), (20, 20), (20, 200)][(index / 64 % 4) as usize];
    let spread = if protocols.contains(&Protocol::Mpcp) { 12 } else { 3 };
    (kind, Mix { policy, protocols, seed: 80, unit, path, spread })
}

/// Runs the system of an index; whether it goes by deadlines is where it is tallied.
fn attack_mixed(index: u64, tallies: &mut [Tally; 2]) {
    let (kind, mix) = mixed(index);
    let by_deadline = usize::from(mix.policy == DEADLINES);
    attack_one(index, (kind, mix), &mut tallies[by_deadline]);
}

fn attack_one(index: u64, (kind, mix): (Kind, Mix<'_>), tally: &mut Tally) {
    let (system, costs) = ((kind.draw)(mix, index), costs(mix, index));
    let mut runs = (kind.runs)(&system, (mix.unit, &costs), &mut Random::new(81, index));
    runs.truncate(6);
    attack(&system, &runs, index, tally);
}

#[test]
fn no_response_exceeds_its_bound_where_policies_differ() {
    let tally = free((None, &[Protocol::Msrp]), 73);
    assert!(tally.systems >= 55 && tally.bounds > 200, "{tally:?}");
    assert!(tally.reached > 10 && tally.reached_by_waiting > 2, "{tally:?}");
}

#[test]
fn no_costly_response_exceeds_its_bound_where_policies_differ() {
    no_costly_response_exceeds_its_bound((None, &[Protocol::Msrp]), 74);
}

/// `DIFFERING_SYSTEMS` says how many; `make soundness` asks for 20,000.
#[test]
fn no_response_exceeds_its_bound_in_any_mix_where_policies_differ() {
    let systems = given_or("DIFFERING_SYSTEMS", 75);
    let mut tally = Tally::default();
    for index in 0..systems {
        let (kind, mix) = mixed(index);
        let mix = Mix { policy: None, protocols: &[Protocol::Msrp], seed: 82, ..mix };
        attack_one(index, (kind, mix), &mut tally);
    }
    eprintln!(
        "policies differ: {} systems, {} bounds, {} reached, in tenths {:?}",
        tally.systems, tally.bounds, tally.reached, tally.tenths
    );
    assert!(tally.bounds > tally.systems && tally.closest == 100, "{tally:?}");
    assert!(tally.systems > systems * 3 / 4, "{} of {systems}", tally.systems);
}

/// Under mrsp a core that is on a path while others return is told to look again and again, before
/// it comes to handle an interrupt: three looks and the path delay a task that asks nowhere.
#[test]
fn looks_before_the_first_interrupt_are_in_its_window() {
    attack_mixed(30_420, &mut [(); 2].map(|()| Tally::default()));
}

/// `MIXED_SYSTEMS` says how many; `make soundness` asks for 100,000.
#[test]
fn no_response_exceeds_its_bound_in_any_mix() {
    let systems = given_or("MIXED_SYSTEMS", 150);
    let mut tallies = [(); 2].map(|()| Tally::default());
    for index in 0..systems {
        attack_mixed(index, &mut tallies);
    }
    for (tally, policy) in tallies.iter().zip(["priorities", "deadlines"]) {
        eprintln!(
            "{policy}: {} systems, {} bounds, {} reached, in tenths {:?}",
            tally.systems, tally.bounds, tally.reached, tally.tenths
        );
        assert!(tally.bounds > tally.systems && tally.closest == 100, "{tally:?}");
    }
    let bounded: u64 = tallies.iter().map(|tally| tally.systems).sum();
    assert!(bounded > systems * 3 / 4, "{bounded} of {systems}");
}
