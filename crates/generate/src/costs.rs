//! Random kernel costs.

use crate::Random;
use fusee_model::costs::{CostTable, ProtocolCosts};
use fusee_model::{Duration, Policy, Protocol};

/// Costs that are small beside the shortest period, `period`.
pub(crate) fn table(random: &mut Random, period: u64) -> CostTable {
    let most = (period / 12).max(1);
    let mut draw = || Duration(random.between(0, most));
    let mut protocols = || {
        ProtocolCosts::of_each(|protocol| {
            (!ProtocolCosts::may_lack(protocol, Policy::FixedPriority)).then(&mut draw)
        })
    };
    let (invoke, return_) = (protocols(), protocols());
    let mut table = CostTable::zero("random");
    table.invoke = invoke;
    table.return_ = return_;
    for entry in [
        &mut table.release,
        &mut table.completion,
        &mut table.block,
        &mut table.handoff,
        &mut table.inherit_step,
        &mut table.signal,
        &mut table.wait,
        &mut table.wake,
        &mut table.budget_end,
        &mut table.fault,
        &mut table.time_slice,
    ] {
        *entry = Duration(random.between(0, most));
    }
    for protocol in Protocol::ALL.into_iter().filter(|&protocol| {
        ProtocolCosts::may_lack(protocol, Policy::FixedPriority) && !protocol.is_global()
    }) {
        table.invoke.set(protocol, Duration(random.between(0, most)));
        table.return_.set(protocol, Duration(random.between(0, most)));
    }
    table
}
