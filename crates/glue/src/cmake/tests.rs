//! The declarations of projects' files.

use super::*;
use std::fs;
use tempfile::TempDir;

/// A folder with a project's files, and one for CMake.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join("p").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
    }
    fs::create_dir_all(folder.path().join("b")).expect("a folder");
    folder
}

/// Runs CMake on these files.
fn run(files: &[(&str, &str)]) -> (Run, PathBuf, TempDir) {
    let folder = project(files);
    let real = folder.path().canonicalize().expect("a folder");
    let own = real.join("p");
    let variables = [("GIVEN".to_owned(), "1".to_owned())];
    let asked = Asked {
        project: &own,
        description: &own,
        scratch: real.join("b"),
        word: 8,
        variables: &variables,
    };
    (Run::of(&asked), own.clone(), folder)
}

/// Runs CMake on one `CMakeLists.txt`.
fn of(text: &str) -> (Run, PathBuf, TempDir) {
    run(&[(
        "CMakeLists.txt",
        &format!("cmake_minimum_required(VERSION 3.16)\nproject(p C)\n{text}"),
    )])
}

fn texts(problems: &[Diagnostic]) -> Vec<String> {
    let text =
        |one: &Diagnostic| format!("{} {} [{}]", one.code.0, one.message, one.notes.join("; "));
    problems.iter().map(text).collect()
}

#[test]
fn what_is_said_about_reading_descriptions() {
    let (run, folder, _held) = run(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(p C)\nadd_subdirectory(lib)\n\
             CAmkESAddImportPath(parts .)\nCAmkESMaybeAddImportPath(${CMAKE_SOURCE_DIR}/none)\n\
             DeclareCAmkESRootserver(a.camkes CPP_FLAGS -DN=2 -DT CPP_INCLUDES config)\n",
        ),
        ("lib/CMakeLists.txt", "CAmkESAddCPPInclude(inc)\nCAmkESAddTemplatesPath(templates)\n"),
        ("lib/inc/x.h", ""),
        ("lib/templates/x", ""),
        ("config/x", ""),
        ("parts/x", ""),
        ("a.camkes", ""),
    ]);
    assert_eq!(texts(&run.problems), [""; 0]);
    assert_eq!(run.said.imports, [folder.join("parts"), folder.clone()]);
    assert_eq!(run.said.cpp_includes, [folder.join("lib/inc")]);
    assert_eq!(run.said.templates, [folder.join("lib/templates")]);
    let (file, flags) = &run.said.systems[0];
    assert_eq!(*file, folder.join("a.camkes"));
    assert_eq!(flags, &["-DN=2".into(), "-DT".into(), format!("-I{}/config", folder.display())]);
    assert!(run.files.contains(&folder.join("lib/CMakeLists.txt")));
}

#[test]
fn options_become_a_header() {
    let (run, folder, _held) = run(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(p C)\nset(configure_string \"\")\n\
             config_option(Loud APP_LOUD \"say more\" DEFAULT ON)\n\
             config_option(Quiet APP_QUIET \"say less\" DEFAULT OFF)\n\
             config_option(Held APP_HELD \"not here\" DEFAULT ON DEPENDS \"KernelArchX86\")\n\
             config_string(Size APP_SIZE \"how many\" DEFAULT 3 UNQUOTE)\n\
             config_string(Name APP_NAME \"who\" DEFAULT me)\n\
             config_choice(Way APP_WAY \"how\" \"x86;WayX;WAY_X;KernelArchX86\" \
             \"any;WayAny;WAY_ANY\")\n\
             config_set(Fixed APP_FIXED 7)\nadd_config_library(app \"${configure_string}\")\n\
             if(WayAny AND Loud AND NOT Held)\nDeclareCAmkESComponent(A \
             SOURCES a.c LIBS app_Config)\nendif()\n",
        ),
        ("a.c", ""),
    ]);
    assert_eq!(texts(&run.problems), [""; 0]);
    let (program, _) = run.program("A", "a").expect("a component");
    let include = &program.parts[0].includes[0].folder;
    let header = fs::read_to_string(include.join("app/gen_config.h")).expect("a header");
    for line in [
        "#define CONFIG_APP_LOUD 1",
        "/* disabled: CONFIG_APP_QUIET */",
        "/* disabled: CONFIG_APP_HELD */",
        "#define CONFIG_APP_SIZE 3",
        "#define CONFIG_APP_NAME \"me\"",
        "/* disabled: CONFIG_WAY_X */",
        "#define CONFIG_WAY_ANY 1",
        "#define CONFIG_APP_FIXED 7",
    ] {
        assert!(header.contains(line), "{line}: {header}");
    }
    assert!(!include.starts_with(folder), "nothing is written beside the sources");
}

#[test]
fn a_refusal_is_kept_with_what_was_said_before_it() {
    let refusing = |condition: &str| {
        let text = format!(
            "CAmkESAddImportPath(.)\nif({condition})\n  message(FATAL_ERROR \"only on\n    \
             x86\")\nendif()\n"
        );
        let (run, ..) = of(&text);
        assert_eq!(texts(&run.problems), [""; 0]);
        assert_eq!(run.said.imports.len(), 1);
        run.refusal
    };
    for holds in [
        "NOT KernelArchX86",
        "NOT \"${KernelArch}\" STREQUAL \"x86\"",
        "KernelPlatform MATCHES \"^qemu.*virt$\" AND GIVEN",
    ] {
        let expected = Some(("CMakeLists.txt:5".into(), "only on x86".into()));
        assert_eq!(refusing(holds), expected);
    }
    for fails in ["KernelArchX86", "KernelPlatform MATCHES \"pc99|imx.*\" OR NOT GIVEN"] {
        assert_eq!(refusing(fails), None, "{fails}");
    }
}

#[test]
fn errors_of_cmake_are_told_with_their_place() {
    for (text, expected) in [
        (
            "build_everything()\n",
            "F0417 CMake stops: Unknown CMake command \"build_everything\" [says CMakeLists.txt:3]",
        ),
        (
            "include(none.cmake)\n",
            "F0417 CMake stops: include could not find requested file [none.cmake; says \
             CMakeLists.txt:3]",
        ),
        (
            "add_library(l none.c)\n",
            "F0417 CMake stops: Cannot find source file [none.c; Tried extensions",
        ),
        (
            "function(f)\nfind_package(none REQUIRED)\nendfunction()\nf()\n",
            "F0417 CMake stops: By not providing \"Findnone.cmake\"",
        ),
        ("x(\n", "F0417 CMake stops: Parse error. Function missing ending"),
        (
            "file(WRITE ${CMAKE_CURRENT_SOURCE_DIR}/made.c \"\")\n",
            "F0417 CMake stops: file attempted to write a file",
        ),
    ] {
        let (run, folder, _held) = of(text);
        let problems = texts(&run.problems);
        assert!(problems[0].starts_with(expected), "{text}: {problems:?}");
        assert!(problems[0].contains("CMakeLists.txt:"), "{problems:?}");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(fs::read_dir(folder).expect("a folder").count(), 1);
    }
}

#[test]
fn a_source_that_nobody_makes_is_missed_by_whoever_needs_it() {
    let (run, ..) = run(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(p C)\n\
             DeclareCAmkESComponent(A SOURCES a.c)\nDeclareCAmkESComponent(B SOURCES src/b.c)\n",
        ),
        ("a.c", ""),
    ]);
    assert_eq!(texts(&run.problems), [""; 0]);
    assert_eq!(texts(&run.program("A", "").expect("a component").0.problems), [""; 0]);
    let problems = texts(&run.program("B", "").expect("a component").0.problems);
    let expected = "F0419 the source `src/b.c` of `B` is not there [says CMakeLists.txt:4";
    assert!(problems[0].starts_with(expected), "{problems:?}");
}

#[test]
fn connectors_and_their_templates() {
    let (run, ..) =
        of("function(mine)\nDeclareCAmkESConnector(Mine FROM mine-from.c FROM_LIBS a TO\n \
         mine-to.c)\nendfunction()\nmine()\nDeclareCAmkESConnector(Half TO half.c)\n");
    assert_eq!(run.said.connectors["Mine"].files, ["mine-from.c", "mine-to.c"]);
    assert_eq!(run.said.connectors["Mine"].place, "CMakeLists.txt:4");
    assert_eq!(run.said.connectors["Half"].files, ["half.c"]);
    assert_eq!(run.said.connectors["Half"].place, "CMakeLists.txt:8");
}

#[test]
fn what_is_not_taken_is_remembered() {
    let (run, ..) = run(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(p C)\n\
             DeclareCAmkESComponent(A a.c SOURCES a.c LIBS none sel4utils \
             ${CMAKE_CURRENT_SOURCE_DIR}/v.a \
             LD_FLAGS -u x TEMPLATE_SOURCES a.template.c TEMPLATE_HEADERS a.template.h)\n\
             message(WARNING \"not tested\")\n",
        ),
        ("a.c", ""),
        ("v.a", ""),
    ]);
    let (program, targets) = run.program("A", "").expect("a component");
    assert_eq!(targets[0].link_flags, ["-u", "x"]);
    assert_eq!(targets[0].templates, ["a.template.c", "a.template.h"]);
    assert_eq!(targets[0].unknown, ["a.c"]);
    assert_eq!(program.unknown, ["none"]);
    assert_eq!(program.compiled.len(), 1);
    assert_eq!(texts(&run.warnings), ["F0420 CMake warns: not tested [says CMakeLists.txt:4]"]);
}

#[test]
fn what_commands_make_is_made_when_it_is_asked_for() {
    let (run, _, _held) = run(&[
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(p C)\n\
             add_custom_command(OUTPUT made.c COMMAND ${CMAKE_COMMAND} -E touch made.c)\n\
             add_custom_command(OUTPUT h/made.h COMMAND ${CMAKE_COMMAND} -E touch h/made.h)\n\
             add_custom_target(header DEPENDS h/made.h)\nadd_library(l l.c)\n\
             DeclareCAmkESComponent(A SOURCES a.c made.c INCLUDES h LIBS l)\n\
             add_dependencies(CAmkESComponent_A header)\n\
             add_custom_command(OUTPUT no.c COMMAND ${CMAKE_COMMAND} -E copy none no.c)\n\
             DeclareCAmkESComponent(B SOURCES no.c)\n",
        ),
        ("a.c", "#error never compiled by CMake\n"),
        ("l.c", "#error never compiled by CMake\n"),
    ]);
    assert_eq!(texts(&run.problems), [""; 0]);
    let ready = |kind: &str| run.program(kind, "").and_then(|(program, _)| program.ready);
    let made = ["made.c", "h/made.h"].map(|name| run.scratch().join(name));
    assert!(made.iter().all(|file| !file.exists()));
    run.generate(&[ready("A").expect("a name")]).expect("it can be made");
    assert!(made.iter().all(|file| file.is_file()));
    let failed = texts(&run.generate(&[ready("B").expect("a name")]).expect_err("it cannot"));
    assert!(failed[0].starts_with("F0422") && failed[0].contains("none"), "{failed:?}");
}

#[test]
fn whatever_stands_in_a_file_has_an_end() {
    let deep = "if(1)\n".repeat(500);
    let looping = "function(f)\nf()\nendfunction()\nf()\n";
    for text in ["(", "a)", "DeclareCAmkESComponent()", "é(#", "set(a \"${a${b}}\\", &deep, looping]
    {
        let (run, ..) = of(text);
        assert!(!run.problems.is_empty(), "{text}");
    }
    for text in [
        "",
        "x([==[y]=])\n#",
        "DeclareCAmkESComponent(A)",
        "DeclareCAmkESComponent(A SOURCES \"\")",
    ] {
        let (run, ..) = of(text);
        assert_eq!(run.problems.is_empty(), !text.starts_with('x'), "{text}: {:?}", run.problems);
    }
}
