//! The kernel's share: what each operation can cost at most.
//!
//! A platform's table gives single paths. What a thread can be charged for one
//! operation is a sum of them: passing a gate may mean waiting for it, walking the
//! chain of holders, and handing it on at the end. Whether that happens depends
//! on the run, so each passage of an exclusive gate with several users is charged
//! for all of it.
//!
//! Each core has a kernel of its own, and no path of that kernel waits for another core's. What
//! gates between cores cost besides is in the module `between`.

use std::collections::BTreeSet;

use fusee_model::costs::{CostTable, SchedulerCosts};
use fusee_model::derived::Derived;
use fusee_model::{
    Duration, Gate, GateId, Message, NotificationId, Protocol, ReleaseKind, Step, System,
};

use crate::amount::Amount;
use crate::between::Between;
use crate::lock_order::Order;
use crate::signal;
use crate::sleep_cost::{SleepCost, links};

/// Worst-case kernel time of operations.
pub(crate) struct KernelCost {
    /// The cost of one release.
    pub(crate) release: Amount,
    /// The cost of one completion.
    pub(crate) completion: Amount,
    /// The end of one budget, with the signal it may send.
    pub(crate) budget_end: Amount,
    /// The end of one time slice.
    pub(crate) time_slice: Amount,
    /// One wait for a notification.
    pub(crate) wait: Amount,
    /// The longest single path: what can be in progress when a busy window starts.
    pub(crate) longest_path: Amount,
    /// The cost of passing each gate; `None`: unknown.
    gates: Vec<Option<Amount>>,
    notifications: Vec<Amount>,
    /// A signal that wakes one thread.
    any_signal: Amount,
    /// One interrupt of a device, acknowledged; `None`: as much as two signals.
    device: Option<Amount>,
    /// By gate and method; `None`: unknown.
    messages: Vec<Vec<Option<Amount>>>,
    /// The cost of one look.
    look: Amount,
    /// Notifications that are signalled from other cores.
    posted: BTreeSet<NotificationId>,
    /// By core, for how long a signal of another one can wait for its look, in ns; `None`: no bound
    /// is known. Nothing: not at all.
    pub(crate) pending: Vec<Option<u64>>,
    /// The costs of gates between cores.
    pub(crate) between: Between,
    /// The costs of schedulers; none where there are none, or where they cost nothing.
    pub(crate) schedulers: Option<SchedulerCosts>,
    /// The costs of letting threads sleep on each other's account.
    pub(crate) sleep: SleepCost,
    /// `true` if no path costs anything.
    pub(crate) is_free: bool,
}

impl KernelCost {
    /// The costs of a core's own kernel, as if no gate were between cores.
    pub(crate) fn alone(system: &System, derived: &Derived, costs: &CostTable) -> Self {
        let walk = Amount::of(costs.inherit_step).times(longest_chain(system, derived));
        let notifications = signals(system, costs);
        let longest_signal = notifications.iter().copied().max().unwrap_or(Amount::ZERO);
        // Any of the events can be the notice that a budget has ended.
        let budget_end = Amount::of(costs.budget_end).plus(longest_signal);
        // No kernel takes the paths of gates between cores where there are none.
        let between = system.gates.iter().any(Gate::is_global);
        let taken = |protocol: Protocol| between || !protocol.is_global();
        // The longest path may be at any gate or mutex, with all that waiting there adds.
        let invoke = Amount::of(costs.invoke.largest(taken).max(costs.mutex.lock))
            .plus(Amount::of(costs.block))
            .plus(walk);
        let leave = costs.return_.largest(taken).max(costs.mutex.unlock);
        let return_ = Amount::of(leave).plus(Amount::of(costs.handoff)).plus(walk);
        let wait = Amount::of(costs.wait);
        let plain =
            [costs.release, costs.completion, costs.fault, costs.time_slice].map(Amount::of);
        let messages = messages(system, costs);
        // The kernel copies a message on the path that passes it.
        let copying =
            messages.iter().flatten().filter_map(|&cost| cost).max().unwrap_or(Amount::ZERO);
        let lifting = system.gate_ids().filter_map(|(id, _)| lifting(system, derived, costs, id));
        let lifting = lifting.max().unwrap_or(Amount::ZERO);
        let (entering, leaving) = (invoke.plus(copying), return_.plus(copying).plus(lifting));
        let look = Amount::of(costs.cores.unwrap_or_default().look);
        // A signal of another core is looked for.
        let posted: BTreeSet<_> = signal::all(system).iter().map(|one| one.event).collect();
        let looked = posted.iter().map(|event| notifications[event.index()]).max();
        let looked = looked.map_or(Amount::ZERO, |signal| signal.plus(look));
        let some = !system.schedulers.is_empty() && !costs.is_zero();
        let schedulers = costs.schedulers.filter(|_| some);
        // None of their calls takes longer than a table's decision.
        let called = schedulers.map_or(Amount::ZERO, |costs| Amount::of(costs.slot));
        let sleep = SleepCost::of(system, derived, costs);
        let slept = sleep.depend.max(sleep.wake);
        let device = costs.device.map_or(Amount::ZERO, |device| Amount::of(device.interrupt));
        let others = [entering, leaving, wait, budget_end, looked, called, slept, device];
        let longest = plain.into_iter().chain(others).max();
        Self {
            release: Amount::of(costs.release),
            completion: Amount::of(costs.completion),
            budget_end,
            time_slice: Amount::of(costs.time_slice),
            wait,
            longest_path: longest.unwrap_or(Amount::ZERO),
            gates: system
                .gate_ids()
                .map(|(id, _)| passage(system, derived, costs, id, walk))
                .collect(),
            notifications,
            any_signal: Amount::of(costs.signal).plus(Amount::of(costs.wake)),
            device: costs
                .device
                .map(|device| Amount::of(device.interrupt).plus(Amount::of(device.acknowledge))),
            messages,
            look,
            posted,
            pending: Vec::new(),
            between: Between::default(),
            schedulers,
            sleep,
            is_free: costs.is_zero(),
        }
    }

    /// Charges requests at gates between cores, and what is passed within them, with their locks.
    pub(crate) fn with_between(
        mut self,
        (system, derived): (&System, &Derived),
        costs: &CostTable,
        between: Between,
    ) -> Self {
        self.between = between;
        // A request between cores is charged whole. Its parts are in `AtGate`, in place of what a
        // gate of one core costs.
        let globals = system.gate_ids().filter_map(|(id, _)| Some((id, self.between.at(id)?)));
        let mut inner = BTreeSet::new();
        for (id, at) in globals {
            inner.extend(derived.within(id));
            // A cost that the table lacks stays unknown: what is added for locks must not make it
            // known.
            let known = self.gates[id.index()].filter(|_| costs.cores.is_some());
            self.gates[id.index()] = known.map(|_| at.request);
        }
        // A direct call does not enter the kernel, within such a section either.
        inner.retain(|&id| !system.gate(id).direct);
        let pass = Amount::of(costs.cores.unwrap_or_default().pass).plus(self.between.lock);
        for id in inner {
            let cost = &mut self.gates[id.index()];
            // The gate may also be passed from outside of such sections, at its usual cost. Nobody
            // keeps the two apart, so the larger one is charged.
            *cost = cost.map(|cost| cost.max(pass.times(2)));
        }
        self
    }

    /// Returns the cost of a method's message besides the passage; `None`: unknown.
    pub(crate) fn message(&self, id: GateId, method: usize) -> Option<Amount> {
        let gate = self.messages.get(id.index());
        gate.and_then(|methods| methods.get(method)).copied().unwrap_or(Some(Amount::ZERO))
    }

    /// Passing a gate and coming back; `None`: unknown.
    pub(crate) fn gate(&self, id: GateId) -> Option<Amount> {
        self.gates.get(id.index()).copied().unwrap_or(Some(Amount::ZERO))
    }

    /// Returns the cost of emitting a signal. To another core it takes no longer than a look there,
    /// or than a signal: no thread is chosen anew.
    pub(crate) fn emission(&self, id: NotificationId) -> Amount {
        let signal = self.signal(id);
        if self.posted.contains(&id) { signal.max(self.look) } else { signal }
    }

    /// Returns the cost of looking for one signal of another core, with all threads that it can
    /// wake, and once more.
    pub(crate) fn look_for(&self, id: NotificationId) -> Amount {
        // One look finds the signal. The sender's own word may come behind that, and brings a look
        // that finds nothing.
        self.signal(id).plus(self.look.times(2))
    }

    /// Returns the same for a signal that is not described, which wakes one thread: that which runs
    /// callbacks.
    pub(crate) fn look_for_any(&self) -> Amount {
        let signals = self.notifications.iter().copied().max().unwrap_or(Amount::ZERO);
        signals.max(self.any_signal).plus(self.look.times(2))
    }

    /// Returns the cost of an interrupt of the device that signals a notification, and of its
    /// acknowledgement: that takes no longer than a signal.
    pub(crate) fn device(&self, id: NotificationId) -> Amount {
        // A table without devices has no such path. An interrupt is then a signal, and so is its
        // acknowledgement.
        self.device.unwrap_or_else(|| self.signal(id).times(2))
    }

    /// Returns the cost of signalling a notification, with all threads that it can wake.
    pub(crate) fn signal(&self, id: NotificationId) -> Amount {
        self.notifications.get(id.index()).copied().unwrap_or(Amount::ZERO)
    }
}

/// Returns the steps of the longest walk along holders. A thread that is refused at a ceiling waits
/// for the holder that entered last, at whichever gate: that is a step besides those from gate to
/// gate. A holder of a gate may wait for a lock of a component, whose owner may wait for another
/// gate.
fn longest_chain(system: &System, derived: &Derived) -> u64 {
    let refuses = |gate: &Gate| gate.protocol.value == Protocol::Ceiling && !gate.direct;
    // Only where gates and locks are held together does a walk from gate to gate go on over locks.
    let locks = if Order::of(system).gates().is_empty() { 0 } else { links(system) };
    u64::from(derived.longest_chain() + locks) + u64::from(system.gates.iter().any(refuses))
}

/// Returns the cost of passing a gate; `None`: the table is silent about the gate's protocol.
///
/// Nobody waits for a gate with one user, unless ceilings of other gates keep that user out.
fn passage(
    system: &System,
    derived: &Derived,
    costs: &CostTable,
    id: GateId,
    walk: Amount,
) -> Option<Amount> {
    let gate = system.gate(id);
    if gate.direct {
        return Some(Amount::ZERO);
    }
    let protocol = gate.protocol.value;
    let (enter, leave) = match system.mutex(id) {
        // That of a word as well: a thread that is interrupted between its look at the word and its
        // store calls the kernel.
        Some(_) => costs.mutex_passage(protocol)?,
        None => costs.gate_passage(protocol)?,
    };
    let plain = Amount::of(enter).plus(Amount::of(leave));
    let alone = derived.gate(id).tasks.len() < 2 && protocol != Protocol::Ceiling;
    if !protocol.is_exclusive() || alone {
        return Some(plain);
    }
    // One walk raises the holders when the thread begins to wait. The other one is for the thread
    // that gets the gate when this one leaves it.
    let waits = Amount::of(costs.block).plus(Amount::of(costs.handoff)).plus(walk.times(2));
    // Whoever was barred from a `ceiling` gate is judged anew when it runs, and enters once more.
    let again = lifting(system, derived, costs, id).map(|woken| woken.plus(Amount::of(enter)));
    Some(plain.plus(waits).plus(again.unwrap_or(Amount::ZERO)))
}

/// Returns the further cost of leaving a gate that bars others from more than itself: each task
/// that has waited there is ready again, and asks again; the first of them is in the cost of
/// handing a gate on. `None`: the gate bars no task from others.
fn lifting(system: &System, derived: &Derived, costs: &CostTable, id: GateId) -> Option<Amount> {
    let bars = |gate: &Gate| gate.protocol.value == Protocol::Ceiling && !gate.direct;
    if !bars(system.gate(id)) {
        return None;
    }
    let all = system.gate_ids().filter(|(_, gate)| bars(gate));
    let users: BTreeSet<_> = all.flat_map(|(id, _)| &derived.gate(id).tasks).collect();
    // The one who leaves did not wait, and the first of the others is in the cost of handing on.
    Some(Amount::of(costs.wake).times((users.len() as u64).saturating_sub(2)))
}

/// Returns the cost of each method's message; direct calls pass none, and where the kernel costs
/// nothing neither do messages.
fn messages(system: &System, costs: &CostTable) -> Vec<Vec<Option<Amount>>> {
    let free = costs.is_zero();
    let cost = |id: GateId, direct: bool, method: usize| match system.message(id, method) {
        _ if direct || free => Some(Amount::ZERO),
        Message::Registers => Some(Amount::ZERO),
        Message::Packed { words } => {
            costs.message.map(|message| Amount(message.of(words).map(Duration::ns)))
        }
        // A message without a known size could be of any, so it must not count as free.
        Message::Unknown => None,
    };
    let methods = |(id, gate): (GateId, &fusee_model::Gate)| {
        (0..gate.methods.len()).map(|method| cost(id, gate.direct, method)).collect()
    };
    system.gate_ids().map(methods).collect()
}

/// Returns for each notification the cost of one signal with all threads that it can wake or
/// release.
///
/// A signal that comes too early for the task that it releases sets the timer instead: no more than
/// a release does.
fn signals(system: &System, costs: &CostTable) -> Vec<Amount> {
    let mut releases = vec![0_u64; system.notifications.len()];
    for release in system.tasks.iter().filter_map(|task| task.release.as_ref()) {
        if let ReleaseKind::Notification(id) = release.kind
            && let Some(count) = releases.get_mut(id.index())
        {
            *count += 1;
        }
    }
    let all = wakeups(system).into_iter().zip(releases);
    all.map(|(wakes, releases)| {
        let release = Amount::of(costs.release).plus(Amount::of(costs.wake)).times(releases);
        Amount::of(costs.signal).plus(Amount::of(costs.wake).times(wakes)).plus(release)
    })
    .collect()
}

/// For each notification, how many threads one signal can wake.
fn wakeups(system: &System) -> Vec<u64> {
    let mut count = vec![0_u64; system.notifications.len()];
    let mut add = |id: NotificationId, n: u64| {
        if let Some(slot) = count.get_mut(id.index()) {
            *slot += n;
        }
    };
    // Every task may be inside of a method, so all of them may wait there when the signal comes.
    let methods =
        system.gates.iter().flat_map(|g| &g.methods).map(|m| (&m.body, system.tasks.len() as u64));
    for (body, threads) in system.tasks.iter().map(|t| (&t.body, 1)).chain(methods) {
        for step in &body.steps {
            if let Step::Wait(id) = step {
                add(*id, threads);
            }
        }
    }
    count
}

impl Amount {
    /// Returns a duration of the table.
    pub(crate) fn of(duration: Duration) -> Amount {
        Amount(Some(duration.ns()))
    }
}
