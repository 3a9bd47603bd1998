//! The rules of temporal capabilities by name.

use crate::breach;

pub(crate) use breach::ensure;

breach::rules! {
    /// Finite budgets, less debts, and what was used are what was put in.
    Conservation, "conservation";
    /// Each account has what it got less what it gave and used; debt is carried, and at most as
    /// much as the timer is late.
    Debts, "debts";
    /// A refused call changes nothing.
    Atomic, "refusals change nothing";
    /// A delegation changes nothing of its source but its budget.
    Source, "the source keeps its quality";
    /// No entry of an account gets better while it has budget.
    Worsens, "quality only worsens";
    /// The receiver's entries are no better than what was given.
    Taints, "the receiver takes the worse";
    /// A receiver's own entry is untouched, unless the giver is the same, or it is the root's.
    Own, "the receiver's own entry stays";
    /// Qualities are strictly sorted and merge as sets do.
    Merges, "qualities merge as sets";
    /// A delegation lets a thread preempt none that it did not preempt while it had budget.
    NoGain, "no delegation gains a preemption";
    /// Foreign entries go when the budget is nothing, and only then.
    Declassified, "declassified at nothing";
    /// Only use and its own scheduler lower an account's budget.
    Irrevocable, "nothing is taken back";
    /// Delegated time arrives whole, and is added to the time that was there.
    Arrives, "what is given arrives";
    /// A delegation raises what its receiver can interfere with by no more than its amount.
    Interference, "bounded interference";
    /// Every account with budget has the root's entry.
    Rooted, "the root has a say";
    /// A thread that something is sent to runs immediately if its account has budget and all agree,
    /// and only then.
    Preempts, "preemption";
    /// Control at the end of a budget, and the order in which siblings inherit.
    Expiry, "the end of a budget";
    /// A kernel's own scheduler has control again when the rest of its tree is empty, or it was
    /// switched to; and there is always one with control.
    Chronos, "Chronos";
    /// A dispatch's priority lasts as long as the thread is activated so.
    Transient, "a dispatch's priority";
    /// The timer is set to the end of the budget or the first time-out, whichever comes first.
    Timer, "timer";
    /// A token is accepted if it is newer than all before, and not again.
    Tokens, "tokens";
    /// Schedulers are told of everything once, and of every cycle.
    Told, "scheduler events";
    /// A message sent before a wait ends it immediately.
    Sends, "sends and waits";
    /// The first of the best level runs; a preempted thread goes before its equals.
    Highest, "highest level";
    /// A scheduler that has dispatched another has control again when that ends.
    Control, "control comes back";
    /// At no level more is used than was delegated at it or a better one.
    Supply, "supply by level";
    /// No account holds more than its limit.
    Limits, "limits";
    /// A call is refused exactly if it is not allowed.
    Refusals, "refusals";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
