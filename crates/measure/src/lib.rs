//! The costs of a platform's kernel paths.
//!
//! [`experiments`] are systems whose components read the platform's clock around
//! what they do, or see in its readings that they were away. Booted, they print
//! [`Path`]s, and [`cost_table`] makes of these what the analysis counts with. A
//! measured table is no proof; on a platform whose instructions all take the same time
//! and whose paths do not depend on caches it comes close to one.

mod added;
mod between;
mod busy;
mod campaign;
mod ceilings;
mod choosing;
mod compiler;
mod core_costs;
mod deadlines;
mod decisions;
mod experiment;
mod experiments;
mod figure;
mod lending;
mod lifting;
pub mod locks;
mod on_cores;
mod origin;
mod path;
mod path_between;
mod queue;
mod schedulers;
mod searches;
mod sections;
mod setting;
mod sleepers;
mod stretch;
mod table;
mod task_set;
pub mod tcaps;
mod with_schedulers;
mod with_service;
mod with_word;
mod words;

pub use between::{Between, Guard, MOST_REQUESTS, free};
pub use busy::{Job, KernelTimes, jobs};
pub use campaign::{Defect, Finished, OtherCampaign, Row, Summary, TaskRow, finished};
pub use compiler::compiler;
pub use core_costs::CoresSeen;
pub use decisions::with_schedulers;
pub use experiment::Experiment;
pub use experiments::experiments_below_schedulers;
pub use experiments::{by_service, by_word};
pub use experiments::{
    experiments, experiments_by_ceiling, experiments_by_ceiling_below_schedulers,
    experiments_by_deadline,
};
pub use figure::{gates_between, queues};
pub use origin::Origin;
pub use path::{NotMeasured, Path};
pub use path_between::{PathBetween, PathsBetween};
pub use schedulers::{complete, growing_schedulers, schedulers};
pub use searches::longest_search;
pub use sections::{Held, KernelPath, Mark, Recorder, Role, Section};
pub use setting::{Others, Setting, THREADS};
pub use table::cost_table;
pub use task_set::TaskSet;
pub use words::{nest, words};
