//! The rules of building, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

macro_rules! codes {
    ($($name:ident = $code:literal;)*) => { $(pub(crate) const $name: Code = Code($code);)* };
}

codes! {
    NO_COMPILER = "F0901";
    COMPILE_ERROR = "F0902";
    MISSING_FUNCTION = "F0903";
    WRONG_SIGNATURE = "F0904";
    UNDEFINED = "F0905";
    TOO_LARGE_MESSAGE = "F0906";
    NO_SOURCES = "F0907";
    NO_TABLES = "F0908";
    FILE = "F0909";
    TEMPLATE = "F0910";
    TOO_LARGE_DOMAIN = "F0911";
    COMPILE_WARNING = "F0912";
    LINK_ERROR = "F0913";
    NOT_IN_RUST = "F0914";
    STUB_WITHOUT_TIMES = "F0915";
    FOREIGN_CRATES = "F0916";
    SAME_IN_RUST = "F0917";
    FOREIGN_LANGUAGE = "F0920";
    REFUSED_BY_PROJECT = "F0921";
    NOT_HERE = "F0922";
    LINK_FLAGS = "F0923";
    REPLACED_SCHEDULER = "F0924";
    STUB_WITH_WORD = "F0925";
    RELEASED = "F0930";
    HELD = "F0931";
}

const ECHO: &str = "procedure Echo { int echo(in int value); }\ncomponent Server { provides Echo \
                    e; }\n\
                    component Client { control; uses Echo e; }\nassembly {\n    composition \
                    {\n        component Server s;\n        component Client c;\n        \
                    connection seL4RPCCall call(from c.e, to s.e);\n    }\n}\n";

/// All of them.
pub static RULES: &[Rule] = &[
    Rule {
        code: NO_COMPILER,
        name: "no-compiler",
        severity: Severity::Error,
        what: "A compiler, linker or C library that a build needs is not installed.",
        why: "Components are compiled for RISC-V with Debian's cross GCC and picolibc. GCC is also \
              needed where components are written in Rust or compiled with clang: it links.",
        example: ECHO,
        instead: "Install what the message names; `fusee doctor` lists everything.",
        reference: "Book, chapter \"Building\"",
    },
    Rule {
        code: COMPILE_ERROR,
        name: "compile-error",
        severity: Severity::Error,
        what: "A component's code does not compile. The compiler's own text follows.",
        why: "Without it there is no image.",
        example: ECHO,
        instead: "Correct the code. What it may call is declared in the generated `camkes.h`, in \
                  the build's folder `glue`.",
        reference: "Book, chapter \"Components in C\"",
    },
    Rule {
        code: MISSING_FUNCTION,
        name: "missing-function",
        severity: Severity::Error,
        what: "A component's code lacks a function that its description promises: `run` of a \
               component with a control thread, or `interface_method` for a method of a provided \
               interface.",
        why: "Somebody may invoke the method, and there is nothing to be run.",
        example: ECHO,
        instead: "Write the function with the prototype that the message shows.",
        reference: "CAmkES manual, section \"Implementing Components\"",
    },
    Rule {
        code: WRONG_SIGNATURE,
        name: "wrong-signature",
        severity: Severity::Error,
        what: "A component defines a function of one of its interfaces with other parameters than \
               the description's.",
        why: "Callers pass what the description says; the function would read something else.",
        example: ECHO,
        instead: "Change the function, or the method in its procedure.",
        reference: "CAmkES manual, section \"Interface Definition Language\"",
    },
    Rule {
        code: UNDEFINED,
        name: "undefined-function",
        severity: Severity::Error,
        what: "Code calls a function that nothing defines. Often it belongs to an interface that \
               is not declared, or is declared and connected to nothing.",
        why: "An interface's functions are generated from its connection.",
        example: ECHO,
        instead: "Declare and connect the interface, or correct the name.",
        reference: "Book, chapter \"Components in C\"",
    },
    Rule {
        code: TOO_LARGE_MESSAGE,
        name: "message-too-large",
        severity: Severity::Error,
        what: "The arguments of a method that go one way need more than 120 words.",
        why: "The kernel copies a message while nothing else can run, so its length has a limit; \
              without one, large messages would delay everybody.",
        example: "procedure Blocks {\n    include \"block.h\";\n    void put(in struct block \
                  data);\n}\n\
                  component Disk { provides Blocks b; }\ncomponent User { control; uses Blocks b; \
                  }\nassembly {\n    composition {\n        component Disk d;\n        component \
                  User u;\n        connection seL4RPCCall call(from u.b, to d.b);\n    }\n}\n",
        instead: "Connect it with `seL4RPCDataport` of `global-connectors.camkes`: then arguments \
                  go through 4 KiB of shared memory. Or put the data into a dataport and pass a \
                  pointer into it with `dataport_wrap_ptr`.",
        reference: "Book, chapter \"The binary interface\"",
    },
    Rule {
        code: NO_SOURCES,
        name: "no-sources",
        severity: Severity::Error,
        what: "A component has no sources where they are looked for, and nobody has said that it \
               is to be a stub.",
        why: "A component can be built from its description: such a stub executes its times and \
              its calls and computes nothing. Made in silence because a folder's name has a slip, \
              it would look like the component itself, and a run would say nothing about the code.",
        example: "component Worker { control; }\nassembly {\n    composition { component Worker w; \
                  }\n    configuration { w.period = \"10 ms\"; w.wcet = \"1 ms\"; }\n}\n",
        instead: "Put sources where the message says, or set `stub = true` for the component, or \
                  build with `--stubs`.",
        reference: "Book, chapter \"Building\"",
    },
    Rule {
        code: NO_TABLES,
        name: "no-tables",
        severity: Severity::Error,
        what: "The system does not fit the kernel's tables or the address space, or a device is \
               described incompletely.",
        why: "Everything is fixed when the image is made: numbers, addresses, interrupts.",
        example: "component Chip { hardware; dataport Buf registers; }\n\
                  component Driver { control; dataport Buf registers; }\nassembly {\n    \
                  composition {\n        component Chip chip;\n        component Driver \
                  driver;\n        connection seL4HardwareMMIO c(from driver.registers, to \
                  chip.registers);\n    }\n    configuration { driver.period = \"1 ms\"; \
                  driver.wcet = \"1 us\"; }\n}\n",
        instead: "Do what the message says.",
        reference: "Book, chapter \"Building\"",
    },
    Rule {
        code: FILE,
        name: "build-file",
        severity: Severity::Error,
        what: "A file that the build reads or writes cannot be used.",
        why: "A source that `CMakeLists.txt` names may not exist, or the folder for results may \
              not be writable.",
        example: ECHO,
        instead: "Correct the path, or build into another folder with `-o`.",
        reference: "Book, chapter \"Building\"",
    },
    Rule {
        code: TEMPLATE,
        name: "template",
        severity: Severity::Error,
        what: "A template for generated code has a mistake, or uses a value that there is not.",
        why: "All code around components comes from templates, and a project may bring its own.",
        example: ECHO,
        instead: "Correct the template; the book lists the values that each template gets.",
        reference: "Book, chapter \"Templates\"",
    },
    Rule {
        code: TOO_LARGE_DOMAIN,
        name: "domain-too-large",
        severity: Severity::Error,
        what: "The code, data and heap of a protection domain do not fit the 8 MiB of addresses \
               that it has.",
        why: "Each domain has a fixed range of addresses, so that an address says whose it is.",
        example: ECHO,
        instead: "Lower `heap_size`, or split the group.",
        reference: "Book, chapter \"Building\"",
    },
    Rule {
        code: COMPILE_WARNING,
        name: "compiler-warning",
        severity: Severity::Note,
        what: "The compiler warns about a component's code. Its own text follows.",
        why: "The code was built all the same.",
        example: ECHO,
        instead: "Correct the code if the compiler is right.",
        reference: "GCC manual, \"Options to Request or Suppress Warnings\"",
    },
    Rule {
        code: LINK_ERROR,
        name: "link-error",
        severity: Severity::Error,
        what: "The linker cannot put a component's or a domain's code together. Its own text \
               follows.",
        why: "Two sources of one component may define the same name.",
        example: ECHO,
        instead: "Rename one of them, or make it `static`.",
        reference: "GNU ld manual",
    },
    Rule {
        code: NOT_IN_RUST,
        name: "not-in-rust",
        severity: Severity::Error,
        what: "A component in Rust has an interface with a method that has no form in Rust, as one \
               of its types is declared in a C header only, and does not define it as C has it \
               either.",
        why: "Rust cannot read C's headers, and a guess about the layout of a struct would corrupt \
              it in silence.",
        example: "procedure Shape { include \"shape.h\"; int area(in rectangle_t shape); }\n\
                  component Shapes { provides Shape s; }   // written in Rust\n",
        instead: "Write the method as C has it, with a `#[repr(C)]` struct of your own: \
                  `#[unsafe(no_mangle)] extern \"C\" fn s_area(shape: Rectangle) -> i32`. Or pass \
                  the fields one by one.",
        reference: "Book, chapter \"Components in Rust\"",
    },
    Rule {
        code: FOREIGN_CRATES,
        name: "foreign-crates",
        severity: Severity::Error,
        what: "The crate of a component in Rust needs crates of a registry whose versions no \
               `Cargo.lock` beside its `Cargo.toml` has, or that cannot be fetched; or a \
               repository's; or it has a build script.",
        why: "The same sources give the same image everywhere: what does not lie in the project is \
              pinned, with its checksum. The build is the component's own, so its build script \
              would not know where it is.",
        example: "[dependencies]\nheapless = \"0.8\"   # in components/Filter/Cargo.toml, without \
                  components/Filter/Cargo.lock\n",
        instead: "Run `cargo generate-lockfile` (later `cargo update`) in the crate's folder, and \
                  keep the file with the sources; inside of another workspace the crate needs an \
                  empty `[workspace]`. Or put the crate's sources into the project, and name them \
                  by `path`.",
        reference: "Book, chapter \"Components in Rust\"",
    },
    Rule {
        code: STUB_WITH_WORD,
        name: "stub-with-word",
        severity: Severity::Error,
        what: "A component is to be a stub, and its list asks for an optimistic lock.",
        why: "Such a lock is a word in its client's memory, which the client's own code tries \
              before it asks the component. A stub has no such code.",
        example: r#"
import <std_connector.camkes>;
import <fusee/locks.camkes>;
component Worker { control; uses OptimisticLocking locks; }
assembly {
    composition {
        component Worker w;
        component LockOptimistic keeper;
        component LockScheduler scheduler;
        connection seL4RPCCall l(from w.locks, to keeper.locks);
        connection seL4RPCCall s(from keeper.scheduler, to scheduler.scheduling);
    }
    configuration {
        w.stub = true;
        w.period = "10 ms";
        w.calls = ["1 us", "lock locks.0", "1 us", "unlock locks.0"];
        keeper.locks_priority_protocol = "propagated";
        scheduler.scheduling_priority_protocol = "propagated";
    }
}
"#,
        instead: "Write the component's code, with `<fusee/olock.h>`, or ask a `LockPessimistic`.",
        reference: "Book, chapter \"Locks\"",
    },
    Rule {
        code: STUB_WITHOUT_TIMES,
        name: "stub-without-times",
        severity: Severity::Error,
        what: "A component is to be a stub, and its description does not say how long what it does \
               takes.",
        why: "A stub executes the execution times of its description. Without times there is \
              nothing to execute.",
        example: "component Worker { control; }\nassembly {\n    composition { component Worker w; \
                  }\n    configuration { w.stub = true; }\n}\n",
        instead: "Give a `wcet` to everything that the component does, or write its code.",
        reference: "Book, chapter \"Building\"",
    },
    Rule {
        code: SAME_IN_RUST,
        name: "same-name-in-rust",
        severity: Severity::Error,
        what: "Two names of a component in Rust become the same in the crate that is generated for \
               it.",
        why: "A trait is named after an interface and a constant after an attribute, as Rust \
              spells them: `text_sink` and `textSink` are both `TextSink`, and an attribute `name` \
              is `NAME`, which every component has.",
        example: "procedure Sink { void put(in int value); }\n\
                  component Log { provides Sink text_sink; provides Sink textSink; }   // written \
                  in Rust\n",
        instead: "Rename one of them.",
        reference: "Book, chapter \"Components in Rust\"",
    },
    Rule {
        code: FOREIGN_LANGUAGE,
        name: "foreign-language",
        severity: Severity::Error,
        what: "A component has sources in a language that is not compiled here: C++ or CakeML.",
        why: "Leaving them out would build another program.",
        example: "DeclareCAmkESComponent(Filter SOURCES src/filter.cpp)   # in CMakeLists.txt\n",
        instead: "Write the component in C, assembly or Rust.",
        reference: "Book, chapter \"Components in C\"",
    },
    Rule {
        code: REFUSED_BY_PROJECT,
        name: "refused-by-project",
        severity: Severity::Error,
        what: "The project's own CMake files end with `message(FATAL_ERROR ...)` for this machine.",
        why: "Whoever wrote the program knows that it does not run here; what it was written for \
              is not this machine.",
        example: "if(NOT KernelArchX86)\n    message(FATAL_ERROR \"only on x86\")\nendif()   # in \
                  CMakeLists.txt\n",
        instead: "Set the variable that the condition asks for with `-D NAME=VALUE`, if the \
                  program can do without it; take the condition out, if it is not true.",
        reference: "Book, chapter \"Components in C\"",
    },
    Rule {
        code: NOT_HERE,
        name: "not-here",
        severity: Severity::Error,
        what: "A system rests on something that there is not on any machine of Fusee's: ports of \
               x86, virtual machines, rump kernels, CakeML, or a device at an address where the \
               machine has none.",
        why: "It could be built, and would fault at its first step.",
        example: "component Port { hardware; provides IOPort p; }\ncomponent Driver { control; \
                  uses IOPort p; }\n\
                  assembly {\n    composition {\n        component Port port;\n        component \
                  Driver driver;\n\
                  \x20       connection seL4HardwareIOPort c(from driver.p, to port.p);\n    \
                  }\n}\n",
        instead: "Replace the component that needs it by one that does not.",
        reference: "Book, chapter \"Components in C\", section \"What of CAmkES is here\"",
    },
    Rule {
        code: LINK_FLAGS,
        name: "link-flags",
        severity: Severity::Warning,
        what: "The project's CMake files give a component options of the linker, and they are not \
               taken.",
        why: "All components of a protection domain are linked at once, by a script of the build's \
              own, so that an option of one would change others.",
        example: "DeclareCAmkESComponent(Filter SOURCES src/filter.c LD_FLAGS -Wl,--wrap=malloc)   \
                  # in CMakeLists.txt\n",
        instead: "Do without; the warning goes when the words are taken out.",
        reference: "Book, chapter \"Components in C\", section \"CMake\"",
    },
    Rule {
        code: REPLACED_SCHEDULER,
        name: "replaced-scheduler",
        severity: Severity::Error,
        what: "A project has code of its own for a scheduler that comes with Fusee, or makes a \
               stub of it.",
        why: "What is checked, simulated and bounded is how the one that comes with Fusee \
              decides: the code would decide otherwise, and the bounds would be about nothing that \
              runs.",
        example: concat!(
            "import <std_connector.camkes>;\n",
            "import <fusee/fixed_priority.camkes>;\n",
            "component Job { control; }\n",
            "assembly {\n",
            "    composition {\n",
            "        component FixedPriority chooser;\n",
            "        component Job job;\n",
            "    }\n",
            "    configuration {\n",
            "        chooser.stub = true;\n",
            "        job.scheduler = \"chooser\";\n",
            "        job.wcet = \"1 ms\";\n",
            "        job.period = \"10 ms\";\n",
            "    }\n",
            "}\n",
        ),
        instead: "Take the files away, or declare a component type of another name for them: its \
                  tasks then have no bound, since nobody knows how it decides.",
        reference: "Book, chapter \"Schedulers as components\", section \"The others that come \
                    with Fusee\"",
    },
    Rule {
        code: RELEASED,
        name: "event-releases",
        severity: Severity::Error,
        what: "Code polls an event, registers a callback for it or handles its interrupt, and the \
               description lets the same event release the component's control thread (`arrival = \
               \"event NAME\"`).",
        why: "Each signal of such an event is one job. Nothing is left that could be found by \
              looking, or be called back.",
        example: "import <std_connector.camkes>;\ncomponent Source { control; emits Tick tick; }\n\
                  component Sink { control; consumes Tick tick; }   // its code calls \
                  tick_poll()\nassembly {\n    composition {\n        component Source \
                  source;\n        component Sink sink;\n        connection seL4Notification \
                  wake(from source.tick, to sink.tick);\n    }\n    configuration {\n        \
                  sink.arrival = \"event tick\";\n        sink.period = \"10 ms\";\n    }\n}\n",
        instead: "Let `run` do what is done for one event, or loop and wait with `NAME_wait()`. Or \
                  leave `arrival` out.",
        reference: "Book, chapter \"The description\"",
    },
    Rule {
        code: HELD,
        name: "mutex-held-between-calls",
        severity: Severity::Note,
        what: "A method of a component locks a mutex without unlocking it, or unlocks one that \
               another call locked.",
        why: "A mutex of the kernel's ends with the invocation that locked it: so whoever has it \
              runs at the priority of whoever waits, and a fault inside unlocks it. CAmkES's \
              mutexes know no invocations. Such a one is built as a semaphore with one place, \
              which works as there, without priority inheritance and without a bound for whoever \
              waits.",
        example: "procedure Lock { void lock(); void unlock(); }\ncomponent Server { has mutex m; \
                  provides Lock l; }\n\
                  // void l_lock(void) { m_lock(); }\n// void l_unlock(void) { m_unlock(); }\n",
        instead: "Do what the mutex protects in one method, which locks and unlocks it.",
        reference: "Book, chapter \"Components in C\", section \"What differs from CAmkES on \
                    seL4\"",
    },
];
