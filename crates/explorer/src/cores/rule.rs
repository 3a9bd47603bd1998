//! The rules of several cores by name.

use crate::breach;

pub(crate) use breach::ensure;

breach::rules! {
    /// Each core's own state obeys the rules of one core.
    OneCore, "one core";
    /// A core's step changes no other core's state.
    OwnState, "own state";
    /// Under earliest deadline first a job is as urgent as its deadline, which counts from its
    /// arrival.
    Urgencies, "urgencies";
    /// With ceilings or floors a job waits for one section of a less urgent thread of its core, at
    /// most.
    Blockings, "blockings";
    /// No thread finds a gate of its core held that has a ceiling or floor.
    Unheld, "found free";
    /// A gate's activation is executed by one core at most, which knows it, for a thread that has
    /// asked there.
    Activation, "one activation";
    /// The activation is that of the first request.
    Owner, "owner first";
    /// Requests stand as they came, or behind the first by base priority.
    Order, "order of requests";
    /// A thread that has asked has one request or one answer, and no other thread has any.
    Requests, "one request each";
    /// At most one request of each core waits at a gate whose waiters stay on their core.
    Single, "one for each core";
    /// A request is present exactly while its core has announced it, which is while it runs there.
    Presence, "presence";
    /// A core that can go on has been told to look.
    Told, "told to look";
    /// When nothing is on its way, a thread that waits on its core waits for a section that is
    /// executed.
    Progress, "progress";
    /// Under msrp no other thread runs on the core of one that has asked.
    Stays, "stays on its core";
    /// Neither a budget nor a time slice ends between asking and coming back.
    Ends, "no end inside";
    /// A section begins once, and its caller learns how it has ended.
    Once, "told once";
    /// A signal to another core lies in the event's mailbox until that core takes it, all bits or
    /// one of a count, and then has the effect of a signal there.
    Signals, "signals";
    /// A signal to another core is refused exactly if its thread would owe more than its credit.
    Posts, "posts";
    /// In a component that several cores enter no thread runs while it is put back, and after that
    /// none that was in it before; a section there fails only if the component has ended.
    Restarts, "restarts";
    /// Threads of a core sleep on each other's account as a ledger of the services says, and those
    /// that go on are told the same.
    Sleepers, "sleepers";
    /// A call is refused exactly if it is not allowed, and then changes nothing.
    Refusals, "refusals";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
