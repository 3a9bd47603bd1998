//! Work for several processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does the work for each item, some at the same time; results in the order of the items.
///
/// # Panics
/// When the work does.
pub fn side_by_side<I: Sync, R: Send>(items: &[I], work: impl Fn(usize, &I) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(index, item);
                    done.lock().expect("no worker failed").push((index, result));
                }
            });
        }
    });
    let mut done: Vec<(usize, R)> = done.into_inner().expect("no worker failed");
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}
