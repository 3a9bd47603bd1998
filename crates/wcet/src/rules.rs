//! The manual pages of the messages about binaries and facts.

use fusee_diagnostics::{Code, Diagnostic, Rule, Severity};

use crate::program::LoadError;

/// The file is no ELF file, or a damaged one.
pub(crate) const UNREADABLE: Code = Code("F0801");
/// The ELF file is for a processor without a decoder.
pub(crate) const ARCHITECTURE: Code = Code("F0802");
/// The ELF file has nothing to execute.
pub(crate) const NO_CODE: Code = Code("F0803");
/// An entry that the ELF file does not have.
pub const ENTRY: Code = Code("F0804");
/// A facts file that is not one.
pub const FACTS: Code = Code("F0805");
/// A fact about a place that the ELF file does not have.
pub const PLACE: Code = Code("F0806");
/// A fact on which no bound rests.
pub const UNUSED: Code = Code("F0807");
/// A machine file that is not one.
pub(crate) const MACHINE: Code = Code("F0808");
/// A machine that is neither built in nor a file.
pub const NO_MACHINE: Code = Code("F0809");

/// A fact that cannot be true.
pub(crate) const CONTRADICTION: Code = Code("F0810");

/// A machine that does not execute programs of this kind.
pub const OTHER_MACHINE: Code = Code("F0811");

/// A register, or numbers in it, that the program's processor does not have.
pub const REGISTER: Code = Code("F0813");

/// A method whose execution time is not in its program.
pub const METHOD: Code = Code("F0812");

/// Returns why a file is no program, as a message with its rule.
pub fn refusal(error: &LoadError, name: &str) -> Diagnostic {
    let code = match error {
        LoadError::Unreadable(_) => UNREADABLE,
        LoadError::Architecture(_) => ARCHITECTURE,
        LoadError::NoCode => NO_CODE,
    };
    Diagnostic::error(code, format!("`{name}`: {error}"))
}

const CHAPTER: &str = "The book, chapter \"Execution times from binaries\".";

/// All rules of this crate.
pub static RULES: &[Rule] = &[
    Rule {
        code: UNREADABLE,
        name: "elf-unreadable",
        severity: Severity::Error,
        what: "The file given to `fusee wcet` is not an ELF file, or it is cut off or damaged: a \
               header or a segment lies outside the file.",
        why: "A bound is proved for the bytes that will run. Of a file that cannot be read to its \
              end they are not known.",
        example: "fusee wcet notes.txt",
        instead: "Give the linked program as the linker wrote it, not an archive, a raw binary or \
                  a hex file. If it was copied or downloaded, compare its length with the \
                  original.",
        reference: CHAPTER,
    },
    Rule {
        code: ARCHITECTURE,
        name: "architecture-unsupported",
        severity: Severity::Error,
        what: "The ELF file is for a processor that Fusee has no decoder for. Supported are RV32 \
               and RV64 with the extensions I, M, A, F, D, C and Zicsr, AArch64, and A32 (ARMv7-A \
               without Thumb), all little-endian.",
        why: "Without knowing what each instruction does, neither loops nor paths can be bounded.",
        example: "fusee wcet /bin/sh",
        instead: "Build the program for RISC-V, for example with `riscv64-unknown-elf-gcc \
                  -march=rv32imac -mabi=ilp32`.",
        reference: CHAPTER,
    },
    Rule {
        code: NO_CODE,
        name: "code-missing",
        severity: Severity::Error,
        what: "The ELF file has no segment that is loaded and may be executed. Object files (`.o`) \
               have none before they are linked.",
        why: "Where calls lead and what constants are is decided by the linker, so times are \
              bounded after it.",
        example: "fusee wcet main.o",
        instead: "Link the program and give the result.",
        reference: CHAPTER,
    },
    Rule {
        code: ENTRY,
        name: "entry-unknown",
        severity: Severity::Error,
        what: "An `--entry` names no symbol of the ELF file, or an address at which it has no \
               code.",
        why: "A bound belongs to one entry. To guess which one was meant could bound something \
              that never runs.",
        example: "fusee wcet program.elf --entry mian",
        instead: "Check the spelling; the message names the most similar symbol. In a stripped \
                  file, give an address: `--entry 0x80000000`.",
        reference: CHAPTER,
    },
    Rule {
        code: FACTS,
        name: "facts-malformed",
        severity: Severity::Error,
        what: "The file given with `--facts` is no TOML, has a key other than `loops`, `totals`, \
               `recursion`, `calls`, `targets`, `tables`, `times`, `unreachable`, `ends` and \
               `exclusive`, or a value of the wrong kind.",
        why: "Facts are taken for granted. One that is misread makes a bound that can be exceeded, \
              so what is not understood is refused.",
        example: "[loops]\n\"search+0x12\" = \"at most 64\"",
        instead: "Write `[loops]` and `[totals]` with a whole number for each loop's header, \
                  `[recursion]` and `[calls]` with one for each function, `[targets]` with a \
                  list of names for each computed jump, `[tables]` with a table for each store, \
                  `[times]` with a number for each function, call or trap that is not executed, \
                  `unreachable` and `ends` as lists of names, and `exclusive` as a list of lists \
                  of names. `fusee wcet` prints the line that it needs.",
        reference: CHAPTER,
    },
    Rule {
        code: PLACE,
        name: "fact-place-unknown",
        severity: Severity::Error,
        what: "A fact is about a symbol, an address or a line of source that the ELF file does not \
               have.",
        why: "The program has changed since the fact was written, or the name is misspelt. Either \
              way the fact says nothing about this program.",
        example: "[loops]\n\"serach+0x12\" = 64",
        instead: "Write a symbol, a symbol and a distance (`search+0x12`), an address \
                  (`0x80000042`) in executable memory, or a line of source (`search.c:17`) of a \
                  program with debugging information. Of several functions with one name an \
                  address or a line says which one is meant. After each build, look at the loop \
                  again: distances move.",
        reference: CHAPTER,
    },
    Rule {
        code: MACHINE,
        name: "machine-malformed",
        severity: Severity::Error,
        what: "The file given with `--machine` is no TOML, lacks a time, has a key that machines \
               do not have, or a number that does not fit: caches are lines times ways times a \
               power of two, and no time is above a million cycles.",
        why: "A bound is only as good as the machine that it is computed for. A time that is \
              missing would be counted as nothing, and one that is misspelt would be ignored.",
        example: "name = \"core\"\n[memory]\nline = 20",
        instead: "Give all times of the tables `[issue]` and `[memory]`; the chapter lists the \
                  keys of each table and what is taken where one is left out.",
        reference: CHAPTER,
    },
    Rule {
        code: NO_MACHINE,
        name: "machine-unknown",
        severity: Severity::Error,
        what: "The name given with `--machine` is neither a machine that is built in nor a file \
               that ends in `.toml`.",
        why: "Times are those of one machine. Another one's would be wrong.",
        example: "fusee wcet program.elf --machine vexrisc",
        instead: "Name `instructions`, `vexriscv`, or a file: `--machine core.toml`.",
        reference: CHAPTER,
    },
    Rule {
        code: OTHER_MACHINE,
        name: "machine-of-another-kind",
        severity: Severity::Error,
        what: "The machine given with `--machine` is a processor that cannot execute the program: \
               its instruction set is another one.",
        why: "Times of instructions that the processor does not have would be made up.",
        example: "fusee wcet aarch64.elf --machine vexriscv",
        instead: "Build the program for the processor (`vexriscv`: `-march=rv32ima -mabi=ilp32`), \
                  count `instructions`, or describe the machine that you mean in a file.",
        reference: CHAPTER,
    },
    Rule {
        code: METHOD,
        name: "method-without-bound",
        severity: Severity::Error,
        what: "The description gives a method, or the jobs of a task with a period, no execution \
               time, `--programs` names the folder of a build, and the program there has no bound \
               for it, or asks the kernel for more than `calls` say: the notes list what stands in \
               the way.",
        why: "A response time needs a number for everything that runs on its way. One that is not \
              known is not zero.",
        example: "fusee analyze system.camkes --platform qemu-rv64 --programs build/system",
        instead: "Write the facts that the notes ask for into `COMPONENT.facts.toml` beside the \
                  component's sources, list in `calls` all that the program asks for, or give a \
                  `wcet` attribute. After a change in the description build again.",
        reference: CHAPTER,
    },
    Rule {
        code: REGISTER,
        name: "register-unknown",
        severity: Severity::Error,
        what: "A `--register` names no general register of the program's processor, or gives \
               numbers in the wrong order.",
        why: "What a register holds at the entry is taken for granted. About a register that is \
              not there it would say nothing, and look as if it did.",
        example: "fusee wcet program.elf --entry clear --register r0=16   # a RISC-V program",
        instead: "Use the names of the calling convention or the processor: `a0` or `x10` on \
                  RISC-V, `x0` or `w0` on AArch64, `r0` on A32; then `=` and a number, or the \
                  lowest and the highest: `a0=0..100`.",
        reference: CHAPTER,
    },
    Rule {
        code: UNUSED,
        name: "fact-unused",
        severity: Severity::Note,
        what: "No bound of this run rests on the fact: the loop was found to end by itself within \
               the given number of iterations, the place was not reached, or it is no loop header \
               or computed jump; a line of source controls no loop, or no block is made of it \
               alone.",
        why: "The bound is sound without it, and a complete set of facts may be given at once. But \
              a fact that does nothing is often one about the wrong place, for example about an \
              address that moved with the last build.",
        example: "[loops]\n\"main\" = 64",
        instead: "Nothing, if the place is the right one. Else correct it, or remove the fact.",
        reference: CHAPTER,
    },
    Rule {
        code: CONTRADICTION,
        name: "fact-contradicted",
        severity: Severity::Error,
        what: "A fact cannot be true: no path leaves the loop within the given iterations, \
               wherever it is entered; every path takes more of them than the total, no path is \
               left when the places are taken for unreachable, for exclusive or for that shallow a \
               recursion, or the computed jump leads elsewhere. A line of source that controls two \
               loops, one inside the other, is refused in the same way. A pragma in a source that \
               cannot be true is left out, and so are targets of jumps and tables of stores where \
               a program has but one path, which shows that they are false: if there is a bound \
               without it, this is a warning.",
        why: "From a fact that is wrong follows a bound that is wrong. This is where the program \
              itself shows it.",
        example: "[loops]\n\"clear\" = 3   # a loop that always iterates 16 times",
        instead: "Correct the number or the place; without the fact `fusee wcet` finds the bound \
                  itself, or prints the line that it needs. Of a loop that no run comes to, say \
                  that it is `unreachable`: that cannot always be seen, and whoever came there \
                  would stay.",
        reference: CHAPTER,
    },
];
