//! Seeded defects, for the explorer's own tests.
//!
//! An explorer that has never found a defect proves nothing. With the feature `mutations` (off, and
//! on only in the explorer's tests) the kernel can be wrong in any of these ways, for the thread of
//! the host that asks for it. Without the feature only the right expression is compiled: the wrong
//! one is gone before the compiler sees it, so no trace of it reaches a build.

/// Chooses between two expressions: the first where the defect is seeded, the second where it is
/// not.
#[cfg(feature = "mutations")]
macro_rules! seeded {
    ($defect:ident, $wrong:expr, $right:expr) => {
        if $crate::Mutation::$defect.is_seeded() { $wrong } else { $right }
    };
}

#[cfg(not(feature = "mutations"))]
macro_rules! seeded {
    ($defect:ident, $wrong:expr, $right:expr) => {
        $right
    };
}

pub(crate) use seeded;

#[cfg(feature = "mutations")]
mod seeds {
    use core::cell::Cell;

    // For each thread of the host: tests run side by side, and one must not see another's defect.
    std::thread_local! {
        static SEED: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    macro_rules! mutations {
        ($($module:literal: $($(#[$doc:meta])* $mutation:ident, $what:literal;)*)*) => {
            /// A way to be wrong.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub enum Mutation {
                $($(#[doc = $what] $mutation,)*)*
                /// No fast path is taken: not wrong, but without the shorter paths, to compare
                /// with.
                LongWays,
            }

            impl Mutation {
                /// All defects that can be seeded.
                pub const ALL: &[Mutation] = &[$($(Mutation::$mutation,)*)*];

                /// Returns the module in which it is seeded.
                pub const fn module(self) -> &'static str {
                    match self {
                        $($(Mutation::$mutation => $module,)*)*
                        // It is in no list of defects, because no rule can find it.
                        Mutation::LongWays => "none",
                    }
                }

                /// Returns a sentence that says what the defect does.
                pub const fn what(self) -> &'static str {
                    match self {
                        $($(Mutation::$mutation => $what,)*)*
                        Mutation::LongWays => "nothing is done at once",
                    }
                }

                /// Returns the defects of a module.
                pub fn of(module: &str) -> impl Iterator<Item = Mutation> {
                    Self::ALL.iter().copied().filter(move |defect| defect.module() == module)
                }
            }
        };
    }

    mutations! {
        "adopt":
        StrictUnlock, "an unlock without waiters is refused";
        UnseenWord, "a fault leaves the words as they are";
        ClearedRecord, "a restart clears an adopted word";
        TopmostRecord, "a record stands on the owner's topmost frame";
        TrustedOwner, "whoever a word names is adopted";
        EarlyOwner, "who is still to enter is adopted";
        RestoredFloor, "an unlock takes away what other mutexes demand";
        KeptRecord, "a record outlives its last waiter";
        EarlyRecord, "a record is made before the search for a circle";
        SilentDeath, "who gets a dead owner's mutex is not told";
        "budget":
        FreeLender, "a lender is not charged";
        LastLends, "of equals the last lends";
        ForgottenDebt, "no debt is recorded";
        ToldForever, "an overrun is signalled again and again";
        LateOverrun, "an overrun that an operation finds is signalled when time is limited next";
        StaleBudget, "a release does not fill the budget of an unfinished job";
        "ceilings":
        OwnCeiling, "only the ceiling of the gate entered last bars others";
        EqualEnters, "a priority that is equal to a ceiling is not barred";
        EffectiveAsks, "who asks counts with what it has inherited";
        FirstOnly, "only the first who waits for a ceiling asks again";
        HeirFirst, "who holds the next ceiling inherits before who waited is judged";
        HeirBars, "who has waited asks again only when no ceiling is held";
        "cores":
        LostResult, "a return does not tell the core of the owner whom it helped";
        LateClear, "a look is cleared after what it tells has been handled";
        AbsentOwner, "a hand-over tells the next owner only, present or not";
        SilentLoss, "a core that leaves a section passes nothing on";
        LazyLoss, "a core passes on only what it has executed";
        TwoCores, "who comes to run takes a section that another core executes";
        ForgottenOwner, "a helper that goes on with its own section forgets whom it helped";
        LatestFirst, "who asks last is served next";
        DroppedCeiling, "the ceiling is dropped while the section runs elsewhere";
        TurnsInside, "a time slice ends between asking and coming back";
        EndsInside, "a budget ends between asking and coming back";
        OpenLock, "the lock lets two in";
        LostContext, "a section that is taken away begins anew";
        HastyResult, "a look takes a result that is not there";
        OwnersOnly, "only the owner takes what nobody executes";
        SilentReturn, "a return tells the next nothing";
        EarlyPresence, "who waits suspended is present";
        JumpedOwner, "a higher request goes before the owner";
        SameResult, "who was helped is told of a return after a fault";
        KeptBoost, "who comes back keeps its boost";
        EarlyLook, "a core is told of a signal before that is in the mailbox";
        LateCollection, "a look is cleared after the mailbox is emptied";
        PlainSignal, "a signal is added by reading and writing";
        StrayLook, "a signal is told to the core that sends it";
        EmptiedMailbox, "a look takes all of a count for one";
        SilentRest, "what a look leaves in a mailbox is not told again";
        KeptMail, "a look leaves what it takes";
        UntoldFall, "a fault tells no other core of the restart";
        SecondFall, "a fault in a component that is to be restarted already restarts it anew";
        KeptEpoch, "a core leaves a component and keeps those who are in it";
        LeftTwice, "a look for nothing counts as leaving";
        EarlyRestore, "initial data are put back while another core is inside";
        WrittenTwice, "a core puts initial data back that another has put back";
        HalfWritten, "a component is open when a piece of its data is put back";
        MeekRequest, "who has asked is no more urgent than before";
        LateArrival, "a job that a signal of another core releases counts from a tick later";
        UncutSection, "a section goes on in whatever epoch it is";
        LostEpoch, "a section does not keep the epoch in which it begins";
        CallersEpoch, "a section that passes a gate takes its caller's epoch along";
        AdoptedSection, "who takes a section up takes it for one of its own epoch";
        EarlyCut, "a core that has not left yet cuts a section off";
        UnpunishedSection, "a fault in a section restarts nothing";
        HoardedMutex, "who unlocks a mutex between cores tells nobody";
        SurvivingMutex, "a fault leaves a mutex between cores locked";
        StaleOwner, "who is in a component that has ended keeps its mutex between cores";
        EndsWithMutex, "a budget ends between locking and unlocking";
        WaitingOwner, "who holds a mutex between cores waits";
        UnlimitedPosts, "a signal to another core is sent however often";
        EarlyPayback, "what signals to another core cost is paid back twice as fast";
        ForgottenPosts, "a signal to another core forgets those before it";
        SharedDebt, "what a thread owes for its signals to another core is all threads' debt";
        SecondMutex, "who holds a mutex between cores locks a second one";
        SameMutex, "who holds a mutex between cores is refused the same one only";
        FaultBelow, "a section finds a return where a fault has ended what it has called";
        LostFinding, "a section that comes back from a gate below it finds nothing";
        ExclusiveInside, "a section enters an exclusive gate";
        FirstGateOnly, "a section below another gate enters an exclusive one";
        "deadlines":
        LastLeads, "a match is won by who comes";
        LateFloor, "who takes a gate with a deadline floor keeps its own deadline";
        NowIsNoTop, "a gate that nobody preempts has the deadline of now";
        FrontIsLast, "who goes before its equals takes turns with the others there";
        RotatedInside, "a time slice ends inside a gate with a floor";
        "depend":
        KeptWake, "a wake-up is remembered for ever";
        AnyTarget, "who has no job is depended on";
        TopmostDependency, "a dependency stands on its thread's topmost frame";
        WakesAnywhere, "a wake-up reaches who sleeps through another component";
        ForgottenWake, "a wake-up before its sleep is forgotten";
        KeptDependency, "a dependency outlives its last sleeper";
        EarlyDependency, "a dependency is made before the search for a circle";
        KeptInheritance, "who wakes keeps what it has inherited";
        ForgottenSleepers, "a restart forgets who sleeps through the component";
        SilentEnd, "a job ends and leaves those asleep who depend on its thread";
        UnrevivedTarget, "who sleeps lends nothing to a suspended thread";
        WokenLender, "who is woken goes on to lend";
        "exchange":
        PlainTicket, "a ticket is read and written in two steps";
        UntoldInterrupt, "a core is interrupted before its bit is set";
        LateWithdrawal, "an interrupt is withdrawn after what is pending was read";
        ForgottenRest, "a core that is to look twice does not interrupt itself again";
        AllTaken, "a look takes all bits";
        "fault":
        LivingDead, "a component that should die goes on";
        MutexSurvives, "a fault leaves a mutex locked";
        NeverRestored, "a component that has been put back stays closed";
        Unpunished, "a component that should be restarted goes on";
        "flow":
        Unsettled, "what an operation leaves open is not settled";
        Unpromised, "what is done at once gives nobody anything";
        "invoke":
        LastInFirstOut, "a waiter enters before its equals";
        LowCeiling, "who enters is not raised to the ceiling";
        ShortSightedSearch, "the search for a circle looks at one holder only";
        ExhaustedHolder, "a holder without budget runs on its own account";
        ShortChain, "a chain of holders is followed no further than a thread nests";
        GoneCallee, "a call enters at once a component that is gone";
        GoneHolder, "a holder runs on at once in a component that is gone";
        "kernel":
        HomeCapabilities, "a slot is looked up in the caller's home";
        BlindTimer, "the timer is set to the next release only";
        "levels":
        ReleasedInFront, "a released thread goes before its equals";
        LowTop, "the highest level is that occupied last";
        "list":
        AheadOfEquals, "who queues by priority comes before its equals";
        UnsortedChange, "a waiter whose priority changes keeps its place";
        LostTail, "who follows the one that is taken out is lost";
        "memory":
        LostStacks, "a stack that is given back loses those behind it";
        SameEpoch, "a restarted component keeps its epoch";
        MergedCounts, "a signal to a counting notification hands its bits over";
        "notify":
        OverwrittenBits, "a signal overwrites what is pending";
        EmptiedCount, "a wait takes all of a count";
        OverfullCount, "a count goes one above its limit";
        PreemptedSignaller, "who signals a higher thread goes behind its equals";
        GoneWaiter, "a signal wakes at once who waits in a component that is gone";
        "priority":
        ShallowBoost, "only the holder of the gate inherits, not whom it waits for";
        LowFloors, "a boost does not raise the floors";
        BoostedBehind, "a boosted thread goes behind its equals";
        StaleLender, "a change of priority does not look for a better lender";
        "queue":
        EndlessSlice, "no limit is set for a time slice";
        UnusedSlice, "running takes nothing from a time slice";
        "release":
        Drift, "a periodic release counts from now";
        HastyMiss, "a miss is recorded at the deadline";
        CloseArrivals, "a deferred arrival does not move the earliest";
        UsedSlice, "a job begins with what is left of a time slice";
        ActualArrival, "a response time counts from the start of the job";
        "return_":
        LostHandOff, "a returning holder forgets who waits";
        SavedPriority, "a return restores the base priority";
        LeakedGate, "a fault leaves the gate held";
        KeptCore, "who returns keeps the core from a higher thread";
        GoneCaller, "a return leads at once into a component that is gone";
        ReturnedBehind, "who hands a gate to a higher thread goes behind its equals";
        NestedBehind, "who gets a gate inside another goes behind its equals";
        "funding":
        Unwithheld, "a thread with a scheduler runs as soon as it is released";
        UsedTwice, "what a thread has used is told again";
        StillRuns, "who is funded no more goes on";
        UnpaidHelp, "a holder runs on a waiter's time that nobody charges";
        UnlentGrant, "who is dispatched while it waits at a gate lends nothing";
        KeptLoan, "a holder keeps what a waiter has lent that has nothing any more";
        GateIsWait, "who waits at a gate gives its time back";
        FreeRefusal, "calls that are refused cost their scheduler nothing";
        UnfundedCall, "a scheduler whose budget has ended decides something";
        FreeSlice, "time on an account is charged to no time slice";
        PayersSlice, "a time slice is charged to who pays, and not to who runs";
        DispatchedBehind, "who takes its tree's place on the core goes behind its equals";
        "trees":
        LateExpiry, "the end of a budget stops a thread that must not be interrupted";
        LateTimeout, "a time-out stops a thread that must not be interrupted";
        LateAtOwn, "who must not be interrupted counts at its own level";
        TiePreempts, "an equal goes before who must not be interrupted";
        LostTimeout, "a time-out that came in such a section is lost";
        LateBehind, "who must not be interrupted goes on behind its equals";
        LateStorm, "the timer comes for a budget that may not end";
        DroppedArrival, "a scheduler that waits again makes what is due be forgotten";
        OthersPlace, "a tree takes the place of one of another priority";
        Unled, "whoever of a tree has waited longest at a gate is next";
        UntoldReturn, "nobody hears of the end of a section that must not be interrupted";
        UntoldWait, "who waits at a held gate is told to no scheduler";
        StaysActivated, "who ends as its scheduler's time-out is due stays activated";
        CalledDecides, "a component that a scheduler has called decides for it";
        HelperDecides, "who runs on a scheduler's time decides for it";
        AnyReceiver, "time is given to a thread that is no scheduler";
        AnyTree, "time is given to a scheduler of another's";
        UnchargedTimer, "the timer is set as if nothing had been used that is still to be charged";
        LentTimer, "the timer is not set to the end of what somebody else runs on";
        UndyingScheduler, "a scheduler whose job has ended waits on";
        UndyingStopped, "a scheduler whose job has ended as its time was over waits on";
        CallAtTimeout, "a scheduler decides something when a time-out is due";
        TimeoutAfter, "what happens at the instant of a time-out comes before it";
        ForgottenArrival, "of two threads that become ready at once one is not heard of";
        AskingWaits, "a scheduler that only asks waits";
        DeafAlarm, "an alarm wakes nobody";
        KeptPlace, "who had its tree's place on the core keeps it";
        LateActivated, "a scheduler of the kernel's own that begins later has control before";
        Unrevived, "a scheduler of the kernel's own whose job begins gets no control";
        StuckFirst, "who waits on another's time is dispatched, and its scheduler hears nothing";
        UnplacedNext, "whoever has control after who waits on another's time gets no core";
        EndedUnbegun, "whose job ended on another's time counts as not begun";
        WokenInFront, "a thread that becomes ready in an idle tree goes before its equals";
        "schedule":
        PreemptedBehind, "a preempted thread goes behind its equals";
        EqualPreempts, "a released thread takes the core from its equal";
        HalfRestored, "a thread runs in a component that is not yet put back";
        ToldTwice, "a thread is told again what it has found";
        SpentYield, "a yield does not refill the time slice";
        "tcaps":
        CutChain, "who follows the one that is taken out of a chain is lost";
        Overwritten, "a delegation improves what others think of the receiver";
        AnyAgrees, "one principal that agrees is enough to preempt";
        ForgivenDebt, "what is used after the end of a budget is forgiven";
        LaunderedDispatch, "a dispatch improves the root's priority";
        LaunderedAgain, "delegating again improves the root's priority";
        LaunderedOwn, "a receiver that is the root's keeps the root's priority";
        EmptyPreempts, "an account without budget preempts";
        TimeoutOnly, "the timer is not set to the end of a budget";
        LatestCycles, "an event has the cycles of the last stretch only";
        LastingPriority, "the priority of a dispatch outlasts it";
        SchedulersLevel, "a dispatched thread has the level of its scheduler";
        RepeatedEvent, "an event is received again";
        LostWakeUp, "an event does not wake a scheduler that waits";
        NoParent, "a scheduler without budget does not hand control to its parent";
        KeptTaint, "an account that ends keeps its foreign entries";
        BehindItsTree, "a scheduler that gets control is queued behind its own tree";
        BehindSiblings, "a scheduler that gets control is queued behind another one's threads";
        HeirBeforeTimeout, "a budget that ends as a time-out is due is inherited";
        EndlessSlot, "who yields until a time has no time-out";
        KeptBesides, "what was kept does not count for a slot";
        AlarmPreempts, "an alarm preempts who has the core";
        ForgottenTimeout, "the end of a budget forgets when schedulers want control back";
        StaleTimeout, "a time-out that is over fires still";
        PreemptedTimeout, "the time-out of a preempted thread is lost";
        StoppedPreempted, "who is preempted goes back to its scheduler";
        ChangedByRefusal, "a refused delegation changes its source's quality";
        Replaced, "a delegation replaces what was there";
        SilentFault, "a fault gives nobody control";
        DeadHeir, "a dead scheduler inherits";
        SkippedScheduler, "the end of a budget passes over the account's scheduler";
        PastTimeout, "a time-out in the past is accepted";
        UsedToken, "a token is accepted twice";
        UnwrappedToken, "tokens do not wrap around";
        KeptPending, "who is woken by a send finds it pending still";
        WakesAnyway, "an event of a thread that runs at once wakes its scheduler";
        PlainQuality, "the priority of the running dispatch does not count";
        Clamped, "budget above a limit is lost";
        Hoarded, "an account has no limit";
        WorsenedOwn, "receiving worsens what the receiver thinks of its own";
        UnpaidDebt, "what is received does not pay what is owed";
        Doubled, "what is given arrives twice";
        LoneGiver, "a delegation passes on its giver's opinion only";
        Forfeited, "who waits loses what is left";
        CleanWait, "who waits rids its account of foreign entries";
        Unrooted, "the root has no say about the kernel's own accounts";
        OverwrittenSource, "a delegation changes its source's quality";
        OldestFirst, "siblings inherit in the order of delegations";
        KeptGiven, "an account that was given away keeps its foreign entries";
        DispatchedLast, "who is dispatched goes behind its equals";
        SlotLast, "who is given a slot goes behind its equals";
        YieldedLast, "who is yielded to goes behind its equals";
        SilentPlace, "whoever has dispatched another is stopped, and its scheduler is not told";
        SilentStop, "a thread is stopped at a time-out, and its scheduler is not told";
        "thread":
        EarlyDepth, "the deepest invocation is refused";
        OldValue, "what a thread finds comes with an old value";
        LastTick, "a budget is used up a tick before its end";
        "timer":
        RightFirst, "of equal instants the last thread's is first";
        UnplayedRoot, "the last match of the tournament is not played";
    }

    impl Mutation {
        /// Runs something on a kernel that is wrong in this way.
        pub fn during<T>(self, run: impl FnOnce() -> T) -> T {
            // Put back and not cleared, so that one run may contain another.
            let before = SEED.replace(Some(self));
            let answer = run();
            SEED.set(before);
            answer
        }

        pub(crate) fn is_seeded(self) -> bool {
            SEED.get() == Some(self)
        }
    }
}

#[cfg(feature = "mutations")]
pub use seeds::Mutation;
