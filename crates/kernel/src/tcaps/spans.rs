//! The order of schedulers in their tree, compared without a walk.

use super::{EndPoint, Tables};

/// Gives schedulers, parents first, their spans, and all threads the place of their scheduler.
/// Steps: the threads, once at the start.
pub(super) fn number(end_points: &mut [EndPoint], tables: &Tables<'_>) {
    let thread_of = |config: &super::SchedulerConfig| config.thread.at();
    let parent = |config: &super::SchedulerConfig| tables.schedulers.get(config.parent.at());
    // How many are in the tree below each, itself included.
    for config in tables.schedulers.iter().rev() {
        // From the last to the first: parents come first in the tables, so each number is complete
        // before it is added to the parent's. The span's field is free to count until then.
        let own = &mut end_points[thread_of(config)].span;
        own.first += 1;
        let below = own.first;
        if let Some(parent) = parent(config) {
            end_points[thread_of(parent)].span.first += below;
        }
    }
    let mut end = 0;
    for config in tables.schedulers {
        let below = end_points[thread_of(config)].span.first;
        // The next one there comes behind this and all below it.
        let end = match parent(config) {
            Some(parent) => &mut end_points[thread_of(parent)].span.end,
            None => &mut end,
        };
        let first = core::mem::replace(end, *end + below);
        // Its end moves on with each scheduler below it.
        end_points[thread_of(config)].span = super::Span { first, end: first + 1 };
    }
    for (thread, config) in tables.end_points.iter().enumerate() {
        if let Some(own) = tables.schedulers.get(config.scheduler.at()) {
            end_points[thread].place = end_points[thread_of(own)].span.first;
        }
    }
}
