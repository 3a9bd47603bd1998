//! States of the machine as byte strings.

use fusee_kernel::{NEVER, Status, Time};

use super::registers::Area;
use super::state::{At, Last, State};
use crate::{Rules, System, encode};

/// Returns the canonical encoding of a state: the kernel's, and what the machine keeps.
pub(super) fn encode<P: Rules>(system: &System, state: &State<P>, now: Time) -> Box<[u8]> {
    let mut bytes = encode::encode(system, &state.store, now);
    bytes.push(if state.armed == NEVER { 255 } else { state.armed.saturating_sub(now) as u8 });
    match state.at {
        Some(At { frame, discards }) => bytes.extend([frame as u8, u8::from(discards)]),
        None => bytes.push(u8::MAX),
    }
    for thread in 0..state.store.threads.len() {
        kept(system, state, thread, &mut bytes);
    }
    bytes.into_boxed_slice()
}

/// Adds what is kept of a thread. A frame that is not in use has nothing that is read again, and
/// the registers of the one that runs are in the processor.
fn kept<P: Rules>(system: &System, state: &State<P>, thread: usize, bytes: &mut Vec<u8>) {
    let (own, depth) = (&state.store.threads[thread], usize::from(system.tables.depth) + 1);
    if own.status == Status::Idle {
        return;
    }
    let (home, topmost) = (thread * depth, usize::from(own.topmost));
    let runs = state.at.is_some_and(|at| at.frame == topmost);
    for frame in home..topmost + usize::from(!runs) {
        let request = state.kept.request(frame);
        bytes.extend(last(state.last[frame]));
        bytes.extend([request as u8, u8::from(request == usize::MAX)]);
        area(state.kept.area_of(frame), bytes);
    }
    // The words of an invocation are read when the gate is entered, those of an interrupted thread
    // when it goes on.
    match state.last[topmost] {
        Last::Nowhere => bytes.push(4),
        Last::Runs | Last::Invoked(_) if !runs => area(state.kept.live_of(topmost), bytes),
        _ => {}
    }
}

fn area(area: Area, bytes: &mut Vec<u8>) {
    match area {
        Area::Preserved(number) => bytes.extend([1, number as u8]),
        Area::Live(words, _) => bytes.extend((words[0] as u16).to_le_bytes()),
    }
}

fn last(last: Last) -> [u8; 2] {
    match last {
        Last::Runs => [0, 0],
        Last::Invoked(slot) => [1, slot as u8],
        Last::Waited => [2, 0],
        Last::Called => [3, 0],
        Last::Nowhere => [4, 0],
    }
}
