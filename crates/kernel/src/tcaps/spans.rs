//! Who is above whom in a tree of schedulers, without a walk.

use super::{Scheduler, SchedulerConfig};

/// Gives schedulers, parents first, their spans. Steps: the schedulers, once at the start.
pub(super) fn number(schedulers: &mut [Scheduler], configs: &[SchedulerConfig]) {
    // How many are in the tree below each, itself included.
    for (place, config) in configs.iter().enumerate().rev() {
        schedulers[place].span.first += 1;
        let below = schedulers[place].span.first;
        if let Some(parent) = schedulers.get_mut(config.parent.at()) {
            parent.span.first += below;
        }
    }
    let mut end = 0;
    for (place, config) in configs.iter().enumerate() {
        let below = schedulers[place].span.first;
        let parent = schedulers.get_mut(config.parent.at());
        // The next one there comes behind this and all below it.
        let end = parent.map_or(&mut end, |parent| &mut parent.span.end);
        let first = core::mem::replace(end, *end + below);
        schedulers[place].span.first = first;
        schedulers[place].span.end = first + 1;
    }
}
