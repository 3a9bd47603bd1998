//! What the schedulers that come with Fusee take to decide.
//!
//! A decision is from the end of who ran, or from what made the scheduler look, until the next
//! one's first instruction: kernel, scheduler and all. It grows with the threads that a scheduler
//! has, in a straight line, and with the events that it has still to receive. So each is measured
//! with few threads and with many, and with few events and with many, in both languages. There are
//! as many threads and schedulers in each system as the costs hold for.

use fusee_model::Duration;
use fusee_model::costs::{CostTable, Limits, SchedulerCosts, Slope};

use crate::Path;
use crate::added::idle;
use crate::experiment::{Experiment, files};
use crate::path::{NotMeasured, longest};
use crate::setting::{SCHEDULERS, Setting, THREADS};
use crate::with_schedulers::idle_schedulers;

/// So many threads has a scheduler where that is measured: few, more, and as many as there can be.
const CHOSEN: [usize; 3] = [2, 8, 24];

/// So many events are pending at a table where that is measured.
const PENDING: usize = 10;

/// How often each path is taken.
const BURSTS: usize = 24;

/// The time between two bursts of jobs, in nanoseconds.
const PERIOD: usize = 10_000_000;

/// Those that choose.
const CHOOSERS: [&str; 3] = ["FixedPriority", "EarliestDeadline", "RoundRobin"];

/// The files of a system with a table.
const SLOTS: &[(&str, &str)] = &[
    ("system.camkes", include_str!("../systems/slots/system.camkes")),
    ("components/Greedy/greedy.c", include_str!("../systems/slots/components/Greedy/greedy.c")),
    ("components/Job/job.c", include_str!("../systems/slots/components/Job/job.c")),
    ("components/Below/below.c", include_str!("../systems/choosers/components/Below/below.c")),
];

/// When jobs come, and how urgent they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Burst {
    /// All at once, the last of the threads being the most urgent: each is better than the others.
    Together,
    /// Two at once, while all others wait for ever.
    Pair,
    /// One after the other, the last of the threads first, all as urgent: each has a better turn
    /// than those before. The first of them watches how they come.
    Turns,
}

/// The systems.
pub(crate) fn decisions(setting: Setting) -> Vec<Experiment> {
    let mut all = Vec::new();
    for language in ["c", "rust"] {
        for (chooser, threads) in
            CHOOSERS.into_iter().flat_map(|chooser| CHOSEN.map(|threads| (chooser, threads)))
        {
            let bursts = [Burst::Together, Burst::Pair, Burst::Turns];
            // One after the other nobody of equals is heard of before the first has ended.
            let heard = |burst: &Burst| *burst != Burst::Turns || chooser != "RoundRobin";
            let bursts = bursts.into_iter().filter(heard);
            all.extend(bursts.map(|burst| choosing((chooser, language), threads, burst)));
        }
        for (guests, pending) in [(false, 0), (false, PENDING), (true, 0), (true, PENDING)] {
            all.push(slots(language, guests, pending));
        }
    }
    all.into_iter().map(|experiment| experiment.in_setting(setting)).collect()
}

/// Schedulers beside so many others, above all that is measured: they are at rest by then.
fn extra(others: usize) -> (String, String) {
    idle_schedulers(others, ("Padding", |_| 150))
}

fn choosing((chooser, language): (&str, &str), threads: usize, burst: Burst) -> Experiment {
    let files = files!("choosers", "components/Job/job.c", "components/Below/below.c");
    let active = if burst == Burst::Pair { 2 } else { threads };
    let (extra_instances, extra_settings) = extra(2);
    let kind = |i: usize| if i < active { "Job" } else { "Padding" };
    let all = |line: &dyn Fn(usize) -> String| (0..threads).map(line).collect::<String>();
    let jobs = all(&|i| format!("component {} job{i};\n        ", kind(i)));
    let boards: Vec<_> = (0..active).map(|i| format!("from job{i}.board")).collect();
    let settings = all(&|i| setting_of(chooser, (i, active), burst));
    let own = threads + 3 + 2 * (SCHEDULERS - 2);
    let name = format!("{chooser}-{language}-{threads}-{burst:?}").to_lowercase();
    Experiment::new("choosing", files, BURSTS as u64 * 10 + 20, own.min(THREADS))
        .called(&name)
        .with("chooser", chooser)
        .with("language", language)
        .with("jobs", &jobs)
        .with("boards", &boards.join(", "))
        .with("extra", &extra_instances)
        .with("extra_settings", &extra_settings)
        .with("settings", &settings)
        .with("threads", &threads.to_string())
        .with("at_once", &if burst == Burst::Turns { 1 } else { active }.to_string())
        .with("bursts", &BURSTS.to_string())
        .with("period", &PERIOD.to_string())
        .with("idle", &format!("choose.idle.{threads}"))
}

/// One of the threads of a chooser, of which so many have something to do.
fn setting_of(chooser: &str, (i, active): (usize, usize), burst: Burst) -> String {
    let name = format!("job{i}");
    let scheduled = format!("{name}.scheduler = \"root\";\n        ");
    let place = if burst == Burst::Turns { 0 } else { i };
    let urgency = match chooser {
        "FixedPriority" => format!("{name}.priority = {};\n        ", 10 + place),
        _ => String::new(),
    };
    if i >= active {
        return scheduled + &urgency + &idle(&name);
    }
    // The last is released first, each of the others so much later.
    let offset = if burst == Burst::Turns { (active - 1 - i) * 20_000 } else { 0 };
    let due = match (chooser, burst) {
        // All at the same time.
        ("EarliestDeadline", Burst::Turns) => Some(PERIOD / 2 - offset),
        ("EarliestDeadline", _) => Some(PERIOD / 2 - 1000 * i),
        _ => None,
    };
    let due = due.map(|due| format!("{name}.deadline = \"{due} ns\";\n        "));
    let watches = if burst == Burst::Turns && i + 1 == active { active * 20_000 } else { 0 };
    format!(
        "{scheduled}{urgency}{}{name}.period = \"{PERIOD} ns\";\n        {name}.offset = \
         \"{offset} ns\";\n        {name}.wcet = \"1 us\";\n        {name}.watches = \
         {watches};\n        {name}.delay = {offset};\n        ",
        due.unwrap_or_default()
    )
}

fn slots(language: &str, guests: bool, pending: usize) -> Experiment {
    let schedulers = if guests { 3 } else { 1 };
    let (extra_instances, extra_settings) = extra(schedulers);
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
    let (later, waked) = if guests { ("guest0", "guest1") } else { ("later", "waked") };
    let guest = |i: usize, thread: &str| {
        format!(
            "guest{i}.scheduler = \"root\";\n        guest{i}.language = \"{language}\";\n        \
             {thread}.scheduler = \"guest{i}\";\n        {thread}.priority = 10;\n        "
        )
    };
    let dispatched = match guests {
        true => guest(0, "later") + &guest(1, "waked"),
        false => "later.scheduler = \"root\";\n        waked.scheduler = \"root\";\n".to_owned(),
    };
    let instances = match guests {
        true => "component FixedPriority guest0;\n        component FixedPriority guest1;\n",
        false => "",
    };
    let own = 4 + schedulers + pending + 2 * (SCHEDULERS - schedulers);
    let kind = if guests { "guest." } else { "" };
    Experiment::new("slots", SLOTS, BURSTS as u64 * 10 + 20, own)
        .called(&format!("{language}-{kind}{pending}"))
        .with("others", &format!("{others}{instances}"))
        .with("extra", &extra_instances)
        .with("extra_settings", &extra_settings)
        .with("slots", &given)
        .with("later", later)
        .with("waked", waked)
        .with("schedulers", &format!("root.language = \"{language}\";\n        {dispatched}"))
        .with("settings", &settings)
        .with("kind", kind)
        .with("pending", &pending.to_string())
        .with("bursts", &BURSTS.to_string())
        .with("idle", &format!("slot.{kind}out"))
}

/// A table with what schedulers take.
///
/// # Errors
/// A path is missing.
pub fn with_schedulers(table: CostTable, paths: &[Path]) -> Result<CostTable, NotMeasured> {
    let limits =
        table.limits.map(|limits| Limits { schedulers: Some(SCHEDULERS as u32), ..limits });
    Ok(CostTable { schedulers: Some(scheduler_costs(paths)?), limits, ..table })
}

/// What covers all decisions that were measured.
fn scheduler_costs(paths: &[Path]) -> Result<SchedulerCosts, NotMeasured> {
    let most = |name: String| longest(paths, &name);
    let mut choose = Vec::new();
    let mut hear = Vec::new();
    for threads in CHOSEN {
        let one = most(format!("choose.first.{threads}.1"))?;
        let mut longest = one;
        for path in ["next", "same", "idle"] {
            longest = longest.max(most(format!("choose.{path}.{threads}"))?);
        }
        choose.push((threads, longest));
        let together = most(format!("choose.first.{threads}.{threads}"))?;
        hear.push((threads, together.saturating_sub(one).div_ceil(threads as u64 - 1)));
    }
    let mut slot = 0;
    let mut note = 0;
    for kind in ["", "guest."] {
        let first = most(format!("slot.{kind}first.0"))?;
        let wakes = most(format!("slot.{kind}wake"))?;
        slot = slot.max(first).max(wakes).max(most(format!("slot.{kind}out"))?);
        let pending = most(format!("slot.{kind}first.{PENDING}"))?;
        note = note.max(pending.saturating_sub(first).div_ceil(PENDING as u64));
    }
    Ok(SchedulerCosts {
        choose: line(&choose),
        hear: line(&hear),
        slot: Duration(slot),
        note: Duration(note),
    })
}

/// The line that no point is above, as steep as that from the first to the last.
fn line(points: &[(usize, u64)]) -> Slope {
    let ends = points.first().zip(points.last());
    let each = ends.map_or(0, |(first, last)| {
        last.1.saturating_sub(first.1).div_ceil((last.0 - first.0) as u64)
    });
    let once = points.iter().map(|&(at, cost)| cost.saturating_sub(each * at as u64)).max();
    Slope { once: Duration(once.unwrap_or(0)), thread: Duration(each) }
}
