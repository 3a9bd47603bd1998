//! The state in vectors, for hosts: to be copied and compared.

use std::vec;
use std::vec::Vec;

use super::{Account, Core, Dispatcher, EndPoint, Hook, Memory, Scheduler, TableError, Tables};

/// The whole state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The state of the core.
    pub core: Core,
    /// The state of each account.
    pub accounts: Vec<Account>,
    /// The state of each scheduler.
    pub schedulers: Vec<Scheduler>,
    /// The state of each end-point.
    pub end_points: Vec<EndPoint>,
    /// Places in the ready queue.
    pub ready: Vec<Hook>,
    /// Places in event queues.
    pub events: Vec<Hook>,
    /// Places among an account's threads.
    pub activated: Vec<Hook>,
    /// Places among a tree's funded accounts.
    pub funded: Vec<Hook>,
}

impl Store {
    /// Returns the state in which a system starts.
    ///
    /// # Errors
    /// The tables are wrong.
    pub fn start(tables: &Tables<'_>) -> Result<Self, TableError> {
        let (accounts, threads) = (tables.accounts.len(), tables.end_points.len());
        let mut store = Store {
            core: Core::EMPTY,
            accounts: vec![Account::EMPTY; accounts],
            schedulers: vec![Scheduler::EMPTY; tables.schedulers.len()],
            end_points: vec![EndPoint::EMPTY; threads],
            ready: vec![Hook::OUT; threads],
            events: vec![Hook::OUT; threads],
            activated: vec![Hook::OUT; threads],
            funded: vec![Hook::OUT; accounts],
        };
        // Started on the vectors and let go at once: what it has written there is the state.
        Dispatcher::start(*tables, store.memory())?;
        Ok(store)
    }

    /// The state as the dispatcher takes it.
    pub fn memory(&mut self) -> Memory<'_> {
        Memory {
            core: &mut self.core,
            accounts: &mut self.accounts,
            schedulers: &mut self.schedulers,
            end_points: &mut self.end_points,
            ready: &mut self.ready,
            events: &mut self.events,
            activated: &mut self.activated,
            funded: &mut self.funded,
        }
    }

    /// Returns a dispatcher with this state.
    pub fn dispatcher<'s>(&'s mut self, tables: &Tables<'s>) -> Dispatcher<'s> {
        Dispatcher::resume(*tables, self.memory())
    }
}
