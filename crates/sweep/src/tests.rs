//! The same bytes for any number of workers and any interruption.

use std::path::PathBuf;
use std::sync::Arc;

use fusee_analysis::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};
use fusee_diagnostics::{Diagnostic, SourceMap};
use proptest::prelude::*;

use crate::*;

const SMALL: &str = r#"
title = "Small"
sets = 20
chunk = 3
tests = ["fp-rta", { test = "fp-hyperbolic", label = "HB, \"new\"", where = { tasks = 4 } }]
[recipe]
utilizations = { method = "uunifast", tasks = 4, total = 0.5 }
periods = { kind = "log-uniform", min = "1 ms", max = "1 s" }
[grid]
tasks = { path = "utilizations.tasks", values = [4, 8] }
load = { path = "utilizations.total", from = 0.6, to = 1.0, step = 0.2 }
[[figures]]
name = "small"
x = "load"
"#;

fn read(text: &str) -> Result<Experiment, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let file = sources.add("experiment.toml", text.to_owned());
    Experiment::read(&sources, file)
}

fn small() -> Experiment {
    read(SMALL).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fusee-sweep-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn finish(name: &str, experiment: &Experiment, workers: usize) -> Results {
    let (path, plan) = (scratch(name), experiment.plan());
    let mut log = Log::open(&path, experiment, &plan).unwrap();
    let results = run(experiment, &plan, &mut log, workers, &mut |_| ()).unwrap();
    std::fs::remove_file(path).unwrap();
    results
}

#[test]
fn counts_every_point_and_every_test() {
    let results = finish("counts", &small(), 2);
    // Three loads: two tests with four tasks, one with eight.
    assert_eq!(results.rows.len(), 3 * 2 + 3);
    assert!(results.rows.iter().all(|row| row.sets == 20 && row.outside == 0));
    let exact = |row: &&Row| row.test == "fp-rta";
    for (a, b) in
        results.rows.iter().filter(exact).zip(results.rows.iter().filter(|row| !exact(row)))
    {
        assert!(
            a.schedulable >= b.schedulable,
            "a sufficient test accepts more than the exact one"
        );
    }
    let csv = results.csv();
    assert!(
        csv.starts_with(
            "tasks,load,label,test,sets,outside,schedulable,ratio,ratio_low,ratio_high\n"
        ),
        "{csv}"
    );
    assert!(csv.contains("\n4,0.6,\"HB, \"\"new\"\"\",fp-hyperbolic,20,0,"), "{csv}");
}

#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    let experiment = small();
    let one = finish("one", &experiment, 1);
    let many = finish("many", &experiment, 7);
    assert_eq!(one.csv(), many.csv());
    assert_eq!(one.parquet().unwrap(), many.parquet().unwrap());
    let pictures = |results: &Results| {
        results.pictures(&experiment).iter().map(Picture::svg).collect::<Vec<_>>()
    };
    assert_eq!(pictures(&one), pictures(&many));
    let names: Vec<String> =
        one.pictures(&experiment).into_iter().map(|picture| picture.name).collect();
    assert_eq!(names, ["small-tasks-4", "small-tasks-8"]);
}

#[test]
fn a_set_that_takes_too_long_ends_the_run_and_is_named() {
    let (path, experiment) = (scratch("effort"), Experiment { effort: 5, ..small() });
    let mut log = Log::open(&path, &experiment, &experiment.plan()).unwrap();
    let ended = run(&experiment, &experiment.plan(), &mut log, 2, &mut |_| ()).map(|_| ());
    let said = ended.map_err(|error| error.to_string());
    assert!(matches!(&said, Err(said) if said.contains("takes more than 5 steps")), "{said:?}");
    assert!(matches!(&said, Err(said) if said.contains("`effort = 50`")), "{said:?}");
    // With more the same log goes on.
    drop(log);
    let mut log = Log::open(&path, &small(), &small().plan()).unwrap();
    let results = run(&small(), &small().plan(), &mut log, 2, &mut |_| ()).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(results.csv(), finish("enough", &small(), 1).csv());
}

#[test]
fn another_seed_gives_other_counts() {
    let other = Experiment { seed: 2, ..small() };
    assert_ne!(other.identity(), small().identity());
    assert_ne!(finish("seed-1", &small(), 2).csv(), finish("seed-2", &other, 2).csv());
}

/// Returns a complete log, as bytes.
fn complete_log(name: &str) -> (Experiment, Vec<u8>) {
    let (path, experiment) = (scratch(name), small());
    let plan = experiment.plan();
    let mut log = Log::open(&path, &experiment, &plan).unwrap();
    run(&experiment, &plan, &mut log, 1, &mut |_| ()).unwrap();
    drop(log);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    (experiment, bytes)
}

#[test]
fn a_log_cut_anywhere_is_completed_to_the_same_results() {
    let (experiment, bytes) = complete_log("cut");
    let (path, plan) = (scratch("cut-again"), experiment.plan());
    let expected = finish("cut-expected", &experiment, 1).csv();
    for length in (0..bytes.len()).step_by(7) {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let mut log = Log::open(&path, &experiment, &plan).unwrap();
        let recovery = log.recovery();
        assert!(recovery.done < plan.chunks() && recovery.dropped <= 1, "{length}: {recovery:?}");
        let mut first = None;
        let results =
            run(&experiment, &plan, &mut log, 2, &mut |p| first = first.or(Some(p.done))).unwrap();
        assert_eq!(first, Some(recovery.done), "what is in the log is not done again");
        assert_eq!(results.csv(), expected, "{length}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn damage_is_noticed_and_only_the_damaged_chunk_done_again() {
    let (experiment, bytes) = complete_log("damage");
    let (path, plan) = (scratch("damaged"), experiment.plan());
    for place in (28..bytes.len()).step_by(11) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x40;
        std::fs::write(&path, &damaged).unwrap();
        let mut log = Log::open(&path, &experiment, &plan).unwrap();
        assert_eq!(log.recovery(), Recovery { done: plan.chunks() - 1, dropped: 1 }, "{place}");
        let results = run(&experiment, &plan, &mut log, 1, &mut |_| ()).unwrap();
        assert_eq!(results, finish("damage-expected", &experiment, 1));
        drop(log);
        let log = Log::open(&path, &experiment, &plan).unwrap();
        assert_eq!(log.recovery(), Recovery { done: plan.chunks(), dropped: 0 });
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn logs_of_others_and_logs_in_use_are_left_alone() {
    let (experiment, path) = (small(), scratch("others"));
    let plan = experiment.plan();
    let log = Log::open(&path, &experiment, &plan).unwrap();
    assert!(matches!(Log::open(&path, &experiment, &plan), Err(LogError::InUse { .. })));
    drop(log);
    let before = std::fs::read(&path).unwrap();
    let other = Experiment { seed: 5, ..small() };
    assert!(matches!(Log::open(&path, &other, &plan), Err(LogError::OtherExperiment { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn titles_and_figures_may_change_between_runs() {
    let mut changed = small();
    changed.title = "Other".to_owned();
    changed.figures.clear();
    assert_eq!(changed.identity(), small().identity());
    assert_ne!(small().sampled(500_000).identity(), small().identity());
    assert_eq!(small().sampled(10_000).sets, 1);
}

#[test]
fn every_chunk_comes_once_in_the_order() {
    let plan = small().plan();
    let mut order: Vec<u64> = plan.order().collect();
    order.sort_unstable();
    assert_eq!(order, (0..plan.chunks()).collect::<Vec<_>>());
    let sets: u64 = order
        .iter()
        .filter_map(|&index| plan.chunk(index))
        .map(|chunk| chunk.end - chunk.first)
        .sum();
    assert_eq!(sets, plan.sets());
    assert_eq!(plan.chunk(plan.chunks()), None);
}

#[test]
fn overheads_and_placement_change_the_same_sets() {
    let text = format!(
        "{SMALL}\n[analysis]\nplacement = {{ fit = \"worst\" }}\n[analysis.overheads.fp-rta]\n\
         costs = {{ context-switch = 900000000000 }}\n"
    );
    let text = text
        .replace("periods =", "cores = 4\nperiods =")
        .replace("[[figures]]\nname = \"small\"\nx = \"load\"\n", "");
    let results = finish("overheads", &read(&text).unwrap_or_else(|wrong| panic!("{wrong:?}")), 2);
    for row in &results.rows {
        // Four cores take any of the sets; switches of minutes leave nothing of any core.
        let expected = if row.test == "fp-rta" { 0 } else { 20 };
        assert_eq!((row.schedulable, row.outside), (expected, 0), "{row:?}");
    }
}

#[test]
fn the_axis_of_the_load_ends_at_the_cores() {
    let text = SMALL.replace(
        "load = { path = \"utilizations.total\", from = 0.6, to = 1.0, step = 0.2 }",
        "cores = [1, 2]\nload = { path = \"utilizations.total\", from = 0.5, to = \"cores\", step \
         = 0.5 }",
    );
    // Who runs where on two cores is to be said.
    assert_eq!(complaints(&text), [("F1205", "cores".to_owned())]);
    let text = text + "\n[analysis]\nplacement = { fit = \"worst\" }\n";
    let experiment = read(&text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    // Two loads on one core and four on two, for two numbers of tasks.
    assert_eq!(experiment.plan().points.len(), 12);
}

/// Codes and first places of what is wrong with a text.
fn complaints(text: &str) -> Vec<(&'static str, String)> {
    let place = |d: &Diagnostic| {
        d.labels
            .first()
            .map(|l| text[l.span.start as usize..l.span.end as usize].to_owned())
            .unwrap_or_default()
    };
    read(text).err().unwrap_or_default().iter().map(|d| (d.code.0, place(d))).collect()
}

#[test]
fn says_what_is_wrong_and_where() {
    let with = |old: &str, new: &str| {
        assert!(SMALL.contains(old), "{old}");
        SMALL.replacen(old, new, 1)
    };
    for (text, code, place) in [
        ("sets = 20\nsets".to_owned(), "F1200", ""),
        (with("chunk = 3", "chunks = 3"), "F1201", "chunks"),
        (with("from = 0.6", "form = 0.6, from = 0.6"), "F1201", "form"),
        (with("sets = 20", "sets = -20"), "F1202", "-20"),
        (with("sets = 20", "sets = 0"), "F1202", "0"),
        (with("sets = 20", "sets = 99999999999999999999"), "F1200", "99999999999999999999"),
        (with("sets = 20", "sets = 20.5"), "F1202", "20.5"),
        (with("sets = 20\n", ""), "F1203", ""),
        (with("[4, 8]", "[4, 4]"), "F1202", "4"),
        (with("[4, 8]", "[4, []]"), "F1202", "[]"),
        (with("[4, 8]", "[4, nan]"), "F1202", "nan"),
        (with("[4, 8]", "[4, -8]"), "F1202", "-8"),
        (with("step = 0.2", "step = 0.0"), "F1202", "load"),
        (with("step = 0.2", "step = nan"), "F1202", "nan"),
        (with("\"fp-rta\"", "\"fp-rto\""), "F1204", "\"fp-rto\""),
        (with("\"fp-rta\"", "7"), "F1202", "7"),
        (with("tasks = 4 }", "tusks = 4 }"), "F1204", "tusks"),
        (with("where = { tasks = 4 }", "where = { tasks = 5 }"), "F1204", "5"),
        (with("x = \"load\"", "x = \"lode\""), "F1204", "\"lode\""),
        (with("name = \"small\"", "name = \"../small\""), "F1202", "\"../small\""),
        (with("min = \"1 ms\"", "min = \"1 mile\""), "F1205", "periods"),
        (with("[4, 8]", "[4, 0]"), "F1205", "tasks"),
        (with("utilizations.tasks", "utilizations.tusks"), "F1205", "utilizations"),
        (
            with("[grid]", "[analysis.overheads.fp-rto]\ncosts = { lock = 3 }\n[grid]"),
            "F1205",
            "overheads",
        ),
        (
            with(
                "[grid]",
                "[analysis.overheads.fp-rta]\ncosts = {}\nhelping = { migration = 1, \
                 non-preemptive = 2 }\n[grid]",
            ),
            "F1205",
            "overheads",
        ),
        (
            with("tasks = { path = \"utilizations.tasks\"", "tasks = { path = \"analysis.speed\""),
            "F1205",
            "grid",
        ),
    ] {
        let said = complaints(&text);
        assert!(
            said.iter().any(|(c, p)| *c == code && p == place),
            "{code} at `{place}`: {said:?}\n{text}"
        );
    }
}

#[test]
fn says_everything_that_is_wrong_at_once() {
    let text = r#"
sets = 0
tests = ["fp-rta", "fp-rto"]
[recipe]
utilizations = { method = "uunifast", tusks = 4, total = 0.5 }
periods = { kind = "log-uniform", min = "1 ms", max = "1 mile" }
jitter = [0.5, 2.0]
deadlines = { kind = "constrained", low = 0.9, high = 0.1 }
speed = 3
[analysis.overheads.fp-rto]
costs = { lock = 1 }
"#;
    let places = |text: &str| complaints(text).into_iter().map(|(_, at)| at).collect::<Vec<_>>();
    let expected = ["0", "\"fp-rto\"", "deadlines", "jitter", "periods", "speed", "utilizations"];
    assert_eq!(places(text), expected);
    let analysis = r#"
sets = 5
tests = ["fp-rta"]
[recipe]
jitter = [0.0, 3.0]
periods = { kind = "automotive" }
[analysis]
placement = { fit = "wurst" }
group-locks = 3
[grid]
tick = ["1 us", "1 mile"]
cores = [1, 0]
"#;
    assert_eq!(places(analysis), ["jitter", "recipe", "group-locks", "placement", "tick", "cores"]);
    let overheads = r#"
sets = 5
tests = ["fp-rta"]
[recipe]
utilizations = { method = "uunifast", tasks = 4, total = 0.5 }
periods = { kind = "automotive" }
[analysis.overheads.one]
costs = { lock = 1 }
[analysis.overheads.two]
costs = { lock = 1 }
"#;
    assert_eq!(places(overheads), ["overheads", "overheads"]);
}

/// Pairs of tasks for two cores, whose first execution time is that of the recipe.
struct Pairs;

impl Draw for Pairs {
    fn name(&self) -> &str {
        "pairs"
    }

    fn draw(&self, recipe: &toml::Table, _seed: u64, index: u64) -> Option<TaskSet> {
        let wcet = recipe.get("wcet")?.as_integer()? as u64;
        let tasks = vec![Task::implicit(wcet, 10, 2), Task::implicit(6, 10, 1)];
        let set = TaskSet::new(tasks).ok()?.with_cores(2).ok()?.unplaced();
        (!index.is_multiple_of(4)).then_some(set)
    }
}

/// Task i on core i; no room for execution times above 8.
struct InTurn;

impl Place for InTurn {
    fn name(&self) -> &str {
        "in turn"
    }

    fn place(&self, set: &TaskSet) -> Option<TaskSet> {
        let fits = set.tasks().iter().all(|t| t.wcet <= 8);
        let places: Vec<usize> = (0..set.tasks().len()).collect();
        fits.then(|| set.clone().placed(set.cores(), &places).ok())?
    }
}

/// Accepts whose first task takes 5 ticks at most.
struct Short;

impl SchedulabilityTest for Short {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "short",
            title: "",
            source: "",
            family: Family::FixedPriority,
            assumptions: &[],
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(set.tasks()[0].wcet <= 5)
    }
}

#[test]
fn a_generator_a_placement_and_a_test_of_ones_own_take_part() {
    let text = "sets = 40\nchunk = 7\ntests = [\"short\", \"fp-rta\"]\n[grid]\nwcet = [5, 8, 9]\n";
    let with = |own: Own| {
        let mut sources = SourceMap::default();
        let file = sources.add("experiment.toml", text.to_owned());
        Experiment::read_with(&sources, file, own)
    };
    let own =
        || Own { draw: Some(Arc::new(Pairs)), place: Some(Arc::new(InTurn)), tests: vec![&Short] };
    let experiment = with(own()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let results = finish("own", &experiment, 3);
    let counted: Vec<_> = results.rows.iter().map(|row| (row.sets, row.schedulable)).collect();
    // Every fourth set cannot be drawn; at 9 none finds room.
    assert_eq!(counted, [(30, 30), (30, 30), (30, 0), (30, 30), (30, 0), (30, 0)]);
    let drawn = Own { place: None, ..own() };
    let codes: Vec<_> = with(drawn).err().unwrap_or_default().iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["F1205"], "nothing places the sets for two cores");
    let codes: Vec<_> =
        with(Own::default()).err().unwrap_or_default().iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["F1203", "F1204", "F1205", "F1205", "F1205"]);
    let without = Own { place: None, ..experiment.own.clone() };
    let elsewhere = Experiment { own: without, ..experiment.clone() };
    assert_ne!(elsewhere.identity(), experiment.identity());
}

proptest! {
    #[test]
    fn nothing_in_a_file_makes_reading_panic(
        cut in 0..SMALL.len(),
        junk in "\\PC{0,12}",
        skip in 0_usize..30,
    ) {
        let end = (cut + skip).min(SMALL.len());
        let _ = read(&format!("{}{junk}{}", &SMALL[..cut], &SMALL[end..]));
    }
}
