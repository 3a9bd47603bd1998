//! Which locks of components are asked for while which others are had.
//!
//! Whoever waits for a lock with another one in hand is the middle of a chain, and of a circle if
//! others take the two the other way round: there the lock component refuses, and nobody has what
//! the description says. So a bound asks for one order. How many locks are in it also bounds the
//! chains: each thread in one has a lock in which others are taken, but the last.

use std::collections::{BTreeMap, BTreeSet};

use fusee_model::{
    Body, ComponentId, GateId, LockCall, LockComponent, Origin, Step, System, TaskId, Value,
};

use crate::body::BodyRef;

/// A lock: whose, and its number.
pub type LockNumber = (ComponentId, u8);

/// Where somebody who has one lock takes another one.
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
    /// For each lock and one that is taken while it is had, where that is.
    pub(crate) pairs: BTreeMap<(LockNumber, LockNumber), LockTaken>,
    users: BTreeMap<LockNumber, BTreeSet<TaskId>>,
}

/// Why nested sections have no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockDisorder {
    /// A lock is taken by who has it.
    Again(LockNumber, LockTaken),
    /// Two are taken in either order, perhaps over others.
    Circle((LockNumber, LockNumber), [LockTaken; 2]),
    /// One of them is optimistic.
    Optimistic(LockNumber, LockTaken),
    /// One is a `LockCeiling`'s, the other another component's.
    Mixed((LockNumber, LockNumber), LockTaken),
    /// A ceiling is below the priority of a task that takes the lock.
    Low(LockNumber, TaskId),
}

impl LockDisorder {
    /// Whose lock it is about first.
    pub(crate) fn component(self) -> ComponentId {
        match self {
            LockDisorder::Again(lock, _)
            | LockDisorder::Optimistic(lock, _)
            | LockDisorder::Low(lock, _) => lock.0,
            LockDisorder::Circle((lock, _), _) | LockDisorder::Mixed((lock, _), _) => lock.0,
        }
    }
}

/// A walk through what a task's job runs through.
struct Walk<'s> {
    system: &'s System,
    task: TaskId,
    order: Order,
    /// Methods with the locks that are had there.
    seen: BTreeSet<(GateId, usize, Vec<LockNumber>)>,
}

impl Order {
    /// That of a system.
    pub(crate) fn of(system: &System) -> Self {
        let mut order = Order::default();
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

    /// How many locks are in it.
    pub(crate) fn locks(&self) -> usize {
        let both = self.pairs.keys().flat_map(|&(one, other)| [one, other]);
        both.collect::<BTreeSet<LockNumber>>().len()
    }

    /// What is wrong with it.
    pub(crate) fn wrong(&self, system: &System) -> Option<LockDisorder> {
        let of_pair = |(&pair, &taken): (&(LockNumber, LockNumber), &LockTaken)| {
            self.pair(system, pair, taken)
        };
        let low = |lock: &LockNumber| self.low(system, *lock);
        self.pairs.iter().find_map(of_pair).or_else(|| {
            let both = self.pairs.keys().flat_map(|(one, other)| [one, other]);
            both.into_iter().find_map(low)
        })
    }

    fn pair(
        &self,
        system: &System,
        (had, wanted): (LockNumber, LockNumber),
        taken: LockTaken,
    ) -> Option<LockDisorder> {
        let kind = |lock: LockNumber| system.component(lock.0).lock_component;
        let is = |wanted: LockComponent| move |lock: &LockNumber| kind(*lock) == Some(wanted);
        if had == wanted {
            return Some(LockDisorder::Again(had, taken));
        }
        if let Some(back) = self.way(wanted, had) {
            return Some(LockDisorder::Circle((had, wanted), [taken, back]));
        }
        let mut both = [had, wanted].into_iter();
        if let Some(lock) = both.clone().find(is(LockComponent::Optimistic)) {
            return Some(LockDisorder::Optimistic(lock, taken));
        }
        let mixed = had.0 != wanted.0 && both.any(|lock| is(LockComponent::Ceiling)(&lock));
        mixed.then_some(LockDisorder::Mixed((had, wanted), taken))
    }

    /// Where, on a way from one lock to another one, the last one is taken.
    fn way(&self, from: LockNumber, to: LockNumber) -> Option<LockTaken> {
        let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
        while let Some(lock) = todo.pop() {
            for (&(_, next), &taken) in self.pairs.iter().filter(|((had, _), _)| *had == lock) {
                if next == to {
                    return Some(taken);
                }
                todo.extend(seen.insert(next).then_some(next));
            }
        }
        None
    }

    /// Whether who takes a lock may be more urgent than its ceiling.
    fn low(&self, system: &System, lock: LockNumber) -> Option<LockDisorder> {
        let keeper = system.component(lock.0);
        if keeper.lock_component != Some(LockComponent::Ceiling) {
            return None;
        }
        let Some(&Value::Integer(ceiling)) = keeper.attribute(&format!("ceiling_{}", lock.1))
        else {
            return None;
        };
        let above = |task: &&TaskId| i128::from(system.task(**task).priority.value) > ceiling;
        let task = self.users.get(&lock)?.iter().find(above)?;
        Some(LockDisorder::Low(lock, *task))
    }
}

impl Walk<'_> {
    fn body(&mut self, whose: BodyRef, body: &Body, mut had: Vec<LockNumber>) {
        for step in &body.steps {
            let &Step::Invoke { gate, method, lock, origin } = step else { continue };
            match self.system.lock_call(step) {
                Some((_, call)) => {
                    let lock = (self.system.gate(gate).component, lock.unwrap_or(0));
                    self.asks((whose, origin), (call, lock), &mut had);
                }
                None => self.methods((gate, method), &had),
            }
        }
    }

    fn asks(
        &mut self,
        (body, origin): (BodyRef, Origin),
        (call, lock): (LockCall, LockNumber),
        had: &mut Vec<LockNumber>,
    ) {
        if call == LockCall::Release {
            if let Some(at) = had.iter().rposition(|other| *other == lock) {
                had.remove(at);
            }
            return;
        }
        for &other in had.iter() {
            self.order.pairs.entry((other, lock)).or_insert(LockTaken { body, origin });
        }
        self.order.users.entry(lock).or_default().insert(self.task);
        had.push(lock);
    }

    fn methods(&mut self, (gate, method): (GateId, Option<usize>), had: &[LockNumber]) {
        let described = self.system.gate(gate);
        if self.system.component(described.component).lock_component.is_some() {
            return;
        }
        let methods = described.methods.iter().enumerate();
        for (at, callee) in methods.filter(|(at, _)| method.is_none_or(|wanted| wanted == *at)) {
            if self.seen.insert((gate, at, had.to_vec())) {
                self.body(BodyRef::Method(gate, at), &callee.body, had.to_vec());
            }
        }
    }
}
