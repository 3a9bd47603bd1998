//! 32-bit instructions and their meaning.

use super::fields::Word;
use super::numbers::numbers;
use super::{RA, SCRATCH, Status, StatusAccess, T0, Xlen, compressed};
use crate::DecodeError;
use crate::emit::{Emit, constant};
use crate::language::{
    Address, Binary, Class, Comparison, Flow, Instruction, Operand, Register, Target, Width,
};

/// Reads the instruction at the start of `code`, which lies at `address`.
///
/// # Errors
/// [`DecodeError`] when the bytes end too early or are no supported instruction.
pub fn decode(code: &[u8], address: u64, xlen: Xlen) -> Result<Instruction, DecodeError> {
    let truncated = DecodeError::Truncated { address };
    let [low, high, ..] = *code else { return Err(truncated) };
    let half = u16::from_le_bytes([low, high]);
    let (size, bits, word) = if half & 3 == 3 {
        let [a, b, c, d, ..] = *code else { return Err(truncated) };
        let word = u32::from_le_bytes([a, b, c, d]);
        (4, word, Some(word))
    } else {
        (2, u32::from(half), compressed::expand(half, xlen))
    };
    let decoder = Decoder { address, size, xlen };
    let decoded = word.map(Word).and_then(|word| {
        let instruction = decoder.word(word)?;
        Some(Instruction { float: numbers(word).map(Box::new), ..instruction })
    });
    decoded.ok_or(DecodeError::Unknown { address, bits, isa: xlen.name() })
}

pub(super) struct Decoder {
    address: u64,
    size: u8,
    pub(super) xlen: Xlen,
}

/// Returns a register operand; register 0 is the constant 0.
pub(super) fn operand(number: u8) -> Operand {
    if number == 0 { Operand::Constant(0) } else { Operand::Register(Register::new(number)) }
}

pub(super) fn target(number: u8) -> Option<Register> {
    (number != 0).then_some(Register::new(number))
}

impl Decoder {
    fn word(&self, w: Word) -> Option<Instruction> {
        match w.opcode() {
            0x37 => self.set(w.rd(), "lui", w.u()),
            0x17 => self.set(w.rd(), "auipc", (self.address as i64).wrapping_add(w.u())),
            0x6f => self.jump_and_link(w),
            0x67 if w.funct3() == 0 => self.jump_and_link_register(w),
            0x63 => self.branch(w),
            0x03 => self.load(w),
            0x23 => self.store(w),
            0x13 => self.immediate(w, self.width()),
            0x1b if self.xlen == Xlen::Rv64 => self.immediate(w, Width::Word),
            0x33 => self.register(w, self.width()),
            0x3b if self.xlen == Xlen::Rv64 => self.register(w, Width::Word),
            0x2f => self.atomic(w),
            0x07 => self.load_float(w),
            0x27 => self.store_float(w),
            0x43 => self.fused(w, ["fmadd.s", "fmadd.d"]),
            0x47 => self.fused(w, ["fmsub.s", "fmsub.d"]),
            0x4b => self.fused(w, ["fnmsub.s", "fnmsub.d"]),
            0x4f => self.fused(w, ["fnmadd.s", "fnmadd.d"]),
            0x53 => self.float(w),
            0x0f => self.fence(w),
            0x73 => self.system(w),
            _ => None,
        }
    }

    pub(super) fn width(&self) -> Width {
        match self.xlen {
            Xlen::Rv32 => Width::Word,
            Xlen::Rv64 => Width::Double,
        }
    }

    pub(super) fn done(
        &self,
        mnemonic: &'static str,
        class: Class,
        emit: Emit,
        flow: Flow,
    ) -> Option<Instruction> {
        let effects = emit.effects;
        Some(Instruction {
            address: self.address,
            size: self.size,
            mnemonic,
            class,
            effects,
            flow,
            guard: None,
            echo: None,
            float: None,
        })
    }

    /// Returns an address of code, as a number of the register's width.
    fn code_address(&self, address: u64) -> u64 {
        match self.xlen {
            Xlen::Rv32 => address & 0xffff_ffff,
            Xlen::Rv64 => address,
        }
    }

    fn relative(&self, distance: i64) -> u64 {
        self.code_address(self.address.wrapping_add(distance as u64))
    }

    fn set(&self, rd: u8, mnemonic: &'static str, value: i64) -> Option<Instruction> {
        let value = match self.xlen {
            Xlen::Rv32 => i64::from(value as i32),
            Xlen::Rv64 => value,
        };
        let mut emit = Emit::default();
        if let Some(target) = target(rd) {
            emit.copy(target, constant(value), self.width());
        }
        self.done(mnemonic, Class::Arithmetic, emit, Flow::Next)
    }

    /// Keeps the return address in a register that is no link register.
    fn keep_return_address(&self, emit: &mut Emit, rd: u8) {
        let next = self.relative(i64::from(self.size));
        let next = if self.xlen == Xlen::Rv32 { i64::from(next as i32) as u64 } else { next };
        if let Some(target) = target(rd) {
            emit.copy(target, Operand::Constant(next), self.width());
        }
    }

    fn jump_and_link(&self, w: Word) -> Option<Instruction> {
        let to = Target::Fixed(self.relative(w.j()));
        let mut emit = Emit::default();
        let flow = match Register::new(w.rd()) {
            link @ (RA | T0) => Flow::Call { target: to, link },
            _ => {
                self.keep_return_address(&mut emit, w.rd());
                Flow::Jump(to)
            }
        };
        self.done("jal", Class::Jump, emit, flow)
    }

    fn jump_and_link_register(&self, w: Word) -> Option<Instruction> {
        let to = |base| Target::Computed(Address { base, offset: w.i() });
        let base = operand(w.rs1());
        let mut emit = Emit::default();
        let flow = match (Register::new(w.rd()), Register::new(w.rs1())) {
            (link @ (RA | T0), _) => Flow::Call { target: to(base), link },
            (Register::LOST, link @ (RA | T0)) if w.i() == 0 => Flow::Return { link },
            (rd, rs1) if rd != rs1 || rd == Register::LOST => {
                self.keep_return_address(&mut emit, w.rd());
                Flow::Jump(to(base))
            }
            // `jalr a0, a0`: the target is saved before the register changes.
            _ => {
                emit.copy(SCRATCH, base, self.width());
                self.keep_return_address(&mut emit, w.rd());
                Flow::Jump(to(Operand::Register(SCRATCH)))
            }
        };
        self.done("jalr", Class::IndirectJump, emit, flow)
    }

    fn branch(&self, w: Word) -> Option<Instruction> {
        let (mnemonic, comparison) = match w.funct3() {
            0 => ("beq", Comparison::Equal),
            1 => ("bne", Comparison::NotEqual),
            4 => ("blt", Comparison::LessSigned),
            5 => ("bge", Comparison::NotLessSigned),
            6 => ("bltu", Comparison::LessUnsigned),
            7 => ("bgeu", Comparison::NotLessUnsigned),
            _ => return None,
        };
        let (left, right) = (operand(w.rs1()), operand(w.rs2()));
        let flow = Flow::Branch { comparison, left, right, target: self.relative(w.b()) };
        self.done(mnemonic, Class::Branch, Emit::default(), flow)
    }

    fn load(&self, w: Word) -> Option<Instruction> {
        let rv64 = self.xlen == Xlen::Rv64;
        let (mnemonic, width, signed) = match w.funct3() {
            0 => ("lb", Width::Byte, true),
            1 => ("lh", Width::Half, true),
            2 => ("lw", Width::Word, true),
            3 if rv64 => ("ld", Width::Double, true),
            4 => ("lbu", Width::Byte, false),
            5 => ("lhu", Width::Half, false),
            6 if rv64 => ("lwu", Width::Word, false),
            _ => return None,
        };
        let address = Address { base: operand(w.rs1()), offset: w.i() };
        let mut emit = Emit::default();
        emit.load(Register::new(w.rd()), address, width, signed);
        self.done(mnemonic, Class::Load, emit, Flow::Next)
    }

    fn store(&self, w: Word) -> Option<Instruction> {
        let (mnemonic, width) = match w.funct3() {
            0 => ("sb", Width::Byte),
            1 => ("sh", Width::Half),
            2 => ("sw", Width::Word),
            3 if self.xlen == Xlen::Rv64 => ("sd", Width::Double),
            _ => return None,
        };
        let address = Address { base: operand(w.rs1()), offset: w.s() };
        let mut emit = Emit::default();
        emit.store(address, operand(w.rs2()), width);
        self.done(mnemonic, Class::Store, emit, Flow::Next)
    }

    fn immediate(&self, w: Word, width: Width) -> Option<Instruction> {
        let short = width != self.width();
        let amount_bits = if width == Width::Double { 6 } else { 5 };
        let amount = w.i() & ((1 << amount_bits) - 1);
        let shift_kind = (w.i() & 0xfff) >> amount_bits;
        let arithmetic_shift = 0x400 >> amount_bits;
        let (name, operation, right) = match w.funct3() {
            0 => (if short { "addiw" } else { "addi" }, Binary::Add, w.i()),
            1 if shift_kind == 0 => {
                (if short { "slliw" } else { "slli" }, Binary::ShiftLeft, amount)
            }
            5 if shift_kind == 0 => {
                (if short { "srliw" } else { "srli" }, Binary::ShiftRight, amount)
            }
            5 if shift_kind == arithmetic_shift => {
                (if short { "sraiw" } else { "srai" }, Binary::ShiftRightSigned, amount)
            }
            2 if !short => ("slti", Binary::LessSigned, w.i()),
            3 if !short => ("sltiu", Binary::LessUnsigned, w.i()),
            4 if !short => ("xori", Binary::Xor, w.i()),
            6 if !short => ("ori", Binary::Or, w.i()),
            7 if !short => ("andi", Binary::And, w.i()),
            _ => return self.bits_of_register(w, width),
        };
        let class = if matches!(w.funct3(), 1 | 5) { Class::Shift } else { Class::Arithmetic };
        let emit = computed(w.rd(), operation, (operand(w.rs1()), constant(right)), width);
        self.done(name, class, emit, Flow::Next)
    }

    fn register(&self, w: Word, width: Width) -> Option<Instruction> {
        let short = width != self.width();
        let pick = |word: &'static str, full: &'static str| if short { word } else { full };
        let (name, class, operation) = match (w.funct7(), w.funct3()) {
            (0x00, 0) => (pick("addw", "add"), Class::Arithmetic, Binary::Add),
            (0x20, 0) => (pick("subw", "sub"), Class::Arithmetic, Binary::Subtract),
            (0x00, 1) => (pick("sllw", "sll"), Class::Shift, Binary::ShiftLeft),
            (0x00, 5) => (pick("srlw", "srl"), Class::Shift, Binary::ShiftRight),
            (0x20, 5) => (pick("sraw", "sra"), Class::Shift, Binary::ShiftRightSigned),
            (0x00, 2) if !short => ("slt", Class::Arithmetic, Binary::LessSigned),
            (0x00, 3) if !short => ("sltu", Class::Arithmetic, Binary::LessUnsigned),
            (0x00, 4) if !short => ("xor", Class::Arithmetic, Binary::Xor),
            (0x00, 6) if !short => ("or", Class::Arithmetic, Binary::Or),
            (0x00, 7) if !short => ("and", Class::Arithmetic, Binary::And),
            (0x01, 0) => (pick("mulw", "mul"), Class::Multiply, Binary::Multiply),
            (0x01, 1) if !short => ("mulh", Class::Multiply, Binary::MultiplyHighSigned),
            (0x01, 2) if !short => ("mulhsu", Class::Multiply, Binary::MultiplyHighMixed),
            (0x01, 3) if !short => ("mulhu", Class::Multiply, Binary::MultiplyHighUnsigned),
            (0x01, 4) => (pick("divw", "div"), Class::Divide, Binary::DivideSigned),
            (0x01, 5) => (pick("divuw", "divu"), Class::Divide, Binary::DivideUnsigned),
            (0x01, 6) => (pick("remw", "rem"), Class::Divide, Binary::RemainderSigned),
            (0x01, 7) => (pick("remuw", "remu"), Class::Divide, Binary::RemainderUnsigned),
            _ => return self.bits_of_registers(w, width),
        };
        let emit = computed(w.rd(), operation, (operand(w.rs1()), operand(w.rs2())), width);
        self.done(name, class, emit, Flow::Next)
    }

    fn atomic(&self, w: Word) -> Option<Instruction> {
        let (double, width) = match w.funct3() {
            2 => (false, Width::Word),
            3 if self.xlen == Xlen::Rv64 => (true, Width::Double),
            _ => return None,
        };
        let pick = |word: &'static str, full: &'static str| if double { full } else { word };
        let address = Address { base: operand(w.rs1()), offset: 0 };
        let mut emit = Emit::default();
        let name = match w.funct5() {
            0x02 if w.rs2() == 0 => {
                emit.load(Register::new(w.rd()), address, width, true);
                pick("lr.w", "lr.d")
            }
            0x03 => {
                emit.hide(operand(w.rs2()));
                emit.atomic(None, address, width);
                // Whether it was stored.
                target(w.rd()).into_iter().for_each(|target| emit.unknown(target));
                pick("sc.w", "sc.d")
            }
            funct5 => {
                let (word, full) = memory_operation(funct5)?;
                emit.hide(operand(w.rs2()));
                emit.atomic(target(w.rd()), address, width);
                pick(word, full)
            }
        };
        self.done(name, Class::Atomic, emit, Flow::Next)
    }

    fn fence(&self, w: Word) -> Option<Instruction> {
        let name = match w.funct3() {
            0 => "fence",
            1 => "fence.i",
            _ => return None,
        };
        self.done(name, Class::Fence, Emit::default(), Flow::Next)
    }

    fn system(&self, w: Word) -> Option<Instruction> {
        let system = |name, flow| self.done(name, Class::System, Emit::default(), flow);
        match (w.funct3(), w.0) {
            // `unimp` where nothing is compressed: a write to `cycle`, which nothing may write.
            (_, 0xc000_1073) => system("unimp", Flow::Breakpoint),
            (0, 0x0000_0073) => system("ecall", Flow::SystemCall),
            (0, 0x0010_0073) => system("ebreak", Flow::Breakpoint),
            (0, 0x3020_0073) => system("mret", Flow::TrapReturn),
            (0, 0x1020_0073) => system("sret", Flow::TrapReturn),
            (0, 0x1050_0073) => system("wfi", Flow::WaitForInterrupt),
            (0, _) if w.funct7() == 0x09 && w.rd() == 0 => {
                self.done("sfence.vma", Class::Fence, Emit::default(), Flow::Next)
            }
            (0 | 4, _) => None,
            (funct3, _) => {
                let name = ["csrrw", "csrrs", "csrrc", "", "csrrwi", "csrrsi", "csrrci"]
                    [funct3 as usize - 1];
                let mut emit = Emit::default();
                if funct3 < 4 {
                    emit.hide(operand(w.rs1()));
                }
                if let Some(target) = target(w.rd()) {
                    match StatusAccess::of(w.0).map(|access| access.register) {
                        Some(Status::Cause) => {
                            emit.copy(target, Operand::Register(super::CAUSE), self.width());
                        }
                        Some(Status::Pending) => {
                            emit.copy(target, Operand::Register(super::PENDING), self.width());
                        }
                        _ => emit.unknown(target),
                    }
                }
                self.done(name, Class::Status, emit, Flow::Next)
            }
        }
    }
}

fn memory_operation(funct5: u32) -> Option<(&'static str, &'static str)> {
    Some(match funct5 {
        0x00 => ("amoadd.w", "amoadd.d"),
        0x01 => ("amoswap.w", "amoswap.d"),
        0x04 => ("amoxor.w", "amoxor.d"),
        0x08 => ("amoor.w", "amoor.d"),
        0x0c => ("amoand.w", "amoand.d"),
        0x10 => ("amomin.w", "amomin.d"),
        0x14 => ("amomax.w", "amomax.d"),
        0x18 => ("amominu.w", "amominu.d"),
        0x1c => ("amomaxu.w", "amomaxu.d"),
        _ => return None,
    })
}

/// Returns the effect of an operation on two operands.
fn computed(rd: u8, operation: Binary, operands: (Operand, Operand), width: Width) -> Emit {
    // Also where the result is thrown away: the operands are waited for.
    let mut emit = Emit::default();
    emit.compute(Register::new(rd), operation, operands, width);
    emit
}
