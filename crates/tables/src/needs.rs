//! The needs that only the components' code can tell.

use fusee_model::{ComponentId, DataportId};
use std::collections::BTreeMap;

/// The needs that only the components' code can tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Consumed interfaces whose callbacks are used, as (component, position), in order.
    pub callbacks: Vec<(ComponentId, usize)>,
    /// Components whose control thread waits in a loop for the event that releases it.
    pub loops: Vec<ComponentId>,
    /// Mutexes that one invocation locks and another unlocks, as (component, position of the lock).
    pub held: Vec<(ComponentId, usize)>,
    /// Sizes of dataports in bytes, where the description is silent: the size of their C type.
    pub dataports: BTreeMap<DataportId, u64>,
}
