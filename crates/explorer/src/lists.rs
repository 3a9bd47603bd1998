//! The lists of a kernel state.

use fusee_kernel::{List, Policy, ThreadIndex};

use crate::Store;

/// Returns the threads in a list, the first one first.
pub(crate) fn members<P: Policy>(store: &Store<P>, list: &List) -> Vec<usize> {
    // A list that bites its own tail is cut off where it must have done so.
    list.iter(&store.threads).take(store.threads.len() + 1).map(ThreadIndex::at).collect()
}

pub(crate) fn list<P: Policy>(store: &Store<P>, list: &List, bytes: &mut Vec<u8>) {
    bytes.extend(list.iter(&store.threads).map(|thread| thread.0 as u8));
    bytes.push(u8::MAX);
}
