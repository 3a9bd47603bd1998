//! The traps that are possible next, and how each arrives.

use fusee_image_format::abi;
use fusee_kernel::{Event, Kernel, NEVER, Time};
use fusee_trap_flow as flow;
use fusee_trap_flow::Returned;

use super::paper::{Paper, WayOut};
use super::registers::Place;
use super::state::{At, Last, State, invoked, live, preserved, returned};
use crate::{Rules, Step, System, Tape};

/// Returns all traps worth trying in a state, and the passing of time.
pub(super) fn all<P: Rules>(system: &System, state: &State<P>, now: Time) -> Vec<Step> {
    let nowhere = state.is_nowhere();
    let arrives = |step: &Step| match step {
        // A fault comes next, whatever the kernel has it for.
        Step::Event(Event::Abort | Event::Restored) => nowhere,
        Step::Event(Event::Interrupt(_)) => true,
        Step::Event(Event::Timer | Event::Release(..)) | Step::Tick | Step::Reprioritise(..) => {
            false
        }
        Step::Event(_) => !nowhere,
    };
    let mut steps: Vec<Step> =
        Step::all(system, &state.store, now).into_iter().filter(arrives).collect();
    if state.armed <= now {
        steps.push(Step::Event(Event::Timer));
    }
    let ages = if state.armed == NEVER { system.ages } else { state.armed + system.late > now };
    steps.extend(ages.then_some(Step::Tick));
    steps
}

impl<P: Rules> State<P> {
    /// Takes a trap; the way by which it ends.
    pub(super) fn trap(
        &mut self,
        system: &System,
        event: Event,
        (now, tape): (Time, &mut Tape),
    ) -> WayOut {
        let State { store, kept, armed, at, last } = self;
        let line = if let Event::Interrupt(line) = event { Some(line) } else { None };
        let kernel = Kernel::resume(system.tables, store.memory(), tape);
        let paper = Paper { kernel, listener: (), kept, armed, now, line };
        let Some(At { frame, discards }) = *at else {
            return if event == Event::Timer { flow::timer(paper) } else { flow::device(paper) };
        };
        let place = if discards { kept.discarded() } else { kept.of(frame) };
        let mut call = |operation, slot: u16, did| save(place, last, (operation, slot, did));
        match event {
            Event::Timer => {
                place.save_all(preserved(frame), live(frame));
                flow::timer(paper)
            }
            Event::Interrupt(_) => {
                place.save_all(preserved(frame), live(frame));
                flow::device(paper)
            }
            Event::Invoke(slot) => {
                call(abi::INVOKE, slot, Last::Invoked(slot));
                flow::invoke(paper, invoked(frame, slot), place)
            }
            Event::Return => returns(paper, frame, place),
            Event::Signal(slot) => {
                call(abi::SIGNAL, slot, Last::Called);
                flow::signal(paper, slot, place)
            }
            Event::Wait(slot) => {
                call(abi::WAIT, slot, Last::Waited);
                flow::wait(paper, slot, place)
            }
            Event::Poll(slot) => {
                call(abi::POLL, slot, Last::Waited);
                flow::call(paper, [0; 6], slot, place)
            }
            Event::Yield => {
                call(abi::YIELD, 0, Last::Called);
                flow::call(paper, [0; 6], 0, place)
            }
            Event::Complete => {
                call(abi::COMPLETE, 0, Last::Called);
                flow::call(paper, [0; 6], 0, place)
            }
            _ => flow::fault(paper),
        }
    }
}

/// A call's first instructions.
fn save(place: Place<'_>, last: &mut [Last], (operation, slot, did): (usize, u16, Last)) {
    place.save_call(preserved(place.frame), operation, slot.into());
    last[place.frame] = did;
}

/// Comes back from a gate, in the steps of a processor's entry.
fn returns<'p, P: Rules>(paper: Paper<'p, P>, frame: usize, place: Place<'p>) -> WayOut {
    match flow::return_(paper, returned(frame), place) {
        Returned::Left(out) => out,
        Returned::Refused(error) => WayOut::Refused { error },
        Returned::Slow(paper) => flow::hand_on(paper, place),
    }
}
