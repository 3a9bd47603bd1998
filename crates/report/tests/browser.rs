//! A browser shows the page without scripts, errors or anything cut off.

mod demo;
mod example;

use std::path::PathBuf;
use std::process::Command;

/// Runs `scripts/check-report` on a page; it must find `texts`.
fn check(name: &str, page: &str, texts: &[&str]) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.html"));
    std::fs::write(&file, page).expect("the test folder can be written");
    let result =
        Command::new("python3").arg(example::root().join("scripts/check-report")).arg(&file).args(texts).output();
    let result = result.expect("python3 runs; `make setup` installs it");
    let said = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{said}{}", String::from_utf8_lossy(&result.stdout));
    assert!(String::from_utf8_lossy(&result.stdout).contains("5 passed, 0 failed"), "{said}");
}

#[test]
fn the_page_is_readable_wide_and_narrow_light_and_dark() {
    let texts = ["No response bound for bc_dist.", "information.bus", "left until the deadline", "bc_sched"];
    check("demo", &fusee_report::render(&demo::demo()), &texts);
}

#[test]
fn a_large_system_is_readable() {
    let texts = ["All 17 deadlines are guaranteed.", "sensing.filter", "watchdog_device", "store.storage"];
    check("engine", &example::page("engine/engine.camkes"), &texts);
}
