//! The order in which locks of components, and gates, are taken.
//!
//! Whoever waits for a lock with another one in hand is the middle of a chain, and of a circle if
//! others take the two the other way round: there the lock component refuses, and nobody has what
//! the description says. A gate that lets one thread in is one more that is had, from its
//! invocation until that has come back. So a bound asks for one order of both. How many are in it
//! also bounds the chains: each thread in one has something in which others are taken, but the
//! last.
//!
//! Whoever asks a `LockCeiling` may wait for who has any of its locks. So where a gate is in a
//! circle, all of these are one; and so are all gates of the priority ceiling protocol. These are
//! not entered with a lock in hand: whoever is kept out then keeps others waiting of whom no
//! ceiling knows.

use std::collections::{BTreeMap, BTreeSet};

use fusee_model::{
    Body, ComponentId, GateId, LockCall, LockComponent, Origin, Protocol, Step, System, TaskId,
    Value,
};

use crate::body::BodyRef;

/// A lock: whose, and its number.
pub type LockNumber = (ComponentId, u8);

/// A thing that keeps others out while a task has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// A lock of a component.
    Lock(LockNumber),
    /// A gate that lets one thread in.
    Gate(GateId),
}

/// A place where a task that has one such thing takes another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockTaken {
    /// The body that does so.
    pub body: BodyRef,
    /// The entry of its list.
    pub origin: Origin,
}

/// The order in which locks are taken.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// For each lock or gate and one that is taken while it is had, where that is.
    pairs: BTreeMap<(Held, Held), LockTaken>,
    users: BTreeMap<LockNumber, BTreeSet<TaskId>>,
}

/// A reason for which nested sections have no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockDisorder {
    /// A lock is taken by a task that has it.
    Again(LockNumber, LockTaken),
    /// Two are taken in either order, perhaps over others.
    Circle((Held, Held), [LockTaken; 2]),
    /// One of them is optimistic.
    Optimistic(LockNumber, LockTaken),
    /// An optimistic one is taken within a gate.
    Around(GateId, LockNumber, LockTaken),
    /// A gate raises no task, and lies within a lock or around it.
    Unraised(GateId, LockNumber, LockTaken),
    /// A gate between cores lies within a lock or around it.
    Between(GateId, LockNumber, LockTaken),
    /// A gate of the priority ceiling protocol is entered with a lock in hand.
    Barred(GateId, LockNumber, LockTaken),
    /// One is a `LockCeiling`'s, the other another component's.
    Mixed((LockNumber, LockNumber), LockTaken),
    /// A ceiling is below the priority of a task that takes the lock.
    Low(LockNumber, TaskId),
}

impl LockDisorder {
    /// Returns the component of the lock that it is about first.
    pub(crate) fn component(self) -> ComponentId {
        match self {
            LockDisorder::Again(lock, _)
            | LockDisorder::Optimistic(lock, _)
            | LockDisorder::Around(_, lock, _)
            | LockDisorder::Unraised(_, lock, _)
            | LockDisorder::Between(_, lock, _)
            | LockDisorder::Barred(_, lock, _)
            | LockDisorder::Mixed((lock, _), _)
            | LockDisorder::Low(lock, _) => lock.0,
            LockDisorder::Circle((had, wanted), _) => {
                let lock = had.lock().or(wanted.lock());
                lock.map_or(ComponentId::from(0), |lock| lock.0)
            }
        }
    }
}

impl Held {
    fn lock(self) -> Option<LockNumber> {
        match self {
            Held::Lock(lock) => Some(lock),
            Held::Gate(_) => None,
        }
    }

    fn gate(self) -> Option<GateId> {
        match self {
            Held::Gate(gate) => Some(gate),
            Held::Lock(_) => None,
        }
    }
}

/// A walk through what a task's job runs through.
struct Walk<'s> {
    system: &'s System,
    task: TaskId,
    order: Order,
    /// Methods with what is had there.
    seen: BTreeSet<(GateId, usize, Vec<Held>)>,
}

impl Order {
    /// Returns the order of a system's locks.
    pub(crate) fn of(system: &System) -> Self {
        let mut order = Order::default();
        // Gates alone have their order from the checks and from the search for cycles.
        if system.lock_services().next().is_none() {
            return order;
        }
        for (task, described) in system.task_ids() {
            let mut walk = Walk { system, task, order, seen: BTreeSet::new() };
            walk.body(BodyRef::Task(task), &described.body, Vec::new());
            order = walk.order;
        }
        order
    }

    /// Returns the length of the longest chain of tasks that wait for each other: locks that are
    /// within others or around them; where there are gates among these, all gates that are so.
    pub(crate) fn chain(&self) -> usize {
        let all: BTreeSet<Held> =
            self.pairs.keys().flat_map(|&(had, wanted)| [had, wanted]).collect();
        // Gates lengthen a chain of waiting threads only where it passes from locks to gates.
        let has_gates = self.mixed().next().is_some();
        all.into_iter().filter(|held| has_gates || held.lock().is_some()).count()
    }

    /// Returns `true` if some lock is taken within another one or a gate, or around a gate.
    pub(crate) fn nests(&self) -> bool {
        self.locked().next().is_some()
    }

    /// Gates that are entered with a lock in hand, or within which one is taken.
    pub(crate) fn gates(&self) -> BTreeSet<GateId> {
        self.mixed().filter_map(|((had, wanted), _)| had.gate().or(wanted.gate())).collect()
    }

    /// Gates that are entered with a lock in hand, with whose lock that is.
    pub(crate) fn entered(&self) -> impl Iterator<Item = (ComponentId, GateId)> + '_ {
        self.pairs.keys().filter_map(|(had, wanted)| Some((had.lock()?.0, wanted.gate()?)))
    }

    /// Pairs with a lock.
    fn locked(&self) -> impl Iterator<Item = ((Held, Held), LockTaken)> + '_ {
        let all = self.pairs.iter().map(|(&pair, &taken)| (pair, taken));
        all.filter(|((had, wanted), _)| had.lock().is_some() || wanted.lock().is_some())
    }

    /// Pairs of a lock and a gate.
    fn mixed(&self) -> impl Iterator<Item = ((Held, Held), LockTaken)> + '_ {
        self.locked().filter(|((had, wanted), _)| had.gate().is_some() || wanted.gate().is_some())
    }

    /// Returns the first disorder in it, if there is one.
    pub(crate) fn wrong(&self, system: &System) -> Option<LockDisorder> {
        let of_pair = |(pair, taken)| self.pair(system, pair, taken);
        let low = |lock: LockNumber| self.low(system, lock);
        self.locked().find_map(of_pair).or_else(|| {
            let both = self.locked().flat_map(|((had, wanted), _)| [had, wanted]);
            both.filter_map(Held::lock).find_map(low)
        })
    }

    fn pair(&self, system: &System, pair: (Held, Held), taken: LockTaken) -> Option<LockDisorder> {
        let (had, wanted) = pair;
        if let (Held::Lock(lock), true) = (had, had == wanted) {
            return Some(LockDisorder::Again(lock, taken));
        }
        // A way back means that two tasks may wait for each other, and one of them is refused.
        if let Some(back) = self.way(system, (wanted, had)) {
            return Some(LockDisorder::Circle(pair, [taken, back]));
        }
        match pair {
            (Held::Lock(had), Held::Lock(wanted)) => within(system, (had, wanted), taken),
            (Held::Gate(gate), Held::Lock(lock)) | (Held::Lock(lock), Held::Gate(gate))
                if system.gate(gate).is_global() =>
            {
                Some(LockDisorder::Between(gate, lock, taken))
            }
            // Whoever is inside may be raised, and take a lock for which somebody else has just
            // been woken.
            (Held::Gate(gate), Held::Lock(lock)) if is(system, lock, LockComponent::Optimistic) => {
                Some(LockDisorder::Around(gate, lock, taken))
            }
            // Whoever is barred there keeps those waiting who wait for the lock, and no ceiling
            // knows of them.
            (Held::Lock(lock), Held::Gate(gate)) if bars(system, gate) => {
                Some(LockDisorder::Barred(gate, lock, taken))
            }
            (Held::Gate(gate), Held::Lock(lock)) | (Held::Lock(lock), Held::Gate(gate)) => {
                // What is lent for a lock ends at a gate that raises nobody, and so does what is
                // lent for the gate.
                let raises = system.gate(gate).protocol.value != Protocol::Fifo;
                (!raises).then_some(LockDisorder::Unraised(gate, lock, taken))
            }
            // Without a lock in it the pair is a matter of gates, and not of this order.
            (Held::Gate(_), Held::Gate(_)) => None,
        }
    }

    /// Returns the place, on a way from one to another, at which the last one is taken.
    fn way(&self, system: &System, (from, to): (Held, Held)) -> Option<LockTaken> {
        // Locks of one `LockCeiling` may be nested, so among themselves they are several. With a
        // gate in the circle they are one, since who asks for any of them may wait for who has
        // another one.
        let has_gate = from.gate().is_some() || to.gate().is_some();
        let same = |one: Held, other: Held| one == other || has_gate && alike(system, one, other);
        let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
        while let Some(held) = todo.pop() {
            for (&(_, next), &taken) in self.pairs.iter().filter(|((had, _), _)| same(*had, held)) {
                if same(next, to) {
                    return Some(taken);
                }
                todo.extend(seen.insert(next).then_some(next));
            }
        }
        None
    }

    /// Returns a disorder if a task that takes a lock may be more urgent than its ceiling.
    fn low(&self, system: &System, lock: LockNumber) -> Option<LockDisorder> {
        let keeper = system.component(lock.0);
        if keeper.lock_component != Some(LockComponent::Ceiling) {
            return None;
        }
        let Some(&Value::Integer(ceiling)) = keeper.attribute(&format!("ceiling_{}", lock.1))
        else {
            return None;
        };
        // A user above the ceiling is let in where the protocol would have to keep it out. Then two
        // may wait for each other.
        let above = |task: &&TaskId| i128::from(system.level(**task)) > ceiling;
        let task = self.users.get(&lock)?.iter().find(above)?;
        Some(LockDisorder::Low(lock, *task))
    }
}

/// Returns `true` if a lock is of such a component.
fn is(system: &System, lock: LockNumber, kind: LockComponent) -> bool {
    system.component(lock.0).lock_component == Some(kind)
}

/// Returns `true` if whoever is kept out of a gate waits for whoever has any gate of its protocol.
fn bars(system: &System, gate: GateId) -> bool {
    system.gate(gate).protocol.value == Protocol::Ceiling
}

/// Returns `true` if a task that asks for one may wait for the holder of the other: both are of one
/// `LockCeiling`, or gates of the priority ceiling protocol.
fn alike(system: &System, one: Held, other: Held) -> bool {
    let gates = one.gate().zip(other.gate());
    if gates.is_some_and(|(one, other)| bars(system, one) && bars(system, other)) {
        return true;
    }
    let both = one.lock().zip(other.lock());
    both.is_some_and(|(one, other)| one.0 == other.0 && is(system, one, LockComponent::Ceiling))
}

/// Returns the disorder of one lock within another one, if there is one.
fn within(
    system: &System,
    (had, wanted): (LockNumber, LockNumber),
    taken: LockTaken,
) -> Option<LockDisorder> {
    let mut both = [had, wanted].into_iter();
    if let Some(lock) = both.clone().find(|&lock| is(system, lock, LockComponent::Optimistic)) {
        return Some(LockDisorder::Optimistic(lock, taken));
    }
    let mixed = had.0 != wanted.0 && both.any(|lock| is(system, lock, LockComponent::Ceiling));
    mixed.then_some(LockDisorder::Mixed((had, wanted), taken))
}

impl Walk<'_> {
    fn body(&mut self, whose: BodyRef, body: &Body, mut had: Vec<Held>) {
        for step in &body.steps {
            let &Step::Invoke { gate, method, lock, origin } = step else { continue };
            let taken = LockTaken { body: whose, origin };
            match self.system.lock_call(step) {
                Some((_, call)) => {
                    let lock = (self.system.gate(gate).component, lock.unwrap_or(0));
                    self.asks(taken, (call, lock), &mut had);
                }
                None => self.methods(taken, (gate, method), &had),
            }
        }
    }

    fn asks(
        &mut self,
        taken: LockTaken,
        (call, lock): (LockCall, LockNumber),
        had: &mut Vec<Held>,
    ) {
        let own = Held::Lock(lock);
        if call == LockCall::Release {
            if let Some(at) = had.iter().rposition(|other| *other == own) {
                had.remove(at);
            }
            return;
        }
        self.takes(taken, own, had);
        self.order.users.entry(lock).or_default().insert(self.task);
        had.push(own);
    }

    fn takes(&mut self, taken: LockTaken, wanted: Held, had: &[Held]) {
        for &other in had {
            self.order.pairs.entry((other, wanted)).or_insert(taken);
        }
    }

    fn methods(&mut self, taken: LockTaken, (gate, method): (GateId, Option<usize>), had: &[Held]) {
        let described = self.system.gate(gate);
        // What these do with their own scheduler is known, and a client has nothing of it in hand.
        if self.system.component(described.component).lock_component.is_some() {
            return;
        }
        let (own, mut inside) = (Held::Gate(gate), had.to_vec());
        // Who comes again to a gate that it holds is in a recursion, which is told as such.
        if described.is_exclusive() && !had.contains(&own) {
            self.takes(taken, own, had);
            inside.push(own);
        }
        let methods = described.methods.iter().enumerate();
        for (at, callee) in methods.filter(|(at, _)| method.is_none_or(|wanted| wanted == *at)) {
            // With the same things in hand a method brings nothing new. So the walk ends in a
            // recursion, too.
            if self.seen.insert((gate, at, inside.clone())) {
                self.body(BodyRef::Method(gate, at), &callee.body, inside.clone());
            }
        }
    }
}
