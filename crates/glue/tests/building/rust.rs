//! Components in Rust as they are written for CAmkES: functions, a manifest.

use crate::common::built;
use fusee_platform::Platform;
use std::path::Path;

const PARTS: &str = "procedure Shapes { include \"shape.h\"; int area(in rectangle_t shape); }
    component Server { provides Shapes s; }
    connector seL4RPCCall { from Procedures with 0 threads; to Procedure; }
    component Client { control; uses Shapes s; }
    assembly { composition {
        component Server server; component Client client;
        connection seL4RPCCall call(from client.s, to server.s);
    } }";

const HEADER: &str = "#pragma once\ntypedef struct { int width, height; } rectangle_t;\n";
const CLIENT: &str = "#include <camkes.h>\nint run(void) { return s_area((rectangle_t){2, 3}); }\n";
const PANIC: &str = "#[panic_handler] fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }\n";
const AREA: &str = "#[repr(C)] pub struct Rectangle { width: i32, height: i32 }\n\
                    #[no_mangle] pub extern \"C\" fn s_area(of: Rectangle) -> i32 { of.width * \
                    of.height }\n";

/// Returns the messages for a server of these sources, with the files of its folder.
fn said(name: &str, server: &str, files: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rust-{name}"));
    let server = format!("#![no_std]\n{server}");
    let all = [
        ("system.camkes", PARTS),
        ("include/shape.h", HEADER),
        ("components/Client/client.c", CLIENT),
        ("components/Server/src/lib.rs", server.as_str()),
    ];
    for (file, text) in all.iter().chain(files) {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let built =
        built(&folder.join("system.camkes"), Platform::QemuRv64, &format!("rust-{name}-out"));
    let messages = built.err().unwrap_or_default();
    let lines = messages
        .iter()
        .map(|said| format!("{}: {} | {}", said.code.0, said.message, said.notes.join(" | ")));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_method_without_a_form_in_rust_is_written_as_c_has_it() {
    assert_eq!(said("plain", &format!("{AREA}{PANIC}"), &[]), "");
    assert_eq!(
        said("formless", "use camkes as _;\n", &[]),
        "F0914: `s.area` of `server` has no form in Rust | in C it is `int s_area(rectangle_t \
         shape)` | write `#[unsafe(no_mangle)] extern \"C\" fn s_area` with `#[repr(C)]` types of \
         your own"
    );
}

#[test]
fn what_every_crate_without_a_system_needs_is_told() {
    let text = said("unhandled", AREA, &[]);
    assert!(text.starts_with("F0902") && text.contains("write `use camkes as _;`"), "{text}");
}

#[test]
fn a_manifest_says_the_edition_and_names_crates_of_the_project() {
    let code = format!(
        "{}{PANIC}",
        AREA.replace("of.width * of.height", "twice::twice(of.width) * of.height")
    );
    let manifest = "[package]\nname = \"server\"\nversion = \"0.1.0\"\nedition = \"2018\"\n\
                    [dependencies]\ntwice = { path = \"../../twice\" }\n";
    let twice = [
        (
            "twice/Cargo.toml",
            "[package]\nname = \"twice\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        ),
        ("twice/src/lib.rs", "#![no_std]\npub fn twice(of: i32) -> i32 { 2 * of }\n"),
    ];
    let with = |name: &str, code: &str, manifest: &str| {
        said(name, code, &[twice[0], twice[1], ("components/Server/Cargo.toml", manifest)])
    };
    assert_eq!(with("own", &code, manifest), "");
    let newest = manifest.replace("2018", "2024");
    let text = with("newest", &code, &newest);
    assert!(
        text.starts_with("F0902") && text.contains("no_mangle"),
        "an attribute that 2024 has no more: {text}"
    );
    let text = with("script", &code, &manifest.replace("edition", "build = \"make.rs\"\nedition"));
    assert!(text.starts_with("F0916: the crate of `server` has a build script"), "{text}");
}

/// A lock with one crate of a registry.
const LOCK: &str = include_str!("managed/Cargo.lock");

#[test]
fn crates_of_a_registry_are_pinned() {
    let code = format!(
        "{}{PANIC}",
        AREA.replace(
            "of.width * of.height",
            "let mut pair = [of.width, of.height];\n managed::ManagedSlice::from(&mut \
             pair[..]).iter().product()"
        )
    );
    let with = |name: &str, dependency: &str, lock: Option<&str>| {
        let manifest = format!(
            "[package]\nname = \"server\"\nversion = \"0.1.0\"\nedition = \
             \"2021\"\n[dependencies]\nmanaged = {dependency}\n"
        );
        let manifest = ("components/Server/Cargo.toml", manifest.as_str());
        let lock = lock.map(|text| ("components/Server/Cargo.lock", text));
        said(name, &code, &[Some(manifest), lock].into_iter().flatten().collect::<Vec<_>>())
    };
    let here = "{ version = \"0.8\", default-features = false }";
    assert_eq!(with("pinned", here, Some(LOCK)), "");
    let text = with("unpinned", here, None);
    let expected = "F0916: the crate of `server` needs `managed` of a registry, and no \
                    `Cargo.lock` says which version";
    assert!(text.starts_with(expected) && text.contains("cargo generate-lockfile"), "{text}");
    let text = with("elsewhere", "{ git = \"https://example.org/managed\" }", None);
    assert!(text.contains("has neither a `path` nor a `version`"), "{text}");
    let text = with("lost", "{ path = \"../lost\" }", None);
    assert!(text.contains("and \"../lost\" is not there"), "{text}");
}

#[test]
fn what_is_used_is_what_is_pinned() {
    // Cargo takes another version where what is pinned does not fit.
    let behind = "managed = { version = \"=0.8.0\", default-features = false }";
    let manifest = format!(
        "[package]\nname = \"server\"\nversion = \"0.1.0\"\nedition = \
         \"2021\"\n[dependencies]\n{behind}\n"
    );
    let files = [
        ("components/Server/Cargo.toml", manifest.as_str()),
        ("components/Server/Cargo.lock", &LOCK.replace("0.8.0", "0.7.2")),
    ];
    let text = said("behind", &format!("{AREA}{PANIC}"), &files);
    let expected = "F0916: the `Cargo.lock` of `server` does not have `managed 0.8.0`";
    assert!(text.starts_with(expected) && text.contains("cargo update"), "{text}");
}

/// Returns the messages before a build about a component `C` in this description, with this in its
/// project's file.
fn told(name: &str, description: &str, project: &str, source: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("told-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in [("system.camkes", description), ("CMakeLists.txt", project), (source, "")]
    {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    let reading = fusee_adl::read(&folder.join("system.camkes"), &fusee_adl::Options::default());
    let system = reading.system.unwrap_or_else(|| panic!("{:#?}", reading.diagnostics));
    let project = fusee_glue::Project::around(&folder, 8, &fusee_glue::Given::default());
    let said = fusee_glue::foreign(Some(&system), &project, &|_| None);
    said.iter()
        .map(|said| format!("{}: {}", said.code.0, said.message))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A type that no macro names is not the component's code.
#[test]
fn a_type_that_is_not_made_the_code_is_told_by_the_macro() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-no-macro");
    let description = "component C { control; }\nassembly { composition { component C c; } \
                       configuration { c.period = \"10 ms\"; c.wcet = \"1 ms\"; } }\n";
    let code = "#![no_std]\npub struct C;\nimpl camkes::provided::Control for C {\n    fn run() \
                {}\n}\n";
    let place = folder.join("components/C");
    std::fs::create_dir_all(&place).expect("a folder");
    std::fs::write(folder.join("system.camkes"), description).expect("the description");
    for (macro_call, missed) in [("", true), ("camkes::component!(C);\n", false)] {
        std::fs::write(place.join("lib.rs"), format!("{code}{macro_call}")).expect("a source");
        let messages =
            built(&folder.join("system.camkes"), Platform::QemuRv64, "rust-no-macro-out");
        let notes = messages.err().map(|messages| messages[0].notes.join("\n"));
        assert_eq!(notes.is_some(), missed, "{notes:?}");
        let is_told = |notes: &String| {
            notes.contains("`impl camkes::provided::Control`")
                && notes.contains("`camkes::component!(Type);`")
        };
        assert!(notes.iter().all(is_told), "{notes:?}");
    }
}

#[test]
fn names_that_rust_has_twice_are_told_of_components_in_rust() {
    let of = |members: &str| {
        format!(
            "procedure P {{ void f(); }}\ncomponent C {{ control; {members} }}\nassembly {{ \
             composition {{ component C c; }} }}\n"
        )
    };
    let rust = "DeclareCAmkESComponent(C SOURCES c.rs)\n";
    let traits = of("provides P text_sink; provides P textSink;");
    assert_eq!(
        told("traits", &traits, rust, "c.rs"),
        "F0917: in Rust the interface `text_sink` and the interface `textSink` of `c` are both \
         `TextSink`"
    );
    assert_eq!(told("in-c", &traits, &rust.replace(".rs", ".c"), "c.c"), "");
    let constants = of("attribute string name = \"x\";");
    let text = told("constants", &constants, rust, "c.rs");
    assert!(text.starts_with("F0917") && text.ends_with("are both `NAME`"), "{text}");
    assert_eq!(
        told("fine", &of("provides P text; attribute int text_size = 1;"), rust, "c.rs"),
        ""
    );
}

#[test]
fn words_of_a_project_that_are_not_taken_are_told() {
    let description = "component C { control; }\nassembly { composition { component C c; } }\n";
    let of = |name: &str, more: &str| {
        told(name, description, &format!("DeclareCAmkESComponent(C SOURCES c.c {more})\n"), "c.c")
    };
    assert_eq!(of("flags", "LD_FLAGS -u x"), "F0923: `LD_FLAGS -u x` of `c` is not taken");
    assert_eq!(
        of("template", "TEMPLATE_SOURCES a.template.c"),
        "F0922: `c` needs code made from the template `a.template.c` for seL4, which is not here"
    );
    assert_eq!(of("taken", "C_FLAGS -DX CXX_FLAGS -DY"), "");
}

#[test]
fn code_for_a_scheduler_of_fusees_own_is_refused() {
    let of = |name: &str, kind: &str, more: &str, source: &str| {
        let description = format!(
            "import <std_connector.camkes>;\nimport <fusee/fixed_priority.camkes>;\ncomponent Job \
             {{ control; }}\ncomponent Mine {{ control; }}\nassembly {{ composition {{ component \
             {kind} chooser; component Job job; }}\nconfiguration {{ chooser.priority = 9; \
             {more}\njob.scheduler = \"chooser\"; job.priority = 1; job.period = \"10 ms\"; \
             job.wcet = \"1 ms\"; }} }}\n"
        );
        told(
            name,
            &description,
            &format!("DeclareCAmkESComponent({kind} SOURCES {source})\n"),
            "x.c",
        )
    };
    let replaced = of("replaced", "FixedPriority", "", "x.c");
    assert!(replaced.starts_with("F0924: `") && replaced.contains("x.c` replaces the code of"));
    assert_eq!(
        of("left-out", "FixedPriority", "chooser.stub = true;", ""),
        "F0924: `chooser.stub` leaves out the code of `FixedPriority`, which comes with Fusee"
    );
    assert_eq!(of("shipped", "FixedPriority", "", ""), "");
    assert_eq!(of("own", "Mine", "", "x.c"), "");
}
