//! The rules of running an image, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

/// All of them, in order of their codes.
pub static RULES: &[Rule] = &[
    NOT_AN_IMAGE,
    WRONG_PLATFORM,
    NO_EMULATOR,
    EMULATOR_FAILED,
    ENDLESS,
    KERNEL_STOPPED,
    START_LATE,
    RECORDS_DROPPED,
    COMPONENT_FAULT,
    START_EXCEEDED,
    CONSOLE_OVERFLOW,
    CALL_REFUSED,
    HEAP_EXHAUSTED,
    SET_UP_LATE,
    NO_DEBUGGER,
    SIGNALS_REFUSED,
];

const CHAPTER: &str = "Fusee book, chapter \"Running\"";

/// The file is no image.
pub(crate) const NOT_AN_IMAGE: Rule = Rule {
    code: Code("F1101"),
    name: "not-an-image",
    severity: Severity::Error,
    what: "The file given to `fusee run` is neither a description nor a bootable image of Fusee's.",
    why: "An image carries the system's tables, the names behind their numbers, and a place for \
          results. A file without them could be booted by chance, but nothing that it does could \
          be understood.",
    example: "fusee run /bin/true",
    instead: "Give the description, `fusee run system.camkes`, or the `image.elf` that `fusee \
              build` has written.",
    reference: CHAPTER,
};

/// The image is for another machine.
pub(crate) const WRONG_PLATFORM: Rule = Rule {
    code: Code("F1102"),
    name: "image-for-another-platform",
    severity: Severity::Error,
    what: "The image was built for one platform and is to run on another.",
    why: "Instructions, word size and page tables differ: the machine would stop at its first \
          instruction, or do something that nobody has written.",
    example: "fusee build system.camkes --platform qemu-rv32\nfusee run build/system/image.elf \
              --platform qemu-rv64",
    instead: "Name the platform for which the image was built, or build it for the other one.",
    reference: CHAPTER,
};

/// QEMU, or the Verilog of the cores, is missing.
pub(crate) const NO_EMULATOR: Rule = Rule {
    code: Code("F1103"),
    name: "emulator-missing",
    severity: Severity::Error,
    what: "The platform is emulated by QEMU, and QEMU's program for it can't be started. Or its \
           cores are simulated from their Verilog, and that is not there.",
    why: "Without it the image can be built and verified, but not run.",
    example: "fusee run system.camkes   # on a machine without QEMU",
    instead: "Install Debian's `qemu-system-misc`; `fusee doctor` shows everything else that is \
              missing. The Verilog is a Python package, which the message names. `fusee simulate` \
              and `fusee run --platform sim` need neither.",
    reference: CHAPTER,
};

/// QEMU could not be started, or failed.
pub(crate) const EMULATOR_FAILED: Rule = Rule {
    code: Code("F1104"),
    name: "emulator-failed",
    severity: Severity::Error,
    what: "QEMU, or the program that is made of the cores' Verilog, ended otherwise than by the \
           guest's wish, or the host could not give it what it needs.",
    why: "A run that ends early shows less than was asked for, and silence about the rest would \
          look like success.",
    example: "fusee run system.camkes   # in a container that may not map 256 MiB",
    instead: "Read what QEMU or the host says. The machine needs 260 MiB of memory that appears in \
              `/dev/shm` or the folder for temporary files, as far as the guest touches it.",
    reference: CHAPTER,
};

/// The machine does not end.
pub(crate) const ENDLESS: Rule = Rule {
    code: Code("F1105"),
    name: "machine-does-not-end",
    severity: Severity::Error,
    what: "The kernel was asked to switch the machine off after the given virtual time, and the \
           host has waited far longer than that takes.",
    why: "Either the host is overloaded beyond measure, or the kernel hangs, which is a defect of \
          Fusee.",
    example: "fusee run system.camkes --for 100000s",
    instead: "Run for a shorter time. If that does not end either, please report it with the \
              description.",
    reference: CHAPTER,
};

/// The kernel stopped.
pub(crate) const KERNEL_STOPPED: Rule = Rule {
    code: Code("F1106"),
    name: "kernel-stopped",
    severity: Severity::Error,
    what: "The kernel stopped the machine: its tables make no sense to it, its memory is too \
           small, or it trapped or panicked itself.",
    why: "The kernel goes on only while it knows what it does. No component can cause this; the \
          build, or the kernel, is wrong.",
    example: "fusee run damaged.elf",
    instead: "Build the image again and let `fusee verify` look at it. If it stops again, please \
              report it.",
    reference: CHAPTER,
};

/// Initialization takes too long.
pub(crate) const START_LATE: Rule = Rule {
    code: Code("F1107"),
    name: "start-late",
    severity: Severity::Error,
    what: "Components initialise themselves (`pre_init`, `post_init`, `IFACE__init`) before the \
           first jobs are released, and had not finished when these were due.",
    why: "Releases are promised at fixed instants. A job on a component that is half initialised \
          would fail in ways that no analysis has foreseen.",
    example: "void post_init(void) { for (volatile int i = 0; i < 10000000; i++) { } }",
    instead: "Give them time: `system.startup = \"50 ms\";` in the assembly's configuration moves \
              all releases. If one never ends, `fusee run --gdb` shows where it is.",
    reference: CHAPTER,
};

/// The record buffer overflowed.
pub(crate) const RECORDS_DROPPED: Rule = Rule {
    code: Code("F1108"),
    name: "records-dropped",
    severity: Severity::Error,
    what: "The kernel had no room for all records of the run.",
    why: "The observed times are read from the records. With some of them missing, the longest \
          response might be among those that nobody has seen.",
    example: "fusee run system.camkes --for 1000s --trace all.pftrace",
    instead: "Run for a shorter time. Without `--trace` and `--report` the kernel writes two or \
              three records for each job and nothing else.",
    reference: CHAPTER,
};

/// A component faulted.
pub(crate) const COMPONENT_FAULT: Rule = Rule {
    code: Code("F1109"),
    name: "component-fault",
    severity: Severity::Warning,
    what: "A component did something that the machine does not let it do: it accessed memory that \
           is not its own, executed something that is no instruction, ran into the end of its \
           stack, or ended a job or a call with a mutex still locked.",
    why: "The invocation ended there, its caller got an error, and the component was treated as \
          its description says. Everybody else went on. Still, something in the component is \
          wrong.",
    example: "int store_put(int i) { int *nowhere = 0; return *nowhere; }",
    instead: "Look at the source line that the message names. `fusee run --gdb` stops wherever you \
              want. Of mutexes that were still locked the kernel that records its decisions knows \
              each: `--kernel traced`.",
    reference: CHAPTER,
};

/// A component took too long to set itself up.
pub(crate) const START_EXCEEDED: Rule = Rule {
    code: Code("F1134"),
    name: "start-exceeded",
    severity: Severity::Warning,
    what: "What a component does before time 0 (`pre_init`, `IFACE__init` and `post_init`, \
           together) took longer than it may: its `startup`, or seven eighths of what was left \
           until time 0.",
    why: "It was stopped there, and treated as after any other fault; what it has still to set up \
          is left out. All others were set up and started. What it does after that is done by a \
          component that is set up in part.",
    example: "void post_init(void) { for (;;) { } }",
    instead: "Look at the source line that the message names. If the work is needed, give it time: \
              `store.startup = \"10 ms\";` in the configuration, which makes the start longer by \
              itself.",
    reference: CHAPTER,
};

/// A console buffer was full.
pub(crate) const CONSOLE_OVERFLOW: Rule = Rule {
    code: Code("F1111"),
    name: "console-overflow",
    severity: Severity::Warning,
    what: "A component printed more than its console buffer holds; the rest is not shown.",
    why: "Printing goes to memory, where it costs little and disturbs nobody. That memory has an \
          end.",
    example: "for (;;) { printf(\"still here\\n\"); }",
    instead: "Print less, run for a shorter time, or use a serial component.",
    reference: CHAPTER,
};

/// A call was answered with an error.
pub(crate) const CALL_REFUSED: Rule = Rule {
    code: Code("F1114"),
    name: "call-refused",
    severity: Severity::Warning,
    what: "Calls of a component were answered with an error: the kernel refused an invocation, a \
           lock, a signal or a wait, the component behind it crashed, or a message did not fit.",
    why: "What the call asked for did not happen, and its caller went on with zeros. Response \
          times of such a run say little, and so does what it computed.",
    example: "bus_put(value);   /* ... and the component behind `bus` has faulted before, with \
              `on_fault = \"dead\"` */",
    instead: "Look at the source line that the message names, and at faults of the component that \
              is called. `fusee_take_error()` behind a call tells the component itself.",
    reference: CHAPTER,
};

/// A heap that was too small.
pub(crate) const HEAP_EXHAUSTED: Rule = Rule {
    code: Code("F1135"),
    name: "heap-exhausted",
    severity: Severity::Warning,
    what: "A component asked for memory, and its heap had no room: `malloc` returned a null \
           pointer.",
    why: "A program that does not look at the pointer faults where it uses it, or computes with \
          what is at another place. One that looks did less than it should.",
    example: "char *all = malloc(20000);   /* the heap has 16 KiB */",
    instead: "Give the component a larger heap by its attribute `heap_size`, or free memory that \
              is no longer needed. The heap never splits or joins blocks, so that all its calls \
              take constant time: each size of block keeps what it once had.",
    reference: CHAPTER,
};

/// A thread that had not set itself up.
pub(crate) const SET_UP_LATE: Rule = Rule {
    code: Code("F1124"),
    name: "set-up-late",
    severity: Severity::Warning,
    what: "A thread that an event releases loops and waits. What it does before the first wait, it \
           does once, before the system starts, and it was not done when the system started.",
    why: "That work is part of no job. Bounds count jobs, and a task of lower priority may have \
          waited for it besides.",
    example: "int run(void) { compute_tables(); for (;;) { tick_wait(); step(); } }   /* tables of \
              20 ms */",
    instead: "Give it time: `system.startup = \"50 ms\";` in the assembly's configuration moves \
              all releases.",
    reference: CHAPTER,
};

/// The machine is not emulated.
pub(crate) const NO_DEBUGGER: Rule = Rule {
    code: Code("F1125"),
    name: "no-debugger",
    severity: Severity::Error,
    what: "A debugger was asked for on a platform that is not emulated: its cores are simulated \
           from their Verilog, cycle by cycle.",
    why: "A debugger talks to QEMU, which stops the machine and looks at its registers. The \
          simulated cores have nothing of the kind.",
    example: "fusee run system.camkes --platform rtl-rocket --gdb",
    instead: "Run it there without `--gdb`: faults are told with their places in the source. Or \
              debug the same system on another platform.",
    reference: CHAPTER,
};

/// A task signals another core more often than is described.
pub(crate) const SIGNALS_REFUSED: Rule = Rule {
    code: Code("F1128"),
    name: "signals-refused",
    severity: Severity::Warning,
    what: "A task has signalled an event of another core more often than the description says, or \
           one that its lists of calls leave out: the kernel of its own core has let no more \
           through.",
    why: "Each signal interrupts the core that it is for, whoever runs there. So the sender's \
          kernel accepts what the description says of its jobs and refuses the rest: the bounds of \
          the other core hold, and what was refused did not happen.",
    example: "int run(void) { for (;;) e_emit(); }   /* with `calls = [\"10 us\", \"emit e\"]` */",
    instead: "Say in `calls` how often a job signals, or give it the period and the deadline that \
              it keeps. If the code is wrong, the message names whose.",
    reference: "Fusee book, chapter \"The kernel on several cores\"",
};
