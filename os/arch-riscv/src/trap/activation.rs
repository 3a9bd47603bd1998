//! Words and stack of an activation, and the records of its faults.

use crate::context::Context;
use crate::machine::Machine;
use crate::shared::Packet;
use crate::{csr, exit, message};
use fusee_image_format::{MachineKind, abi};
use fusee_kernel::{GlobalIndex, ThreadIndex, Time};
use fusee_system::Stack;
use fusee_trap_flow::Registers;

/// A thread of this core has come back: it gets the words.
pub(super) fn take_results(machine: &mut Machine, global: GlobalIndex, thread: ThreadIndex) {
    let seat = machine.system.globals.seat(global, thread);
    // SAFETY:
    // 1. Its request is over, so the packet is its core's again.
    let packet = unsafe { machine.shared.packet(global, seat).read() };
    let context = machine.context(thread);
    context.keep_words(packet.words);
    context.keep_further(packet.further);
}

/// The packet of the activation's owner.
pub(super) fn packet_of_owner(machine: &Machine, global: GlobalIndex) -> Packet {
    // SAFETY:
    // 1. This core executes the activation, so until it comes back the packet is for this core.
    unsafe { machine.shared.packet(global, machine.owner).read() }
}

/// The activation begins, with its owner's words.
pub(super) fn begin(machine: &mut Machine, global: GlobalIndex, context: Context) -> ! {
    let (packet, stack) = (packet_of_owner(machine, global), machine.system.stack_of(global));
    if packet.further > 0 {
        message::copy(&of_message(packet.message), stack, packet.further);
    }
    exit::enter(context, stack, packet.words, packet.further, packet.who)
}

/// A stack of which only the message area is known.
pub(super) fn of_message(message: usize) -> Stack {
    Stack { message: message as u32, ..Stack::default() }
}

/// The stack on which an activation is at a depth.
pub(super) fn stack(machine: &Machine, global: GlobalIndex, depth: u8) -> &'static Stack {
    if depth == 0 {
        return machine.system.stack_of(global);
    }
    // SAFETY:
    // 1. This core executes the activation, and has written the number when that came there.
    machine.system.stack_below(unsafe { machine.shared.stack(global, depth).read() })
}

/// Records a fault of the activation that this core executes.
pub(super) fn record_fault(machine: &mut Machine, now: Time) {
    let inside = *machine.system.between().inside();
    let thread = machine.system.kernel().current();
    let (place, address, cause) = (csr::program_counter(), csr::trap_value(), csr::cause());
    let method = packet_of_owner(machine, inside.global).who >> abi::METHOD_SHIFT;
    let gate = machine.system.globals.stand_in(inside.global).0;
    let sink = machine.system.sink();
    sink.machine(now, MachineKind::FaultAt, thread, cause as u16, place as u64);
    let component = inside.component.0;
    sink.machine(now, MachineKind::FaultAddress, thread, component, address as u64);
    sink.machine(now, MachineKind::FaultMethod, thread, gate, (method & 0xffff) as u64);
}
