//! The kernels' numbers of objects and the description's.
//!
//! Each core's kernel counts its own threads, has gates between cores behind all others, and
//! where there are such gates its own levels. Runs and their records speak of tasks, gates
//! and priorities of the description.

use fusee_kernel::{GlobalIndex, Record, SeatIndex, ThreadIndex};
use fusee_model::TaskId;
use fusee_tables::{CoreNumbers, CoreObjects, Cores};

/// The numbers of all cores.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    cores: Vec<CoreNumbers>,
    /// For each core, the tasks that its threads are.
    tasks: Vec<Vec<usize>>,
    /// For each gate between cores, the tasks in its seats.
    seats: Vec<Vec<usize>>,
    /// For each task, its thread on its core.
    threads: Vec<ThreadIndex>,
}

impl Numbers {
    pub(crate) fn of(cores: &Cores) -> Numbers {
        let index = |tasks: &[TaskId]| tasks.iter().map(|task| task.index()).collect::<Vec<_>>();
        let tasks: Vec<Vec<usize>> = cores.cores.iter().map(|core| index(&core.tasks)).collect();
        let mut threads = Vec::new();
        for (thread, &task) in tasks.iter().flat_map(|tasks| tasks.iter().enumerate()) {
            threads.resize(threads.len().max(task + 1), ThreadIndex::NONE);
            threads[task] = ThreadIndex(thread as u16);
        }
        let seats: Vec<Vec<usize>> =
            cores.globals.iter().map(|global| index(&global.tasks)).collect();
        let short = |tasks: &[usize]| tasks.iter().map(|&task| task as u16).collect::<Vec<_>>();
        let globals = cores.globals.iter().zip(&seats);
        let globals: Vec<_> =
            globals.map(|(global, seats)| (global.gate.0 as u16, short(seats))).collect();
        let core = |(number, (core, tasks)): (usize, (&CoreObjects, &Vec<usize>))| CoreNumbers {
            core: number as u16,
            threads: short(tasks),
            first_gate: core.first(globals.len()).0.0,
            globals: globals.clone(),
            levels: core.levels.clone(),
        };
        let all = cores.cores.iter().zip(&tasks).enumerate().map(core).collect();
        Numbers { cores: all, tasks, seats, threads }
    }

    /// Returns the tasks of a core, in the order of its threads.
    pub(crate) fn tasks(&self, core: usize) -> &[usize] {
        &self.tasks[core]
    }

    /// Returns the task that a thread of a core is.
    pub(crate) fn task(&self, core: usize, thread: ThreadIndex) -> usize {
        self.tasks[core][thread.at()]
    }

    /// Returns the thread that a task is on its core.
    pub(crate) fn thread(&self, task: usize) -> ThreadIndex {
        self.threads[task]
    }

    /// Returns the task in a seat of a gate between cores.
    pub(crate) fn seat(&self, global: GlobalIndex, seat: SeatIndex) -> usize {
        self.seats[global.at()][seat.at()]
    }

    /// Returns a record of a core's kernel in the description's numbers.
    pub(crate) fn told(&self, core: usize, record: Record) -> Record {
        // With one core and nothing between it and others all numbers are the same.
        if self.cores.len() == 1 && self.seats.is_empty() {
            return record;
        }
        self.cores[core].told(record)
    }
}
