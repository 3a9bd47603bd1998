//! Locks that are components: Figures 3 to 5 of Parmer and Song (2010).
//!
//! A client `c`, a lock `l` and a scheduler `s` are in one protection domain, `(cls)`, in two,
//! `(c)(ls)`, or in three, `(c)(l)(s)`. Beside them stand the kernel's own mutexes, of which a
//! grouping says nothing.

use fusee_plot::{Chart, Line, Point, Stroke};

use crate::Path;
use crate::experiment::{Experiment, files};
use crate::setting::Setting;
use crate::setting::THREADS;

/// Groupings by how many domains they have: their names in paths, and as the article writes them.
pub const GROUPINGS: [(&str, &str); 3] =
    [("cls", "(cls)"), ("c_ls", "(c)(ls)"), ("c_l_s", "(c)(l)(s)")];

/// Kinds of lock components.
pub const KINDS: [&str; 3] = ["pessimistic", "optimistic", "ceiling"];

/// The kernel's own, each lock of which is a call, or a word.
const KERNELS: [&str; 2] = ["kernel", "word"];

/// The calls that lock and unlock a kind, and the client's declarations for it.
struct Calls {
    lock: &'static str,
    unlock: &'static str,
    header: &'static str,
    client: &'static str,
}

fn calls(kind: &str) -> Calls {
    match kind {
        "optimistic" => Calls {
            lock: "locks_lock(&word, 0)",
            unlock: "locks_unlock(&word, 0)",
            header: "#include <fusee/olock.h>\n\nFUSEE_OPTIMISTIC(locks)\n\n\
                     static uint32_t word;\n",
            client: "uses OptimisticLocking locks;",
        },
        "pessimistic" | "ceiling" => Calls {
            lock: "locks_take(0)",
            unlock: "locks_release(0)",
            header: "",
            client: "uses Locking locks;",
        },
        _ => Calls { lock: "m_lock()", unlock: "m_unlock()", header: "", client: "has mutex m;" },
    }
}

/// All of them.
pub fn locks(setting: Setting) -> Vec<Experiment> {
    let own = KERNELS.iter().map(|kind| of_kernel(kind));
    let components = GROUPINGS
        .iter()
        .flat_map(|(grouping, _)| KINDS.iter().map(move |kind| of_component(kind, grouping)));
    own.chain(components).map(|experiment| experiment.in_setting(setting)).collect()
}

fn of_kernel(kind: &str) -> Experiment {
    let settings = if kind == "word" { "store.m_locking = \"optimistic\";" } else { "" };
    system(kind, calls(kind))
        .with("placed", "component Store store;")
        .with("store", "store")
        .with("settings", settings)
        .called(kind)
}

fn of_component(kind: &str, grouping: &str) -> Experiment {
    let place = placed(kind, grouping, "Store store");
    let settings = "keeper.locks_wcet = \"1 us\";\n        \
                    keeper.locks_priority_protocol = \"propagated\";\n        \
                    scheduler.scheduling_wcet = \"1 us\";\n        \
                    scheduler.scheduling_priority_protocol = \"propagated\";";
    let called = format!("{kind}.{grouping}");
    system(&called, calls(kind))
        .with("placed", &place.text)
        .with("store", &place.client)
        .with("settings", settings)
        .called(&called.replace('.', "-"))
}

/// A client, a lock and a scheduler as a composition has them.
#[derive(Debug)]
pub struct Placed {
    /// The instances, the group of those that stand together, and their connections.
    pub text: String,
    /// The name that connections have for the client.
    pub client: String,
}

/// Places a client, `Type instance`, with a lock of a kind in a grouping.
pub fn placed(kind: &str, grouping: &str, client: &str) -> Placed {
    let name = match kind {
        "optimistic" => "LockOptimistic",
        "ceiling" => "LockCeiling",
        _ => "LockPessimistic",
    };
    let all = [client, &format!("{name} keeper"), "LockScheduler scheduler"];
    // So many of the first stand alone.
    let alone = match grouping {
        "cls" => 0,
        "c_ls" => 1,
        _ => 3,
    };
    let instance = |of: &str| of.split(' ').next_back().unwrap_or(of).to_owned();
    let (mut text, mut ends) = (String::new(), Vec::new());
    for (place, of) in all.into_iter().enumerate() {
        let opens = if place == alone { "group lock {\n            " } else { "" };
        text += &format!("{opens}component {of};\n        ");
        let prefix = if place >= alone { "lock." } else { "" };
        ends.push(format!("{prefix}{}", instance(of)));
    }
    if alone < all.len() {
        text += "}\n        ";
    }
    let connector = |from: usize| if from >= alone { "seL4DirectCall" } else { "seL4RPCCall" };
    text += &format!(
        "connection {} l(from {}.locks, to {}.locks);\n        \
         connection {} s(from {}.scheduler, to {}.scheduling);",
        connector(0),
        ends[0],
        ends[1],
        connector(1),
        ends[1],
        ends[2]
    );
    Placed { text, client: ends.remove(0) }
}

fn system(name: &str, calls: Calls) -> Experiment {
    let files = files!(
        "locks",
        "components/Alone/alone.c",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Store/store.c"
    );
    Experiment::new("locks", files, 240, THREADS)
        .with("name", name)
        .with("client", calls.client)
        .with("header", calls.header)
        .with("lock", calls.lock)
        .with("unlock", calls.unlock)
}

/// Returns the share of contended pairs above which a pessimistic lock takes less than an
/// optimistic one, for each grouping; nothing: one of them always takes less.
pub fn crossings(paths: &[Path]) -> Vec<(&'static str, Option<f64>)> {
    let of_grouping = |&(grouping, name): &(&'static str, &'static str)| {
        let mean = |kind: &str, how: &str| mean(paths, &format!("{kind}.{grouping}"), how);
        let crossing = || {
            let (free, held) =
                (mean("pessimistic", "uncontended")?, mean("pessimistic", "contended")?);
            let (word, adopted) =
                (mean("optimistic", "uncontended")?, mean("optimistic", "contended")?);
            // word + x (adopted - word) = free + x (held - free)
            let share = (free - word) / ((adopted - word) - (held - free));
            (0.0..=1.0).contains(&share).then_some(share)
        };
        (name, crossing())
    };
    GROUPINGS.iter().map(of_grouping).collect()
}

fn mean(paths: &[Path], lock: &str, how: &str) -> Option<f64> {
    let name = format!("lock.{lock}.{how}");
    paths.iter().find(|path| path.name == name).map(Path::mean)
}

/// Figures 3, 4 and 5: a pair of lock and unlock without contention, with it, and by its share.
pub fn figures(paths: &[Path]) -> [Chart; 3] {
    let by_domains = |title: &str, how: &str| {
        let kinds = KINDS.iter().map(|kind| {
            let at = |(number, (grouping, _)): (usize, &(&str, &str))| {
                Some((number as f64 + 1.0, mean(paths, &format!("{kind}.{grouping}"), how)?))
            };
            (*kind, GROUPINGS.iter().enumerate().filter_map(at).collect::<Vec<_>>())
        });
        let own = KERNELS.iter().map(|kind| {
            let at = |number| Some((f64::from(number), mean(paths, kind, how)?));
            (*kind, (1..=3).filter_map(at).collect())
        });
        let lines = kinds.chain(own).enumerate().map(|(colour, (kind, points))| {
            let label = if KERNELS.contains(&kind) {
                format!("the kernel's: {kind}")
            } else {
                kind.to_owned()
            };
            line(label, colour, Stroke::Solid, points)
        });
        chart(title, "domains of client, lock and scheduler", lines.collect())
    };
    [
        by_domains("A lock that nobody else wants", "uncontended"),
        by_domains("A lock that somebody has to let go", "contended"),
        by_share(paths),
    ]
}

fn by_share(paths: &[Path]) -> Chart {
    let mut lines = Vec::new();
    let components = GROUPINGS.iter().enumerate().flat_map(|(colour, (grouping, name))| {
        [("pessimistic", Stroke::Dotted), ("optimistic", Stroke::Solid)].map(|(kind, stroke)| {
            (format!("{kind} {name}"), format!("{kind}.{grouping}"), colour, stroke)
        })
    });
    let word = ("the kernel's: word".to_owned(), "word".to_owned(), 3, Stroke::Solid);
    for (label, lock, colour, stroke) in components.chain([word]) {
        let both = mean(paths, &lock, "uncontended").zip(mean(paths, &lock, "contended"));
        let Some((free, held)) = both else { continue };
        let at = |percent: u32| {
            let share = f64::from(percent) / 100.0;
            (f64::from(percent), free + share * (held - free))
        };
        lines.push(line(label, colour, stroke, (0..=10).map(|tenth| at(10 * tenth)).collect()));
    }
    chart("By how many pairs are contended", "contended pairs in percent", lines)
}

fn line(label: String, colour: usize, stroke: Stroke, points: Vec<(f64, f64)>) -> Line {
    let point = |(x, y): (f64, f64)| Point { x, y, low: y, high: y };
    Line { label, colour, stroke, points: points.into_iter().map(point).collect() }
}

fn chart(title: &str, x_label: &str, lines: Vec<Line>) -> Chart {
    let points = lines.iter().flat_map(|line| &line.points);
    let most = points.map(|point| point.y).fold(1.0, f64::max);
    Chart {
        title: title.to_owned(),
        x_label: x_label.to_owned(),
        y_label: "instructions, lock and unlock".to_owned(),
        y_range: (0.0, (most / 500.0).ceil() * 500.0),
        lines,
    }
}

/// The program that measures a mutex of the host's C library.
pub const HOST_PROGRAM: &str = include_str!("../systems/host/futex.c");
