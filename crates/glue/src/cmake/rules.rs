//! The rules of CMake's files, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) const CMAKE_FAILED: Code = Code("F0417");
pub(crate) const NO_CMAKE: Code = Code("F0418");
pub(crate) const CMAKE_NO_SOURCE: Code = Code("F0419");
pub(crate) const CMAKE_WARNING: Code = Code("F0420");
pub(crate) const CMAKE_LATE: Code = Code("F0421");
pub(crate) const CMAKE_COMMAND: Code = Code("F0422");
pub(crate) const CMAKE_COMPILED: Code = Code("F0423");
pub(crate) const CMAKE_UNKNOWN: Code = Code("F0424");

/// All of them.
pub static CMAKE_RULES: &[Rule] = &[
    Rule {
        code: CMAKE_FAILED,
        name: "cmake-stops",
        severity: Severity::Error,
        what: "CMake cannot run the project's files: it knows no command of that name, finds no \
               file, or cannot read what stands there. CMake's own text follows, with file and \
               line.",
        why: "What components are made of, and how they are compiled, is only known when the \
              files have run to their end.",
        example: "project(p C)\nbuild_everything()   # CMakeLists.txt: a command that nothing \
                  defines\n",
        instead: "Correct the file that the message names. What of seL4's build is there is \
                  listed in the book; of other commands a project brings its own.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: NO_CMAKE,
        name: "no-cmake",
        severity: Severity::Error,
        what: "The project has a `CMakeLists.txt`, and CMake, Ninja or the cross compiler that \
               it is told of is not installed.",
        why: "What components are made of, and which macros and folders a description is read \
              with, is said there. Guessing it would give results for another system.",
        example: "DeclareCAmkESComponent(App SOURCES app.c)   # CMakeLists.txt\n",
        instead: "Install what the message names; `fusee doctor` lists everything. A description \
                  without a `CMakeLists.txt` needs no CMake.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: CMAKE_NO_SOURCE,
        name: "no-such-source",
        severity: Severity::Error,
        what: "A component is declared with a source file that is not there, and that no command \
               of CMake's makes.",
        why: "There is nothing to compile.",
        example: "DeclareCAmkESComponent(App SOURCES src/ap.c)   # CMakeLists.txt; the file is \
                  src/app.c\n",
        instead: "Correct the name. A path is looked for in the folder of the `CMakeLists.txt`, \
                  then in CMake's folder for what it makes.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: CMAKE_WARNING,
        name: "cmake-warns",
        severity: Severity::Note,
        what: "CMake, or the project's own files, warn of something.",
        why: "A warning may be about what is built, so it is passed on.",
        example: "message(WARNING \"not tested on RISC-V\")   # CMakeLists.txt\n",
        instead: "Do what the text asks for, or leave it.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: CMAKE_LATE,
        name: "cmake-does-not-end",
        severity: Severity::Error,
        what: "The project's CMake files, or a command that makes a source, did not end in time. \
               Reading the files may take a minute, making sources five.",
        why: "A command without an end would stop every check.",
        example: "execute_process(COMMAND sleep 1000)   # CMakeLists.txt\n",
        instead: "Take the command out, or make it shorter. Nothing that asks the network for \
                  something gets an answer.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: CMAKE_COMMAND,
        name: "source-not-made",
        severity: Severity::Error,
        what: "A command of CMake's that makes a source or a header failed. What it said follows.",
        why: "The component cannot be compiled without that file.",
        example: "add_custom_command(OUTPUT table.c COMMAND false)   # CMakeLists.txt\n",
        instead: "Correct the command. It runs in CMake's own folder, with `PATH` as its \
                  environment, and without a network.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: CMAKE_COMPILED,
        name: "compiled-elsewhere",
        severity: Severity::Error,
        what: "A component is linked with an object or an archive that was compiled elsewhere.",
        why: "How it was compiled is not known: its stack, its calls and its instructions might \
              not fit, and it would not be of the same machine for every platform.",
        example: "DeclareCAmkESComponent(App SOURCES app.c LIBS \
                  ${CMAKE_CURRENT_SOURCE_DIR}/libvendor.a)\n",
        instead: "Give the sources: `add_library(vendor STATIC vendor.c)`, and `LIBS vendor`.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: CMAKE_UNKNOWN,
        name: "passed-over-by-cmake",
        severity: Severity::Warning,
        what: "A declaration of a component has words in front of its first keyword, or names a \
               library that the project does not have. CMake and CAmkES pass over the words; the \
               library's code is missing.",
        why: "It was meant to do something, and does nothing.",
        example: "DeclareCAmkESComponent(App app.c LIBS matrix)   # CMakeLists.txt: `SOURCES` is \
                  missing\n",
        instead: "Write the keyword, or correct the library's name. Of seL4's libraries the \
                  portable functions are part of Fusee's runtime.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
];
