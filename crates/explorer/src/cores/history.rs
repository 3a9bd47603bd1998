//! A violation's history over several cores, told step by step.

use std::fmt;

use fusee_kernel::cores::{Due, Host, NO_CORE, OneCore};
use fusee_kernel::{Status, Store, Time, each_store};

use super::asked::asked;
use super::{System, Violation};
use crate::Rules;
use crate::step::status_name;

impl Violation {
    /// Returns the history: each step, and what the cores do then.
    pub fn history(&self, system: &System) -> String {
        system.with(|tables| {
            let mut text = format!("{}: {}\n", system.name, self.breach);
            let Ok(mut host) = system.start(tables) else { return text };
            let mut now: Time = 0;
            for (number, step) in self.steps.iter().enumerate() {
                let taken = step.take(tables, &mut host, &mut now);
                text += &format!("{:3}. {step}", number + 1);
                if let Err(error) = taken {
                    text += &format!(", refused: {error:?}");
                }
                text += &format!("\n     {}\n", Told { tables, host: &host });
            }
            text
        })
    }
}

/// Returns the threads that have a job, and what they do.
fn told<P: Rules>(store: &Store<P>) -> Vec<(usize, String)> {
    let active = store.threads.iter().enumerate().filter(|(_, it)| it.status != Status::Idle);
    let told = active.map(|(thread, it)| {
        (thread, format!("{} at {}", status_name(it.status), P::tell(it.effective)))
    });
    told.collect()
}

/// A state in a line.
struct Told<'s> {
    tables: &'s [OneCore<'s>],
    host: &'s Host,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (core, own) in self.host.cores.iter().enumerate() {
            write!(out, "core {core}:")?;
            for (thread, told) in each_store!(&own.store, store => told(store)) {
                write!(out, " T{thread} {told}")?;
                if let Some(global) = asked(&self.tables[core], &own.store, thread) {
                    write!(out, " asked g{}", global.0)?;
                }
            }
            if own.home.inside.global.is_some() {
                write!(out, " inside g{}", own.home.inside.global.0)?;
            }
            if own.pending.0 != 0 {
                write!(out, " told {:b}", own.pending.0)?;
            }
            if own.home.due != Due::Nothing {
                write!(out, " due {:?}", own.home.due)?;
            }
            write!(out, "; ")?;
        }
        for (global, gate) in self.host.gates.iter().enumerate() {
            let executing = gate.gate.executing;
            if executing != NO_CORE {
                write!(out, "g{global} on core {executing}; ")?;
            }
        }
        for (number, state) in self.host.restarts.iter().enumerate() {
            let (restart, written) = (state.restart, state.written);
            let epoch = restart.newest.epoch;
            let inside = restart.inside;
            write!(out, "restart {number}: {epoch:#x}, {inside} inside, {written} written; ")?;
        }
        for (number, mailbox) in self.host.mailboxes.iter().enumerate() {
            write!(out, "mailbox {number} has {}; ", mailbox.signals())?;
        }
        Ok(())
    }
}
