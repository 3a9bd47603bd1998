//! The program that sets all components up.
//!
//! Its one thread passes the gate of every component three times: before anything
//! (`pre_init`), for each interface (`iface__init`), and after everything (`post_init`).
//! A component that faults on the way does not keep the others from starting, nor does one that
//! takes longer than it may: what it has for all three is counted down here. Then it signals the
//! events of threads that wait for them in a loop: with that job, the first, they come to where
//! they wait.

use crate::builder::Builder;
use crate::failure::{self, Failure};
use crate::messages;
use crate::tool::Options;
use fusee_image_format::abi;
use fusee_model::System;
use fusee_tables::{Machine, symbol};
use minijinja::context;
use std::path::PathBuf;

/// Phases of initialization.
const PHASES: usize = 3;

/// Builds the boot domain's program.
pub(crate) fn link(builder: &Builder<'_>, machine: &Machine) -> Result<PathBuf, Failure> {
    let domain = &machine.domains[machine.boot_domain()];
    let source = builder.out.join("glue").join("boot.S");
    failure::write(
        &source,
        &text(&budgets(builder.request.system, machine), machine.set_up.len()),
    )?;
    let object = builder.out.join("objects").join("boot.o");
    let said = builder.tools.compile(&source, &object, &Options { includes: &[], flags: &[] })?;
    if !said.fine {
        return Err(vec![messages::linking("boot", &said.text)]);
    }
    let script = builder.out.join("domains").join("boot.ld");
    let page = fusee_image_format::virtual_map::PAGE_BYTES;
    let values = context! {
        name => domain.name.clone(),
        base => domain.base,
        page => page,
        heap => 0,
        words => false,
        shares => Vec::<u64>::new(),
    };
    failure::write(&script, &builder.templates.write("domain.ld", values)?)?;
    let program = builder.out.join("domains").join("boot.elf");
    let said = builder.tools.link(&script, &[object], &["-nostdlib".to_owned()], &program)?;
    if said.fine { Ok(program) } else { Err(vec![messages::linking("boot", &said.text)]) }
}

/// Returns the time in nanoseconds that each component has to set itself up, in the order of slots.
fn budgets(system: &System, machine: &Machine) -> Vec<u32> {
    let budget = |(_, component)| {
        let own = system.component(component).startup;
        own.map_or(abi::UNLIMITED, |own| u32::try_from(own.value.ns()).unwrap_or(abi::UNLIMITED))
    };
    machine.init_gates().map(budget).collect()
}

/// The program: slot by slot, phase by phase, each for as long as its component has left, then the
/// signals for threads that set themselves up. Results and errors are of no interest.
fn text(budgets: &[u32], signals: usize) -> String {
    let (boot, invoke, complete, shift) =
        (symbol::BOOT, abi::INVOKE, abi::COMPLETE, abi::METHOD_SHIFT);
    let (signal, limit, slots) = (abi::SIGNAL, abi::LIMIT, budgets.len());
    let all = slots + signals;
    let left: String = budgets.iter().map(|budget| format!("    .word {budget}\n")).collect();
    format!(
        "/* Sets all components up; generated. */
    .section .text.fusee.boot, \"ax\", @progbits
    .globl {boot}
    .type {boot}, @function
{boot}:
    li s0, 0
1:  li s1, 0
    li s2, {slots}
    la s3, 6f
    la s4, 8f
    beq s1, s2, 3f
2:  lw a0, 0(s3)
    beqz a0, 7f
    li a7, {limit}
    li a6, 0
    li t0, 0
    ecall
    /* What the one before has left. */
    sw a0, 0(s4)
    mv s4, s3
    slli a6, s0, {shift}
    or a6, a6, s1
    li a7, {invoke}
    li t0, 0
    ecall
7:  addi s3, s3, 4
    addi s1, s1, 1
    bne s1, s2, 2b
    li a0, -1
    li a7, {limit}
    li a6, 0
    li t0, 0
    ecall
    sw a0, 0(s4)
3:  addi s0, s0, 1
    li t1, {PHASES}
    bne s0, t1, 1b
    li s1, {slots}
    li s2, {all}
4:  beq s1, s2, 5f
    mv a6, s1
    li a7, {signal}
    li t0, 0
    ecall
    addi s1, s1, 1
    j 4b
5:  li a7, {complete}
    ecall
    ebreak
    .size {boot}, . - {boot}

    .section .data, \"aw\", @progbits
    .balign 4
6:
{left}8:
    .word 0
"
    )
}
