//! Work for several processors.

use rayon::prelude::*;

/// Does the work for each item, some at the same time; results in the order of the items.
pub fn side_by_side<I: Sync, R: Send>(items: &[I], work: impl Fn(usize, &I) -> R + Sync) -> Vec<R> {
    items.par_iter().enumerate().map(|(index, item)| work(index, item)).collect()
}
