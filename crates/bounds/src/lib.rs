//! Response-time bounds of a modeled system, with their causes.
//!
//! The mathematics is that of busy windows (crate `analysis`); the work here is to
//! say what a window of *this* kernel contains. The rules that matter are: a thread
//! inside a `fixed` gate runs at the ceiling or above; a thread inside a `fixed` or
//! `inherited` gate runs at least at the priority of whoever waits for it,
//! transitively; a gate that is given back goes at once to its most urgent waiter;
//! the kernel is not preemptible.
//!
//! # Windows
//!
//! A *level-p window* starts at an instant t0 before which no job of priority p or
//! more is unfinished and no interrupt is being served, and lasts while either is
//! so. In it some thread at or above p is always ready: whoever waits has raised
//! the thread at the end of the chain of holders. So until a job of level p
//! completes, the window's time is spent on
//!
//! - jobs of priority p or more released in the window, equal priorities included
//!   in whatever order (their number is that of formulas 1 and 2 of the reference),
//! - threads below p that are raised to p or more,
//! - releases of all tasks of the core, also those below p,
//! - one kernel path that was in progress at t0.
//!
//! At the end of a window nothing counted is left, and the job in question has only to
//! do what takes no time: to come back, to complete. That comes before the interrupts of
//! that instant, so who arrives then is not in the window: it is open. But if whoever
//! runs at that instant may send a signal that releases a job of level p, with nothing
//! behind it that counts, this job runs first, and all who arrive then with it. Such
//! windows are *closed*: they hold also what arrives at their end (module `closing`).
//!
//! # Threads below
//!
//! The *rise* of a gate is the highest level to which somebody inside can be raised:
//! the highest base priority of its users, its ceiling if fixed, and the rise of
//! every gate from within which it is invoked. A thread below p is raised to p only
//! inside an exclusive gate whose rise is at least p; its *section* is the outermost
//! such invocation with everything nested in it.
//!
//! *One section a thread.* To enter a section a thread must run without being in
//! one, hence below p, which it does not after t0. So each lower thread runs in the
//! window only for the section that it was in, or had asked for, at t0.
//!
//! *One ceiling in all.* When a thread below p enters a section at a fixed gate with
//! a ceiling of p or more, nobody is raised to p; from then on until it leaves, it
//! or the thread that it waits for is ready at p or more, so no other lower thread
//! runs unraised and enters one. So at t0 at most one thread is in such a section
//! (Sudvarg et al. 2024, equations 5 and 6, with anything nested inside).
//!
//! *As many as are asked for.* A section at any other gate is raised to p when
//! somebody at p or more waits directly for its gate or one nested in it. Each
//! request waits for one holder, and whoever is served before it was raised already.
//! So at most as many sections of a gate count as there are such requests: by jobs
//! of level p in the window, and from within sections of other lower threads.
//!
//! The classical "once for each resource" is *not* used: ownership is handed on, so
//! after a job of level p gives the gate back, a lower thread that had waited since
//! before t0 owns it, and the next request of level p waits again. Neither is the
//! pairing of each gate with one task.
//!
//! Blocking is therefore counted once for each window, also when it serves several
//! jobs of a task, and grows with the requests in it.
//!
//! # Gates without priority management
//!
//! A `fifo` gate raises nobody. Level p is spoiled by one with a user below p and a
//! rise of p or more. Then the window of the lowest user's level is used, which the
//! gate does not spoil; for a task that can wait for the gate while a third task
//! keeps the holder from running, no bound is given ([`Obstacle::Inversion`]).
//!
//! # Several cores
//!
//! Each core has its own kernel and is analyzed by itself. What it shares are gates between
//! cores (module `waits`): a request there is to its core a section at a gate with a ceiling,
//! `msrp` at the top, `mrsp` at the core's own, and as long as what other cores may have ahead
//! of it besides. Who waits at an `mpcp` gate is suspended: then the core is not busy with what is
//! as urgent as the job, and more is counted (modules `suspension` and `mpcp_queueing`).
//!
//! # Budgets, events, costs
//!
//! A task with `overrun = "suspend"` is taken to be never suspended where each job is
//! over before the next release and the budget exceeds it with all kernel time in its
//! window. Otherwise it has no bound, and counts for others with its budget, unless
//! it can hold a gate that matters to them: then they have none either. A job that
//! waits for an event is suspended for as long as its emitter lets it wait (module
//! `event_waits`); where nobody knows how long, it has no bound, nor has anyone at or below
//! it. A task that an event releases counts as often as its emitters signal (module
//! `event_arrivals`). A task without
//! release counts with one job. Early arrivals of sporadic tasks are deferred by the
//! kernel, so the minimum distance of releases always holds.
//!
//! Kernel time is charged in full: every passage of a shared exclusive gate as if it
//! had to wait, to walk the longest chain and to hand the gate on. A message that does
//! not travel in registers is charged at its largest. Jobs are assumed not to fault. A
//! table that was measured in systems of some size gives no bound to larger ones.

mod amount;
mod analyze;
mod assignment;
mod between;
mod blocking;
mod body;
mod bound;
mod budgets;
mod by_deadline;
mod by_priority;
mod by_scheduler;
mod callbacks;
mod causes;
mod chain_bound;
mod chains;
mod change;
mod clock;
mod closing;
mod context;
mod deadlines;
mod deadlines_apart;
mod demand;
mod demands;
mod ending_signals;
mod enforced;
mod event_arrivals;
mod event_wait;
mod event_waits;
mod fits;
mod held;
mod interrupt;
mod interrupts;
mod inversion;
mod kernel_cost;
mod late_signals;
mod least_budgets;
mod level;
mod level_waits;
mod levels;
mod limits;
mod load;
mod loans;
mod lock_costs;
mod lock_order;
mod lock_sections;
mod lock_use;
mod locks;
mod member;
mod messages;
mod mixes;
mod moves;
mod mpcp_queueing;
mod obstacle;
mod offsets;
mod own_budget;
mod own_time;
mod parts;
mod posts;
mod reach;
mod repair;
mod rows;
mod rules;
mod scheduling;
mod sensitivity;
mod servers;
mod signal;
mod signals;
mod sleep_cost;
mod slots;
mod split;
mod summary;
mod supplied_member;
mod supposed;
mod supposition;
mod suspension;
mod task_bounds;
mod trees;
mod untrusted;
mod wait;
mod waiting_suspended;
mod waits;
mod wakes;

pub use analyze::{analyze, analyze_at_offsets};
pub use assignment::assign_audsley;
pub use body::BodyRef;
pub use bound::{Analysis, BlockingPart, Bound, EventPart, Interference, SupplyBound, TaskBound};
pub use bound::{Theorem, WaitingPart};
pub use causes::{Cause, causes};
pub use chain_bound::{ChainBound, ChainObstacle, ChainPart, ChainPartKind};
pub use change::Change;
pub use fits::{fits, is_plain};
pub use least_budgets::lasting_budgets;
pub use limits::threads;
pub use load::Load;
pub use lock_order::{Held, LockDisorder, LockNumber, LockTaken};
pub use messages::resting;
pub use messages::{advise, advise_budgets, cause, diagnostics};
pub use moves::moves;
pub use obstacle::{LockMisfit, Obstacle};
pub use repair::{Repair, repairs};
pub use rules::RULES;
pub use sensitivity::{Growth, growth, sensitivity};
pub use summary::{
    BoundSummary, GateOnCore, GateSummary, PartSummary, Summary, TaskSummary, gates, policy_name,
    summary,
};
