//! Generators, placements and tests that a program brings to an experiment.
//!
//! They take part as what is built in does: chunks, logs, figures, intervals and any
//! number of workers are the same. [`Experiment::read_with`](crate::Experiment::read_with)
//! takes them:
//!
//! ```
//! use std::sync::Arc;
//!
//! use fusee_analysis::{Task, TaskSet, generation};
//! use fusee_diagnostics::SourceMap;
//! use fusee_sweep::{Draw, Experiment, Own};
//!
//! /// Pairs of tasks; `[recipe]` has their period.
//! struct Pairs;
//!
//! impl Draw for Pairs {
//!     fn name(&self) -> &str {
//!         "pairs 1"
//!     }
//!
//!     fn draw(&self, recipe: &toml::Table, seed: u64, index: u64) -> Option<TaskSet> {
//!         let period = recipe.get("period")?.as_integer()? as u64;
//!         let mut random = generation::Random::new(seed, index, generation::Part::Utilizations);
//!         let wcet = random.whole(1, period);
//!         TaskSet::new(vec![Task::implicit(wcet, period, 2), Task::implicit(1, 9, 1)]).ok()
//!     }
//! }
//!
//! let text = "sets = 10\ntests = [\"fp-rta\"]\n[grid]\nperiod = [2, 4, 8]\n";
//! let mut sources = SourceMap::default();
//! let file = sources.add("experiment.toml", text.to_owned());
//! let own = Own { draw: Some(Arc::new(Pairs)), ..Own::default() };
//! let experiment = Experiment::read_with(&sources, file, own).unwrap();
//! assert_eq!(experiment.plan().points.len(), 3);
//! ```

use std::sync::Arc;

use fusee_analysis::{SchedulabilityTest, TaskSet};

/// Draws the sets of an experiment, instead of a recipe.
pub trait Draw: Send + Sync {
    /// Returns its name, with a version that changes whenever sets may: a log is only continued
    /// with what draws the same sets.
    fn name(&self) -> &str;

    /// Set number `index` where `[recipe]` has these fields; a function of its arguments alone.
    /// `None`: there is no such set, which is counted.
    fn draw(&self, recipe: &toml::Table, seed: u64, index: u64) -> Option<TaskSet>;
}

/// Places the tasks of sets on cores, instead of `placement` in `[analysis]`.
pub trait Place: Send + Sync {
    /// Returns its name, with a version that changes whenever places may.
    fn name(&self) -> &str;

    /// Returns the set with its tasks on its cores; `None`: they find no room, and are not
    /// schedulable.
    fn place(&self, set: &TaskSet) -> Option<TaskSet>;
}

/// The parts that a program brings.
#[derive(Clone, Default)]
pub struct Own {
    /// The generator of the sets.
    pub draw: Option<Arc<dyn Draw>>,
    /// The placement of their tasks.
    pub place: Option<Arc<dyn Place>>,
    /// Tests that `tests` can name beside those of Fusee, which have other names.
    pub tests: Vec<&'static dyn SchedulabilityTest>,
}

impl Own {
    /// Returns the test of that name.
    pub(crate) fn test(&self, name: &str) -> Option<&'static dyn SchedulabilityTest> {
        self.tests.iter().copied().find(|test| test.metadata().name == name)
    }

    /// Returns the names that decide numbers, as text; nothing where nothing is brought.
    pub(crate) fn canonical(&self) -> String {
        let draw = self.draw.as_ref().map(|draw| format!("own generator {:?}\n", draw.name()));
        let place = self.place.as_ref().map(|place| format!("own placement {:?}\n", place.name()));
        draw.into_iter().chain(place).collect()
    }
}
