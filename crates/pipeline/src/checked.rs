//! Everything that there is to say about a description alone.

use fusee_adl::syntax::files::{Disk, Files};
use fusee_diagnostics::render;
use fusee_model::derived::Derived;
use fusee_model::{Scheduler, System, TaskId};
use serde_json::{Value, json};

use crate::costs::Costs;
use crate::load::{Loaded, Surroundings, as_it_is, load_within};
use crate::options::Source;
use crate::{advice, from_code, gates, limits};

/// A description that was checked.
pub struct Checked {
    /// It, with all that is to be said about it.
    pub loaded: Loaded,
    /// The bodies whose times it leaves to the code of its components.
    pub from_code: Vec<String>,
}

/// Reads and checks a description, also for what no machine could run.
pub fn run(source: &Source) -> Checked {
    run_within(&Surroundings::of(source), &Disk, source)
}

/// The same, within what stands around it and from a place of your own.
pub fn run_within(around: &Surroundings, files: &dyn Files, source: &Source) -> Checked {
    let loaded = load_within(around, files, source, &Costs::nothing(), as_it_is);
    let from_code = from_code::bodies(&loaded);
    let mut loaded = loaded.demanding_a_machine();
    match from_code.is_empty() {
        true => advice::about_times(&mut loaded, source, None),
        false => from_code::allow(&mut loaded),
    }
    loaded.diagnostics.extend(limits::exceeded(&loaded));
    let span = |origin| loaded.origins.span(origin);
    let trusted =
        loaded.system.as_ref().and_then(|(system, _)| fusee_check::trusted(system, &span));
    loaded.diagnostics.extend(trusted);
    Checked { loaded, from_code }
}

impl Checked {
    /// Returns the system, if results about it can be trusted.
    pub fn usable(&self) -> Option<&(System, Derived)> {
        self.loaded.usable()
    }

    /// Returns the same where all of its times are known, so that it can be analyzed.
    pub fn timed(&self) -> Option<&(System, Derived)> {
        self.usable().filter(|_| self.from_code.is_empty())
    }

    /// Returns the result as JSON, for programs.
    pub fn json(&self) -> Value {
        let of = |(system, derived): &(System, Derived)| gates::json(system, derived);
        json!({
            "system": self.loaded.system.as_ref().map(|(system, _)| &system.name),
            "usable": self.usable().is_some(),
            "from_code": self.from_code,
            "gates": self.loaded.system.as_ref().map_or(json!([]), of),
            "schedulers": self.loaded.system.as_ref().map_or(json!([]), schedulers),
            "diagnostics": render::json(&self.loaded.diagnostics, &self.loaded.sources),
        })
    }
}

/// Returns the threads that each scheduler dispatches, and the time that it gives, for programs.
fn schedulers((system, _): &(System, Derived)) -> Value {
    let name = |task: TaskId| system.task(task).name.as_str();
    let of = |scheduler: &Scheduler| {
        let gives = scheduler.delegates.iter().map(|gift| {
            let amount = gift.amount.value.ns();
            json!({ "to": name(gift.to), "amount_ns": amount, "priority": gift.priority })
        });
        json!({
            "name": name(scheduler.task),
            "threads": scheduler.threads.iter().map(|own| name(own.value)).collect::<Vec<_>>(),
            "every_ns": scheduler.every.map(|every| every.value.ns()),
            "delegates": gives.collect::<Vec<_>>(),
        })
    };
    system.schedulers.iter().map(of).collect()
}
