//! The rules of a kernel with schedulers by name.

use crate::breach;

pub(crate) use breach::ensure;

breach::rules! {
    /// A ready thread has something to do, and some thread's time for it.
    Able, "time to run";
    /// The most urgent of the threads that can run runs, and inherited urgency counts.
    Highest, "highest runs";
    /// The running thread is paid for by itself, or by the most urgent of those that wait for it.
    Payers, "payers";
    /// Each account holds what it got less what was used on it; each tick is charged once.
    Charges, "charges";
    /// A time slice is whole when a turn begins, less the time for which its thread has run.
    Slices, "time slices";
    /// Only a scheduler that runs, at home, on time of its own, decides.
    Callers, "who decides";
    /// No scheduler decides anything before all that is due by then has come.
    InTime, "what is due comes first";
    /// Time goes to a scheduler of the giver's own only, beside the giver's accounts.
    Receivers, "time for schedulers";
    /// A call that may be made is made.
    Refusals, "refusals";
    /// A refused call changes nothing.
    Atomic, "refusals change nothing";
    /// A thread that has nothing to do waits; one that has does not wait; and a thread with the
    /// core has something to do.
    Standings, "standings";
    /// A scheduler whose job has ended is dead, for ever, and has control no more.
    Dead, "ended schedulers";
    /// A scheduler knows whether its threads wait, or is to be told; the cycles that it is told
    /// are those that they ran.
    Told, "scheduler events";
    /// A scheduler that waits has nothing to hear, and no thread stays lost.
    Control, "control comes back";
    /// The timer comes when a budget or slice ends, or a time-out, alarm or release is due, and
    /// then something happens.
    Timer, "timer";
    /// The running thread goes before its equals, and so does the one that takes its place; a
    /// thread that becomes ready comes behind them.
    Equals, "equals in order";
    /// A gate goes to the waiting thread through which the payer waits.
    Heirs, "who is next at a gate";
    /// A gate of a ceiling is found free.
    Free, "found free";
    /// No end of a budget or time-out and no other thread of the trees stops a thread in such a
    /// gate, unless its tree is above the ceiling.
    Late, "ends of sections";
    /// A thread enters a gate of the priority ceiling protocol if it is above all ceilings that
    /// others hold, and else waits.
    Ceilings, "who passes ceilings";
    /// One thread has a mutex, and whoever waits for it waits for that one.
    Exclusion, "mutexes exclude";
    /// A thread sleeps on another's account until it is woken or no thread may be about to wake it,
    /// and is told which; what was woken before does not sleep, once.
    Sleepers, "sleepers below schedulers";
    /// A fast path leaves nothing to tell the schedulers.
    AtOnce, "nothing left to tell";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
