//! The lines of `objdump`: what kind of instruction each is.

use std::path::Path;
use std::process::Command;

use fusee_testing::programs::Target;

/// The effect of an instruction on memory and control, with its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
    Atomic,
    Branch(u64),
    Jump(u64),
    Call(u64),
    IndirectJump,
    IndirectCall,
    Return,
    Other,
}

/// An instruction as it is printed.
pub(crate) struct Line {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) text: String,
    mnemonic: String,
    operands: String,
}

/// Returns the instructions of a program; data between them is left out.
pub(crate) fn of(elf: &Path, target: Target) -> Vec<Line> {
    let (tool, options): (_, &[&str]) = match target {
        Target::Aarch64 => ("aarch64-linux-gnu-objdump", &["-M", "no-aliases"]),
        Target::A32 => ("arm-none-eabi-objdump", &[]),
        _ => ("riscv64-unknown-elf-objdump", &["-M", "no-aliases"]),
    };
    let output = Command::new(tool)
        .arg("-d")
        .args(options)
        .arg(elf)
        .output()
        .expect("`make setup` installs it");
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").lines().filter_map(Line::read).collect()
}

impl Line {
    fn read(text: &str) -> Option<Self> {
        let mut fields = text.split('\t');
        let address = u64::from_str_radix(fields.next()?.trim().strip_suffix(':')?, 16).ok()?;
        let size = fields.next()?.trim().len() as u64 / 2;
        let mnemonic = fields.next()?.trim().to_owned();
        let operands = fields.next().unwrap_or_default();
        // Comments begin with another sign for each processor.
        let end = ["//", "@", "# "]
            .iter()
            .filter_map(|sign| operands.find(sign))
            .min()
            .unwrap_or(operands.len());
        let operands = operands[..end].trim().to_owned();
        let instruction =
            !mnemonic.starts_with('.') && mnemonic != "udf" && !mnemonic.contains("undefined");
        instruction.then(|| Self { address, size, text: text.to_owned(), mnemonic, operands })
    }

    /// Returns the name of what a short instruction stands for; of a long one its own.
    pub(crate) fn name(&self) -> &str {
        let Some(short) = self.mnemonic.strip_prefix("c.") else { return &self.mnemonic };
        match short {
            "li" | "nop" | "addi16sp" | "addi4spn" => "addi",
            "mv" => "add",
            "lwsp" => "lw",
            "ldsp" => "ld",
            "swsp" => "sw",
            "sdsp" => "sd",
            "flwsp" => "flw",
            "fldsp" => "fld",
            "fswsp" => "fsw",
            "fsdsp" => "fsd",
            "j" => "jal",
            "jr" => "jalr",
            "beqz" => "beq",
            "bnez" => "bne",
            same => same,
        }
    }

    pub(crate) fn kind(&self, target: Target) -> Kind {
        match target {
            Target::Aarch64 => self.kind_of_aarch64(),
            Target::A32 => self.kind_of_a32(),
            _ => self.kind_of_riscv(),
        }
    }

    /// Returns the address that is the last operand.
    fn place(&self) -> u64 {
        let last = self.operands.rsplit(',').next().and_then(|last| last.split_whitespace().next());
        let number = last.map(|last| last.trim_start_matches("0x"));
        number
            .and_then(|number| u64::from_str_radix(number, 16).ok())
            .unwrap_or_else(|| panic!("{}", self.text))
    }

    fn kind_of_riscv(&self) -> Kind {
        let first = self.operands.split(',').next().unwrap_or_default();
        let links = |register: &str| matches!(register, "ra" | "t0");
        // Where a jump through a register takes its address from.
        let source = match self.mnemonic.as_str() {
            "jalr" => self.operands.split(['(', ')']).nth(1).unwrap_or_default(),
            _ => first,
        };
        let without = |linked: bool| match (linked, links(source)) {
            (true, _) => Kind::IndirectCall,
            (false, true) => Kind::Return,
            (false, false) => Kind::IndirectJump,
        };
        match self.mnemonic.as_str() {
            "jalr" => without(links(first)),
            "c.jr" => without(false),
            "c.jalr" => without(true),
            "jal" if links(first) => Kind::Call(self.place()),
            "c.jal" => Kind::Call(self.place()),
            "jal" | "c.j" => Kind::Jump(self.place()),
            _ => match self.name() {
                "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" => Kind::Branch(self.place()),
                "lb" | "lh" | "lw" | "ld" | "lbu" | "lhu" | "lwu" | "flw" | "fld" => Kind::Load,
                "sb" | "sh" | "sw" | "sd" | "fsw" | "fsd" => Kind::Store,
                name if ["lr.", "sc.", "amo"].iter().any(|start| name.starts_with(start)) => {
                    Kind::Atomic
                }
                _ => Kind::Other,
            },
        }
    }

    fn kind_of_aarch64(&self) -> Kind {
        const ATOMIC: [&str; 12] = [
            "ldx", "ldax", "stx", "stlx", "cas", "swp", "ldadd", "ldclr", "ldeor", "ldset", "ldsm",
            "ldum",
        ];
        match self.mnemonic.as_str() {
            "b" => Kind::Jump(self.place()),
            "bl" => Kind::Call(self.place()),
            "br" => Kind::IndirectJump,
            "blr" => Kind::IndirectCall,
            "ret" => Kind::Return,
            "cbz" | "cbnz" | "tbz" | "tbnz" => Kind::Branch(self.place()),
            name if name.starts_with("b.") => Kind::Branch(self.place()),
            name if ATOMIC.iter().any(|start| name.starts_with(start)) => Kind::Atomic,
            name if name.starts_with("ld") => Kind::Load,
            name if name.starts_with("st") => Kind::Store,
            _ => Kind::Other,
        }
    }

    fn kind_of_a32(&self) -> Kind {
        let name = self.without_condition();
        let counter =
            self.operands.split(',').next() == Some("pc") || self.operands.contains("pc}");
        match name {
            "b" if name == self.mnemonic => Kind::Jump(self.place()),
            "b" => Kind::Branch(self.place()),
            "bl" => Kind::Call(self.place()),
            "bx" if self.operands == "lr" => Kind::Return,
            "bx" => Kind::IndirectJump,
            "blx" => Kind::IndirectCall,
            "mov" if counter && self.operands == "pc, lr" => Kind::Return,
            _ if counter && (name.starts_with("ldm") || name == "pop") => Kind::Return,
            _ if counter
                && !name.starts_with("st")
                && name != "push"
                && !name.starts_with("cm") =>
            {
                Kind::IndirectJump
            }
            _ if name.contains("rex") || name.starts_with("swp") => Kind::Atomic,
            _ if ["ldr", "ldm", "pop", "vld", "vpop"]
                .iter()
                .any(|start| name.starts_with(start)) =>
            {
                Kind::Load
            }
            _ if ["str", "stm", "push", "vst", "vpush"]
                .iter()
                .any(|start| name.starts_with(start)) =>
            {
                Kind::Store
            }
            _ => Kind::Other,
        }
    }

    /// Returns the mnemonic of an A32 instruction as if it were always executed.
    fn without_condition(&self) -> &str {
        const CONDITIONS: [&str; 16] = [
            "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le",
            "hs", "lo",
        ];
        let name = self.mnemonic.as_str();
        let branch = |rest: &str| rest.is_empty() || CONDITIONS.contains(&rest);
        // Of branches the condition alone follows the name: `bls` is no call.
        for known in ["b", "bl", "bx", "blx"] {
            if name.strip_prefix(known).is_some_and(branch) {
                return known;
            }
        }
        let bare = CONDITIONS.iter().find_map(|condition| name.strip_suffix(condition));
        bare.filter(|bare| bare.len() > 2).unwrap_or(name)
    }
}
