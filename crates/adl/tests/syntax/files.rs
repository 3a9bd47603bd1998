//! Imports, inclusions and search paths.

use super::{messages, print, read_with, squeezed};
use fusee_adl::{Options, syntax::files::Memory};

fn with_path(path: &str) -> Options {
    Options { include_paths: vec![path.into()], ..Options::default() }
}

#[test]
fn imported_declarations_stand_where_they_are_first_imported() {
    let files = Memory::default()
        .with(
            "main.camkes",
            "component Zero {}\nimport \"parts/a.camkes\";\nimport \
                              \"b.camkes\";\ncomponent Last {}",
        )
        .with(
            "parts/a.camkes",
            "import \"../b.camkes\";\nimport \"a.camkes\";\nimport \"../main.camkes\";\ncomponent \
             A {}",
        )
        .with("b.camkes", "component B {}");
    let loaded = read_with(files, &Options::default());
    assert_eq!(messages(&loaded), Vec::<String>::new());
    assert_eq!(
        squeezed(&print::tree(&loaded.tree)),
        "component Zero { } component B { } import \"../b.camkes\"; import \"a.camkes\"; import \
         \"../main.camkes\"; component A { } import \"parts/a.camkes\"; import \"b.camkes\"; \
         component Last { }"
    );
    let paths: Vec<String> =
        loaded.sources.files().map(|(_, file)| file.path.display().to_string()).collect();
    assert_eq!(paths, ["main.camkes", "parts/a.camkes", "b.camkes"]);
}

#[test]
fn search_paths_come_before_the_library() {
    let files = Memory::default()
        .with(
            "main.camkes",
            "import <std_connector.camkes>; import <lib/x.camkes>; import \"y.camkes\";",
        )
        .with("own/std_connector.camkes", "connector Mine { from Event; to Event; }")
        .with("own/lib/x.camkes", "component X {}")
        .with("own/y.camkes", "component Y {}");
    let loaded = read_with(files, &with_path("own"));
    assert_eq!(messages(&loaded), Vec::<String>::new());
    let text = print::tree(&loaded.tree);
    assert!(
        text.contains("Mine") && text.contains("component X") && text.contains("component Y"),
        "{text}"
    );
    assert!(!text.contains("seL4RPCCall"), "{text}");
}

#[test]
fn the_library_has_the_connectors_that_programs_import() {
    let text = "import <std_connector.camkes>; import <global-connectors.camkes>;
        import \"../../../priority-aware-camkes/priority-connectors.camkes\";
        #include \"../priority-aware-camkes/priority-protocols.camkes.h\"
        component Task { control; task_priority_attributes() }
        component Service { provides R r; interface_priority_attributes(r); }";
    let loaded = read_with(Memory::default().with("main.camkes", text), &Options::default());
    assert_eq!(messages(&loaded), Vec::<String>::new());
    let text = print::tree(&loaded.tree);
    for name in [
        "seL4RPCCall",
        "seL4RPCCallNoType",
        "seL4RPCEvent",
        "seL4DirectCall",
        "seL4Notification",
        "seL4NotificationBind",
        "seL4NotificationQueue",
        "seL4NotificationNative",
        "seL4SharedData",
        "seL4DMASharedData",
        "seL4HardwareMMIO",
        "seL4HardwareInterrupt",
        "seL4IOAPICHardwareInterrupt",
        "seL4HardwareIOPort",
        "seL4DTBHardware",
        "seL4DTBHW",
        "seL4InitHardware",
        "seL4GDB",
        "seL4GDBMem",
        "seL4TimeServer",
        "seL4VirtQueues",
        "seL4RPC",
        "seL4Asynch",
        "seL4RPCCallPrioritized1",
        "seL4RPCCallPrioritized100",
    ] {
        assert!(text.contains(&format!("connector {name} {{")), "{name}");
    }
    assert!(text.contains(
        "attribute int r_num_threads; attribute int r_priority; attribute string \
                       r_priority_protocol;"
    ));
    assert!(text.contains("to Procedure with 37 threads;"));
}

#[test]
fn missing_files_name_what_was_tried_and_what_was_meant() {
    let files = Memory::default()
        .with(
            "main.camkes",
            "import \"parts/clent.camkes\";\nimport <std_conector.camkes>;\n#include \
             <nowhere.h>\nimport \"folder\";",
        )
        .with("parts/client.camkes", "");
    let loaded = read_with(files, &with_path("more"));
    let notes: Vec<&str> =
        loaded.diagnostics.iter().flat_map(|it| it.notes.iter().map(String::as_str)).collect();
    assert_eq!(
        messages(&loaded),
        [
            "F0103 3:10 included file `nowhere.h` was not found",
            "F0102 1:1 imported file `parts/clent.camkes` was not found",
            "F0102 2:1 imported file `std_conector.camkes` was not found",
            "F0102 4:1 imported file `folder` was not found",
        ]
    );
    assert_eq!(
        notes,
        [
            "looked for `more/nowhere.h`",
            "looked for `parts/clent.camkes`",
            "looked for `more/parts/clent.camkes`",
            "did you mean \"parts/client.camkes\"?",
            "looked for `more/std_conector.camkes`",
            "did you mean <std_connector.camkes>?",
            "looked for `folder`",
            "looked for `more/folder`",
        ]
    );
}

#[test]
fn of_a_missing_included_file_only_that_is_told() {
    let told = |text: &str, more: &[(&str, &str)]| {
        let files = Memory::default().with("main.camkes", text);
        let files = more.iter().fold(files, |files, (name, text)| files.with(*name, *text));
        let all = read_with(files, &Options::default()).diagnostics;
        let mut codes: Vec<_> = all.iter().map(|one| one.code.0).collect();
        codes.sort();
        codes
    };
    // Its macros would be declarations, parts of a composition, and settings.
    let uses = "#include <parts.h>\nDEFINE(Serial)\ncomponent App { control; }\nassembly {\n\
                composition { component App app; CONNECT(serial, app.line) }\n\
                configuration { CONFIGURE(serial) }\n}\n";
    assert_eq!(told(uses, &[]), ["F0103"]);
    // A condition on its macros is none of the user's mistakes, and neither is what it leaves open.
    assert_eq!(told("#include <parts.h>\n#if SIZE(3) > 2\n)\n#endif\n", &[]), ["F0103"]);
    // It is missing in an included file, whose includer uses it.
    let inner = [("parts.h", "#include <more.h>\n")];
    assert_eq!(told(&uses.replace("<parts.h>", "\"parts.h\""), &inner), ["F0103"]);
    // Two files that are missing are two, and a mistake in front of them is one.
    let two = format!("FIRST(x)\n#include <other.h>\n{uses}");
    assert_eq!(told(&two, &[]), ["F0103", "F0103", "F0119"]);
    // With the file, the mistakes are told.
    let with = told(&uses.replace("<parts.h>", "\"parts.h\""), &[("parts.h", "")]);
    assert!(!with.is_empty() && !with.contains(&"F0103"), "{with:?}");
}

#[test]
fn a_missing_description_is_reported() {
    let loaded = read_with(Memory::default(), &Options::default());
    assert_eq!(messages(&loaded), ["F0101 cannot read `main.camkes`: there is no such file"]);
    assert!(loaded.tree.items.is_empty());
}

#[test]
fn bytes_that_are_no_text() {
    let loaded = read_with(
        Memory::default().with("main.camkes", b"component A {}\n\xff\xfe".as_slice()),
        &Options::default(),
    );
    assert_eq!(messages(&loaded)[0], "F0104 2:1 `main.camkes` is not UTF-8 text");
    assert_eq!(loaded.diagnostics[0].labels[0].text, "byte 0xff here");
    assert!(print::tree(&loaded.tree).contains("component A"));
    let marked = read_with(
        Memory::default().with("main.camkes", "\u{feff}component A {}"),
        &Options::default(),
    );
    assert_eq!(messages(&marked), Vec::<String>::new());
}

#[test]
fn inclusions() {
    let files = Memory::default()
        .with(
            "main.camkes",
            "#include \"inc/limits.h\"\n#define NAME \"inc/limits.h\"\n#include \
                              NAME\n#include <guard.h>\n#include <guard.h>\nconfiguration { a.b = \
                              [MAX, __COUNTER__]; }",
        )
        .with(
            "inc/limits.h",
            "#pragma once\n#include \"more.h\"\n#define MAX (MORE + \
                               __COUNTER__)\n",
        )
        .with("inc/more.h", "#define MORE 4\n")
        .with("sys/guard.h", "#ifndef GUARD\n#define GUARD\ncomponent Guarded {}\n#endif\n");
    let loaded = read_with(files, &with_path("sys"));
    assert_eq!(messages(&loaded), Vec::<String>::new());
    assert_eq!(
        squeezed(&print::tree(&loaded.tree)),
        "component Guarded { } configuration { a.b = [(4 + 0), 1]; }"
    );
}

#[test]
fn macros_do_not_cross_imports() {
    let files = Memory::default()
        .with(
            "main.camkes",
            "#define N 1\nimport \"other.camkes\";\nconfiguration { a.b = [N, M]; }",
        )
        .with("other.camkes", "#define M 2\nconfiguration { a.c = [N, M]; }");
    let loaded = read_with(files, &Options::default());
    assert_eq!(
        squeezed(&print::tree(&loaded.tree)),
        "configuration { a.c = [N, 2]; } import \"other.camkes\"; configuration { a.b = [1, M]; }"
    );
}

#[test]
fn endless_inclusions_are_stopped() {
    let once = read_with(
        Memory::default().with("main.camkes", "#include \"main.camkes\"\n"),
        &Options::default(),
    );
    assert_eq!(messages(&once), ["F0105 1:10 files include each other without end"]);
    let twice = "#include \"main.camkes\"\n#include \"main.camkes\"\n";
    let twice = read_with(Memory::default().with("main.camkes", twice), &Options::default());
    assert_eq!(messages(&twice), ["F0105 1:10 files include each other without end"]);
    let large = format!("#include \"main.camkes\"\n/* {} */", "large ".repeat(1_000_000));
    let large = read_with(Memory::default().with("main.camkes", large), &Options::default());
    assert_eq!(messages(&large), ["F0105 1:10 files include each other without end"]);
    let many = "#include \"empty.h\"\n".repeat(4_001);
    let many = read_with(
        Memory::default().with("main.camkes", many).with("empty.h", ""),
        &Options::default(),
    );
    assert_eq!(messages(&many), ["F0105 4001:10 files include each other without end"]);
}

#[test]
fn a_long_chain_of_imports_is_no_danger() {
    let mut files = Memory::default().with("main.camkes", "import \"0.camkes\";");
    for number in 0..5_000 {
        files = files.with(
            format!("{number}.camkes"),
            format!("import \"{}.camkes\"; component C{number} {{}}", number + 1),
        );
    }
    let loaded = read_with(files.with("5000.camkes", ""), &Options::default());
    assert_eq!(messages(&loaded), Vec::<String>::new());
    assert!(print::tree(&loaded.tree).starts_with("import \"5000.camkes\";\ncomponent C4999 {"));
}
