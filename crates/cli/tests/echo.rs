//! Every type and direction of the interface language, between C and Rust.

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Builds the system for a platform, runs the image and looks at what the clients say.
fn every_answer_is_right(platform: &str) {
    let folder = format!("{}/echo-{platform}", env!("CARGO_TARGET_TMPDIR"));
    let built = FUSEE.run(&[
        "build",
        "tests/systems/echo/echo.camkes",
        "--platform",
        platform,
        "-o",
        &folder,
    ]);
    assert_eq!(
        built.status.code(),
        Some(0),
        "{platform}: {}",
        String::from_utf8_lossy(&built.stderr)
    );
    let run = FUSEE.run(&["run", &format!("{folder}/image.elf"), "--for", "5ms", "--json"]);
    let run: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let lines = run["console"].as_array().expect("console lines").iter();
    let mut lines: Vec<String> =
        lines.map(|line| format!("{}: {}", line["component"], line["text"])).collect();
    lines.sort_unstable();
    let expected = [
        r#""c_client": "42 answers right, 0 wrong, error 0""#,
        r#""drawer": "5 of 5 right""#,
        r#""rust_client": "38 answers right, 0 wrong, error 0""#,
    ];
    assert_eq!(lines, expected, "{platform}");
    assert_eq!(run["faults"], Value::Array(Vec::new()), "{platform}");
}

#[test]
fn every_type_and_direction_passes_on_64_bits() {
    every_answer_is_right("qemu-rv64");
}

#[test]
fn every_type_and_direction_passes_on_32_bits() {
    every_answer_is_right("qemu-rv32");
}
