//! Drawn descriptions: `place` judges its lines as `analyze` does.

use std::fmt::Write;
use std::path::PathBuf;

use fusee_testing::{Draw, Tool, given_or};

use super::FUSEE;

/// A description as its settings, so that printed lines can replace some.
struct Drawn {
    head: String,
    settings: Vec<(String, String)>,
}

/// Settings under way.
#[derive(Default)]
struct Settings(Vec<(String, String)>);

impl Settings {
    fn set(&mut self, key: String, value: String) {
        self.0.push((key, value));
    }
}

/// The components of a description, their connections, and the users of each gate.
#[derive(Default)]
struct Parts {
    components: String,
    connections: String,
    users: Vec<Vec<String>>,
}

impl Drawn {
    /// Returns the description numbered `id`.
    fn new(id: u64) -> Drawn {
        let mut draw = Draw::of(id, 0x5eed);
        let (tasks, gates) = (2 + draw.below(6), draw.below(3));
        let mut settings = Settings::default();
        let by_deadline = draw.below(4) == 0;
        if by_deadline {
            settings.set("system.policy".to_owned(), "\"earliest_deadline\"".to_owned());
        } else if draw.below(5) == 0 {
            settings.set("system.priority_assignment".to_owned(), "\"audsley\"".to_owned());
        }
        let mut parts = Parts { users: vec![Vec::new(); gates as usize], ..Parts::default() };
        let with_events = draw.below(2) == 0;
        for task in 0..tasks {
            let name = format!("t{task}");
            let period = [1_000, 2_000, 2_500, 5_000, 10_000][draw.below(5) as usize];
            // Some sets fit on one core, some on two, some only without the kernel's costs.
            let wcet = period * (5 + draw.below(55)) / 100;
            settings.set(format!("{name}.period"), format!("\"{period} us\""));
            work(&mut draw, &name, (wcet, period), &mut settings);
            let mut calls = parts.gates(&mut draw, &name);
            place(&mut draw, &name, by_deadline, &mut settings);
            if with_events && draw.below(2) == 0 {
                calls.push("\"emit tick\"".to_owned());
                parts.released(&mut draw, (task, period), by_deadline, &mut settings);
            }
            let _ = writeln!(parts.components, "        component T {name};");
            settings.set(format!("{name}.calls"), format!("[{}]", calls.join(", ")));
        }
        let protocols = match by_deadline {
            false => &["inherited", "fixed", "fifo", "propagated", "mrsp", "msrp", "mpcp"][..],
            true => &["inherited", "srp", "fifo", "propagated", "msrp"][..],
        };
        parts.servers(&mut draw, protocols, &mut settings);
        let uses: String = (0..gates).map(|gate| format!(" maybe uses P g{gate};")).collect();
        let head = format!(
            "import <std_connector.camkes>;\nprocedure P {{ void f(); }};\n\
             component T {{ control; emits Tick tick;{uses} }}\n\
             component R {{ control; consumes Tick tick;{uses} }}\n\
             component G {{ provides P p; }}\nassembly {{\n    composition {{\n{}{}",
            parts.components, parts.connections
        );
        Drawn { head, settings: settings.0 }
    }

    /// Returns the text, with these lines in place of the settings that they give anew.
    fn text(&self, lines: &[String]) -> String {
        let given = |line: &String| line.split(" = ").next().expect("a key").to_owned();
        let anew: Vec<String> = lines.iter().map(given).collect();
        let kept = self.settings.iter().filter(|(key, _)| !anew.contains(key));
        let kept: String = kept.map(|(key, value)| format!("        {key} = {value};\n")).collect();
        let lines: String = lines.iter().map(|line| format!("        {line}\n")).collect();
        format!("{}    }}\n    configuration {{\n{kept}{lines}    }}\n}}\n", self.head)
    }
}

/// Sets a task's time, and perhaps its deadline and budget.
fn work(draw: &mut Draw, name: &str, (wcet, period): (u64, u64), settings: &mut Settings) {
    settings.set(format!("{name}.wcet"), format!("\"{wcet} us\""));
    if draw.below(3) == 0 {
        let deadline = (wcet * 1_000 + 2_000 + draw.below(40_000)).min(period * 1_000);
        settings.set(format!("{name}.deadline"), format!("\"{deadline} ns\""));
    }
    if draw.below(6) == 0 {
        settings.set(format!("{name}.budget"), format!("\"{} us\"", wcet + 200));
    }
}

/// Sets where a task is, and how urgent it is, or leaves that open.
fn place(draw: &mut Draw, name: &str, by_deadline: bool, settings: &mut Settings) {
    if draw.below(4) == 0 {
        settings.set(format!("{name}.core"), draw.below(2).to_string());
    }
    if draw.below(3) == 0 && !by_deadline {
        settings.set(format!("{name}.priority"), (10 + draw.below(100)).to_string());
    }
}

impl Parts {
    /// Lets a task use some of the gates; its calls.
    fn gates(&mut self, draw: &mut Draw, name: &str) -> Vec<String> {
        let mut calls = Vec::new();
        for (gate, users) in self.users.iter_mut().enumerate() {
            if draw.below(2) == 0 {
                users.push(name.to_owned());
                calls.push(format!("\"g{gate}.f\""));
            }
        }
        calls
    }

    /// A task that another one releases with its event.
    fn released(
        &mut self,
        draw: &mut Draw,
        (by, period): (u64, u64),
        by_deadline: bool,
        settings: &mut Settings,
    ) {
        let name = format!("r{by}");
        let wcet = 1 + period * draw.below(20) / 100;
        settings.set(format!("{name}.arrival"), "\"event tick\"".to_owned());
        work(draw, &name, (wcet, period), settings);
        let calls = self.gates(draw, &name);
        settings.set(format!("{name}.calls"), format!("[{}]", calls.join(", ")));
        place(draw, &name, by_deadline, settings);
        let _ = writeln!(self.components, "        component R {name};");
        let _ = writeln!(
            self.connections,
            "        connection seL4Notification n{by}(from t{by}.tick, to {name}.tick);"
        );
    }

    /// The components behind the gates that somebody uses.
    fn servers(&mut self, draw: &mut Draw, protocols: &[&str], settings: &mut Settings) {
        for (gate, users) in self.users.iter().enumerate().filter(|(_, users)| !users.is_empty()) {
            let _ = writeln!(self.components, "        component G s{gate};");
            let from: Vec<String> =
                users.iter().map(|user| format!("from {user}.g{gate}")).collect();
            let from = from.join(", ");
            let _ = writeln!(
                self.connections,
                "        connection seL4RPCCall c{gate}({from}, to s{gate}.p);"
            );
            settings.set(format!("s{gate}.p_wcet"), format!("\"{} us\"", 1 + draw.below(40)));
            if draw.below(3) > 0 {
                let protocol = draw.one_of(protocols);
                settings.set(format!("s{gate}.p_priority_protocol"), format!("\"{protocol}\""));
            }
        }
    }
}

/// Writes a description, and returns its path.
fn write(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a scratch file");
    path
}

/// Returns the answer to a command about a description, whatever its exit status.
fn answer(tool: Tool, arguments: &[&str]) -> serde_json::Value {
    let run = tool.run(&[arguments, &["--json"]].concat());
    serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {run:?}"))
}

/// Places a description on two cores, and asks for the lines' own analysis; with its text if there
/// is a placement.
fn compared(name: &str, drawn: &Drawn, platform: &[&str]) -> Option<(String, serde_json::Value)> {
    let asked = write(&format!("place-{name}-asked.camkes"), &drawn.text(&[]));
    let asked = asked.to_str().expect("UTF-8");
    let placed = answer(FUSEE, &[&["place", asked, "--cores", "2"], platform].concat());
    let lines = placed["lines"].as_array().filter(|lines| !lines.is_empty())?;
    let lines: Vec<String> =
        lines.iter().map(|line| line.as_str().expect("a line").to_owned()).collect();
    let text = drawn.text(&lines);
    let written = write(&format!("place-{name}-judged.camkes"), &text);
    let written = written.to_str().expect("UTF-8");
    let analyzed = answer(FUSEE, &[&["analyze", written], platform].concat());
    let all = format!("on {platform:?}:\n{text}{placed:#}\n{analyzed:#}");
    assert_eq!(placed["schedulable"], analyzed["schedulable"], "{all}");
    assert_eq!(placed["tasks"], analyzed["tasks"], "{all}");
    Some((text, placed))
}

/// The costs of the kernel are those of the candidate's own kernel, not of the description's.
#[test]
fn drawn_placements_are_judged_as_analyze_judges_their_lines() {
    let [mut all, mut between, mut released] = [0; 3];
    for id in 0..given_or("PLACED_SYSTEMS", 40) {
        let drawn = Drawn::new(id);
        for platform in [&[][..], &["--platform", "qemu-rv64"], &["--platform", "rtl-rocket"]] {
            let Some((text, _)) = compared("drawn", &drawn, platform) else { continue };
            all += 1;
            between += u64::from(text.contains("msrp") || text.contains("mrsp"));
            released += u64::from(text.contains("event tick"));
        }
    }
    let counts = format!("{all} compared, {between} between cores, {released} with events");
    assert!(all > 60 && between > 5 && released > 20, "{counts}");
}

/// Two tasks that need a core each, and one that releases another so often that what the kernel of
/// two cores takes for that decides.
#[test]
fn what_an_event_releases_costs_as_much_when_it_is_placed() {
    let head = "import <std_connector.camkes>;
component Heavy { control; }
component Source { control; emits Tick tick; }
component Sink { control; consumes Tick tick; }
assembly {
    composition {
        component Heavy left;
        component Heavy right;
        component Source source;
        component Sink sink;
        connection seL4Notification n(from source.tick, to sink.tick);
";
    let mut seen = Vec::new();
    for period in ["100 us", "18 us", "12 us"] {
        let mut settings = Settings::default();
        for (key, value) in [
            ("left.period", "\"1 ms\""),
            ("left.wcet", "\"600 us\""),
            ("left.calls", "[]"),
            ("right.period", "\"1 ms\""),
            ("right.wcet", "\"600 us\""),
            ("right.calls", "[]"),
            ("source.period", &format!("\"{period}\"")),
            ("source.wcet", "\"1 us\""),
            ("source.calls", "[\"emit tick\"]"),
            ("sink.arrival", "\"event tick\""),
            ("sink.wcet", "\"1 us\""),
            ("sink.calls", "[]"),
        ] {
            settings.set(key.to_owned(), value.to_owned());
        }
        let drawn = Drawn { head: head.to_owned(), settings: settings.0 };
        let found = compared("events", &drawn, &["--platform", "qemu-rv64"]);
        seen.push(found.is_some_and(|(_, placed)| placed["schedulable"] == true));
    }
    assert_eq!(seen, [true, true, false]);
}
