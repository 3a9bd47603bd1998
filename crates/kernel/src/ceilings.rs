//! The priority ceiling protocol: threads that may enter, threads in the way.
//!
//! A core's held `ceiling` gates are a stack in order of entry, each with the highest ceiling up to
//! it. Entry is granted to the thread that holds the topmost one, and to a thread whose *base*
//! priority is above all of them; the gate is then free, because its own ceiling is not below its
//! users. A thread that is not granted entry waits at the topmost gate, whose holder inherits. When
//! that gate is left, it is not handed to a waiter: each waiter makes its call again when it runs,
//! and is granted entry or waits at the gate that is then topmost. A hand-over instead would let a
//! job wait twice.
//!
//! With the effective priority in place of the base one, two threads that inherit could wait for
//! each other.

use crate::ceiling_stack::{CeilingPlace, CeilingStack, HeldCeilings};
use crate::mutation::seeded;
use crate::urgency::Urgencies;
use crate::{Gate, GateIndex, ThreadIndex};

/// The rule that decides which threads may enter gates with ceilings; of urgencies `U`.
pub trait Ceilings<U>: HeldCeilings {
    /// Returns the gate whose holder keeps a thread of this base urgency from entering such gates.
    fn bar<P: Urgencies<Urgency = U, Ceilings = Self>>(
        &self,
        gates: &[Gate<P>],
        thread: ThreadIndex,
        base: U,
    ) -> Option<GateIndex>;

    /// Such a gate is entered. Constant time.
    fn put<P: Urgencies<Urgency = U, Ceilings = Self>>(
        &mut self,
        gates: &mut [Gate<P>],
        gate: GateIndex,
    );

    /// Such a gate is left: the topmost one, or another, where the holder of the topmost one has no
    /// budget. Constant time.
    fn take_out<P: Urgencies<Urgency = U, Ceilings = Self>>(
        &mut self,
        gates: &mut [Gate<P>],
        gate: GateIndex,
    );

    /// Returns `true` if the record agrees with the gates' holders and ceilings. Steps: the square
    /// of the number of gates.
    #[cfg(feature = "checked")]
    fn is_whole<P: Urgencies<Urgency = U, Ceilings = Self>>(&self, gates: &[Gate<P>]) -> bool;
}

/// Under this policy no gate bars others from more than itself.
impl<U> Ceilings<U> for () {
    #[inline(always)]
    fn bar<P: Urgencies<Urgency = U, Ceilings = Self>>(
        &self,
        _: &[Gate<P>],
        _: ThreadIndex,
        _: U,
    ) -> Option<GateIndex> {
        None
    }

    #[inline(always)]
    fn put<P: Urgencies<Urgency = U, Ceilings = Self>>(&mut self, _: &mut [Gate<P>], _: GateIndex) {
    }

    #[inline(always)]
    fn take_out<P: Urgencies<Urgency = U, Ceilings = Self>>(
        &mut self,
        _: &mut [Gate<P>],
        _: GateIndex,
    ) {
    }

    #[cfg(feature = "checked")]
    fn is_whole<P: Urgencies<Urgency = U, Ceilings = Self>>(&self, _: &[Gate<P>]) -> bool {
        true
    }
}

impl Ceilings<u8> for CeilingStack {
    #[inline]
    fn bar<P: Urgencies<Urgency = u8, Ceilings = Self>>(
        &self,
        gates: &[Gate<P>],
        thread: ThreadIndex,
        base: u8,
    ) -> Option<GateIndex> {
        // Without a top no gate is held, and no thread is in the way.
        let top = gates.get(self.top.at())?;
        // Of all gates that are held: gates may be entered in any order, so the last need not be
        // highest.
        let highest = seeded!(OwnCeiling, top.place.ceiling.unwrap_or(0), top.place.highest);
        // A thread of the ceiling's own priority is barred as well: it may be a user of that gate.
        let barred = seeded!(EqualEnters, base < highest, base <= highest);
        (top.holder != thread && barred).then_some(self.top)
    }

    fn put<P: Urgencies<Urgency = u8, Ceilings = Self>>(
        &mut self,
        gates: &mut [Gate<P>],
        gate: GateIndex,
    ) {
        let below = self.top;
        // The running maximum, so that a thread that asks looks at the topmost gate only.
        let mut highest = 0;
        if let Some(last) = gates.get_mut(below.at()) {
            last.place.above = gate;
            highest = last.place.highest;
        }
        let place = &mut gates[gate.at()].place;
        // Only gates with a ceiling come here.
        let own = place.ceiling.unwrap_or(0);
        *place =
            CeilingPlace { highest: highest.max(own), above: GateIndex::NONE, below, ..*place };
        self.top = gate;
    }

    fn take_out<P: Urgencies<Urgency = u8, Ceilings = Self>>(
        &mut self,
        gates: &mut [Gate<P>],
        gate: GateIndex,
    ) {
        let CeilingPlace { above, below, .. } = gates[gate.at()].place;
        if let Some(next) = gates.get_mut(below.at()) {
            next.place.above = above;
        }
        // A thread that has entered since was above all ceilings up to this one, and so is its
        // gate: the highest ceilings above stay as they are.
        match gates.get_mut(above.at()) {
            Some(next) => next.place.below = below,
            None => self.top = below,
        }
    }

    #[cfg(feature = "checked")]
    fn is_whole<P: Urgencies<Urgency = u8, Ceilings = Self>>(&self, gates: &[Gate<P>]) -> bool {
        let held = |gate: &&Gate<P>| Self::bars(&gate.place) && gate.holder.is_some();
        let (mut at, mut above, mut left) =
            (self.top, GateIndex::NONE, gates.iter().filter(held).count());
        while let Some(gate) = gates.get(at.at()) {
            let mut highest = 0;
            // Counted anew from below, because the kept maximum is what is in question.
            let mut lower = Some(gate);
            // A circle ends when there are more in it than are held.
            for _ in 0..left {
                let Some(one) = lower else { break };
                highest = highest.max(one.place.ceiling.unwrap_or(0));
                lower = gates.get(one.place.below.at());
            }
            let right = held(&gate) && gate.place.above == above && gate.place.highest == highest;
            if !right || left == 0 {
                return false;
            }
            (above, at, left) = (at, gate.place.below, left - 1);
        }
        left == 0
    }
}
