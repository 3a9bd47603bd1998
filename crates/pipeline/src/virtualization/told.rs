//! The results of a sweep: as JSON, and its possible defects.

use fusee_model::BACKLOG;
use serde_json::{Value, json};

use super::{Row, Setup, Shown};

/// Returns the rows of a sweep for programs.
pub fn json(rows: &[Row]) -> Vec<Value> {
    let row = |row: &Row| {
        json!({
            "setup": row.setup.name(),
            "packets_us": row.point.packets,
            "load_us": row.point.load,
            "reaction_us": row.point.reaction,
            "capacity_us": row.point.capacity,
            "ticks": row.ticks,
            "reaction_bound_ns": row.bound.map(|bound| bound.ns()),
            "withheld": row.withheld.iter().map(|code| code.0).collect::<Vec<_>>(),
            "simulated": shown(&row.simulated),
            "booted": row.booted.as_ref().map(shown),
        })
    };
    rows.iter().map(row).collect()
}

fn shown(shown: &Shown) -> Value {
    json!({
        "met": shown.met,
        "reaction_max_ns": shown.longest.ns(),
        "answered": shown.answered,
    })
}

/// Packets that can be on their way when a run ends, and are answered a little later: as many as
/// the kernel keeps for either of two threads, and signals that came too early for the second.
/// That is no throughput lost, however long the run is.
const ON_THEIR_WAY: u64 = 3 * BACKLOG as u64;

/// Returns the defects of a sweep: a bound that a run exceeds; a deadline that delegation misses,
/// or does not guarantee; and fewer answers than a set-up has that misses none at the same point.
pub fn defects(rows: &[Row]) -> Vec<String> {
    rows.chunks(Setup::ALL.len()).flat_map(at_point).collect()
}

fn at_point(rows: &[Row]) -> Vec<String> {
    let mut found: Vec<String> = rows.iter().filter_map(exceeded).collect();
    for row in rows.iter().filter(|row| row.setup == Setup::Delegation) {
        found.extend(missed(row));
        found.extend(slower(row, rows));
    }
    found
}

fn place(row: &Row) -> String {
    let point = row.point;
    format!(
        "{} (a packet every {} us, load {} us, reaction {} us, budget {} us)",
        row.setup.name(),
        point.packets,
        point.load,
        point.reaction,
        point.capacity
    )
}

/// Returns a bound that a simulation exceeds: of a kernel that costs nothing, so nothing is said of
/// the machine.
fn exceeded(row: &Row) -> Option<String> {
    let longest = row.simulated.longest;
    let bound = row.bound.filter(|bound| longest > *bound)?;
    Some(format!("{}: a reaction took {longest}, and its bound is {bound}", place(row)))
}

fn missed(row: &Row) -> Vec<String> {
    let runs = [("simulated", Some(&row.simulated)), ("booted", row.booted.as_ref())];
    let missed = runs.into_iter().filter_map(|(how, shown)| {
        let met = shown.filter(|shown| shown.met < row.ticks)?.met;
        Some(format!("{}, {how}: {met} of {} deadlines met", place(row), row.ticks))
    });
    let unknown = row.bound.is_none().then(|| format!("{}: nothing is guaranteed", place(row)));
    missed.chain(unknown).collect()
}

fn slower(row: &Row, rows: &[Row]) -> Option<String> {
    let without_miss = rows.iter().filter(|other| other.simulated.met == other.ticks);
    let best = without_miss.max_by_key(|other| other.simulated.answered)?;
    let (own, others) = (row.simulated.answered, best.simulated.answered);
    (others > own + ON_THEIR_WAY).then(|| {
        let name = best.setup.name();
        format!("{}: {own} answers, and {others} by {name}, which misses nothing", place(row))
    })
}

#[cfg(test)]
mod tests {
    use fusee_model::Duration;

    use super::*;
    use crate::virtualization::Point;

    fn row(setup: Setup) -> Row {
        Row {
            setup,
            point: Point { packets: 100, load: 1, reaction: 5000, capacity: 4000 },
            ticks: 10,
            bound: Some(Duration(5)),
            withheld: Vec::new(),
            simulated: Shown { met: 10, longest: Duration(5), answered: 1000 },
            booted: None,
        }
    }

    fn found(change: impl Fn(&mut [Row; 3])) -> Vec<String> {
        let mut rows = Setup::ALL.map(row);
        change(&mut rows);
        defects(&rows)
    }

    #[test]
    fn each_promise_is_looked_at() {
        assert_eq!(found(|_| ()), Vec::<String>::new());
        let booted = Shown { met: 9, longest: Duration(9), answered: 1 };
        let all = [
            found(|rows| rows[1].simulated.longest = Duration(6)),
            found(|rows| rows[0].simulated.met = 9),
            found(|rows| rows[0].booted = Some(booted)),
            found(|rows| rows[0].bound = None),
            found(|rows| rows[2].simulated.answered = 1000 + ON_THEIR_WAY + 1),
        ];
        let said = ["its bound is", "9 of 10", "booted: 9 of 10", "nothing is", "misses nothing"];
        for (found, said) in all.iter().zip(said) {
            assert!(found.len() == 1 && found[0].contains(said), "{said}: {found:?}");
        }
        // The others may miss, have no bounds, and answer less; who misses may answer more.
        let missing = Shown { met: 0, longest: Duration(1), answered: 9000 };
        let other = found(|rows| {
            (rows[1].simulated, rows[1].bound, rows[2].simulated.answered) = (missing, None, 0);
        });
        assert_eq!(other, Vec::<String>::new());
    }
}
