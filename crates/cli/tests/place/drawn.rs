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

impl Drawn {
    /// Returns the description numbered `id`.
    fn new(id: u64) -> Drawn {
        let mut draw = Draw::of(id, 0x5eed);
        let (tasks, gates) = (2 + draw.below(6), draw.below(3));
        let mut head = String::from("import <std_connector.camkes>;\nprocedure P { void f(); };\n");
        let mut connections = String::new();
        let mut settings = Vec::new();
        let mut set = |key: String, value: String| settings.push((key, value));
        let by_deadline = draw.below(4) == 0;
        if by_deadline {
            set("system.policy".to_owned(), "\"earliest_deadline\"".to_owned());
        } else if draw.below(5) == 0 {
            set("system.priority_assignment".to_owned(), "\"audsley\"".to_owned());
        }
        let protocols = match by_deadline {
            false => &["inherited", "fixed", "fifo", "propagated", "mrsp", "msrp", "mpcp"][..],
            true => &["inherited", "srp", "fifo", "propagated", "msrp"][..],
        };
        let mut users: Vec<Vec<u64>> = vec![Vec::new(); gates as usize];
        for task in 0..tasks {
            let period = [1_000, 2_000, 2_500, 5_000, 10_000][draw.below(5) as usize];
            // Some sets fit on one core, some on two, some only without the kernel's costs.
            let wcet = period * (5 + draw.below(55)) / 100;
            set(format!("t{task}.period"), format!("\"{period} us\""));
            set(format!("t{task}.wcet"), format!("\"{wcet} us\""));
            if draw.below(3) == 0 {
                let deadline = wcet * 1_000 + 2_000 + draw.below(40_000);
                set(
                    format!("t{task}.deadline"),
                    format!("\"{} ns\"", deadline.min(period * 1_000)),
                );
            }
            let mut calls = Vec::new();
            for gate in 0..gates {
                if draw.below(2) == 0 {
                    users[gate as usize].push(task);
                    calls.push(format!("\"g{gate}.f\""));
                }
            }
            set(format!("t{task}.calls"), format!("[{}]", calls.join(", ")));
            if draw.below(4) == 0 {
                set(format!("t{task}.core"), draw.below(2).to_string());
            }
            if draw.below(3) == 0 && !by_deadline {
                set(format!("t{task}.priority"), (10 + draw.below(100)).to_string());
            }
            if draw.below(6) == 0 {
                set(format!("t{task}.budget"), format!("\"{} us\"", wcet + 200));
            }
        }
        let uses: String = (0..gates).map(|gate| format!(" maybe uses P g{gate};")).collect();
        let _ = writeln!(head, "component T {{ control;{uses} }}\ncomponent G {{ provides P p; }}");
        head.push_str("assembly {\n    composition {\n");
        (0..tasks).for_each(|task| {
            let _ = writeln!(head, "        component T t{task};");
        });
        for (gate, users) in users.iter().enumerate() {
            if users.is_empty() {
                continue;
            }
            let _ = writeln!(head, "        component G s{gate};");
            let from: Vec<String> =
                users.iter().map(|task| format!("from t{task}.g{gate}")).collect();
            let _ = writeln!(
                connections,
                "        connection seL4RPCCall c{gate}({}, to s{gate}.p);",
                from.join(", ")
            );
            set(format!("s{gate}.p_wcet"), format!("\"{} us\"", 1 + draw.below(40)));
            if draw.below(3) > 0 {
                let protocol = draw.one_of(protocols);
                set(format!("s{gate}.p_priority_protocol"), format!("\"{protocol}\""));
            }
        }
        head.push_str(&connections);
        Drawn { head, settings }
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

/// The costs of the kernel are those of the candidate's own kernel, not of the description's.
#[test]
fn drawn_placements_are_judged_as_analyze_judges_their_lines() {
    let (mut compared, mut between) = (0, 0);
    for id in 0..given_or("PLACED_SYSTEMS", 40) {
        let drawn = Drawn::new(id);
        let asked = write("place-candidate.camkes", &drawn.text(&[]));
        let asked = asked.to_str().expect("UTF-8");
        for platform in [&[][..], &["--platform", "qemu-rv64"], &["--platform", "rtl-rocket"]] {
            let placed = answer(FUSEE, &[&["place", asked, "--cores", "2"], platform].concat());
            let Some(lines) = placed["lines"].as_array().filter(|lines| !lines.is_empty()) else {
                continue;
            };
            let lines: Vec<String> =
                lines.iter().map(|line| line.as_str().expect("a line").to_owned()).collect();
            let text = drawn.text(&lines);
            let written = write("place-judged.camkes", &text);
            let written = written.to_str().expect("UTF-8");
            let analyzed = answer(FUSEE, &[&["analyze", written], platform].concat());
            let all = format!("{id} on {platform:?}:\n{text}{placed:#}\n{analyzed:#}");
            assert_eq!(placed["schedulable"], analyzed["schedulable"], "{all}");
            assert_eq!(placed["tasks"], analyzed["tasks"], "{all}");
            compared += 1;
            between += u64::from(text.contains("msrp") || text.contains("mrsp"));
        }
    }
    assert!(compared > 60 && between > 5, "{compared} compared, {between} between cores");
}
