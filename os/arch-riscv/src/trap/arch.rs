//! The processor as the portable flow sees it.
//!
//! What a machine only *does* is here: it keeps registers, sets the timer, copies messages, and
//! leaves by one of the exits. What it is to do, and in which order, is `fusee_trap_flow`'s.

#[cfg(feature = "cores")]
use super::between;
use super::token::{Never, RefusedReturn, Trap};
use super::{idle, passage};
use crate::context::{A0, A7, Context, FRAME_WORDS, INTERRUPTED, REQUEST, T0};
use crate::halt::halt;
use crate::{clock, csr, devices, exit, message, physical};
use core::num::NonZero;
use fusee_image_format::{MachineKind, Status, abi};
use fusee_kernel::{
    Changed, ComponentIndex, Error, Flow, GateIndex, Heard, Kernel, NextChosen, StackIndex,
    ThreadIndex, Time,
};
#[cfg(feature = "schedulers")]
use fusee_system::System;
use fusee_system::{Listening, Policy, Recorder, Stack, Verdict};
use fusee_trap_flow::{Arch, FaultPlace, Registers};

impl Registers for Context {
    #[inline(always)]
    fn words(self) -> [usize; 6] {
        core::array::from_fn(|index| self.get(A0 + index))
    }

    #[inline(always)]
    fn keep_words(self, words: [usize; 6]) {
        for (index, word) in words.into_iter().enumerate() {
            self.set(A0 + index, word);
        }
    }

    #[inline(always)]
    fn further(self) -> usize {
        self.get(T0)
    }

    #[inline(always)]
    fn keep_further(self, further: usize) {
        self.set(T0, further);
    }

    #[inline(always)]
    fn slot(self) -> u16 {
        Context::slot(self)
    }

    #[inline(always)]
    fn method(self) -> u16 {
        Context::method(self)
    }

    #[inline(always)]
    fn request(self) -> usize {
        self.get(REQUEST)
    }

    #[inline(always)]
    fn is_interrupted(self) -> bool {
        self.get(REQUEST) == INTERRUPTED
    }

    #[inline(always)]
    fn operation(self) -> usize {
        self.get(A7)
    }

    #[inline(always)]
    fn carry_over(self, to: Context) {
        for word in 0..FRAME_WORDS {
            to.set(word, self.get(word));
        }
    }

    #[inline(always)]
    fn step_back(self) {
        #[cfg(feature = "priority-ceiling")]
        Context::step_back(self);
    }

    #[inline(always)]
    fn callees(self) -> Context {
        Context::callees(self)
    }

    #[inline(always)]
    fn callers(self) -> Context {
        Context::callers(self)
    }
}

impl Arch<'static> for Trap {
    type Policy = Policy;
    type Sink = Recorder;
    type Listener = Listening;
    type Context = Context;
    type Stack = &'static Stack;
    type Exit = Never;
    type Return = RefusedReturn;

    #[inline(always)]
    fn kernel(&self) -> &Kernel<'static, Policy, Recorder> {
        self.system().kernel()
    }

    #[inline(always)]
    fn flow(&mut self) -> Flow<'_, 'static, Policy, Recorder, Listening> {
        self.system_mut().flow()
    }

    #[inline(always)]
    fn hear(&mut self, now: Time, changed: Changed) -> Heard {
        self.system_mut().hear(now, changed)
    }

    const HAS_SLEEPERS: bool = cfg!(feature = "lock-services");

    #[inline(always)]
    fn simple_call(&mut self, now: Time, operation: usize, slot: u16) -> Result<NextChosen, Error> {
        self.system_mut().call(now, operation, slot)
    }

    #[cfg(feature = "mutex-words")]
    #[inline(always)]
    fn end_invocation(&mut self, now: Time, event: fusee_kernel::Event) -> Result<Changed, Error> {
        super::words::end_invocation(self, now, event)
    }

    #[cfg(feature = "checked")]
    fn check(&self) {
        if let Err(broken) = self.kernel().check() {
            halt(Status::BrokenInvariant, broken as u64, 0);
        }
    }

    #[inline(always)]
    fn now(&self) -> Time {
        clock::now()
    }

    #[inline(always)]
    fn now_for_records(&self) -> Time {
        clock::now_for_records()
    }

    #[inline(always)]
    fn deadline(&self) -> Time {
        self.system().deadline()
    }

    #[inline(always)]
    fn armed(&self) -> Time {
        self.machine().armed
    }

    #[inline(always)]
    fn set_timer(&mut self, deadline: Time) {
        self.machine_mut().armed = deadline;
        devices::set_timer(deadline);
    }

    #[inline(always)]
    fn context_of(&self, thread: ThreadIndex, frame: u16) -> Context {
        self.machine().context_of(thread, frame)
    }

    #[inline(always)]
    fn discarded(&self) -> Context {
        Context::discarded()
    }

    #[inline(always)]
    fn home(&self, thread: ThreadIndex) -> &'static Stack {
        self.system().home(thread)
    }

    #[inline(always)]
    fn gate_stack(&self, stack: StackIndex) -> &'static Stack {
        self.system().gate_stack(stack)
    }

    #[inline(always)]
    fn stack_or_home(&self, stack: StackIndex, thread: ThreadIndex) -> &'static Stack {
        self.system().stack_or_home(stack, thread)
    }

    #[inline(always)]
    fn copy_message(&mut self, from: &'static Stack, to: &'static Stack, words: usize) {
        message::copy(from, to, words);
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn number(&self, thread: ThreadIndex) -> usize {
        self.system().globals.number(thread)
    }

    #[inline(always)]
    fn enter_at(
        self,
        context: Context,
        stack: &'static Stack,
        words: [usize; 6],
        further: usize,
        who: usize,
    ) -> Never {
        exit::enter(context, stack, words, further, who)
    }

    #[inline(always)]
    fn resume_call(
        self,
        context: Context,
        words: [usize; 6],
        further: usize,
        error: usize,
    ) -> Never {
        exit::resume_call(context, context, words, further, error)
    }

    #[inline(always)]
    fn resume_interrupted(self, context: Context) -> Never {
        exit::resume_interrupted(context)
    }

    #[inline(always)]
    fn nowhere(self, context: Context) -> Never {
        exit::nowhere(context)
    }

    #[inline(always)]
    fn idle(self) -> Never {
        idle()
    }

    #[inline(always)]
    fn halt(self, status: Status, detail: u64, address: u64) -> Never {
        halt(status, detail, address)
    }

    #[inline(always)]
    fn leaves(exit: Never) -> RefusedReturn {
        match exit {}
    }

    #[inline(always)]
    fn refuse_return(self, context: Context, error: usize) -> RefusedReturn {
        RefusedReturn { context: context.address(), error }
    }

    #[inline(always)]
    fn go_on_slow(self, gate: GateIndex, context: Context) -> Never {
        passage::go_on_slow(gate, context)
    }

    #[inline(always)]
    fn claim(&mut self) -> Option<NonZero<u16>> {
        devices::claim()
    }

    #[inline(always)]
    fn line(&self, source: u16) -> Option<u16> {
        self.system().line(source)
    }

    #[inline(always)]
    fn acknowledge(&mut self, slot: u16) -> Result<(), Error> {
        self.system().acknowledge(slot).map(devices::complete)
    }

    #[inline(always)]
    fn restore(&mut self, component: ComponentIndex) -> bool {
        let piece = self.system_mut().piece(component);
        if let Some(piece) = &piece {
            // SAFETY:
            // 1. The boot has checked all ranges with `is_copy`.
            // 2. The kernel refers to no memory of components.
            unsafe { physical::restore(piece) }
        }
        piece.is_some()
    }

    #[inline(always)]
    fn record_restart(&mut self, now: Time, thread: ThreadIndex) {
        self.system_mut().record_restart(now, thread);
    }

    #[inline(always)]
    fn fault_place(&self) -> FaultPlace {
        let (place, address, cause) = (csr::program_counter(), csr::trap_value(), csr::cause());
        FaultPlace { place, address, cause }
    }

    #[inline(always)]
    fn record(
        &mut self,
        now: Time,
        kind: MachineKind,
        thread: ThreadIndex,
        object: u16,
        value: u64,
    ) {
        self.system_mut().sink().machine(now, kind, thread, object, value);
    }

    #[inline(always)]
    fn is_due(&self, now: Time) -> bool {
        self.system().watch.is_due(now)
    }

    #[inline(always)]
    fn ends(&self, now: Time) -> Option<Status> {
        match self.system().watch.verdict(now) {
            Verdict::Ends(status) => Some(status),
            Verdict::OutOfTime => None,
        }
    }

    #[inline(always)]
    fn end_set_up(&mut self, now: Time) -> Result<(), Changed> {
        self.system_mut().end_set_up(now)
    }

    #[inline(always)]
    fn out_of_time(self) -> Never {
        csr::write!("mcause", abi::OUT_OF_TIME as usize);
        super::fault()
    }

    #[inline(always)]
    fn limit(&mut self, now: Time, amount: u32) -> Result<NextChosen, Error> {
        self.system_mut().limit(now, amount)
    }

    #[inline(always)]
    fn is_special(operation: usize) -> bool {
        #[cfg(feature = "schedulers")]
        if System::is_decision(operation) {
            return true;
        }
        cfg!(feature = "mutex-words") && matches!(operation, abi::LOCK | abi::UNLOCK)
    }

    #[cfg(any(feature = "schedulers", feature = "mutex-words"))]
    #[inline(always)]
    fn special_call(
        self,
        operation: usize,
        slot: u16,
        words: [usize; 6],
        context: Context,
    ) -> Never {
        #[cfg(feature = "schedulers")]
        if System::is_decision(operation) {
            let call = fusee_system::SchedulerCall { operation, slot, words };
            super::schedulers::decide(self, context, &call);
        }
        #[cfg(feature = "mutex-words")]
        if matches!(operation, abi::LOCK | abi::UNLOCK) {
            let _ = words;
            super::words::call(self, context, operation, slot);
        }
        fusee_trap_flow::answer(self, context, abi::NO_SUCH_OPERATION)
    }

    const LEADS_ELSEWHERE: bool = cfg!(feature = "cores");
    const ASKS_AGAIN: bool = cfg!(feature = "priority-ceiling");
    const LEAKS_WHERE_RESTORED: bool = cfg!(feature = "leaks-where-restored");
    const LEAKS_WHERE_UNLOCKED: bool = cfg!(feature = "leaks-where-unlocked");

    #[cfg(not(feature = "cores"))]
    #[inline(always)]
    fn signal_elsewhere(self, _slot: u16, context: Context) -> Never {
        fusee_trap_flow::answer(self, context, Error::NoCapability as usize)
    }

    #[cfg(not(feature = "cores"))]
    #[inline(always)]
    fn invoke_elsewhere(self, context: Context) -> Never {
        let refusal = self.kernel().refusal(context.slot());
        fusee_trap_flow::answer(self, context, refusal as usize)
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn signal_elsewhere(self, slot: u16, context: Context) -> Never {
        between::signal(self, slot, context)
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn invoke_elsewhere(self, context: Context) -> Never {
        between::invoke_elsewhere(self, context)
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn lock_elsewhere(self, context: Context, operation: usize, slot: u16) -> Never {
        between::at_mutex(self, context, operation, slot)
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn keep_account(&mut self, now: Time) {
        if self.system().globals.holds_mutex() {
            between::keep_account(self, now);
        }
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn keeps_others_waiting(&mut self, event: fusee_kernel::Event) -> bool {
        let system = self.system_mut();
        system.globals.holds_mutex() && system.between().keeps_waiting(event)
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn fault_beside_others(mut self, now: Time, thread: ThreadIndex) -> Result<Never, Trap> {
        // Whatever else is asked is not asked of a thread that is by itself.
        if self.system_mut().between().concerns_others() {
            return between::fault_beside_others(self, now, thread);
        }
        Err(self)
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn has_asked(&mut self, thread: ThreadIndex) -> bool {
        self.system_mut().between().asked(thread).is_some()
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn stands_elsewhere(&self, context: Context) -> bool {
        context.get(REQUEST) == crate::context::ASKED
    }

    #[cfg(feature = "cores")]
    #[inline(always)]
    fn come_back(self) -> Never {
        between::come_back(self)
    }
}
