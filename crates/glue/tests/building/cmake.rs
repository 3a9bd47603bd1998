//! Components of projects with CMake files: what is compiled, and what links.

use crate::common::{built, symbols};
use fusee_platform::Platform;
use std::path::{Path, PathBuf};

/// A project of a component `App`, with these lines about it and these files.
fn project(name: &str, lines: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cmake-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    let top = format!("cmake_minimum_required(VERSION 3.8.2)\nproject(p C)\n{lines}");
    let run = "int helper(void);\nint run(void) { return helper(); }\n";
    let system = "component App { control; }\nassembly { composition { component App app; } }\n";
    let always = [("CMakeLists.txt", top.as_str()), ("run.c", run), ("system.camkes", system)];
    for (file, text) in always.iter().chain(files) {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// Returns the messages of a build; nothing if it is as it should be.
fn said(name: &str, lines: &str, files: &[(&str, &str)]) -> String {
    let description = project(name, lines, files).join("system.camkes");
    let said = built(&description, Platform::QemuRv64, &format!("cmake-{name}-out"));
    let said = said.map_or_else(|errors| errors, |built| built.warnings);
    let line = |one: &fusee_diagnostics::Diagnostic| {
        format!("{} {} [{}]", one.code.0, one.message, one.notes.join("; "))
    };
    said.iter().map(line).collect::<Vec<_>>().join("\n")
}

const HELPER: (&str, &str) = ("helper.c", "int helper(void) { return 3; }\n");

#[test]
fn a_source_that_is_named_twice_is_built_once() {
    for (name, lines) in [
        (
            "list",
            "set(common helper.c)\nDeclareCAmkESComponent(App SOURCES run.c ${common} ${common})\n",
        ),
        (
            "spelled",
            "DeclareCAmkESComponent(App SOURCES run.c helper.c ./helper.c x/../helper.c)\n",
        ),
        (
            "declared",
            "DeclareCAmkESComponent(App SOURCES run.c helper.c)\n\
             DeclareCAmkESComponent(App SOURCES helper.c)\n",
        ),
        (
            "instance",
            "DeclareCAmkESComponent(App SOURCES run.c helper.c)\n\
             ExtendCAmkESComponentInstance(App app SOURCES helper.c)\n",
        ),
    ] {
        assert_eq!(said(name, lines, &[HELPER, ("x/y", "")]), "");
    }
}

#[test]
fn of_a_static_library_only_what_is_asked_for_is_taken() {
    // A component's own function comes before a library's of that name.
    let lines = "add_library(one helper.c rest.c)\nadd_library(two helper.c)\n\
                 target_link_libraries(one two)\n\
                 DeclareCAmkESComponent(App SOURCES run.c helper.c LIBS one two)\n";
    let rest = ("rest.c", "int nowhere(void);\nint unused(void) { return nowhere(); }\n");
    assert_eq!(said("own", lines, &[HELPER, rest]), "");
    let circle = "add_library(one one.c)\nadd_library(two two.c)\ntarget_link_libraries(one two)\n\
                  target_link_libraries(two one)\n\
                  DeclareCAmkESComponent(App SOURCES run.c LIBS one)\n";
    let one = (
        "one.c",
        "int two(void);\nint helper(void) { return two(); }\n\
         int last(void) { return 1; }\n",
    );
    let two = ("two.c", "int last(void);\nint two(void) { return last(); }\n");
    assert_eq!(said("circle", circle, &[one, two]), "");
    // An object library is taken whole.
    let whole = "add_library(o OBJECT helper.c)\n\
                 DeclareCAmkESComponent(App SOURCES run.c helper.c $<TARGET_OBJECTS:o>)\n";
    let text = said("whole", whole, &[HELPER]);
    assert!(text.starts_with("F0913") && text.contains("multiple definition"), "{text}");
}

#[test]
fn what_a_library_has_is_found_and_what_it_lacks_is_told() {
    let lines = "add_library(inner run.c helper.c)\nDeclareCAmkESComponent(App LIBS inner)\n";
    let folder = project("within", lines, &[HELPER]);
    let built = built(&folder.join("system.camkes"), Platform::QemuRv64, "cmake-within-out");
    let built = built.expect("it builds");
    assert!(symbols(&built.domains[0].path).len() > 1);
    let lines = "add_library(inner run.c)\nDeclareCAmkESComponent(App LIBS inner)\n";
    let text = said("lacking", lines, &[]);
    assert!(text.starts_with("F0905 nothing in `app` defines `helper`"), "{text}");
}

#[test]
fn sources_are_made_by_commands_and_their_absence_is_told() {
    let make = "add_custom_command(OUTPUT made.c COMMAND ${CMAKE_COMMAND} -E copy \
                ${CMAKE_CURRENT_SOURCE_DIR}/helper.txt made.c)\n\
                DeclareCAmkESComponent(App SOURCES run.c ${CMAKE_CURRENT_BINARY_DIR}/made.c)\n";
    assert_eq!(said("made", make, &[("helper.txt", HELPER.1)]), "");
    let text = said("not-made", make, &[]);
    assert!(text.starts_with("F0422") && text.contains("helper.txt"), "{text}");
    let text = said("absent", "DeclareCAmkESComponent(App SOURCES run.c helpr.c)\n", &[HELPER]);
    assert!(text.starts_with("F0419 the source `helpr.c` of `App` is not there"), "{text}");
    let archive = "DeclareCAmkESComponent(App SOURCES run.c LIBS ${CMAKE_CURRENT_LIST_DIR}/v.a)\n";
    let text = said("archive", archive, &[("v.a", "")]);
    assert!(text.starts_with("F0423 `App` is linked with"), "{text}");
}

#[test]
fn a_macro_says_the_same_to_generated_code_as_to_the_components() {
    // The type of a dataport is as long as the project's macro says.
    let lines = "DeclareCAmkESComponent(App SOURCES app.c C_FLAGS -DLENGTH=100 -Werror)\n";
    let app = "#include <camkes.h>\n_Static_assert(sizeof(Frame) == 100, \"\");\n\
               int run(void) { int unused; return d->bytes[99]; }\n";
    let header = "#ifndef LENGTH\n#error LENGTH is not there\n#endif\n\
                  typedef struct { char bytes[LENGTH]; } Frame;\n";
    let system = "component App { control; include \"buf.h\"; dataport Frame d; }\n\
                  connector seL4SharedData { from Dataports; to Dataport; }\n\
                  assembly { composition { component App app; component App peer;\n\
                  connection seL4SharedData c(from app.d, to peer.d); } }\n";
    let files = [("app.c", app), ("buf.h", header), ("system.camkes", system)];
    let text = said("macro", lines, &files);
    let told = text.lines().all(|line| line.starts_with("F0912"));
    assert!(told && text.contains("unused"), "{text}");
}
