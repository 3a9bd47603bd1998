//! The values of a finished system that its description does not have.

use fusee_model::derived::Derived;
use fusee_model::{System, TaskId};

use super::freedom::Freedom;
use super::judge::Judge;
use super::order::{Levels, spread};
use super::setting::{Choice, Setting, Subject};

/// A description, and what may be chosen in it.
pub(super) struct Chosen<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) freedom: &'a Freedom,
    pub(super) cores: u32,
}

impl Chosen<'_> {
    /// Returns the values of a finished system that the description does not have.
    pub(super) fn choice(&self, system: &System, levels: &Levels) -> Choice {
        let described = self.judge.described;
        let names = self.renamed(system);
        let mut system = system.clone();
        for task in &mut system.tasks {
            task.core = names.get(task.core as usize).copied().unwrap_or(task.core);
        }
        let derived = Derived::of(&system);
        let mut choice = Choice::default();
        for subject in self.freedom.all() {
            let value = match subject {
                Subject::Priority(_) | Subject::Budget(_) | Subject::Policy => None,
                Subject::Protocol(gate) if derived.gate(gate).tasks.len() < 2 => None,
                Subject::Core(_) | Subject::Protocol(_) => subject.value(&system),
            };
            if let Some(value) = value.filter(|_| subject.value(described) != value) {
                choice = choice.with(value);
            }
        }
        let free = |id: TaskId| self.freedom.has(Subject::Priority(id));
        for (task, level) in spread(&system, free, levels) {
            choice = choice.with(Setting::Priority(task, level));
        }
        choice
    }

    /// Returns other numbers for cores, so that most tasks stay where the description has them.
    /// Cores with a task that cannot move keep theirs.
    fn renamed(&self, system: &System) -> Vec<u32> {
        let described = self.judge.described;
        let is_fixed = |core: u32| {
            let mut tasks = system.task_ids();
            tasks.any(|(id, task)| task.core == core && !self.freedom.core(id))
        };
        let mut names: Vec<Option<u32>> =
            (0..self.cores).map(|core| is_fixed(core).then_some(core)).collect();
        let mut pairs = Vec::new();
        for (core, name) in (0..self.cores).flat_map(|a| (0..self.cores).map(move |b| (a, b))) {
            let both = system.tasks.iter().zip(&described.tasks);
            let stay = both.filter(|(is, was)| is.core == core && was.core == name).count();
            pairs.push((std::cmp::Reverse(stay), core, name));
        }
        pairs.sort_unstable();
        for (_, core, name) in pairs {
            if names[core as usize].is_none() && !names.contains(&Some(name)) {
                names[core as usize] = Some(name);
            }
        }
        names.into_iter().zip(0..).map(|(name, core)| name.unwrap_or(core)).collect()
    }
}
