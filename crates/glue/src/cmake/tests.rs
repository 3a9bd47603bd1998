//! What projects' files say.

use super::*;
use std::fs;

/// A folder with files; the test's own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fusee-cmake-{name}-{}", std::process::id()));
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
    }
    folder.canonicalize().expect("a folder")
}

/// What the folder's own files say.
fn said(folder: &Path) -> Files {
    let mut files = Files::new(8, &[("GIVEN".into(), "1".into())]);
    files.run(folder, true);
    fs::remove_dir_all(folder).expect("a folder that can be removed");
    files
}

/// The same of one file.
fn of(name: &str, text: &str) -> (Said, PathBuf) {
    let folder = project(name, &[("CMakeLists.txt", text)]);
    let files = said(&folder);
    (files.said().clone(), folder)
}

fn names(paths: &[PathBuf], folder: &Path) -> Vec<String> {
    paths
        .iter()
        .map(|path| path.strip_prefix(folder).unwrap_or(path).display().to_string())
        .collect()
}

#[test]
fn components_variables_and_conditions() {
    let text = "project(p C)  # DeclareCAmkESComponent(No SOURCES no.c)\n\
                set(common src/common.c src/more.c)\n\
                if(KernelArchRiscV AND NOT \"${KernelPlatform}\" STREQUAL \"pc99\")\n\
                DeclareCAmkESComponent(A\n SOURCES src/a.c ${common}\n\
                INCLUDES \"include dir\" C_FLAGS -DX=1 -Werror LIBS foo)\n\
                elseif(KernelArchX86)\nDeclareCAmkESComponent(A SOURCES x86.c)\nelse()\n\
                DeclareCAmkESComponent(A SOURCES arm.c)\nendif()\n\
                DeclareCAmkESComponent(B SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/b.c $<if:x,y>)\n\
                #[[ DeclareCAmkESComponent(C) ]]\n";
    let (said, folder) = of("components", text);
    let a = &said.components["A"];
    assert_eq!(names(&a.sources, &folder), ["src/a.c", "src/common.c", "src/more.c"]);
    assert_eq!(names(&a.includes, &folder), ["include dir"]);
    assert_eq!(a.flags, ["-DX=1"]);
    assert_eq!(a.libraries, ["foo"]);
    assert_eq!(names(&said.components["B"].sources, &folder), ["b.c"]);
    assert_eq!(said.components.len(), 2);
}

#[test]
fn lists_loops_functions_and_macros() {
    let text = "function(Declare name)\n  cmake_parse_arguments(PARSE_ARGV 1 D \"FAST\" \"MAIN\" \
                \"WITH\")\n\
                DeclareCAmkESComponent(${name} SOURCES ${D_MAIN} ${D_WITH} \
                ${D_UNPARSED_ARGUMENTS})\n\
                set(last ${name} PARENT_SCOPE)\nset(inner 1)\nendfunction()\n\
                macro(twice file)\n list(APPEND all ${file} ${file})\nendmacro()\n\
                Declare(A FAST MAIN m.c WITH w.c v.c)\n\
                foreach(n IN ITEMS 1 2)\n  list(APPEND all part${n}.c)\nendforeach()\ntwice(t.c)\n\
                list(REMOVE_DUPLICATES all)\nstring(TOUPPER ${last} upper)\n\
                if(DEFINED inner)\nset(all wrong.c)\nendif()\n\
                DeclareCAmkESComponent(${upper}B SOURCES ${all})\n";
    let (said, folder) = of("functions", text);
    assert_eq!(names(&said.components["A"].sources, &folder), ["m.c", "w.c", "v.c"]);
    assert_eq!(names(&said.components["AB"].sources, &folder), ["part1.c", "part2.c", "t.c"]);
}

#[test]
fn folders_libraries_patterns_and_paths() {
    let folder = project(
        "libraries",
        &[
            (
                "CMakeLists.txt",
                "add_subdirectory(lib)\ninclude(more.cmake)\nfile(GLOB files src/*.c)\n\
                 DeclareCAmkESComponent(A SOURCES ${files} LIBS top unknown)\n\
                 ExtendCAmkESComponentInstance(A one SOURCES extra.c INCLUDES first C_FLAGS \
                 -DONE)\n\
                 DeclareCAmkESRootserver(a.camkes CPP_FLAGS -DN=2 CPP_INCLUDES config)\n",
            ),
            ("more.cmake", "CAmkESAddImportPath(components)\nCAmkESAddCPPInclude(inc)\n"),
            (
                "lib/CMakeLists.txt",
                "add_library(top STATIC EXCLUDE_FROM_ALL top.c)\ntarget_include_directories(top \
                 PUBLIC include)\n\
                 target_link_libraries(top PUBLIC base)\nadd_library(base INTERFACE)\n\
                 target_include_directories(base INTERFACE ${CMAKE_CURRENT_LIST_DIR}/base)\n\
                 target_compile_definitions(base INTERFACE B=1)\ntarget_link_libraries(base \
                 INTERFACE top)\n",
            ),
            ("src/one.c", ""),
            ("src/two.c", ""),
            ("src/two.h", ""),
        ],
    );
    let files = said(&folder);
    let parts = files.said().parts("A", "one").expect("a component");
    assert_eq!(names(&parts[0].sources, &folder), ["extra.c", "src/one.c", "src/two.c"]);
    assert_eq!(names(&parts[0].includes, &folder), ["first", "lib/include", "lib/base"]);
    assert_eq!(parts[0].flags, ["-DONE", "-DB=1"]);
    assert_eq!(names(&parts[1].sources, &folder), ["lib/top.c"]);
    assert_eq!(parts.len(), 2);
    assert_eq!(files.said().parts("A", "two").expect("a component")[0].flags, ["-DB=1"]);
    assert_eq!(files.said().parts("B", ""), None);
    assert_eq!(names(&files.said().imports, &folder), ["components"]);
    assert_eq!(names(&files.said().cpp_includes, &folder), ["inc"]);
    let (file, flags) = &files.said().systems[0];
    assert_eq!(names(std::slice::from_ref(file), &folder), ["a.camkes"]);
    assert_eq!(flags, &["-DN=2".to_owned(), format!("-I{}", folder.join("config").display())]);
}

#[test]
fn options_become_a_header() {
    let text = "set(configure_string \"\")\nconfig_option(Loud APP_LOUD \"say more\" DEFAULT ON)\n\
                config_option(Quiet APP_QUIET \"say less\" DEFAULT OFF)\n\
                config_string(Size APP_SIZE \"how many\" DEFAULT 3 UNQUOTE)\n\
                add_config_library(app \"${configure_string}\")\n";
    let (said, _) = of("options", text);
    let (path, header) = &said.libraries["app_Config"].generated[0];
    assert_eq!(path, "app/gen_config.h");
    let lines = [
        "#define CONFIG_APP_LOUD 1",
        "/* disabled: CONFIG_APP_QUIET */",
        "#define CONFIG_APP_SIZE 3",
    ];
    assert!(lines.iter().all(|line| header.contains(line)), "{header}");
}

#[test]
fn a_refusal_is_kept_unless_a_condition_stands_before_it() {
    let refusing = |condition: &str| {
        let text =
            format!("if({condition})\n  message(FATAL_ERROR \"only on\n    x86\")\nendif()\n");
        of("refusal", &text).0.refusal
    };
    for holds in [
        "NOT KernelArchX86",
        "NOT \"${KernelArch}\" STREQUAL \"x86\"",
        "KernelPlatform MATCHES \"^qemu.*virt$\"",
        "(A OR KernelArchRiscV) AND NOT (B)",
        "GIVEN",
        "3 GREATER 2",
        "DEFINED GIVEN",
        "1.10 VERSION_GREATER 1.9",
    ] {
        assert_eq!(refusing(holds).expect(holds).1, "only on x86");
    }
    for fails in [
        "KernelArchX86",
        "KernelPlatform MATCHES \"pc99|imx.*\"",
        "NOT GIVEN",
        "",
        "\"\" STREQUAL \"x\"",
        "OFF",
    ] {
        assert_eq!(refusing(fails), None, "{fails}");
    }
}

#[test]
fn survives_what_it_does_not_understand() {
    let deep = "if(1)\n".repeat(500);
    let looping = "function(f)\nf()\nendfunction()\nf()\n";
    let growing = "set(x a)\nforeach(i RANGE 100)\nset(x \"${x}${x}\")\nendforeach()\n";
    for (number, text) in [
        "",
        "(",
        "a(",
        "a)",
        "DeclareCAmkESComponent()",
        "x(${",
        "DeclareCAmkESComponent(A SOURCES ${b",
        "é(#",
        "endif()\nelse()\nset()",
        "set(a \"${a${b}}\\",
        "x([==[y]=])",
        "add_subdirectory(.)",
        &deep,
        looping,
        growing,
    ]
    .into_iter()
    .enumerate()
    {
        let _ = of(&format!("odd{number}"), text);
    }
}

#[test]
fn connectors_and_their_templates() {
    let text = "CAmkESAddTemplatesPath(templates)\n\
                DeclareCAmkESConnector(Mine FROM mine-from.c FROM_LIBS a TO\n mine-to.c)\n\
                DeclareCAmkESConnector(Half TO half.c)\n";
    let (said, folder) = of("connectors", text);
    assert_eq!(names(&said.templates, &folder), ["templates"]);
    assert_eq!(said.connectors["Mine"].files, ["mine-from.c", "mine-to.c"]);
    assert_eq!(said.connectors["Mine"].place, "CMakeLists.txt:2");
    assert_eq!(said.connectors["Half"].files, ["half.c"]);
}

#[test]
fn what_is_not_taken_is_remembered() {
    let text = "DeclareCAmkESComponent(A SOURCES a.c LD_FLAGS -u x TEMPLATE_SOURCES a.template.c \
                TEMPLATE_HEADERS a.template.h)\n";
    let (said, _) = of("untaken", text);
    let a = &said.components["A"];
    assert_eq!(a.link_flags, ["-u", "x"]);
    assert_eq!(a.templates, ["a.template.c", "a.template.h"]);
    assert_eq!(a.sources.len(), 1);
}
