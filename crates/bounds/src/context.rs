//! Everything that is worked out once for a system.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{GateId, Overrun, System, TaskId};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::amount::Amount;
use crate::between::{Between, Measured};
use crate::body::Unknown;
use crate::demand::Demand;
use crate::demands::Demands;
use crate::ending_signals::Closing;
use crate::event_arrivals::EventArrivals;
use crate::event_wait::EventWait;
use crate::event_waits::{EventWaits, Section};
use crate::interrupt::{Interrupt, arrivals};
use crate::interrupts;
use crate::kernel_cost::KernelCost;
use crate::levels::Levels;
use crate::lock_order::Order;
use crate::obstacle::{Obstacle, unknown_time};
use crate::reach::{Passage, Reach};
use crate::supposed::Supposed;
use crate::untrusted::tasks_with_untrusted_code;
use crate::wait::Waits;
use crate::waits;
use crate::wakes::Wakes;

/// The known facts about events, once for all cores.
struct Events {
    /// Waits in jobs that have a bound.
    waits: EventWaits,
    /// The time that the signals of other cores wait for each core's look.
    looks: Vec<Option<u64>>,
}

/// A system with all that the analysis of each task of one core needs.
pub(crate) struct Context<'a> {
    pub(crate) core: u32,
    pub(crate) system: &'a System,
    pub(crate) derived: &'a Derived,
    pub(crate) kernel: KernelCost,
    /// The interrupts of all cores.
    pub(crate) interrupts: Vec<Interrupt>,
    pub(crate) demands: Demands,
    pub(crate) levels: Levels,
    pub(crate) reach: Reach,
    /// Lengths of the sections, in the order of [`Reach::passages`].
    pub(crate) lengths: Vec<Vec<Result<u64, Obstacle>>>,
    pub(crate) closing: Closing,
    /// `true` if some lock of a component is taken with another one in hand, or within or around a
    /// gate.
    pub(crate) locks_nest: bool,
    /// `true` for each task that may run code that is not trusted.
    pub(crate) untrusted: Vec<bool>,
    /// `true` if periodic tasks come at their offsets, and not anywhere.
    pub(crate) at_offsets: bool,
    events: Rc<Events>,
}

impl<'a> Context<'a> {
    /// One for each core.
    pub(crate) fn of_cores(
        system: &'a System,
        derived: &'a Derived,
        costs: &CostTable,
    ) -> Vec<Self> {
        let cores = 0..system.cores();
        let reach = |core| Reach::of(system, derived, &Levels::of(system, core), core);
        let reaches: Vec<Reach> = cores.clone().map(reach).collect();
        // Each needs the one before it: who gets where says how often threads are woken, that is in
        // the paths between cores, and these are in how long requests wait.
        let wakes = Wakes::of(system, &reaches);
        let kernel = kernel_cost((system, derived), costs, &wakes);
        let waits = waits::of_cores(system, derived, &kernel, &reaches);
        let events = Rc::new(Events::of((system, derived), costs, &kernel));
        let all = cores.zip(reaches.into_iter().zip(waits));
        let measured = Measured { system, derived, costs, wakes: &wakes };
        all.map(|(core, (reach, waits))| {
            Self::of(measured, core, reach, &waits, Rc::clone(&events))
        })
        .collect()
    }

    fn of(
        measured: Measured<'a, '_>,
        core: u32,
        reach: Reach,
        waits: &Waits,
        events: Rc<Events>,
    ) -> Self {
        let Measured { system, derived, costs, wakes } = measured;
        let kernel = kernel_cost((system, derived), costs, wakes);
        let interrupts = interrupts::all(system, &kernel);
        let demands = Demands::of(system, derived, &kernel, waits);
        let levels = Levels::of(system, core);
        let closing = Closing::of(system, derived, costs, &kernel, &demands);
        let locks_nest = Order::of(system).nests();
        // The lengths of sections are asked of the context itself, so it begins without them.
        let lengths = Vec::new();
        let mut context = Self {
            core,
            system,
            derived,
            kernel,
            interrupts,
            demands,
            levels,
            reach,
            lengths,
            closing,
            locks_nest,
            untrusted: tasks_with_untrusted_code(system, derived),
            at_offsets: false,
            events,
        };
        let passages = context.reach.passages.iter().enumerate();
        let lengths = passages
            .map(|(t, all)| all.iter().map(|p| context.length(TaskId::from(t), p)).collect());
        context.lengths = lengths.collect();
        context
    }

    /// Returns the level at which a task stands for certain, whatever it inherits.
    pub(crate) fn base(&self, id: TaskId) -> i16 {
        self.levels.base(id)
    }

    /// Returns the arrivals of a task's jobs; a task without release has one job, once.
    pub(crate) fn arrivals(&self, id: TaskId) -> Arrivals {
        arrivals(self.system.task(id))
    }

    /// Returns the arrivals of jobs that events release, if others are over as supposed.
    pub(crate) fn event_arrivals<'s>(&'s self, supposed: Supposed<'s>) -> EventArrivals<'s> {
        let facts = (self.system, self.untrusted.as_slice(), self.at_offsets);
        EventArrivals::of(facts, &self.events.looks, supposed.responses)
    }

    /// A task's waits for events in the middle of its job; none where one of them has no bound.
    pub(crate) fn event_waits(&self, id: TaskId) -> &[EventWait] {
        self.events.waits.of_task(id)
    }

    /// Returns the sections at a gate in which its holder waits for events.
    pub(crate) fn sections(&self, gate: GateId) -> &[Section] {
        self.events.waits.sections(gate)
    }

    /// Returns the budget at whose end a task is suspended.
    pub(crate) fn suspending_budget(&self, id: TaskId) -> Option<u64> {
        let budget = self.system.task(id).budget.as_ref()?;
        (budget.overrun == Overrun::Suspend).then(|| budget.amount.value.ns())
    }

    /// Kernel time of one job apart from its release: operations, completion, time slices.
    pub(crate) fn job_kernel(&self, demand: &Demand) -> Amount {
        let kernel = demand.kernel.plus(self.kernel.completion);
        kernel.plus(self.slice_ends(demand.execution.plus(demand.waiting).plus(kernel)))
    }

    /// Kernel time of the slice ends that fall into so much execution.
    ///
    /// n ends of s each need (n - 1) slices Q of execution, ends included: n <= (C + Q) / (Q - s).
    pub(crate) fn slice_ends(&self, execution: Amount) -> Amount {
        let (Some(slice), Some(end)) = (self.system.slice(), self.kernel.time_slice.0) else {
            return Amount::ZERO;
        };
        // Ends that take no time need no count, however short the slices are.
        if end == 0 {
            return Amount::ZERO;
        }
        let quantum = slice.ns();
        // A slice that is no longer than its own end leaves no time in which anything is executed.
        let Some(rest) = quantum.checked_sub(end).filter(|&r| r > 0) else { return Amount(None) };
        match execution.plus(Amount(Some(quantum))).0 {
            Some(total) => Amount(Some(end)).times(total / rest),
            None => Amount(None),
        }
    }

    /// Returns all passages of a task, with their lengths.
    pub(crate) fn passages(
        &self,
        task: TaskId,
    ) -> impl Iterator<Item = (Passage, Result<u64, Obstacle>)> + '_ {
        let passages = self.reach.passages[task.index()].iter().zip(&self.lengths[task.index()]);
        passages.map(|(&passage, &length)| (passage, length))
    }

    /// Passages that are outermost among those that can be raised to the level, with their lengths.
    pub(crate) fn relevant(
        &self,
        level: i16,
        task: TaskId,
    ) -> impl Iterator<Item = (Passage, Result<u64, Obstacle>)> + '_ {
        // What is nested in a section that matters is in the length of that one, and must not count
        // again. A passage to which a way leads without such a gate is a section of its own.
        self.passages(task)
            .filter(move |(p, _)| p.below < level && level <= self.reach.rise[p.gate.index()])
    }

    /// Returns the longest time that a task is inside a gate that it passes, with everything nested
    /// in it.
    fn length(&self, task: TaskId, passage: &Passage) -> Result<u64, Obstacle> {
        let demand = self.demands.invocation(&self.kernel, passage.gate, passage.method);
        let demand = demand.map_err(|unknown| unknown_time(task, unknown))?;
        // A wait whose length is known is suspension and counts elsewhere (module `held`). An
        // unknown one leaves the section without a length.
        if let Some((body, notification)) = demand.waits
            && self.event_waits(task).is_empty()
        {
            return Err(Obstacle::Waits { task, body, notification });
        }
        let rounds = self.rounds(self.locks_within(passage.gate));
        let demand = demand.plus(rounds.map_err(|unknown| unknown_time(task, unknown))?);
        let stated = self.section(task, demand)?;
        self.enforced_section(task, passage.gate, stated)
    }

    /// The gates of lock components that may be asked behind a gate, itself included.
    pub(crate) fn locks_within(&self, gate: GateId) -> BTreeSet<GateId> {
        if self.system.lock_services().next().is_none() {
            return BTreeSet::new();
        }
        let all = self.derived.within(gate).into_iter().chain([gate]);
        all.filter(|&gate| self.system.lock_component(gate).is_some()).collect()
    }

    /// Returns the rounds that a task goes besides in a section in which it asks these: woken
    /// before a window, or on its way to sleep at its end.
    ///
    /// # Errors
    /// Nobody knows how long that takes.
    pub(crate) fn rounds(&self, asked: BTreeSet<GateId>) -> Result<Demand, Unknown> {
        asked.into_iter().try_fold(Demand::NONE, |sum, gate| {
            let calls = self.demands.lock_calls(self.system, &self.kernel, gate)?;
            // All further rounds are charged to who wakes (module `lock_costs`).
            Ok(sum.plus(calls.round.times(2)))
        })
    }

    /// Returns the rounds that all other users go in such a section, each one.
    ///
    /// # Errors
    /// As for [`Context::rounds`].
    pub(crate) fn rounds_of_others(&self, asked: &BTreeSet<GateId>) -> Result<Demand, Unknown> {
        asked.iter().try_fold(Demand::NONE, |sum, &gate| {
            let calls = self.demands.lock_calls(self.system, &self.kernel, gate)?;
            Ok(sum.plus(calls.round.times(calls.others)))
        })
    }

    /// Returns the longest time that a task is in a section with so much to do, with the ends of
    /// budgets and slices.
    ///
    /// # Errors
    /// Longer than the clock.
    pub(crate) fn section(&self, task: TaskId, demand: Demand) -> Result<u64, Obstacle> {
        let mut whole = demand.total();
        // A budget that was filled before the window may end in the section. The ends of those that
        // are filled in it are counted with their releases (module `interrupts`).
        if self.system.task(task).budget.is_some() {
            whole = whole.plus(self.kernel.budget_end);
        }
        let Amount(length) = whole.plus(self.slice_ends(whole));
        length.ok_or(Obstacle::NoEnd)
    }

    /// Tasks of one core.
    pub(crate) fn on_core(&self, core: u32) -> impl Iterator<Item = TaskId> + '_ {
        self.system.task_ids().filter(move |(_, t)| t.core == core).map(|(id, _)| id)
    }
}

impl Events {
    fn of((system, derived): (&System, &Derived), costs: &CostTable, kernel: &KernelCost) -> Self {
        let interrupts = interrupts::all(system, kernel);
        let look = |core: u32| match (kernel.is_free, costs.cores.is_some()) {
            // A kernel whose paths take no time looks at once.
            (true, _) => Some(0),
            // A table that is silent about looks does not say that they take no time.
            (false, false) => None,
            // The look that finds it is the path that comes after the longest wait for one.
            (false, true) => {
                interrupts::pending(&interrupts, kernel, core).plus(kernel.longest_path).0
            }
        };
        let looks: Vec<Option<u64>> = match system.cores() {
            // With one core each signal stays at home, and nobody looks.
            1 => vec![Some(0)],
            cores => (0..cores).map(look).collect(),
        };
        let waits = EventWaits::of(system, derived, looks.iter().all(Option::is_some));
        Self { waits, looks }
    }
}

/// Rounds in which it is looked for how late looks come.
const MOST_ROUNDS: usize = 64;

/// Returns the kernel's costs on each core: by itself first, then with the gates between cores.
/// The paths at those gates wait for the interrupts of the other cores.
fn kernel_cost(
    (system, derived): (&System, &Derived),
    costs: &CostTable,
    wakes: &Wakes,
) -> KernelCost {
    // Only cores that get signals of others are late with looks. One core alone is done in one
    // round.
    let posts = system.cores() > 1;
    let mut pending = Vec::new();
    // How late looks are depends on how many interrupts come meanwhile, and that on how late they
    // are. The search begins with no delay, so that it finds the least that confirms itself.
    for round in 0..=MOST_ROUNDS + 1 {
        let mut kernel = KernelCost::alone(system, derived, costs);
        kernel.pending.clone_from(&pending);
        let interrupts = interrupts::all(system, &kernel);
        let longest = kernel.longest_path;
        let between = Between::of(Measured { system, derived, costs, wakes }, longest, &interrupts);
        let kernel = kernel.with_between((system, derived), costs, between);
        let on = |core| interrupts::pending(&interrupts, &kernel, core).0;
        let next = match round {
            // It grows and grows.
            MOST_ROUNDS.. => vec![None; system.cores() as usize],
            _ => (0..system.cores()).map(on).collect(),
        };
        if !posts || next == pending {
            return kernel;
        }
        pending = next;
    }
    unreachable!("the last round is like the one before it")
}
