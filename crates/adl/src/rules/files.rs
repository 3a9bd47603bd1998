//! Files that are read, imported and included.

use super::*;
use fusee_diagnostics::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: TOO_MANY_ERRORS,
        name: "too-many-errors",
        severity: Severity::Note,
        what: "There are more errors than are worth showing; the rest was counted and left out.",
        why: "Errors follow from each other: a missing header leaves every use of its macros \
              without a meaning. After the first fifty, reading on costs more than running again.",
        example: "A file of another kind, given by mistake.",
        instead: "Mend the first errors and run again.",
        reference: "None: a limit of Fusee's own.",
    },
    Rule {
        code: UNREADABLE_FILE,
        name: "unreadable-description",
        severity: Severity::Error,
        what: "A description, or a file that it imports or includes, is there but cannot be read: \
               it is a folder, reading it is not permitted, or it is larger than 256 MiB.",
        why: "Without the text nothing is known about what it declares, and a result without it \
              would be about another system.",
        example: "import \"components\";\n\nassembly {\n    composition {}\n}",
        instead: "Name a file, and check its permissions.",
        reference: "CAmkES manual, section \"Import Statements\"",
    },
    Rule {
        code: MISSING_IMPORT,
        name: "missing-import",
        severity: Severity::Error,
        what: "No file of the imported name was found. `\"file\"` is looked for beside the \
               importing file, then in the search paths; `<file>` only in the search paths. The \
               files that come with Fusee, such as `<std_connector.camkes>`, are found last.",
        why: "Everything that the file declares is unknown, so that each use of it would be an \
              error as well.",
        example: "import <std_conector.camkes>;\n\nassembly {\n    composition {}\n}",
        instead: "Check the spelling, or give the search paths that the program's build gives: `-I \
                  FOLDER`, once for each `CAmkESAddImportPath` in its CMake files.",
        reference: "CAmkES manual, section \"Import Statements\"",
    },
    Rule {
        code: MISSING_INCLUDE,
        name: "missing-include",
        severity: Severity::Error,
        what: "No file of the name after `#include` was found. `\"file\"` is looked for beside the \
               file that includes it, then in the search paths; `<file>` only in the search paths.",
        why: "The macros that the file defines stay what they are: words without a meaning.",
        example: "#include <platform.h>\n\nassembly {\n    composition {}\n}",
        instead: "Check the spelling, or give the search paths that the program's build gives: `-I \
                  FOLDER`, once for each `CAmkESAddCPPInclude` in its CMake files.",
        reference: "ISO C, section 6.10.2 (source file inclusion)",
    },
    Rule {
        code: NOT_UTF8,
        name: "not-utf8",
        severity: Severity::Error,
        what: "A file is not UTF-8 text.",
        why: "Descriptions are text. Bytes that are not are either a file of another kind or a \
              text whose letters would be guessed.",
        example: "A description with an umlaut, saved as Latin-1.",
        instead: "Save the file as UTF-8, or name the file that was meant.",
        reference: "RFC 3629 (UTF-8)",
    },
    Rule {
        code: INCLUDE_LOOP,
        name: "include-loop",
        severity: Severity::Error,
        what: "Files include each other more than 64 deep, more than 4000 times or with more than \
               32 MiB, or more than 10,000 files are imported. Importing a file twice is fine: it \
               is read once.",
        why: "The text would never end.",
        example: "#include \"F0105-include-loop.camkes\"",
        instead: "Begin the included file with `#pragma once`, or guard it: `#ifndef NAME`, \
                  `#define NAME` ... `#endif`.",
        reference: "ISO C, section 6.10.2 (source file inclusion)",
    },
    Rule {
        code: FOREIGN_FILE,
        name: "foreign-file",
        severity: Severity::Error,
        what: "A description imports or includes a file of another project of seL4's (rump \
               kernels, picoTCP, virtual machine monitors, the debugger's server, the global \
               components), and it is not in a search path.",
        why: "What stands behind these files rests on seL4's kernel objects or on devices that no \
              machine of Fusee's has. Nothing else is said about the description: all of it would \
              follow from the missing file.",
        example: "import <TimeServer/TimeServer.camkes>;\n\nassembly {\n    composition {}\n}",
        instead: "Replace the component by one of your own; `<fusee/timer.camkes>` and \
                  `<fusee/serial.camkes>` have drivers for a clock and a serial line. If the file \
                  is yours, give its folder with `-I`.",
        reference: "Book, chapter \"Components in C\", section \"What of CAmkES is here\"",
    },
];
