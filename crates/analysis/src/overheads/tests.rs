//! Charges worked out by hand; impossible charges; arbitrary costs.

use proptest::prelude::*;

use super::*;
use crate::partitioned::msrp::MsrpClassic;
use crate::{Request, SchedulabilityTest, Task, TaskSet};

const SPINS: Charging = Charging { waiting: Waiting::Spins, sections: Sections::Unchanged };

fn two_cores() -> TaskSet {
    let tasks = vec![
        Task::implicit(20, 100, 3),
        Task::implicit(10, 200, 2),
        Task::implicit(30, 200, 1).on(1),
    ];
    let requests = vec![vec![Request::new(0, 2, 3)], vec![], vec![Request::new(0, 1, 5)]];
    TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
}

fn costs() -> Overheads {
    Overheads {
        release: Cost::Constant(5),
        context_switch: Cost::Constant(2),
        scheduling: Cost::Table { per: Per::Tasks, ticks: vec![(1, 1), (4, 3)] },
        lock: Cost::Table { per: Per::Cores, ticks: vec![(2, 1)] },
        unlock: Cost::Constant(1),
        helping: Cost::Constant(4),
        interrupt_between_cores: Cost::Constant(6),
        cache_delay: Cost::Constant(7),
    }
}

fn wcets(set: &TaskSet) -> Vec<u64> {
    set.tasks().iter().map(|t| t.wcet).collect()
}

#[test]
fn own_operations_are_added() {
    // Two requests cost 2 each. Core 0 has two tasks: a switch costs 2 + 3; core 1: 2 + 1.
    let charged = costs().inflated(&two_cores(), SPINS).unwrap();
    assert_eq!(wcets(&charged), [20 + 4 + 10, 10 + 10, 30 + 2 + 6]);
    assert_eq!(charged.requests(0), two_cores().requests(0));
    let longer = Charging { sections: Sections::Lengthened, ..SPINS };
    assert_eq!(
        costs().inflated(&two_cores(), longer).unwrap().requests(2),
        [Request::new(0, 1, 5 + 2)]
    );
    let suspends = Charging { waiting: Waiting::Suspends, ..SPINS };
    let charged = costs().inflated(&two_cores(), suspends).unwrap();
    assert_eq!(wcets(&charged)[2], 30 + 6 + 2 + 2 * 3 + 6 + 7);
    let helps = Charging { waiting: Waiting::Helps, ..SPINS };
    assert_eq!(wcets(&costs().inflated(&two_cores(), helps).unwrap())[2], 30 + 6 + 2 + 4);
}

#[test]
fn interrupts_stretch_and_preemptions_are_paid_by_who_causes_them() {
    // Core 0: u = 5/100 + 5/200, c = 10 / 0.925 = 10.8.., 11. Task 0: (20 + 4 + 10 + 7) / 0.925 =
    // 44.3.., 45, + 2 c + 6. Core 1: u = 0.025, c = 5.1.., 6; (30 + 2 + 6 + 7) / 0.975 = 46.1..,
    // 47, + 12 + 6.
    let charged = costs().preemption_centric(&two_cores(), SPINS).unwrap();
    assert_eq!(wcets(&charged), [45 + 22 + 6, 30 + 22 + 6, 47 + 12 + 6]);
}

#[test]
fn tables_count_the_users_of_a_resource_or_the_machine() {
    let set = two_cores().with_cores(4).unwrap();
    let wcet = |per| {
        let lock = Cost::Table { per, ticks: vec![(2, 1), (4, 9)] };
        let costs = Overheads { lock, ..Overheads::default() };
        wcets(&costs.inflated(&set, SPINS).unwrap())[2]
    };
    assert_eq!(
        [wcet(Per::Cores), wcet(Per::Tasks), wcet(Per::MachineCores)],
        [30 + 1, 30 + 1, 30 + 9]
    );
    let cost = Cost::Table { per: Per::MachineCores, ticks: vec![(2, 1), (4, 9)] };
    assert_eq!(
        (cost.for_set("helping", &set), cost.for_set("helping", &two_cores())),
        (Ok(9), Ok(1))
    );
}

#[test]
fn what_is_not_known_is_an_error() {
    let three = TaskSet::new((0..5).map(|i| Task::implicit(1, 9, i)).collect()).unwrap();
    let error = costs().inflated(&three, SPINS).unwrap_err();
    assert_eq!(error.to_string(), "scheduling: its table ends at 4, but 5 tasks are involved");
    let busy = Overheads { release: Cost::Constant(100), ..Overheads::default() };
    let error = busy.preemption_centric(&two_cores(), SPINS).unwrap_err();
    assert_eq!(error.to_string(), "core 0: release interrupts take all of its time");
    let huge = Overheads { lock: Cost::Constant(u64::MAX), ..Overheads::default() };
    assert_eq!(huge.inflated(&two_cores(), SPINS), Err(Uncharged::TooLong { task: 0 }));
}

#[test]
fn costs_read_like_they_look() {
    let read: Overheads = toml::from_str(
        "lock = 3\nhelping = { per = \"cores\", ticks = [[1, 48], [2, 3453]] }\ncontext-switch = \
         300\n",
    )
    .unwrap();
    assert_eq!(read.lock, Cost::Constant(3));
    assert_eq!(read.helping, Cost::Table { per: Per::Cores, ticks: vec![(1, 48), (2, 3453)] });
    assert!(toml::from_str::<Overheads>("locks = 3").is_err());
}

proptest! {
    #[test]
    fn overheads_never_help(
        release in 0_u64..3,
        switch in 0_u64..3,
        lock in 0_u64..3,
        far in any::<u64>(),
    ) {
        let costs = |lock| Overheads {
            release: Cost::Constant(release),
            context_switch: Cost::Constant(switch),
            lock: Cost::Constant(lock),
            ..Overheads::default()
        };
        for waiting in [Waiting::Spins, Waiting::Suspends, Waiting::Helps] {
            let charging = Charging { waiting, sections: Sections::Lengthened };
            let _ = costs(far).preemption_centric(&two_cores(), charging);
            let plain = MsrpClassic.response_times(&two_cores()).unwrap();
            let some = costs(lock).inflated(&two_cores(), charging).unwrap();
            let more = costs(lock).preemption_centric(&two_cores(), charging).unwrap();
            let some = MsrpClassic.response_times(&some).unwrap();
            let more = MsrpClassic.response_times(&more).unwrap();
            for i in 0..plain.len() {
                prop_assert!(more[i].is_none() || (plain[i] <= some[i] && some[i] <= more[i]));
            }
        }
    }
}
