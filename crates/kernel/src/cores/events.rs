//! Events: their effect before the first lock is taken.

use crate::mutation::seeded;
use crate::{Capability, ComponentIndex, Error, Event, Failure, GateIndex, GlobalIndex, OnFault};
use crate::{Next, NotificationIndex, Policy, Sink, ThreadIndex, Time};

use super::{CoreKernel, Due};

impl<P: Policy, S: Sink> CoreKernel<'_, '_, P, S> {
    /// Takes an event, up to the first lock. There is no path under way.
    ///
    /// # Errors
    /// Those of the operation, which then has changed nothing; [`Error::InGlobal`] for what is not
    /// allowed between asking and coming back, or with a mutex between cores, [`Error::Asked`]
    /// where the tables give the gate too low a ceiling on this core, [`Error::NoCapability`] for
    /// waiting for what belongs to another core, [`Error::TooOften`] for signalling it more often
    /// than the tables let the thread.
    pub fn handle(&mut self, now: Time, event: Event) -> Result<(), Error> {
        if is_call(event) {
            let current = self.kernel.caller()?;
            // Calls come from the frames that the core executes, and these are the activation's.
            if self.home.inside.global.is_some() {
                return self.inner(event);
            }
            // The core sleeps for this thread, so no code of it can have called.
            if self.asked(current).is_some() {
                return Err(Error::Idle);
            }
            if self.keeps_waiting(event) {
                return Err(Error::InGlobal);
            }
            if let Event::Invoke(slot) = event
                && let Capability::Gate(gate) = self.kernel.capability(slot)?
                && let Some(global) = self.tables.global(gate)
            {
                return self.ask(global);
            }
            if let Some(global) = self.mutex(event) {
                return self.at_mutex(global, event);
            }
            if let Some((notification, bits)) = self.notification(event)
                && let Some(mailbox) = self.tables.elsewhere(notification)
            {
                let bits = bits.ok_or(Error::NoCapability)?;
                return self.post(now, mailbox, bits);
            }
            if self.restarts(event) {
                return Ok(());
            }
        }
        let next = self.kernel.change(now, event)?;
        self.end_step(now, next);
        Ok(())
    }

    /// Gives a thread another base priority.
    ///
    /// # Errors
    /// Those of the one-core kernel; [`Error::InGlobal`]: it has asked at a global gate.
    pub fn reprioritise(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        to: P::Urgency,
    ) -> Result<(), Error> {
        // A request keeps its urgency until its end, or one core could have two requests at the
        // gate.
        if self.asked(thread).is_some() {
            return Err(Error::InGlobal);
        }
        self.kernel.reprioritise(now, thread, to)?;
        // The thread that runs is chosen already; what is left is to find the section that is due.
        self.end_step(now, Next::Same);
        Ok(())
    }

    /// The running thread, which has not asked, asks at a gate that its component may name, if
    /// nothing stands against it.
    ///
    /// # Errors
    /// As [`handle`](Self::handle).
    pub fn ask(&mut self, global: GlobalIndex) -> Result<(), Error> {
        let (current, gate) = (self.kernel.current(), self.tables.stand_in(global));
        // The holder of a mutex between cores waits for no thread of another core.
        let holds = seeded!(SameMutex, self.home.holds(global), self.home.held != 0);
        if seeded!(SecondMutex, false, holds) {
            return Err(Error::InGlobal);
        }
        if self.kernel.thread(current).is_deepest() {
            return Err(Error::Depth);
        }
        let seat = self.seat(global, current);
        if seat.is_none() {
            return Err(Error::NoCapability);
        }
        let state = self.kernel.gate(gate);
        // Under msrp and mrsp a core has one request at most. A second one shows a ceiling that is
        // too low; under mpcp threads wait suspended, and others may ask.
        let is_alone = self.config(global).protocol != super::GlobalProtocol::Mpcp;
        if is_alone && state.holder.is_some() {
            return Err(Error::Asked);
        }
        self.home.due = Due::Ask(global, seat);
        Ok(())
    }

    /// Handles a call of the activation that this core executes. The activation may not signal: a
    /// notification belongs to a core, and which core executes the activation is not fixed.
    fn inner(&mut self, event: Event) -> Result<(), Error> {
        let (global, component) = (self.home.inside.global, self.home.inside.component);
        match event {
            Event::Fault | Event::Abort | Event::Restored if self.restarts_inside(event) => {}
            Event::Return => self.home.due = Due::Leave(global, None),
            Event::Fault => self.home.due = Due::Leave(global, Some(Failure::Fault)),
            Event::Invoke(slot) => match self.named(component, slot)? {
                Capability::Gate(gate) => return self.inner_invoke(global, gate),
                _ => return Err(Error::NoCapability),
            },
            Event::Abort | Event::Restored => return Err(Error::NotStale),
            _ => return Err(Error::InGlobal),
        }
        Ok(())
    }

    /// The activation goes into a propagated gate: others are not to be found below a global one.
    /// Whichever core executes it then learns of a fault in the component behind.
    fn inner_invoke(&mut self, global: GlobalIndex, gate: GateIndex) -> Result<(), Error> {
        let config = self.kernel.tables().gates.get(gate.at()).ok_or(Error::NoSuchObject)?;
        let component = self.kernel.tables().components.get(config.component.at());
        let goes_on = component.is_some_and(|config| config.on_fault == OnFault::Continue);
        // A core that is not told of a restart would go on with a section in data that are gone.
        let known = goes_on || self.tables.tells(config.component, global);
        // A holder on this core would make other cores wait, for longer than any bound counts.
        let exclusive = config.protocol.is_exclusive();
        let refused = seeded!(FirstGateOnly, exclusive && self.home.inside.depth == 0, exclusive);
        if seeded!(ExclusiveInside, false, refused) || !known {
            return Err(Error::InGlobal);
        }
        if self.home.inside.depth >= self.config(global).depth {
            return Err(Error::Depth);
        }
        self.home.due = Due::Pass(global, gate);
        Ok(())
    }

    /// Returns the notification that a call names, and the bits of a signal, if it is one.
    fn notification(&self, event: Event) -> Option<(NotificationIndex, Option<u32>)> {
        let (Event::Signal(slot) | Event::Wait(slot) | Event::Poll(slot)) = event else {
            return None;
        };
        match (event, self.kernel.capability(slot).ok()?) {
            (Event::Signal(_), Capability::Signal(notification, bits)) => {
                Some((notification, Some(bits)))
            }
            (Event::Wait(_) | Event::Poll(_), Capability::Wait(notification)) => {
                Some((notification, None))
            }
            _ => None,
        }
    }

    fn named(&self, component: ComponentIndex, slot: u16) -> Result<Capability, Error> {
        let component = self.kernel.tables().components.get(component.at());
        let capability = component.and_then(|config| config.capabilities.get(usize::from(slot)));
        capability.copied().ok_or(Error::NoCapability)
    }
}

/// Returns `true` if an event is a system call of the running code.
fn is_call(event: Event) -> bool {
    !matches!(event, Event::Timer | Event::Interrupt(_) | Event::Release(..))
}
