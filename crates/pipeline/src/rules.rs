//! Rules about files, costs, kernels and results; and those of all crates.

use fusee_diagnostics::{Code, Rule, Severity};

/// A file named on the command line can't be read.
pub const UNREADABLE: Code = Code("F0001");

/// A cost table is not one.
pub const COSTS: Code = Code("F0002");

/// No priorities were found.
pub const NO_ASSIGNMENT: Code = Code("F0003");

/// No cores were found for tasks.
pub const NO_PLACEMENT: Code = Code("F0004");

/// There is no gate of a name.
pub const NO_GATE: Code = Code("F0005");

/// A file to be written would be one that is read.
pub const OVERWRITES: Code = Code("F0006");

/// No choice lets every deadline hold, or none was found.
pub const NO_CHOICE: Code = Code("F0007");

/// A name is of nothing that can be chosen.
pub const NOTHING_TO_CHOOSE: Code = Code("F0008");

/// Chosen values could not be written into the text.
pub const NOT_WRITTEN: Code = Code("F0009");

/// The kernel could not be built.
pub const NO_KERNEL: Code = Code("F1013");

/// An image is none of those that a command can bound.
pub const NOT_THIS_IMAGE: Code = Code("F1026");

/// A written time is below the proved one.
pub const TIME_TOO_SHORT: Code = Code("F1017");

/// A list of calls leaves out what the program does.
pub const CALLS_LEFT_OUT: Code = Code("F1018");

/// A written time or call could not be compared with a program.
pub const NOT_COMPARED: Code = Code("F1019");

/// More cores than the machine has.
pub const TOO_MANY_CORES: Code = Code("F1014");

/// An image is made from other sources.
pub const STALE: Code = Code("F1024");

/// The sources of an image are not known.
pub const SOURCES_UNKNOWN: Code = Code("F1025");

/// A campaign's folder has results that were made otherwise.
pub const OTHER_RESULTS: Code = Code("F1113");

/// All of them.
pub static RULES: &[Rule] = &[
    FILE_UNREADABLE,
    COSTS_INVALID,
    ASSIGNMENT_NOT_FOUND,
    PLACEMENT_NOT_FOUND,
    GATE_NOT_FOUND,
    INPUT_OVERWRITTEN,
    CHOICE_NOT_FOUND,
    CHOICE_OF_NOTHING,
    CHOICE_NOT_WRITTEN,
    KERNEL_NOT_BUILT,
    IMAGE_NOT_BOUNDED,
    MORE_CORES_THAN_THERE_ARE,
    WRITTEN_TIME_TOO_SHORT,
    WRITTEN_CALLS_LEFT_OUT,
    WRITTEN_NOT_COMPARED,
    BUILD_STALE,
    BUILD_SOURCES_UNKNOWN,
    RESULTS_OF_ANOTHER_KERNEL,
];

/// Returns the rules of every crate, in the order of their codes.
pub fn all() -> Vec<&'static Rule> {
    let of_systems = [fusee_adl::RULES, fusee_check::RULES, fusee_bounds::RULES, fusee_sim::RULES];
    let mut rules: Vec<&Rule> = [
        RULES,
        fusee_wcet::RULES,
        fusee_glue::RULES,
        fusee_glue::CMAKE_RULES,
        fusee_image::RULES,
        fusee_run::RULES,
        fusee_sweep::RULES,
    ]
    .into_iter()
    .chain(of_systems)
    .chain([fusee_report::RULES])
    .flatten()
    .collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// Returns a rule by code (`F0101`, also in lower case) or by name.
pub fn find(wanted: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.code.0.eq_ignore_ascii_case(wanted) || rule.name == wanted)
}

const FILE_UNREADABLE: Rule = Rule {
    code: UNREADABLE,
    name: "file-unreadable",
    severity: Severity::Error,
    what: "A file named on the command line does not exist, may not be read, or is not UTF-8 text.",
    why: "Without the file there is nothing to work on, and a result without it would be about \
          something else.",
    example: "fusee check no-such-file.camkes",
    instead: "Check the spelling. Paths are relative to the folder in which the command runs.",
    reference: "The book, chapter \"The command line\".",
};

const COSTS_INVALID: Rule = Rule {
    code: COSTS,
    name: "costs-invalid",
    severity: Severity::Error,
    what: "The file given with `--costs` is not a cost table: it is no TOML, a kernel path is \
           missing or unknown, or a cost is no non-negative integer. Or nothing was given, and the \
           machine has no table of its own yet.",
    why: "Bounds contain what the kernel's paths cost. A path that is left out would be taken for \
          free, and a bound that rests on it could be exceeded.",
    example: "platform = \"board\"\nprovenance = \"measured\"\nrelease = 1200",
    instead: "Name every path, in nanoseconds: `release`, `completion`, `block`, `handoff`, \
              `inherit_step`, `signal`, `wait`, `wake`, `budget_end`, `fault`, `time_slice`, under \
              `[invoke]` and `[return]` one for each protocol: `propagated`, `fixed`, `inherited`, \
              `fifo`, and under `[mutex]` `lock` and `unlock`.",
    reference: "The book, chapter \"The command line\".",
};

const ASSIGNMENT_NOT_FOUND: Rule = Rule {
    code: NO_ASSIGNMENT,
    name: "assignment-not-found",
    severity: Severity::Warning,
    what: "Audsley's assignment was asked for, and its search ended without priorities under which \
           all deadlines hold.",
    why: "For independent tasks the search is exact: if it finds nothing, no fixed priorities will \
          do. With gates, blocking depends on the order itself, and an order may exist that the \
          search does not see.",
    example: "fusee analyze system.camkes --assign audsley",
    instead: "See with `fusee analyze` which deadline fails, and why. Shorten what blocks it, or \
              give priorities in the description.",
    reference: "Audsley 1991, \"Optimal priority assignment and feasibility of static priority \
                tasks with arbitrary start times\".",
};

const PLACEMENT_NOT_FOUND: Rule = Rule {
    code: NO_PLACEMENT,
    name: "placement-not-found",
    severity: Severity::Error,
    what: "`fusee place` found no way to put the tasks on so many cores that passes the checks.",
    why: "Packing tasks is hard in general and done by heuristics, so that none was found does not \
          show that there is none, unless the tasks need more than all cores together. Tasks that \
          signal each other share a core, because a notification belongs to the core of those who \
          wait for it.",
    example: "fusee place system.camkes --cores 2   # the tasks need 2.4 cores\n",
    instead: "Take more cores, shorten execution times, or divide the task that needs most.",
    reference: "Lakshmanan, de Niz and Rajkumar 2009, \"Coordinated task scheduling, allocation \
                and synchronization on multiprocessors\".",
};

const GATE_NOT_FOUND: Rule = Rule {
    code: NO_GATE,
    name: "gate-not-found",
    severity: Severity::Error,
    what: "The gate named with `fusee analyze --compare` is none of the system's.",
    why: "Protocols are compared at one gate: an interface that a component provides, by the names \
          that `fusee analyze` shows. Calls within one `group` pass no gate.",
    example: "fusee analyze system.camkes --compare store.mop   # it is store.map\n",
    instead: "Write `component.interface`, as in the settings of the gate.",
    reference: "The book, chapter \"Analysis\".",
};

const INPUT_OVERWRITTEN: Rule = Rule {
    code: OVERWRITES,
    name: "input-overwritten",
    severity: Severity::Error,
    what: "An option names a file to write that is a part of what the command reads: the \
           description, a file that it imports or includes, a source of a component, a cost table, \
           a program, or what another option of the same command writes.",
    why: "What would be lost can often not be had again. Files are compared by what the system \
          knows them by, so a link or another spelling of the path is the same file. Nothing is \
          read, built or written before this is known.",
    example: "fusee simulate system.camkes --report system.camkes\n",
    instead: "Name another file: `--report system.html`.",
    reference: "The book, chapter \"The command line\".",
};

const CHOICE_NOT_FOUND: Rule = Rule {
    code: NO_CHOICE,
    name: "choice-not-found",
    severity: Severity::Error,
    what: "`fusee solve` found no priorities, protocols, cores and budgets under which every \
           deadline and chain holds. The message says if that is proved, and which deadlines \
           contradict each other.",
    why: "What is proved needs another description: a later deadline, another core, a shorter \
          job. Where nothing is proved a choice may exist that the search did not see.",
    example: "fusee solve system.camkes",
    instead: "Take one of the relaxations in the notes. Free what the description gives with \
              `--change`, or give the search more effort.",
    reference: "The book, chapter \"Analysis\".",
};

const CHOICE_OF_NOTHING: Rule = Rule {
    code: NOTHING_TO_CHOOSE,
    name: "choice-of-nothing",
    severity: Severity::Error,
    what: "A word after `--change` or `--keep` names nothing that `fusee solve` can choose, or \
           there are fewer cores than the description uses.",
    why: "A misspelt name would free or fix nothing, and the answer would be to another question.",
    example: "fusee solve system.camkes --change motor.prioriti",
    instead: "Name a kind (`core`, `priority`, `protocol`, `budget`, `policy`), an attribute such \
              as `motor.priority`, or `motor.*` for all of an instance.",
    reference: "The book, chapter \"Analysis\".",
};

const CHOICE_NOT_WRITTEN: Rule = Rule {
    code: NOT_WRITTEN,
    name: "choice-not-written",
    severity: Severity::Warning,
    what: "`fusee solve` found values under which all holds, and cannot write them into the text.",
    why: "A value that comes from a macro, a condition of the preprocessor or another attribute \
          has a reason that the text alone does not tell.",
    example: "#define HIGH 200\nmotor.priority = HIGH;",
    instead: "Write the lines that are printed where they take effect.",
    reference: "The book, chapter \"Analysis\".",
};

const KERNEL_NOT_BUILT: Rule = Rule {
    code: NO_KERNEL,
    name: "kernel-not-built",
    severity: Severity::Error,
    what: "The bootable kernel could not be built: a compiler that makes code for the platform is \
           missing, or the kernel's source is not where Fusee was built.",
    why: "An image is the system's tables beside one generic kernel. The kernel is built once for \
          each platform and kept.",
    example: "fusee build system.camkes   # on a machine without a Rust compiler for RISC-V\n",
    instead: "Type the command that the message names; `make setup` installs everything that Fusee \
              needs.",
    reference: "Fusee book, chapter \"Building\"",
};

const IMAGE_NOT_BOUNDED: Rule = Rule {
    code: NOT_THIS_IMAGE,
    name: "image-not-bounded",
    severity: Severity::Error,
    what: "The kernel in an image can't be bounded as asked: the image has no tables of a system, \
           or kernels of several policies, the kernel beside it is another one than that in it, or \
           the options are for descriptions.",
    why: "A bound is one for a certain kernel with certain tables. What is bounded must be what \
          the image boots.",
    example: "fusee wcet --kernel image.elf -D WITH_LOGGER\n",
    instead: "Build the image again, and name it as it was built; or name the description, and it \
              is built first.",
    reference: "The book, chapter \"Execution times of binaries\".",
};

const MORE_CORES_THAN_THERE_ARE: Rule = Rule {
    code: TOO_MANY_CORES,
    name: "more-cores-than-there-are",
    severity: Severity::Error,
    what: "A task is on a core that the machine has not.",
    why: "Cores are numbered from 0, and an image has a kernel for each up to the highest that a \
          task names. On a machine with fewer of them the last would never begin.",
    example: "logger.core = 12;",
    instead: "Put the task on another core, or let `fusee place SYSTEM --cores N` find one for \
              each.",
    reference: "Fusee book, chapter \"Several cores\"",
};

const WRITTEN_TIME_TOO_SHORT: Rule = Rule {
    code: TIME_TOO_SHORT,
    name: "written-time-too-short",
    severity: Severity::Error,
    what: "A time in the description is shorter than what is proved of the program: some path \
           through the code may take longer than `wcet`, a method's time, or the times in `calls` \
           together.",
    why: "Every bound rests on these times. With one that is too short, \"every deadline holds\" \
          is said of a system that nobody has.",
    example: "store.samples_put_wcet = \"20 us\"; // and its code has a loop of a million \
              iterations\n",
    instead: "Leave the time out: it is taken from the program. Or write the proved one. If the \
              path can't be taken, say so in a file of facts. `--trust-written` goes on with what \
              is written, and the verdict says so.",
    reference: "The book, chapter \"Execution times of binaries\".",
};

const WRITTEN_CALLS_LEFT_OUT: Rule = Rule {
    code: CALLS_LEFT_OUT,
    name: "written-calls-left-out",
    severity: Severity::Error,
    what: "A program invokes a method, emits or waits for an event, or locks a mutex more often \
           than the list of `calls` says, on some path.",
    why: "The analysis adds the time of what `calls` say, and blocking, interference and deadlocks \
          follow from them. What a list leaves out is in no bound.",
    example: "sensor.calls = [\"samples.put\"]; // and run() calls samples_put() twice\n",
    instead: "List all that one job can ask for at most, each as often as it can be. \
              `--trust-written` goes on with what is written, and the verdict says so.",
    reference: "The book, chapter \"Execution times of binaries\".",
};

const WRITTEN_NOT_COMPARED: Rule = Rule {
    code: NOT_COMPARED,
    name: "written-not-compared",
    severity: Severity::Note,
    what: "A time or a list of calls in the description could not be compared with its program: \
           no bound was found for the code, or programs tell no times on this machine.",
    why: "Nothing is wrong, and nothing is known: the bounds rest on what is written.",
    example: "door.waiting_wcet = \"1 us\"; // and its code waits in a loop without an end\n",
    instead: "Look with `fusee wcet` at what stands in the way; a file of facts beside the sources \
              may settle it.",
    reference: "The book, chapter \"Execution times of binaries\".",
};

const BUILD_STALE: Rule = Rule {
    code: STALE,
    name: "build-stale",
    severity: Severity::Error,
    what: "An image, or the programs beside it, were made from something else than what is there \
           now: a source or a header was changed or is gone, a component has other sources, other \
           options or other interfaces, a crate that it uses has changed, or a compiler or Fusee \
           itself is another version.",
    why: "A bound that is taken from a program holds for the sources that it was made from. Of \
          those that are there now nothing is known.",
    example: "fusee build system.camkes\n# components/Store/store.c is changed\nfusee analyze \
              system.camkes --platform qemu-rv64 --programs build/system\n",
    instead: "Build it again with the command that the message names. To run or verify an image \
              without its sources, copy it to another folder.",
    reference: "The book, chapter \"Building\".",
};

const BUILD_SOURCES_UNKNOWN: Rule = Rule {
    code: SOURCES_UNKNOWN,
    name: "build-sources-unknown",
    severity: Severity::Note,
    what: "`inputs.json`, which `fusee build` writes beside an image, is not there, or the sources \
           that it speaks of are not. So it was not compared with them.",
    why: "An image that was copied runs as well as any other; what it was made from nobody can \
          tell. Times are not taken from its programs.",
    example: "cp build/hello/image.elf /tmp && fusee run /tmp/image.elf\n",
    instead: "Copy the whole folder beside the sources, or build the system again.",
    reference: "The book, chapter \"Building\".",
};

const RESULTS_OF_ANOTHER_KERNEL: Rule = Rule {
    code: OTHER_RESULTS,
    name: "results-of-another-kernel",
    severity: Severity::Error,
    what: "The folder given to `fusee campaign` has results that were made with another kernel, \
           other kernel costs, another version of Fusee or of other task sets, or that do not say \
           what they were made with.",
    why: "A campaign goes on where it was and runs nothing twice. Results of two kernels in one \
          table would say nothing of either, and an old table under the name of a new kernel would \
          be false. The file's first line has marks of the booted image and of the costs, and both \
          must be as they are now.",
    example: "fusee campaign results\n# the kernel's source, its compiler or its costs \
              change\nfusee campaign results",
    instead: "Name a folder of its own for each kernel, or remove the folder if its results are of \
              no more use. To see the old results, build the Fusee that made them.",
    reference: "The book, chapter \"What the kernel costs\".",
};
