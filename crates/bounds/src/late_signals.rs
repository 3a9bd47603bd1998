//! Signals from core to core that may be refused, or are looked for too late.
//!
//! What emitters may signal is what jobs need that are over in time (module `signals`). Where the
//! bounds found do not show it of one, or nothing bounds when a core looks, bounds are withdrawn on
//! the cores that look.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::costs::CostTable;

use crate::bound::TaskBound;
use crate::context::Context;
use crate::interrupt::arrivals;
use crate::interrupts;
use crate::levels::relative;
use crate::obstacle::Obstacle;
use crate::signal::{Signal, all};

/// Withdraws the bounds of cores whose looks are more than was supposed; and of those that look or
/// send where the cost of that is not known.
pub(crate) fn withdraw(context: &Context<'_>, costs: &CostTable, tasks: &mut [TaskBound]) {
    // Looks that take no time disturb nobody, however many come.
    if context.kernel.is_free {
        return;
    }
    let system = context.system;
    let signals = all(system);
    // The sender's limit was supposed to rest on a bound. Each bound that is taken away may be one
    // of these, so all signals are judged again afterwards.
    while let Some(core) = signals.iter().find_map(|signal| {
        let obstacle = obstacle(context, costs, tasks, signal)?;
        let sender = system.task(signal.emitter).core;
        let bound = |task: &&mut TaskBound| {
            let core = system.task(task.task).core;
            let concerned = core == signal.core || core == sender && costs.cores.is_none();
            concerned && task.bound.is_ok()
        };
        let mut bounds = tasks.iter_mut().filter(bound).peekable();
        // A core without any bounds has nothing to lose, and is passed over: so this comes to an
        // end.
        bounds.peek()?;
        bounds.for_each(|task| task.bound = Err(obstacle));
        Some(signal.core)
    }) {
        debug_assert!(core < system.cores(), "each time a core loses its bounds");
    }
}

/// Returns the obstacle that a signal is to the bounds of the core that looks.
fn obstacle(
    context: &Context<'_>,
    costs: &CostTable,
    tasks: &[TaskBound],
    signal: &Signal,
) -> Option<Obstacle> {
    let Signal { emitter, event, core } = *signal;
    if costs.cores.is_none() {
        return Some(Obstacle::Look { event });
    }
    let task = context.system.task(emitter);
    // A thread with one job may signal a fixed number of times, which needs no bound.
    task.release.as_ref()?;
    let Arrivals { period, .. } = arrivals(task);
    let most = relative(task).map_or(period, |deadline| deadline.min(period));
    let response = tasks[emitter.index()].response().map(|response| response.ns());
    // Only of jobs that are over before their deadline and the next release is it known that the
    // limit refuses no signal.
    let on_time = response.is_some_and(|response| response <= most);
    let looks = interrupts::pending(&context.interrupts, &context.kernel, core).0.is_some();
    (!on_time || !looks).then_some(Obstacle::Signals { task: emitter, event })
}
