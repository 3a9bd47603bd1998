//! Threads by priority, some of them in servers of their own.
#![no_std]

use camkes::scheduler::{
    Dispatched, NEVER, OWN, PERIOD, Ready, SLOTS, THREADS, Thread, dispatch_with, receive, transfer,
};
use camkes::{LOOK, now};

struct PriorityServers;

/// A thread's own time.
#[derive(Clone, Copy)]
struct Server {
    /// In each period; nothing: it runs on this scheduler's time.
    amount: u64,
    /// The part of its execution time that was given back to it.
    returned: u64,
}

impl Server {
    fn of(thread: &Dispatched) -> Self {
        let own = SLOTS.iter().filter(|slot| slot.thread == thread.thread);
        Self { amount: own.fold(0, |sum, slot| slot.amount.wrapping_add(sum)), returned: 0 }
    }

    fn is_spent(self, thread: &Thread) -> bool {
        self.amount != 0 && thread.ran.wrapping_sub(self.returned) >= self.amount
    }
}

/// Returns a priority worse than this scheduler's own time, so that no thread preempts a decision.
fn opinion(thread: &Dispatched) -> u32 {
    thread.priority.wrapping_add(1)
}

fn give(thread: &Dispatched, time: u64) {
    if time != 0 {
        // What it lacks is no more than it may hold.
        let _ = transfer(thread.thread, OWN, time, opinion(thread));
    }
}

/// Each has again what it was heard to have used; of a job that is under way, the next time.
fn fill(servers: &mut [Server], threads: &[Thread]) {
    for (server, thread) in servers.iter_mut().zip(threads) {
        if server.amount != 0 {
            give(&thread.known, thread.ran.wrapping_sub(server.returned));
            server.returned = thread.ran;
        }
    }
}

/// Returns the time for which the scheduler may look away from threads that events release. Nobody
/// needs to look for one with time of its own, if nobody else with such time is more urgent.
fn looks(servers: &[Server]) -> u64 {
    let both = || servers.iter().zip(&THREADS);
    let own = both().filter(|(server, _)| server.amount != 0);
    let best = own.map(|(_, thread)| thread.priority).min().unwrap_or(0);
    let looked_for = both().any(|(server, thread)| {
        let at_once = server.amount != 0 && thread.priority <= best;
        thread.period == 0 && !at_once
    });
    if looked_for { LOOK } else { NEVER }
}

/// Returns the first thread that has time left: its account, and the description of it.
fn first<const N: usize>(servers: &[Server], ready: &Ready<N>) -> Option<(u16, Dispatched)> {
    let both = servers.iter().zip(ready.threads());
    let able = both.filter(|(own, thread)| thread.ready && !own.is_spent(thread));
    let (own, first) = able.min_by_key(|(_, thread)| (thread.known.priority, thread.turn))?;
    Some((if own.amount == 0 { OWN } else { first.known.thread }, first.known))
}

impl camkes::provided::Control for PriorityServers {
    fn run() {
        let mut ready = Ready::new(OWN, &THREADS);
        let mut servers = THREADS.each_ref().map(Server::of);
        for (server, thread) in servers.iter().zip(&THREADS) {
            give(thread, server.amount);
        }
        let looked = looks(&servers);
        // When all is filled up next.
        let (mut filled, mut token) = (now().saturating_add(PERIOD), 0_u32);
        loop {
            ready.hear_until(filled);
            let now = now();
            if filled <= now {
                fill(&mut servers, ready.threads());
            }
            while filled <= now {
                filled = filled.saturating_add(PERIOD);
            }
            if let Some((account, known)) = first(&servers, &ready) {
                let until = ready.next_release(looked).min(filled);
                token = token.wrapping_add(1);
                // A refused one had something to hear first.
                let _ = dispatch_with(known.thread, account, until, (token, opinion(&known)));
            } else if let Some(event) = receive(filled) {
                ready.note(event);
            }
        }
    }
}

camkes::component!(PriorityServers);
