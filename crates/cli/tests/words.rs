//! Words of C and Rust work as names of instances, interfaces and methods.

use std::process::Command;

#[test]
fn words_of_languages_are_names_like_others() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = format!("{}/words", env!("CARGO_TARGET_TMPDIR"));
    let system = "tests/systems/words/words.camkes";
    let arguments = ["run", system, "--for", "5ms", "-o", &folder];
    let run = Command::new(env!("CARGO_BIN_EXE_fusee"))
        .current_dir(root)
        .args(arguments)
        .output()
        .expect("fusee");
    let text =
        String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    // What strings cost is unknown, so no deadline is guaranteed; all else is as it should be.
    assert_eq!(run.status.code(), Some(1), "{text}");
    assert!(text.contains("no deadline missed, 2 of 2 deadlines not guaranteed"), "{text}");
    assert!(text.contains("system: 2 used, 8 free, a motor"), "{text}");
    assert!(text.contains("volatile: 3 and 4"), "{text}");
}
