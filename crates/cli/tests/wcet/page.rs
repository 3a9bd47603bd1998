//! The page of a program: source beside its code, and what-if answered from it.

use std::path::Path;

use serde_json::Value;

use super::{compiled, facts, json, program, scratch, wcet};

/// Returns the page about an entry.
fn page(test: &str, elf: &Path, arguments: &[&str]) -> String {
    let page = scratch(&format!("{test}.html"));
    let run = wcet(elf, &[arguments, &["--report", page.to_str().expect("a path")]].concat());
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
    std::fs::read_to_string(page).expect("a page")
}

/// Returns the numbers of iterations in a page's only row, each with its bound.
fn points(page: &str) -> Vec<(u64, u64)> {
    let (_, row) = page.split_once("data-points=\"").expect("a row");
    let (points, rest) = row.split_once('"').expect("its end");
    assert!(!rest.contains("data-points=\""), "one row: {rest}");
    serde_json::from_str(points).expect("pairs")
}

/// The page's answers are the command's answers, and each iteration has its price.
#[test]
fn a_page_tells_what_if_a_loop_iterated_more_or_less_often() {
    let elf = program("page");
    let refused = json(&wcet(&elf, &["--entry", "search", "--json"]));
    let header = refused["entries"][0]["obstacles"][0]["symbol"].as_str().expect("a place");
    let file = facts("page", &format!("loops.\"{header}\" = 10\n"));
    let given = ["--entry", "search", "--facts", file.to_str().expect("a path")];
    let page = page("page", &elf, &given);
    let points = points(&page);
    let tried: Vec<u64> = points.iter().map(|point| point.0).collect();
    assert!(tried.contains(&10) && tried.contains(&40) && tried.len() >= 20, "{tried:?}");
    for &(iterations, time) in &points {
        let question = format!("{header}={iterations}");
        let document =
            json(&wcet(&elf, &[&given[..], &["--json", "--what-if", &question]].concat()));
        let entry = &document["entries"][0];
        let told = match iterations {
            10 => &entry["bound"],
            _ => &entry["what_if"][0]["bound"],
        };
        assert_eq!(told, &Value::from(time), "{question}");
    }
    let price = |pair: &[(u64, u64)]| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
    let prices: Vec<u64> = points.windows(2).map(price).collect();
    assert!(prices[0] > 0 && prices.iter().all(|&one| one == prices[0]), "{points:?}");
    assert!(page.contains("value=\"10\"") && page.matches("<script>").count() == 1);
}

/// The numbers that the book tells of its page.
#[test]
fn a_page_of_a_line_s_fact_has_one_number_for_it() {
    let source = Path::new("../../examples/bounds/journal.c");
    let text = std::fs::read_to_string(source).expect("the example");
    let pragma = "_Pragma(\"loopbound min 0 max 16\")\n    for (const";
    let source = scratch("journal.c");
    std::fs::write(&source, text.replace("for (const", pragma)).expect("a source");
    let elf = compiled("journal", &source);
    let sources = source.to_str().expect("a path");
    let page = page("journal", &elf, &["--entry", "size", "--facts-from", sources]);
    let points = points(&page);
    let of = |number| points.iter().find(|point| point.0 == number).map(|point| point.1);
    let (Some(less), Some(now), Some(more)) = (of(8), of(16), of(24)) else {
        panic!("{points:?}");
    };
    assert_eq!((now - less, more - now), (32, 32), "{points:?}");
}

/// A loop that ends by itself, and never earlier, has no number to change.
#[test]
fn of_a_loop_that_always_iterates_as_often_nothing_is_asked() {
    let page = page("fixed", &program("fixed"), &["--entry", "sum"]);
    assert!(!page.contains("<input") && page.contains("no path leaves them earlier"), "{page}");
}

/// The line that takes longest is the hottest, beside its instructions.
#[test]
fn a_page_shows_source_and_assembly_side_by_side() {
    let page = page("side", &program("side"), &["--entry", "sum"]);
    let (_, hottest) = page.split_once("<tr class=\"heat-8\">").expect("a hottest line");
    let (row, rest) = hottest.split_once("</tr>").expect("its end");
    assert!(!rest.contains("heat-8"), "one line is the hottest: {rest}");
    let written = std::fs::read_to_string("tests/wcet/programs.c").expect("the source");
    let line = written.lines().nth(8).expect("line 9").trim();
    let line = line.replace('<', "&lt;").replace('>', "&gt;");
    assert!(row.contains(&line) && row.contains("lw a"), "{line}: {row}");
    assert!(row.contains(">16\n") || row.contains("\n16\n"), "{row}");
}
