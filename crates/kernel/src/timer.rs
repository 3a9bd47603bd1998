//! The threads' next releases: a tournament over all of them.
//!
//! Each thread has one expiry. Inner nodes of a complete binary tree hold the earlier of their two
//! children, so the root is the next release of the system. Setting an expiry replays the matches
//! above it: exactly log2(threads) steps, whatever the load. Among equal times the lower index
//! wins.

use crate::mutation::seeded;
use crate::{NEVER, ThreadIndex, Time};

/// Returns the earliest expiry and whose it is.
#[inline]
pub(crate) fn next(tree: &[ThreadIndex], expiries: &[Time]) -> (ThreadIndex, Time) {
    // The root is node 1, so that the children of node n are 2 n and 2 n + 1. Node 0 is unused.
    let thread = tree[1];
    (thread, expiry(expiries, thread))
}

/// Returns the thread with the earliest expiry.
#[inline]
pub(crate) fn first(tree: &[ThreadIndex]) -> ThreadIndex {
    tree[1]
}

#[inline]
fn expiry(expiries: &[Time], thread: ThreadIndex) -> Time {
    // The tree is filled up to a power of two. A leaf without a thread loses to all that have a
    // time.
    expiries.get(thread.at()).copied().unwrap_or(NEVER)
}

/// Sets a thread's expiry; answers the earliest of all. Steps: log2 of the number of threads,
/// rounded up.
pub(crate) fn set(
    tree: &mut [ThreadIndex],
    expiries: &mut [Time],
    thread: ThreadIndex,
    time: Time,
) -> Time {
    expiries[thread.at()] = time;
    let leaves = tree.len();
    let (mut node, mut winner, mut earliest) = (leaves + thread.at(), thread, time);
    while node > seeded!(UnplayedRoot, 3, 1) {
        let rival = match (node ^ 1).checked_sub(leaves) {
            None => tree[node ^ 1],
            Some(leaf) => ThreadIndex(leaf as u16),
        };
        // The winner's own time is kept at hand: each match looks up the rival's only.
        let its = expiry(expiries, rival);
        // Of two equal ones the left wins; a leaf without a thread is never left of one that has
        // one.
        if its < earliest || its == earliest && node % 2 == seeded!(RightFirst, 0, 1) {
            (winner, earliest) = (rival, its);
        }
        node /= 2;
        tree[node] = winner;
    }
    earliest
}

/// Returns the winner of the match between `node` and its right neighbor.
fn earlier(tree: &[ThreadIndex], expiries: &[Time], node: usize) -> ThreadIndex {
    let winner = |node: usize| match node.checked_sub(tree.len()) {
        None => tree[node],
        Some(leaf) if leaf < expiries.len() => ThreadIndex(leaf as u16),
        Some(_) => ThreadIndex::NONE,
    };
    let (left, right) = (winner(node), winner(node + 1));
    // Strictly less: of equal times the left one, as in `set`.
    if expiry(expiries, right) < expiry(expiries, left) { right } else { left }
}

/// Plays all matches, after the expiries have been set from outside.
pub(crate) fn rebuild(tree: &mut [ThreadIndex], expiries: &[Time]) {
    // From the leaves to the root, so that both children of a node are decided before it.
    for node in (1..tree.len()).rev() {
        tree[node] = earlier(tree, expiries, 2 * node);
    }
}
