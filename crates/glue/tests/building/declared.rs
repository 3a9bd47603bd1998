//! Code that declares its dataports itself, as CAmkES's header does.

use crate::common::built;
use fusee_platform::Platform;
use object::{Object, ObjectSection, ObjectSymbol};
use std::path::{Path, PathBuf};

const DESCRIPTION: &str = "component App { control; include \"block.h\"; dataport Buf mine;
    dataport Buf(8192) large; dataport block_t typed; maybe dataport Buf none; }
    connector seL4SharedData { from Dataports; to Dataports; }
    assembly { composition {
        component App a; component App b;
        connection seL4SharedData m(from a.mine, to b.mine);
        connection seL4SharedData l(from a.large, to b.large);
        connection seL4SharedData t(from a.typed, to b.typed);
    } }";

/// Builds two components with this code; their programs, or what is said.
fn build(name: &str, declarations: &str) -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("declared-{name}"));
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("system.camkes", DESCRIPTION);
    write("include/block.h", "#pragma once\ntypedef struct { int words[16]; } block_t;\n");
    let code = format!(
        "#include <camkes.h>\n{declarations}\nint run(void)\n{{\n    typed->words[0] = mine != 0;\n\
         \x20   return *(int *)large;\n}}\n"
    );
    write("components/App/app.c", &code);
    let out = format!("declared-{name}-out");
    match built(&folder.join("system.camkes"), Platform::QemuRv64, &out) {
        Ok(built) => Ok(built.domains.into_iter().map(|domain| domain.path).collect()),
        Err(said) => Err(said.iter().map(|said| said.message.clone()).collect()),
    }
}

#[test]
fn a_declaration_like_the_headers_is_accepted() {
    for (name, declarations) in [
        ("buffer", "extern Buf *mine;"),
        ("sized", "extern void *large;"),
        ("type", "extern block_t *typed;"),
        ("weak", "extern Buf *none __attribute__((weak));"),
        ("twice", "extern Buf *mine; extern Buf *mine; extern struct unknown *other;"),
    ] {
        assert_eq!(build(name, declarations).err(), None, "{name}");
    }
}

#[test]
fn another_type_is_still_a_mistake() {
    for (name, declarations) in
        [("other", "extern int *mine;"), ("volatile", "extern volatile Buf *mine;")]
    {
        let said = build(name, declarations).expect_err("it is of another type");
        assert!(said.contains("does not compile"), "{name}: {said}");
    }
}

#[test]
fn the_pointer_itself_lies_in_constant_memory() {
    let mut seen = 0;
    for program in build("constant", "").expect("it builds") {
        let bytes = std::fs::read(&program).expect("a program");
        let file = object::File::parse(&*bytes).expect("a program");
        let pointers = file.symbols().filter(|symbol| symbol.name() == Ok("mine"));
        // The boot domain has no such component.
        let sections: Vec<String> = pointers
            .filter_map(|symbol| file.section_by_index(symbol.section_index()?).ok())
            .map(|section| section.name().unwrap_or("").to_owned())
            .collect();
        seen += sections.len();
        assert!(sections.iter().all(|name| name.starts_with(".rodata")), "{sections:?}");
    }
    assert_eq!(seen, 2, "one of each component");
}
