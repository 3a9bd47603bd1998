//! A browser shows the page without scripts, errors or anything cut off.

mod demo;
mod example;

use std::path::PathBuf;
use std::process::Command;

/// Runs `scripts/check-report` on a page; it must find `texts`.
fn check(name: &str, page: &str, texts: &[&str]) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.html"));
    std::fs::write(&file, page).expect("the test folder can be written");
    let result = Command::new("python3")
        .arg(example::root().join("scripts/check-report"))
        .arg(&file)
        .args(texts)
        .output();
    let result = result.expect("python3 runs; `make setup` installs it");
    let said = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{said}{}", String::from_utf8_lossy(&result.stdout));
    assert!(String::from_utf8_lossy(&result.stdout).contains("5 passed, 0 failed"), "{said}");
}

#[test]
fn the_page_is_readable_wide_and_narrow_light_and_dark() {
    let texts = [
        "No response bound for bc_dist.",
        "information.bus",
        "left until the deadline",
        "bc_sched",
    ];
    check("demo", &fusee_report::render(&demo::demo()), &texts);
}

#[test]
fn a_large_system_is_readable() {
    let texts =
        ["All 17 deadlines are guaranteed.", "sensing.filter", "watchdog_device", "store.storage"];
    check("engine", &example::page("engine/engine.camkes"), &texts);
}

#[test]
fn the_inversion_is_seen() {
    let page = example::page("pathfinder/fifo.camkes");
    let texts = [
        "No response bound for bc_dist.",
        "fifo: 1 deadline missed,",
        "takes 65 ms",
        "F0605",
        "F0705",
    ];
    check("fifo", &page, &texts);
    assert!(
        page.contains("bc_dist waits for information.bus, 50 ms, from 634 ms"),
        "the wait is drawn"
    );
    assert!(page.contains("bc_dist misses its deadline at 665 ms"), "the miss is drawn");
    assert!(
        page.contains("asi_met runs in information, 5 ms, from 575 ms"),
        "so is what led to it"
    );
    let texts = [
        "All 6 deadlines are guaranteed.",
        "inherited: no deadline missed, every bound held in 5 s",
    ];
    check("inherited", &example::page("pathfinder/inherited.camkes"), &texts);
}

#[test]
fn chains_are_readable_and_painted() {
    let page = example::page("chain/chain.camkes");
    let texts = ["receiver \u{2013}(samples)\u{2192} filter", "allowed age 20 ms", "in time"];
    check("chain", &page, &texts);
    let start = page.find("id=\"chains\"").expect("a section");
    let section = &page[start..start + page[start..].find("</section>").expect("its end")];
    let drawn = section.split("<rect ").skip(1).filter(|rect| !rect.contains("class=\"track\""));
    let painted = drawn.clone().filter(|rect| rect.contains("class=\"part part-")).count();
    assert!(painted >= 10 && painted == drawn.count(), "some part has no colour: {section}");
}
