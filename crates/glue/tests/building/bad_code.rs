//! Mistakes in components' code: one message each, with what to do next.

use crate::common::{built, built_with};
use fusee_diagnostics::Diagnostic;
use fusee_platform::Platform;
use std::path::Path;

const PARTS: &str = "procedure Echo { include \"block.h\"; int echo(in int value);
void put(in struct block data); }
    component Server { provides Echo e; }
    component Client { control; uses Echo e; emits Tick unconnected; }
    connector seL4RPCCall { from Procedures with 0 threads; to Procedure; }
    assembly { composition {
        component Server s; component Client c;
        connection seL4RPCCall call(from c.e, to s.e);
    } }";

const SERVER: &str = "#include <camkes.h>\nint e_echo(int value) { return value; }\nvoid \
                      e_put(struct block data) { }\n";
const CLIENT: &str = "#include <camkes.h>\nint run(void) { return e_echo(1); }\n";

/// Builds a server and a client whose block has so many bytes.
fn build(name: &str, server: &str, client: &str, bytes: usize) -> Vec<Diagnostic> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bad-{name}"));
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("system.camkes", PARTS);
    write("include/block.h", &format!("#pragma once\nstruct block {{ char bytes[{bytes}]; }};\n"));
    write("components/Server/server.c", server);
    write("components/Client/client.c", client);
    built(&folder.join("system.camkes"), Platform::QemuRv64, &format!("bad-{name}-out"))
        .err()
        .unwrap_or_default()
}

/// The codes, messages and notes of what is said.
fn said(messages: &[Diagnostic]) -> String {
    let line = |message: &Diagnostic| {
        format!("{}: {} | {}", message.code.0, message.message, message.notes.join(" | "))
    };
    messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_right_builds() {
    assert_eq!(said(&build("right", SERVER, CLIENT, 100)), "");
}

#[test]
fn a_missing_method_is_shown_with_its_prototype() {
    let server = "#include <camkes.h>\nint e_echo(int value) { return value; }\n";
    let text = said(&build("missing", server, CLIENT, 8));
    assert_eq!(
        text,
        "F0903: the code of `s` does not define `e_put` | write `void e_put(struct block data)` in \
         a source of `Server`"
    );
}

#[test]
fn a_wrong_signature_is_shown_with_the_right_one() {
    let server = "#include <camkes.h>\nlong e_echo(char *value) { return 0; }\nvoid e_put(struct \
                  block data) { }\n";
    let text = said(&build("signature", server, CLIENT, 8));
    assert_eq!(
        text,
        "F0904: `e_echo` in `s` has another signature than the description's | defined at \
         components/Server/server.c:2:6: | the description asks for `int e_echo(int value)`"
            .replace("2:6: |", "2:6 |")
    );
}

#[test]
fn a_message_that_is_too_large_names_the_method_and_the_way_out() {
    let text = said(&build("large", SERVER, CLIENT, 121 * 8));
    assert!(text.contains("F0906: a message of `e.put` in `c` is longer than 120 words"), "{text}");
    assert!(text.contains("connect it with `seL4RPCDataport`"), "{text}");
    assert_eq!(said(&build("just-fits", SERVER, CLIENT, 120 * 8)), "");
}

#[test]
fn a_function_of_no_interface_is_named() {
    let client = "#include <camkes.h>\nint run(void) { return f_echo(1); }\n";
    let text = said(&build("undefined", SERVER, client, 8));
    assert!(
        text.starts_with(
            "F0905: `f_echo`, used by `c`, is not declared | used at components/Client/client.c:2"
        ),
        "{text}"
    );
    assert!(text.contains("the component's interfaces are `e`, `unconnected`"), "{text}");
}

#[test]
fn other_mistakes_are_shown_as_the_compiler_has_them() {
    let client = "#include <camkes.h>\nint run(void) { return 1 }\n";
    let text = said(&build("syntax", SERVER, client, 8));
    assert!(text.starts_with("F0902: the code of `c` does not compile"), "{text}");
    assert!(text.contains("expected ';'"), "{text}");
}

/// A worker with a period and no sources but those in these folders; what is said, and which
/// components are stubs.
fn without_sources(
    name: &str,
    configuration: &str,
    folders: &[&str],
    stubs: bool,
) -> Result<usize, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bare-{name}"));
    for place in folders {
        std::fs::create_dir_all(folder.join(place)).expect("a folder");
        std::fs::write(folder.join(place).join("worker.c"), "int run(void) { return 0; }\n")
            .expect("a file");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = format!(
        "component Worker {{ control; }}\nassembly {{ composition {{ component Worker digger; }}\n\
         configuration {{ digger.period = \"10 ms\"; {configuration} }} }}\n"
    );
    let file = folder.join("system.camkes");
    std::fs::write(&file, text).expect("a file");
    let built = built_with(&file, Platform::QemuRv64, &format!("bare-{name}-out"), stubs);
    built.map(|built| built.stubs.len()).map_err(|messages| said(&messages))
}

const TIME: &str = "digger.wcet = \"1 ms\";";

#[test]
fn a_component_without_sources_is_no_stub_unless_somebody_says_so() {
    let text =
        without_sources("silent", TIME, &[], false).expect_err("nobody has asked for a stub");
    assert!(
        text.starts_with("F0907: `digger` has no sources | sources of `Worker` are looked for in"),
        "{text}"
    );
    assert!(
        text.contains("`components/Worker/src`") && text.contains("`digger.stub = true;`"),
        "{text}"
    );
    assert!(!text.contains("did you mean"), "{text}");
    assert_eq!(without_sources("option", TIME, &[], true), Ok(1));
    assert_eq!(without_sources("said", &format!("{TIME} digger.stub = true;"), &[], false), Ok(1));
    let text = without_sources("denied", &format!("{TIME} digger.stub = \"yes\";"), &[], false);
    assert!(text.expect_err("no truth value").contains("neither `true` nor `false`"));
}

#[test]
fn a_stub_takes_the_place_of_sources_only_where_its_description_says_so() {
    let place = ["components/Worker/src"];
    assert_eq!(without_sources("there", TIME, &place, true), Ok(0));
    assert_eq!(
        without_sources("replaced", &format!("{TIME} digger.stub = true;"), &place, false),
        Ok(1)
    );
}

#[test]
fn a_folder_that_nearly_matches_is_suggested() {
    let near = [
        "components/worker",
        "components/Workers/src",
        "components/digger",
        "component/Worker",
        "Worker",
    ];
    for (number, place) in near.into_iter().chain(["components/Wroker"]).enumerate() {
        let text = without_sources(&format!("near-{number}"), TIME, &[place], false)
            .expect_err("not quite its name");
        let folder = place.trim_end_matches("/src");
        assert!(text.contains(&format!("did you mean `{folder}`?")), "{place}: {text}");
    }
}

#[test]
fn a_stub_without_times_says_which() {
    let text = without_sources("untimed", "", &[], true).expect_err("no times");
    assert!(
        text.starts_with("F0915: the stub `digger` has no execution time for its job"),
        "{text}"
    );
}
