//! Who is who: the kernels' numbers and the description's.
//!
//! Each core's kernel counts its own threads, has gates between cores behind all others, and
//! where there are such gates its own levels. Runs and their records speak of tasks, gates
//! and priorities of the description.

use fusee_kernel::{GlobalIndex, Kind, Object, Record, SeatIndex, ThreadIndex};
use fusee_tables::Cores;

/// The numbers of all cores.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    cores: Vec<CoreNumbers>,
    /// For each gate between cores, its number in the description and the tasks in its seats.
    globals: Vec<(u16, Vec<usize>)>,
    /// For each task, who it is on its core.
    threads: Vec<ThreadIndex>,
}

#[derive(Debug, Clone)]
struct CoreNumbers {
    tasks: Vec<usize>,
    /// Its first stand-in.
    first_gate: usize,
    /// The priority of each level; empty: itself.
    levels: Vec<u8>,
}

impl Numbers {
    pub(crate) fn of(cores: &Cores) -> Numbers {
        let mut threads = Vec::new();
        let mut all = Vec::with_capacity(cores.cores.len());
        for core in &cores.cores {
            let tasks: Vec<usize> = core.tasks.iter().map(|task| task.index()).collect();
            for (thread, &task) in tasks.iter().enumerate() {
                threads.resize(threads.len().max(task + 1), ThreadIndex::NONE);
                threads[task] = ThreadIndex(thread as u16);
            }
            let (first_gate, _) = core.first(cores.globals.len());
            let (first_gate, levels) = (first_gate.at(), core.levels.clone());
            all.push(CoreNumbers { tasks, first_gate, levels });
        }
        let global = |global: &fusee_tables::Global| {
            (global.gate.0 as u16, global.tasks.iter().map(|task| task.index()).collect())
        };
        let globals = cores.globals.iter().map(global).collect();
        Numbers { cores: all, globals, threads }
    }

    /// The tasks of a core, in the order of its threads.
    pub(crate) fn tasks(&self, core: usize) -> &[usize] {
        &self.cores[core].tasks
    }

    /// The task that a thread of a core is.
    pub(crate) fn task(&self, core: usize, thread: ThreadIndex) -> usize {
        self.cores[core].tasks[thread.at()]
    }

    /// Who a task is on its core.
    pub(crate) fn thread(&self, task: usize) -> ThreadIndex {
        self.threads[task]
    }

    /// The task in a seat of a gate between cores.
    pub(crate) fn seat(&self, global: GlobalIndex, seat: SeatIndex) -> usize {
        self.globals[global.at()].1[seat.at()]
    }

    /// Whether there is one core and nothing between it and others: all numbers are the same.
    fn is_alone(&self) -> bool {
        self.cores.len() == 1 && self.globals.is_empty()
    }

    /// A record of a core's kernel in the description's numbers.
    pub(crate) fn told(&self, core: usize, record: Record) -> Record {
        if self.is_alone() {
            return record;
        }
        let numbers = &self.cores[core];
        let task = |thread: usize| numbers.tasks.get(thread).map_or(u16::MAX, |&task| task as u16);
        let (object, value) = (usize::from(record.object), record.value);
        let global = object.checked_sub(numbers.first_gate).and_then(|at| self.globals.get(at));
        let thread = if record.thread.is_some() { task(record.thread.at()) } else { u16::MAX };
        let object = match record.kind.object() {
            Object::Gate => global.map_or(record.object, |&(gate, _)| gate),
            Object::Thread => task(object),
            Object::Core => core as u16,
            Object::Nothing | Object::Notification | Object::Component => record.object,
        };
        let value = match record.kind {
            Kind::Block | Kind::HandOver => u64::from(task(value as usize)),
            Kind::Boost => {
                numbers.levels.get(value as usize).map_or(value, |&level| u64::from(level))
            }
            Kind::Take | Kind::LayDown | Kind::Finish => {
                let owner = global.and_then(|(_, tasks)| tasks.get(value as usize));
                owner.map_or(u64::MAX, |&owner| owner as u64)
            }
            _ => value,
        };
        Record { thread: ThreadIndex(thread), object, value, ..record }
    }
}
