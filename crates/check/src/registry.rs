//! All rules, in the order of their codes.

use fusee_diagnostics::Rule;

use crate::finding::Finding;
use crate::rules::{
    ceilings, cores, events, gates, interfaces, policies, priorities, schedulers, structure,
    threads, timing, trust,
};
use crate::view::View;

/// Finds all breaches of one rule.
type Check = fn(&View<'_>) -> Vec<Finding>;

macro_rules! registry {
    ($($rule:path),* $(,)?) => {
        /// The pages of all rules of this crate, in the order of their codes.
        pub static RULES: &[Rule] = &[$({ use $rule as rule; rule::RULE }),*];

        /// The functions behind them.
        pub(crate) static CHECKS: &[Check] = &[$({ use $rule as rule; rule::check }),*];
    };
}

registry! {
    interfaces::uses_unconnected,
    interfaces::connected_twice,
    interfaces::several_to_ends,
    interfaces::consumes_unconnected,
    interfaces::emits_unconnected,
    interfaces::dataport_unconnected,
    interfaces::provides_unconnected,
    interfaces::own_interface,
    interfaces::dataport_one_user,
    events::never_emitted,
    events::awaits_itself,
    events::too_rare,
    events::awaits_release,
    events::too_often,
    events::interrupts_uncounted,
    structure::hardware_unused,
    structure::never_runs,
    structure::fault_policy,
    structure::group_of_one,
    structure::startup_beyond_start,
    structure::startup_of_device,
    gates::deadlock,
    gates::self_deadlock,
    gates::recursion,
    gates::assumed_calls,
    gates::wait_while_holding,
    gates::unreached,
    gates::several_cores,
    gates::fifo_shared,
    ceilings::below_user,
    ceilings::above_users,
    ceilings::top_priority,
    ceilings::without_fixed,
    threads::too_few,
    threads::too_many,
    threads::requestor_missing,
    threads::nest_missing,
    threads::connector_differs,
    trust::without_budget,
    trust::endless_section,
    trust::calls_left_out,
    trust::bus_master,
    timing::task_without_wcet,
    timing::method_without_wcet,
    timing::budget_without_period,
    timing::demand_above_period,
    timing::demand_above_deadline,
    timing::deadline_above_period,
    timing::utilisation,
    timing::jitter_leaves_no_time,
    timing::jitter_above_period,
    timing::offset_above_period,
    timing::budget_below_demand,
    timing::budget_above_period,
    priorities::untimed_interferes,
    priorities::equal_priorities,
    priorities::not_monotonic,
    priorities::beyond_maximum,
    priorities::time_slice_unused,
    priorities::core_unused,
    policies::protocol_unfit,
    policies::srp_is_fixed,
    policies::ceiling_inside,
    policies::priority_unused,
    policies::background,
    policies::unused,
    policies::optimistic_mutex,
    policies::dependencies,
    cores::policy,
    cores::one_core,
    cores::lock_inside,
    cores::signal_inside,
    cores::asked_while_held,
    cores::signals,
    cores::locks,
    cores::mutex_protocol,
    cores::semaphore,
    schedulers::circle,
    schedulers::adds_up,
    schedulers::never_funded,
    schedulers::not_its_thread,
    schedulers::principals,
    schedulers::waits,
    schedulers::of_its_own,
    schedulers::beside,
    schedulers::no_order,
    schedulers::gives_no_time,
    schedulers::no_server,
    schedulers::nobody,
    schedulers::no_deadline,
    schedulers::language,
    schedulers::no_time_between,
    schedulers::no_slot,
}
