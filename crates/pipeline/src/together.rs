//! Work of which some parts are done at once.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does the work with each of these, as many at once as the host has cores; what comes of it, in
/// their order.
pub(crate) fn with_each<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(all.len()));
    let take = || {
        while let Some((at, one)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            all.get(at).map(|one| (at, one))
        } {
            let result = work(one);
            done.lock().unwrap_or_else(|error| error.into_inner()).push((at, result));
        }
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(all.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(take);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|error| error.into_inner());
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_what_was_asked_for() {
        let all: Vec<u64> = (0..50).rev().collect();
        let squares = with_each(&all, |&number| {
            thread::sleep(std::time::Duration::from_micros(number * 20));
            number * number
        });
        assert_eq!(squares, all.iter().map(|number| number * number).collect::<Vec<_>>());
        assert!(with_each(&[] as &[u64], |&number| number).is_empty());
    }
}
