//! The load at which each way of giving a driver domain time misses deadlines.

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Ticks in each run.
const TICKS: u64 = 10;

/// The number of packets that may be on their way when a run ends, in three queues of the kernel's.
const ON_THEIR_WAY: u64 = 48;

struct Swept(Value);

impl Swept {
    fn rows(&self, sweep: &str, setup: &str) -> Vec<&Value> {
        let sweeps = self.0["sweeps"].as_array().expect("there are some");
        let sweep = sweeps.iter().find(|own| own["name"] == sweep).expect("it was made");
        let rows = sweep["rows"].as_array().expect("it has points");
        rows.iter().filter(|row| row["setup"] == setup).collect()
    }

    /// Ticks that were answered in time, in the order of a sweep's points.
    fn met(&self, sweep: &str, setup: &str) -> Vec<u64> {
        self.rows(sweep, setup).iter().map(|row| number(&row["simulated"]["met"])).collect()
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn swept() -> Swept {
    let ticks = TICKS.to_string();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/virtual");
    let sweeps = ["packets", "load", "budget", "answers"];
    let sweeps = sweeps.iter().flat_map(|sweep| ["--sweep", sweep]);
    let arguments = ["virtual", folder, "--ticks", &ticks].into_iter().chain(sweeps);
    Swept(FUSEE.json(&arguments.collect::<Vec<_>>(), 0))
}

/// The article's Figures 7 to 10, in what they say.
#[test]
fn delegation_alone_meets_all_deadlines_and_answers_as_many_packets() {
    let swept = swept();
    for sweep in ["packets", "load", "budget", "answers"] {
        for row in swept.rows(sweep, "delegation") {
            assert_eq!(number(&row["simulated"]["met"]), TICKS, "{sweep}: {row:#}");
            let longest = number(&row["simulated"]["reaction_max_ns"]);
            assert!(longest <= number(&row["reaction_bound_ns"]), "{sweep}: {row:#}");
        }
        for setup in ["driver-high", "driver-low"] {
            let own = swept.rows(sweep, setup);
            for (row, delegated) in own.into_iter().zip(swept.rows(sweep, "delegation")) {
                let longest = number(&row["simulated"]["reaction_max_ns"]);
                if let Some(bound) = row["reaction_bound_ns"].as_u64() {
                    assert!(longest <= bound, "{sweep}: {row:#}");
                }
                let [own, other] =
                    [delegated, row].map(|row| number(&row["simulated"]["answered"]));
                let misses = number(&row["simulated"]["met"]) < TICKS;
                assert!(misses || own + ON_THEIR_WAY >= other, "{sweep}: {row:#} {delegated:#}");
            }
        }
    }
    // Figure 7: packets for another client, from 0.1 to 20 in a millisecond; 10 need all that the
    // client leaves.
    let high = swept.met("packets", "driver-high");
    assert_eq!(high, [[TICKS; 7].as_slice(), &[0; 5]].concat());
    // Figure 8: a client that computes for 0 to 9 ms of every 10 hides a driver domain below it,
    // and none above it.
    assert_eq!(swept.met("load", "driver-high"), [TICKS; 10]);
    let low = swept.met("load", "driver-low");
    assert_eq!(low[..6], [TICKS; 6]);
    assert!(low[6..].iter().all(|&met| met < TICKS / 2), "{low:?}");
    // Figure 9: above its clients it misses all whatever its budget is, and below them if that is
    // small.
    assert_eq!(swept.met("budget", "driver-high"), [0; 5]);
    let bounded = |setup| -> Vec<bool> {
        let rows = swept.rows("budget", setup).into_iter();
        rows.map(|row| row["reaction_bound_ns"].is_u64()).collect()
    };
    // The smallest budget leaves packets behind, and those above the second leave too little.
    assert_eq!(bounded("driver-high"), [false, true, false, false, false]);
    let low = swept.met("budget", "driver-low");
    assert!(low[0] < TICKS && low[1] < TICKS, "{low:?}");
    assert_eq!(low[2..], [TICKS; 3]);
    // Figure 10: what a small budget leaves unanswered.
    let answered = |setup| -> Vec<u64> {
        let rows = swept.rows("answers", setup).into_iter();
        rows.map(|row| number(&row["simulated"]["answered"])).collect()
    };
    let (own, low) = (answered("delegation"), answered("driver-low"));
    assert!(low[0] * 3 < own[0] && low[1] * 4 < own[1] * 3, "{low:?} {own:?}");
}
