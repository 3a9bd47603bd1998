//! The frames of threads in a state.
//!
//! Tables have one more for each thread than the deepest nesting.

use fusee_kernel::{Frame, Policy, Store};

/// Returns a thread's frames, its home first; `depth` of them are each thread's.
pub(crate) fn of_thread<P: Policy>(store: &Store<P>, depth: usize, thread: usize) -> &[Frame<P>] {
    let first = thread * depth;
    &store.frames[first..=first + usize::from(store.threads[thread].depth())]
}

/// Returns the topmost of a thread's frames.
pub(crate) fn top<P: Policy>(frames: &[Frame<P>]) -> &Frame<P> {
    frames.last().expect("there is a home")
}

/// Returns `true` if a frame's component has died or been restarted since.
pub(crate) fn is_stale<P: Policy>(store: &Store<P>, frame: &Frame<P>) -> bool {
    let component = &store.components[frame.component.at()];
    component.is_dead() || component.entering() != frame.epoch
}
