//! Restarts of components that several cores enter.
//!
//! Each core's kernel has an epoch of its own for a component, so entering it costs the same for
//! any number of cores. They share, under a lock of its own, the newest epoch and the number of
//! cores that still go by an older one: these are inside. The fault moves the epoch of its core and
//! the newest, and tells the other cores to look. A core that looks moves its own epoch, and with
//! that it has left: a thread that is in the component there finds that when it comes to run, as on
//! one core. No thread is interrupted longer than that, and threads that enter and leave are not
//! counted.

use crate::mutation::seeded;
use crate::{Component, ComponentIndex, Event, Failure, Kernel, Next, Policy, ResumeError};
use crate::{RestartIndex, Sink, Time};

use super::{At, CoreKernel, Due, Ipi, RestartConfig};

/// The state of such a component that cores share under its lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Restart {
    /// Its newest epoch, and whether its initial data are still to be put back.
    pub newest: Component,
    /// The number of cores that still go by an older epoch.
    pub inside: u8,
}

impl Restart {
    /// It is as it was at first, everywhere.
    pub const EMPTY: Restart = Restart { newest: Component::EMPTY, inside: 0 };
}

/// The result of a section of a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restarting {
    /// A bit for each core that is to look.
    cores: u32,
    /// The component or gate that it is about.
    at: At,
    /// `true` if the initial data have been put back just now.
    pub done: bool,
    /// `true` if the core that wants to put them back has to wait for cores that are inside.
    pub waits: bool,
}

impl Restarting {
    /// Iterates over the interrupts to send once the lock is free.
    pub fn ipis(self) -> impl Iterator<Item = Ipi> {
        let cores = (0..u32::BITS as u8).filter(move |core| self.cores & 1 << core != 0);
        cores.map(move |core| Ipi { core, at: self.at })
    }
}

impl<P: Policy, S: Sink> CoreKernel<'_, '_, P, S> {
    /// Returns the restart at which the next section of the path under way is, under its lock.
    pub fn restart(&self) -> Option<RestartIndex> {
        match self.home.due {
            Due::RestartFault(restart) | Due::PutBack(restart) | Due::RestartSeen(restart) => {
                Some(restart)
            }
            Due::Collect(mailbox) => self.tables.restart_at(mailbox),
            _ => None,
        }
    }

    /// Returns the component of that.
    pub fn restarted(&self) -> ComponentIndex {
        let number = self.restart().unwrap_or(RestartIndex::NONE);
        self.tables.restarts.get(number.at()).map_or(ComponentIndex::NONE, |one| one.component)
    }

    /// Returns `true` if other cores may be concerned when the running thread faults or has nowhere
    /// to go on: they enter the component that it is in, or it holds a mutex that they lock.
    /// Constant time.
    #[inline(always)]
    pub fn concerns_others(&self) -> bool {
        let component = self.kernel.component_of(self.kernel.current());
        self.home.held != 0 || self.tables.restart_of(component).is_some()
    }

    /// The running thread, which has not asked, faults, or is nowhere; false: that concerns this
    /// core alone. There is no path under way.
    pub fn restarts(&mut self, event: Event) -> bool {
        let thread = self.kernel.current();
        let is_stale = self.kernel.is_stale(thread);
        let restart = self.tables.restart_of(self.kernel.component_of(thread));
        self.home.due = match (event, restart, self.mutex_of(thread)) {
            // The restart before the mutex: whoever gets that next must find the new epoch.
            (Event::Fault, Some(restart), _) if !is_stale => Due::RestartFault(restart),
            (Event::Restored, Some(restart), _) if self.kernel.is_unrestored(thread) => {
                Due::PutBack(restart)
            }
            (Event::Fault, _, Some(mutex)) => {
                seeded!(SurvivingMutex, return false, Due::Leave(mutex, Some(Failure::Fault)))
            }
            (Event::Abort, _, Some(mutex)) if is_stale => {
                seeded!(StaleOwner, return false, Due::Leave(mutex, Some(Failure::Aborted)))
            }
            _ => return false,
        };
        true
    }

    /// As [`restarts`](Self::restarts), of the activation that the core executes.
    pub(super) fn restarts_inside(&mut self, event: Event) -> bool {
        let Some(restart) = self.tables.restart_of(self.home.inside.component) else {
            return false;
        };
        self.home.due = match (event, self.resume_error()) {
            (Event::Fault, None) => {
                seeded!(UnpunishedSection, return false, Due::RestartFault(restart))
            }
            (Event::Restored, Some(ResumeError::Unrestored)) => Due::PutBack(restart),
            (Event::Abort, Some(ResumeError::Gone)) => Due::RestartSeen(restart),
            _ => return false,
        };
        true
    }

    /// The section at [the restart that is due](Self::restart), under its lock. `write` puts the
    /// next piece of the initial data back; false: none is left. Steps: those of a fault.
    pub fn at_restart(
        &mut self,
        now: Time,
        shared: &mut Restart,
        write: impl FnOnce() -> bool,
    ) -> Restarting {
        let number = self.restart().unwrap_or(RestartIndex::NONE);
        let at = At::Mailbox(self.tables.mailbox_of(number));
        let nothing = Restarting { cores: 0, at, done: false, waits: false };
        let Some(config) = self.tables.restarts.get(number.at()) else { return nothing };
        let component = config.component;
        match core::mem::replace(&mut self.home.due, Due::Nothing) {
            Due::RestartFault(_) => {
                let cores = self.fault_restart(now, config, shared);
                Restarting { cores, ..nothing }
            }
            Due::PutBack(_) if self.kernel.is_newest(component, shared) => {
                // A core that is still inside may write to the data that are put back.
                let waits = seeded!(EarlyRestore, false, shared.inside > 0);
                // Another core may have put the last piece back. Then only this core's copy is
                // still closed.
                let closed = seeded!(WrittenTwice, true, shared.newest.is_unrestored());
                // One piece for each section, so that no core waits for the lock longer than that
                // takes.
                let writes = !waits && closed && write();
                let done = !waits && closed && seeded!(HalfWritten, true, !writes);
                if done {
                    shared.newest.open();
                }
                if !waits && seeded!(HalfWritten, true, !writes) {
                    self.kernel.open(component);
                }
                self.end_step(now, Next::Same);
                Restarting { done, waits, ..nothing }
            }
            due => {
                let early = seeded!(EarlyCut, matches!(due, Due::RestartSeen(_)), false);
                let left = !early && self.kernel.leave_component(component, shared);
                // A look can come twice or for nothing. Only a core that has left now is counted.
                let leaves = seeded!(LeftTwice, shared.inside > 0, left);
                shared.inside = shared.inside.saturating_sub(u8::from(leaves));
                self.end_step(now, Next::Same);
                // Asked once more after leaving: the section may be of the newer epoch, by which
                // this core did not go yet.
                if matches!(due, Due::RestartSeen(_))
                    && self.resume_error() == Some(ResumeError::Gone)
                {
                    self.home.due = Due::Leave(self.home.inside.global, Some(Failure::Aborted));
                }
                nothing
            }
        }
    }

    /// Handles a fault in a component, and returns the cores that are to look. It is a fault of the
    /// running thread, whose invocation ends unless it holds a mutex that it is still to unlock; or
    /// of the activation, which is still to leave.
    fn fault_restart(&mut self, now: Time, config: &RestartConfig, shared: &mut Restart) -> u32 {
        let (component, inside) = (config.component, self.home.inside.global);
        let held = self.mutex_of(self.kernel.current());
        let global = if inside.is_some() { inside } else { held.unwrap_or(inside) };
        let others = config.cores & !(1 << self.tables.core);
        // Asked before the fault moves this core's own epoch.
        let first = self.kernel.is_newest(component, shared);
        let next = if global.is_some() {
            self.kernel.end_component(now, component);
            Next::Same
        } else {
            self.kernel.change_by_fault(now).unwrap_or(Next::Same)
        };
        let cores = if seeded!(SecondFall, true, first) {
            shared.newest = *self.kernel.component(component);
            shared.inside = others.count_ones() as u8;
            seeded!(UntoldFall, 0, others)
        } else {
            // Another core's fault came first and counts this one as inside. By its own fault it
            // has left.
            shared.inside = shared.inside.saturating_sub(1);
            0
        };
        self.end_step(now, next);
        if global.is_some() {
            self.home.due = Due::Leave(global, Some(Failure::Fault));
        }
        cores
    }
}

impl<P: Policy, S: Sink> Kernel<'_, P, S> {
    /// Returns this core's copy of a component's state.
    pub(super) fn component(&self, component: ComponentIndex) -> &Component {
        &self.memory.components[component.at()]
    }

    /// A component's initial data have been put back.
    fn open(&mut self, component: ComponentIndex) {
        self.memory.components[component.at()].open();
    }

    /// Returns `true` if this core goes by the newest epoch.
    fn is_newest(&self, component: ComponentIndex, shared: &Restart) -> bool {
        self.component(component).entering() == shared.newest.entering()
    }

    /// This core goes by the newest epoch from now on; whether it was inside.
    fn leave_component(&mut self, component: ComponentIndex, shared: &Restart) -> bool {
        let inside = !self.is_newest(component, shared);
        if inside {
            seeded!(KeptEpoch, (), self.memory.components[component.at()] = shared.newest);
        }
        inside
    }
}
