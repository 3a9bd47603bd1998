//! Random task sets.
//!
//! A [`Recipe`] says what sets look like: how many tasks, utilizations, periods,
//! deadlines, resources. Where articles leave a choice open (what happens to a
//! utilization above 1, to the last task before a cap, to sections longer than
//! their task), the choice is a field. A [`Generator`] is a checked recipe, and
//! `set(seed, index)` is a pure function: any worker can make any set, alone, in
//! any order, and gets the same ticks on every machine.
//!
//! ```
//! use fusee_analysis::generation::{Generator, Recipe};
//!
//! let recipe: Recipe = toml::from_str(r#"
//!     utilizations = { method = "uunifast-discard", tasks = 20, total = 0.9 }
//!     periods = { kind = "log-uniform", min = "1 ms", max = "1000 ms" }
//! "#).unwrap();
//! let generator = Generator::new(recipe).unwrap();
//! assert_eq!(generator.set(1, 7), generator.set(1, 7));
//! assert_eq!(generator.set(1, 7).unwrap().tasks().len(), 20);
//! ```

mod call_paths;
pub mod fixed_sum;
mod invalid;
mod math;
mod periods;
mod random;
mod recipe;
mod resources;
mod span;
mod utilizations;

pub use call_paths::CallPaths;
pub use invalid::{Discarded, InvalidRecipe};
pub use periods::{Mode, Periods};
pub use random::{Part, Random};
pub use recipe::{Deadlines, Generator, Priorities, Recipe};
pub use resources::{Excess, RandomAccess, Resources};
pub use span::{InvalidSpan, Span};
pub use utilizations::{AboveOne, Distribution, Last, Utilizations};

#[cfg(test)]
mod tests;
