//! The rules of images, with their manual pages.

use fusee_diagnostics::{Code, Rule, Severity};

/// All of them, in order of their codes.
pub static RULES: &[Rule] = &[
    NO_TABLES,
    BAD_PROGRAM,
    WRONG_MACHINE,
    NO_ENTRY,
    WRITABLE_CODE,
    UNKNOWN_STACK,
    SMALL_STACK,
    TOO_LARGE,
    TOO_MANY_REGIONS,
    RESTART_IN_GROUP,
    LONG_RESTART,
    NO_DEVICE,
    NOT_VERIFIABLE,
    DIFFERS,
    UNSOUND,
    NOT_COMPARED,
];

const CHAPTER: &str = "Fusee book, chapter \"Building\"";

/// No tables for the system.
pub(crate) const NO_TABLES: Rule = Rule {
    code: Code("F1001"),
    name: "system-without-tables",
    severity: Severity::Error,
    what: "Something in the description cannot be written into the kernel's tables: too many \
           objects of a kind, a device without an address, an attribute of memory or of an \
           interrupt that has no meaning.",
    why: "The kernel creates nothing at run time. What does not fit into its tables does not \
          exist.",
    example: "component Device { hardware; dataport Buf registers; }\n// ... and no \
              device.registers_paddr\n",
    instead: "Follow the message: give the device its `IFACE_paddr`, the interrupt a number that \
              the platform has, shared memory an access of `R`, `W` or `RW`. Memory that can be \
              written and executed is never given.",
    reference: CHAPTER,
};

/// A program that is damaged or laid out in another way.
pub(crate) const BAD_PROGRAM: Rule = Rule {
    code: Code("F1002"),
    name: "program-unfit",
    severity: Severity::Error,
    what: "A linked program (of a protection domain, or of the kernel) is missing, damaged, or \
           does not lie where the image has room for it.",
    why: "Page tables follow the parts of the program. A part that shares a page with another, or \
          lies outside of its domain's addresses, could not be protected.",
    example: "fusee build system.camkes   # with an object file that moves .data to another \
              address\n",
    instead: "Use the linker script that comes with Fusee. If you changed nothing, run `fusee \
              build` again: a build that was interrupted leaves half a file.",
    reference: CHAPTER,
};

/// A program for another machine.
pub(crate) const WRONG_MACHINE: Rule = Rule {
    code: Code("F1003"),
    name: "program-for-another-machine",
    severity: Severity::Error,
    what: "A linked program is not for the platform of the image.",
    why: "Instructions and word size differ; the machine would stop at its first instruction.",
    example: "fusee build system.camkes --platform qemu-rv32   # with a library for 64 bits\n",
    instead: "Build all parts for one platform.",
    reference: CHAPTER,
};

/// An entry point is missing.
pub(crate) const NO_ENTRY: Rule = Rule {
    code: Code("F1004"),
    name: "entry-missing",
    severity: Severity::Error,
    what: "The program of a domain does not define the entry point of one of its gates or threads.",
    why: "The kernel starts a thread, or lets one into a gate, at an address that the image names.",
    example: "// a template of one's own that leaves out the stub of interface `store`\n",
    instead: "Keep the stubs in templates of your own: `fusee build` writes the generated sources \
              beside the image.",
    reference: CHAPTER,
};

/// Some code is writable.
pub(crate) const WRITABLE_CODE: Rule = Rule {
    code: Code("F1005"),
    name: "writable-code",
    severity: Severity::Error,
    what: "A program has a part that is both writable and executable.",
    why: "Whoever can write code can turn a slip of a pointer into anything. Every page of an \
          image is one or the other, never both.",
    example: "__attribute__((section(\".text.data,\\\"awx\\\"#\"))) int counter;\n",
    instead: "Leave variables in their own sections.",
    reference: CHAPTER,
};

/// A stack of unknown size.
pub(crate) const UNKNOWN_STACK: Rule = Rule {
    code: Code("F1006"),
    name: "stack-unknown",
    severity: Severity::Error,
    what: "The deepest use of a stack cannot be found in the binary, and no attribute says it: \
           something calls through a pointer, calls itself, or has an array of variable length.",
    why: "A stack that is too small ends in a fault at the worst moment. Guard pages catch it; \
          they do not prevent it.",
    example: "void sort(void) { qsort(items, count, sizeof items[0], compare); }   // calls \
              through a pointer\n",
    instead: "Give the stack a size: `c._stack_size = 4096` for a control thread and for setting \
              up, `c.IFACE_stack_size` for the stacks of a provided interface, or \
              `system.stack_size` for all stacks whose size nothing else gives.",
    reference: CHAPTER,
};

/// A stack that is too small.
pub(crate) const SMALL_STACK: Rule = Rule {
    code: Code("F1007"),
    name: "stack-too-small",
    severity: Severity::Error,
    what: "An attribute gives a stack fewer bytes than the binary needs on its deepest path.",
    why: "The first time that this path is taken, the component faults.",
    example: "c._stack_size = 64;   // and run() needs 400\n",
    instead: "Leave the attribute out: the size is then taken from the binary. Or give at least \
              what is needed.",
    reference: CHAPTER,
};

/// Something does not fit.
pub(crate) const TOO_LARGE: Rule = Rule {
    code: Code("F1008"),
    name: "image-too-large",
    severity: Severity::Error,
    what: "A program, a domain's stacks or the whole image is larger than its place.",
    why: "A domain has 8 MiB for its program and 4 MiB for its stacks; the machine has so much \
          memory and no more.",
    example: "static char everything[9 << 20];\n",
    instead: "Make it smaller, or divide the component.",
    reference: CHAPTER,
};

/// Too many regions of devices.
pub(crate) const TOO_MANY_REGIONS: Rule = Rule {
    code: Code("F1009"),
    name: "too-many-device-regions",
    severity: Severity::Error,
    what: "The devices lie in more separate ranges than the machine has protection registers for.",
    why: "The kernel opens exactly the granted devices below machine mode. Each range takes one or \
          two registers of sixteen; opening more than was granted is no way out.",
    example: "// fifteen devices, each far from the next\n",
    instead: "Give devices sizes that are powers of two, at multiples of their size: these take \
              one register. Devices side by side count as one.",
    reference: CHAPTER,
};

/// A restart that would reset others.
pub(crate) const RESTART_IN_GROUP: Rule = Rule {
    code: Code("F1010"),
    name: "restart-in-group",
    severity: Severity::Error,
    what: "A component with `on_fault = \"restart\"` shares a protection domain with others.",
    why: "A restart puts back all data of the domain. The others would go on with data that are \
          not theirs any more.",
    example: "group g { component A a; component B b; }\n// ...\ng.a.on_fault = \"restart\";\n",
    instead: "Take the component out of its group, or let the fault end in `continue` or `dead`.",
    reference: CHAPTER,
};

/// A restart that takes too long.
pub(crate) const LONG_RESTART: Rule = Rule {
    code: Code("F1011"),
    name: "restart-too-long",
    severity: Severity::Error,
    what: "A component that is to be restarted has more than 64 KiB of writable data.",
    why: "Whoever uses the component next waits until they are put back: 64 KiB take about 50,000 \
          instructions.",
    example: "static char pictures[1 << 20];   // in a component with on_fault = \"restart\"\n",
    instead: "Put large data into a dataport, which a restart leaves alone, or choose another \
              `on_fault`.",
    reference: CHAPTER,
};

/// No such device.
pub(crate) const NO_DEVICE: Rule = Rule {
    code: Code("F1012"),
    name: "device-missing",
    severity: Severity::Error,
    what: "A device is described at an address or with an interrupt that the platform does not \
           have, or that belongs to the kernel (timer, interrupt controller, power), or that no \
           component needs and that writes to all memory (QEMU's firmware device).",
    why: "A component that reaches the interrupt controller or main memory as a device has no \
          protection around it. Where there is no device, reads find nothing that means anything.",
    example: "uart.registers_paddr = 0x80000000;   // main memory\nuart.irq_irq_number = 700;\n",
    instead: "On `qemu-rv64` and `qemu-rv32` the serial line is at 0x10000000 with interrupt 10, \
              on `rtl-rocket` at 0x10001000 and on `rtl-vexriscv` at 0xf0000000 with interrupt 1.",
    reference: CHAPTER,
};

/// Not an image.
pub(crate) const NOT_VERIFIABLE: Rule = Rule {
    code: Code("F1020"),
    name: "image-unreadable",
    severity: Severity::Error,
    what: "The file is no image of Fusee's, or a damaged one.",
    why: "What cannot be read cannot be vouched for.",
    example: "fusee verify /bin/true",
    instead: "Build the image again with `fusee build`.",
    reference: CHAPTER,
};

/// The image is not what was described.
pub(crate) const DIFFERS: Rule = Rule {
    code: Code("F1021"),
    name: "image-differs",
    severity: Severity::Error,
    what: "The image gives somebody a right, a mapping, a time or a limit that the description \
           does not give, or leaves one out that it gives; or it holds other code or data than the \
           programs that were linked.",
    why: "The analysis and the reader of the description both rely on it. An image that does \
          something else has bounds and protection that nobody has looked at.",
    example: "fusee build old.camkes && fusee verify build/old/image.elf new.camkes",
    instead: "Build the image from the description that it is held against. If you have just done \
              that, this is a defect of Fusee: please report it.",
    reference: CHAPTER,
};

/// The image breaks its own protection.
pub(crate) const UNSOUND: Rule = Rule {
    code: Code("F1022"),
    name: "image-unsound",
    severity: Severity::Error,
    what: "Whatever the description says, the image is not safe: memory that is both written and \
           executed, a stack without an unmapped page beside it, a page in two domains, memory of \
           the kernel's or page tables that a component reaches, something open that nobody was \
           granted.",
    why: "These are the walls between components; a fault behind one of them must not get through.",
    example: "// one bit of a page-table entry was changed in image.elf\n",
    instead: "Build the image again. If the message stays, this is a defect of Fusee: please \
              report it.",
    reference: CHAPTER,
};

/// A program is not at hand.
pub(crate) const NOT_COMPARED: Rule = Rule {
    code: Code("F1023"),
    name: "contents-not-compared",
    severity: Severity::Warning,
    what: "A linked program that the image was made of is not where the image says: `kernel.elf` \
           and `domains/` beside it. So what the image holds in its place was not compared with \
           it.",
    why: "Page tables and capabilities say what code may do, not which code it is.",
    example: "cp build/hello/image.elf /tmp && fusee verify /tmp/image.elf",
    instead: "Verify the image where `fusee build` has written it, or copy the whole folder.",
    reference: CHAPTER,
};
