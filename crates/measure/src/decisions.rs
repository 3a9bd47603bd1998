//! The times of decisions by the schedulers that come with Fusee.
//!
//! A decision is from the end of who ran, or from what made the scheduler look, until the next
//! one's first instruction: kernel, scheduler and all. It grows with the threads that a scheduler
//! has, in a straight line, and with the events that it has still to receive. So each is measured
//! with few threads and with many, and with few events and with many, in both languages. There are
//! as many threads and schedulers in each system as the costs hold for.

use fusee_model::Duration;
use fusee_model::costs::{CostTable, Limits, SchedulerCosts, Slope};

use crate::Path;
use crate::choosing::{BURSTS, CHOSEN, choosing};
use crate::experiment::Experiment;
use crate::lending::{lending, lent};
use crate::path::{NotMeasured, longest};
use crate::setting::{SCHEDULERS, Setting};
use crate::with_schedulers::{TABLE_ABOVE, idle_schedulers};

/// So many events are pending at a table where that is measured.
const PENDING: usize = 10;

/// The files of a system with a table.
const SLOTS: &[(&str, &str)] = &[
    ("system.camkes", include_str!("../systems/slots/system.camkes")),
    ("components/Greedy/greedy.c", include_str!("../systems/slots/components/Greedy/greedy.c")),
    ("components/Job/job.c", include_str!("../systems/slots/components/Job/job.c")),
    ("components/Below/below.c", include_str!("../systems/choosers/components/Below/below.c")),
];

/// Returns the experiments on decisions.
pub(crate) fn decisions(setting: Setting) -> Vec<Experiment> {
    let mut all = Vec::new();
    for language in ["c", "rust"] {
        all.extend(choosing(language));
        for place in PLACES {
            all.extend([0, PENDING].map(|pending| slots(language, place, pending)));
        }
    }
    all.extend(lending());
    all.into_iter().map(|experiment| experiment.in_setting(setting)).collect()
}

/// The place of a table, and the owner of its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Threads have the slots of the root.
    Root,
    /// Schedulers that choose, each among one thread.
    Choosers,
    /// Tables, each with one slot.
    Tables,
    /// Threads, of a table in a slot of another.
    Below,
}

/// All of them.
const PLACES: [Place; 4] = [Place::Root, Place::Choosers, Place::Tables, Place::Below];

impl Place {
    /// Returns the prefix of its paths' names.
    fn kind(self) -> &'static str {
        match self {
            Place::Root => "",
            Place::Choosers => "guest.",
            Place::Tables => "table.",
            Place::Below => "below.",
        }
    }

    /// Returns the kind of scheduler that has the slots of the measured threads.
    fn guests(self) -> Option<&'static str> {
        match self {
            Place::Root | Place::Below => None,
            Place::Choosers => Some("FixedPriority"),
            Place::Tables => Some("Partitions"),
        }
    }

    fn schedulers(self) -> usize {
        match self {
            Place::Root => 1,
            Place::Below => 2,
            Place::Choosers | Place::Tables => 3,
        }
    }
}

fn slots(language: &str, place: Place, pending: usize) -> Experiment {
    let schedulers = place.schedulers();
    let (extra_instances, extra_settings) = idle_schedulers(schedulers, ("Padding", |_| 150));
    let all = |line: &dyn Fn(usize) -> String| (0..pending).map(line).collect::<String>();
    let others = all(&|i| format!("component Padding other{i};\n        "));
    let given = all(&|i| format!(", \"100 us to other{i}\""));
    let settings = all(&|i| {
        let lines = [
            "scheduler = \"root\"",
            "stub = true",
            "period = \"10 ms\"",
            "offset = \"1500 us\"",
            "wcet = \"1 us\"",
        ];
        lines.map(|line| format!("other{i}.{line};\n        ")).concat()
    });
    let (later, waked) = match place.guests() {
        Some(_) => ("guest0", "guest1"),
        None => ("later", "waked"),
    };
    let root = format!("root.language = \"{language}\";\n        ");
    let time = match place {
        Place::Below => TABLE_ABOVE.1,
        _ => "root.priority = 100;\n        ",
    };
    let instances = match place.guests() {
        Some(kind) => format!("component {kind} guest0;\n        component {kind} guest1;\n"),
        None if place == Place::Below => format!("{}\n", TABLE_ABOVE.0),
        None => String::new(),
    };
    let own = 4 + schedulers + pending + 2 * (SCHEDULERS - schedulers);
    Experiment::new("slots", SLOTS, BURSTS as u64 * 10 + 20, own)
        .called(&format!("{language}-{}{pending}", place.kind()))
        .with("others", &format!("{others}{instances}"))
        .with("extra", &extra_instances)
        .with("extra_settings", &extra_settings)
        .with("slots", &given)
        .with("later", later)
        .with("waked", waked)
        .with("schedulers", &(root + time + &dispatched(language, place)))
        .with("settings", &settings)
        .with("kind", place.kind())
        .with("pending", &pending.to_string())
        .with("bursts", &BURSTS.to_string())
        .with("idle", &format!("slot.{}out", place.kind()))
}

/// Returns the description of the measured threads' schedulers.
fn dispatched(language: &str, place: Place) -> String {
    let of = |(i, thread): (usize, &str)| match place {
        Place::Root | Place::Below => format!("{thread}.scheduler = \"root\";\n        "),
        Place::Choosers | Place::Tables => {
            let own = format!(
                "guest{i}.scheduler = \"root\";\n        guest{i}.language = \
                 \"{language}\";\n        {thread}.scheduler = \"guest{i}\";\n        "
            );
            own + &match place {
                Place::Choosers => format!("{thread}.priority = 10;\n        "),
                _ => format!(
                    "guest{i}.delegates = [\"{} ms to {thread}\"];\n        \
                     guest{i}.delegates_every = \"10 ms\";\n        ",
                    2 + i
                ),
            }
        }
    };
    ["later", "waked"].into_iter().enumerate().map(of).collect()
}

/// Returns a table with what schedulers take.
///
/// # Errors
/// A path is missing.
pub fn with_schedulers(table: CostTable, paths: &[Path]) -> Result<CostTable, NotMeasured> {
    let limits =
        table.limits.map(|limits| Limits { schedulers: Some(SCHEDULERS as u32), ..limits });
    let schedulers = Some(scheduler_costs(&table, paths)?);
    Ok(CostTable { schedulers, limits, ..table })
}

/// Returns costs that cover all decisions that were measured.
fn scheduler_costs(table: &CostTable, paths: &[Path]) -> Result<SchedulerCosts, NotMeasured> {
    let (choose, heard) = decided(paths, "choose")?;
    let (serve, heard_by_servers) = decided(paths, "serve")?;
    let hear: Vec<_> = (heard.iter().zip(heard_by_servers))
        .map(|(&(threads, one), (_, other))| (threads, one.max(other)))
        .collect();
    let mut fill = Vec::new();
    for &(threads, decision) in &serve {
        let filled = longest(paths, &format!("serve.fill.{threads}"))?;
        fill.push((threads, filled.saturating_sub(decision)));
    }
    let (slot, note) = table_costs(paths)?;
    let costs = SchedulerCosts {
        choose: line(&choose),
        hear: line(&hear),
        serve: line(&serve),
        fill: line(&fill),
        slot: Duration(slot),
        note: Duration(note),
        lend: Duration(0),
    };
    let lend = lent(table, costs.choose, paths)?;
    Ok(SchedulerCosts { lend, ..costs })
}

/// By the number of threads.
type Points = Vec<(usize, u64)>;

/// Returns the time of a decision of those of a kind, and of each further event.
fn decided(paths: &[Path], kind: &str) -> Result<(Points, Points), NotMeasured> {
    let most = |name: String| longest(paths, &name);
    let (mut decision, mut hear) = (Vec::new(), Vec::new());
    for threads in CHOSEN {
        let one = most(format!("{kind}.first.{threads}.1"))?;
        let mut longest = one;
        for path in ["next", "same", "idle"] {
            longest = longest.max(most(format!("{kind}.{path}.{threads}"))?);
        }
        decision.push((threads, longest));
        let together = most(format!("{kind}.first.{threads}.{threads}"))?;
        hear.push((threads, together.saturating_sub(one).div_ceil(threads as u64 - 1)));
    }
    Ok((decision, hear))
}

/// Returns the time of a table's decision, and of each event that it has still to receive.
fn table_costs(paths: &[Path]) -> Result<(u64, u64), NotMeasured> {
    let (mut slot, mut note) = (0, 0);
    for place in PLACES {
        let most = |name: &str| longest(paths, &format!("slot.{}{name}", place.kind()));
        let first = most("first.0")?;
        // How many tables decide at a slot's beginning, and when nobody has anything to do.
        let (tables, last) = match place {
            Place::Root | Place::Choosers => (1, 1),
            Place::Tables => (2, 2),
            Place::Below => (1, 2),
        };
        let begins = first.max(most("wake")?).div_ceil(tables);
        slot = slot.max(begins).max(most("out")?.div_ceil(last));
        let pending = most(&format!("first.{PENDING}"))?;
        note = note.max(pending.saturating_sub(first).div_ceil(PENDING as u64));
    }
    Ok((slot, note))
}

/// Returns the line that no point is above, as steep as that from the first to the last.
fn line(points: &[(usize, u64)]) -> Slope {
    let ends = points.first().zip(points.last());
    let each = ends.map_or(0, |(first, last)| {
        last.1.saturating_sub(first.1).div_ceil((last.0 - first.0) as u64)
    });
    let once = points.iter().map(|&(at, cost)| cost.saturating_sub(each * at as u64)).max();
    Slope { once: Duration(once.unwrap_or(0)), thread: Duration(each) }
}
