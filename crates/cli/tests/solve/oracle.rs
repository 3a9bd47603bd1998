//! Everything that could be chosen in a small system, one after the other.
//!
//! No search, no theorem: each placement, each protocol that fits a gate's users, each strict order
//! of all tasks, judged by the checks and the analysis. It shares nothing with `solve` but these.

use fusee_bounds::analyze;
use fusee_diagnostics::Severity;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Priority, PrioritySource, Protocol, System, priorities};
use fusee_pipeline::costs::Costs;

/// The question: so many cores, and the deadlines that must hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) cores: u32,
    pub(crate) required: &'q [bool],
}

/// Returns `true` if some choice of what a system leaves out lets all of it hold.
pub(crate) fn is_solvable(system: &System, costs: &Costs, of: Question<'_>) -> bool {
    let fixed = fixed_cores(system);
    let movable: Vec<usize> = (0..system.tasks.len()).filter(|&at| !fixed[at]).collect();
    let orders = orders(system);
    let placements = u64::from(of.cores).pow(movable.len() as u32);
    (0..placements).any(|number| {
        let mut placed = system.clone();
        let mut rest = number;
        for &at in &movable {
            placed.tasks[at].core = (rest % u64::from(of.cores)) as u32;
            rest /= u64::from(of.cores);
        }
        with_protocols(&placed)
            .iter()
            .any(|system| orders.iter().any(|levels| holds(system, levels, (costs, of.required))))
    })
}

/// The tasks whose `core` is given.
fn fixed_cores(system: &System) -> Vec<bool> {
    let given = |task: &fusee_model::Task| {
        let mut attributes = system.component(task.component).attributes.iter();
        attributes.any(|attribute| attribute.name == "core")
    };
    system.tasks.iter().map(given).collect()
}

/// All levels of the tasks, one set for each order in which those that are given fit.
fn orders(system: &System) -> Vec<Vec<Priority>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for at in 0..system.tasks.len() {
        let with = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let at = |place: usize| {
                let mut order = order.clone();
                order.insert(place, at);
                order
            };
            (0..=order.len()).map(at).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all.iter().filter_map(|order| levels(system, order)).collect()
}

/// Returns the levels of tasks from the lowest up; none where a given one does not fit.
fn levels(system: &System, order: &[usize]) -> Option<Vec<Priority>> {
    let mut levels = vec![0; system.tasks.len()];
    let (mut next, mut last) = (0_u16, 0_u16);
    for &at in order {
        let task = &system.tasks[at];
        let level = match task.priority_source {
            PrioritySource::Given => {
                let given = u16::from(task.priority.value);
                // Given ones may be equal; nobody else is at their level.
                let fits = given >= next || given == last && given + 1 == next;
                fits.then_some(given)?
            }
            _ => next,
        };
        levels[at] = Priority::try_from(level).ok().filter(|&level| level < 254)?;
        let given = task.priority_source == PrioritySource::Given;
        (next, last) = (level + 1, if given { level } else { u16::MAX });
    }
    Some(levels)
}

/// The systems with each fitting protocol at gates that give none.
fn with_protocols(system: &System) -> Vec<System> {
    let derived = Derived::of(system);
    let mut all = vec![system.clone()];
    for (id, gate) in system.gate_ids() {
        let given = gate.protocol.origin != gate.origin;
        if given || !gate.is_exclusive() || derived.gate(id).tasks.len() < 2 {
            continue;
        }
        let options = match derived.gate(id).cores.len() > 1 {
            true => vec![Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp],
            false => vec![Protocol::Inherited, Protocol::Fixed],
        };
        let with = |system: &System, option: Protocol| {
            let mut system = system.clone();
            system.gates[id.index()].protocol.value = option;
            system
        };
        all = (all.iter())
            .flat_map(|system| options.iter().map(move |&option| with(system, option)))
            .collect();
    }
    all
}

/// Returns `true` if the required deadlines hold with these levels.
fn holds(system: &System, levels: &[Priority], (costs, required): (&Costs, &[bool])) -> bool {
    let mut system = system.clone();
    for (task, &level) in system.tasks.iter_mut().zip(levels) {
        task.priority.value = level;
        task.priority_source = PrioritySource::Given;
    }
    let table: CostTable = costs.of(&system).into_owned();
    let analysis = analyze(&system, &Derived::of(&system), &table);
    let mut tasks = analysis.tasks.iter().zip(required);
    let fine = tasks.all(|(task, &required)| !required || task.is_schedulable());
    let found = || fusee_check::check(&system, &|_| None);
    fine && found().iter().all(|found| found.severity != Severity::Error)
}

/// Takes for left out what a system gives of priorities and protocols.
pub(crate) fn freed(system: &mut System) {
    for task in &mut system.tasks {
        task.priority_source = PrioritySource::DeadlineMonotonic;
    }
    for gate in &mut system.gates {
        gate.protocol.origin = gate.origin;
    }
}

/// Returns `true` if one other value of those that are free lets all of a system of one core hold.
pub(crate) fn is_solvable_at_once(described: &System, free: &System, costs: &Costs) -> bool {
    let fine = |mut system: System| {
        let assigned = priorities::assign_deadline_monotonic(&mut system).is_ok();
        let table = costs.of(&system).into_owned();
        assigned && analyze(&system, &Derived::of(&system), &table).is_schedulable()
    };
    let open = |at: &usize| free.tasks[*at].priority_source != PrioritySource::Given;
    let mut tasks = (0..free.tasks.len()).filter(open);
    let by_order = tasks.any(|at| {
        (0..=253).any(|level| {
            let mut system = described.clone();
            system.tasks[at].priority.value = level;
            system.tasks[at].priority_source = PrioritySource::Given;
            fine(system)
        })
    });
    let given = |at: &usize| free.gates[*at].protocol.origin != free.gates[*at].origin;
    let mut gates = (0..free.gates.len()).filter(|at| !given(at));
    by_order
        || gates.any(|at| {
            [Protocol::Inherited, Protocol::Fixed].into_iter().any(|protocol| {
                let mut system = described.clone();
                system.gates[at].protocol.value = protocol;
                fine(system)
            })
        })
}
