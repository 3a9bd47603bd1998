//! Programs that ask a kernel: what it does is stated, or not counted.

use serde_json::Value;

use super::{codes, facts, json, program, wcet};

/// A component's own instructions count before and behind a system call.
#[test]
fn what_asks_the_kernel_has_its_own_time() {
    let elf = program("asking");
    let run = |function: &str, more: &[&str]| {
        json(&wcet(&elf, &[&["--entry", function, "--json"], more].concat()))["entries"][0].clone()
    };
    assert!(run("ask_and_go_on", &[])["bound"].is_null());
    let told = run("ask_and_go_on", &["--system-calls"]);
    let assumed = told["assumptions"].to_string();
    assert!(told["bound"].as_u64().is_some_and(|bound| (4..12).contains(&bound)), "{told}");
    assert!(assumed.contains("what the kernel does"), "{assumed}");
    // Whether it would come back at all is not known here.
    let unknown = run("ask", &["--system-calls"]);
    assert!(unknown["bound"].is_null(), "{unknown}");
}

/// A time for a line of source is one for each system call that was inlined from there.
#[test]
fn a_line_of_source_settles_all_of_its_system_calls() {
    let elf = program("asking-often");
    let run = |function: &str, more: &[&str]| {
        json(&wcet(&elf, &[&["--entry", function, "--json"], more].concat()))["entries"][0].clone()
    };
    for (function, groups, calls) in [("ask_thrice", 1, 3), ("ask_both", 2, 3), ("ask", 1, 1)] {
        let open = run(function, &[]);
        let obstacles = open["obstacles"].as_array().expect("a list").clone();
        assert_eq!(obstacles.len(), groups, "{open:#}");
        let also = |one: &Value| one["also_at"].as_array().map_or(0, Vec::len);
        assert_eq!(obstacles.iter().map(|one| 1 + also(one)).sum::<usize>(), calls, "{open:#}");
        // What is shared is named by its line, what is not by its place.
        let fact = |one: &Value| one["fact"].as_str().expect("a fact").to_owned();
        assert!(obstacles.iter().all(|one| fact(one).contains(".c:") == (also(one) > 0)));
        let bounded = |time: u64| {
            let stated = format!("= {{ time = {time}, writes = [], stack = 0 }}\n");
            let text: String =
                obstacles.iter().map(|one| fact(one).replace("= N", &stated)).collect();
            let facts = facts(&format!("{function}-{time}"), &text);
            let found = run(function, &["--facts", facts.to_str().expect("UTF-8")]);
            assert_eq!(found["facts"].as_array().map(Vec::len), Some(groups), "{found:#}");
            found["bound"].as_u64().unwrap_or_else(|| panic!("{found:#}"))
        };
        assert_eq!(bounded(1000), bounded(0) + 1000 * calls as u64, "{function}");
    }
    // A line without any says so.
    let facts = facts("asking-nowhere", "times.\"programs.c:9\" = 5\n");
    let nowhere = ["--entry", "sum", "--json", "--facts", facts.to_str().expect("UTF-8")];
    assert_eq!(codes(&wcet(&elf, &nowhere)), (Some(2), vec!["F0805".to_owned()]));
}
