//! Code that takes paths over and over, interrupted an instant later each time.

/// Takes each path often: what interrupts it comes a step later each time, from the path's
/// beginning on. `aligned` waits for the instant at which to begin.
///
/// Where a path may be left out that ends in a state that has been seen (`SKIPS`), `REST` is what
/// it took from the interrupting thread's first instruction to the path's end. Where two instants
/// have the same rest, nothing was executed between them: the kernel was left at the same
/// instruction, or the core slept. So steps are doubled as long as the rest stays what it is, and
/// halved until it is known where it changes.
pub(crate) const SCHEDULE: &str = "
        .equ PATH, 40
        .equ DELAY, 41
        .equ BEGUN, 42
        .equ STEP, 43
        .equ DONE, 44
        .equ BASE, 45
        .equ JUMP, 46
        .equ GROWS, 47
        .equ REST, 48
        .equ LENGTHS, 64
        .equ RUNS, 128
        .equ HITS, 192
        .equ LATE, 100
        .equ FAULTED, 65
        .equ ABORTED, 66
        .equ UNKNOWN, 32
        .equ TOO_LONG, 33
        .equ NO_CAPABILITY, 2
        .equ REENTRY, 5
        .equ DEAD, 7
        .equ NOT_LOCKED, 17
        run: entry started
            li s0, DATA
            st zero, PATH, s0
        # Once as it is, since a component dies only once; then to see how long it takes.
        each: li t1, -2
            st t1, DELAY, s0
        again: li s0, DATA
            lx t4, DELAY, s0
            aligned
        # Until `t3`, to the instruction.
            rdcycle t1
            sub t3, t3, t1
            addi t5, t3, -2
            bgez t5, 1f
            li t3, 2
        1:  andi t4, t3, 1
            beqz t4, 1f
            nop
        1:  srli t3, t3, 1
        1:  addi t3, t3, -1
            bnez t3, 1b
            rdcycle t1
            st t1, BEGUN, s0
            lx t1, PATH, s0
            slli t1, t1, 2
            la t2, paths
            add t2, t2, t1
            jr t2
        whole: intact
            j finished
        # The first call of a component that dies in it is another than those that follow.
        whatever: beqz a6, 1f
            j bad
        1:  jal a6, own_nothing
            bnez a7, finished
            j bad
        finished: rdcycle t1
            li s0, DATA
            lx t3, DELAY, s0
            lx t4, PATH, s0
            li t5, W
            mul t4, t4, t5
            add t4, t4, s0
            bgez t3, 5f
            addi t3, t3, 1
            beqz t3, 4f
            st t3, DELAY, s0
            j again
        4:  lx t2, BEGUN, s0
            sub t1, t1, t2
            li t5, PERIOD / 2
            bltu t1, t5, 1f
            mv t1, t5
        1:  st t1, LENGTHS, t4
            li t2, MOST
            divu t2, t1, t2
            addi t2, t2, 1
            st t2, STEP, s0
            li t1, -1
            st t1, BASE, s0
            st t1, REST, s0
            li t5, 1
            st t5, JUMP, s0
            st t5, GROWS, s0
            st zero, DELAY, s0
            j again
        5:  lx t2, RUNS, t4
            addi t2, t2, 1
            st t2, RUNS, t4
            lx t2, BEGUN, s0
            interrupted
            lx t2, HITS, t4
            addi t2, t2, 1
            st t2, HITS, t4
        1:  li t2, CAME
            lx t2, 0, t2
            sub t1, t1, t2
            lx t2, REST, s0
            lx t5, JUMP, s0
            li t6, SKIPS
            beqz t6, 7f
            beq t1, t2, 8f
            addi t6, t5, -1
            beqz t6, 7f
        # Too far: something was executed in between.
            srli t5, t5, 1
            st zero, GROWS, s0
            j 9f
        # Another state.
        7:  st t3, BASE, s0
            st t1, REST, s0
            lx t5, STEP, s0
            li t1, 1
            st t1, GROWS, s0
            j 9f
        # The same.
        8:  st t3, BASE, s0
            lx t6, GROWS, s0
            beqz t6, 1f
            slli t5, t5, 1
            j 9f
        1:  srli t5, t5, 1
            bnez t5, 9f
            li t5, 1
        9:  lx t3, BASE, s0
            lx t6, LENGTHS, t4
            addi t6, t6, BEHIND
            bgeu t3, t6, 2f
        10: add t2, t3, t5
            bleu t2, t6, 1f
            sub t5, t6, t3
            mv t2, t6
        1:  st t5, JUMP, s0
            st t2, DELAY, s0
            j again
        # Before the path: `BASE` is still negative.
        2:  bltz t3, 10b
            lx t4, PATH, s0
            addi t4, t4, 1
            st t4, PATH, s0
            li t1, PATHS
            bgeu t4, t1, 1f
            j each
        1:  li t1, 1
            st t1, DONE, s0
            sys COMPLETE
";

/// The path begins so many instants before the latest that a tick can come; the first time, to see
/// how long it takes, well behind one.
pub(crate) const BY_TICKS: &str = "
        .macro aligned
        2:  rdcycle t1
            li t2, PERIOD
            divu t3, t1, t2
            addi t3, t3, 1
            mul t3, t3, t2
            bltz t4, 3f
            sub t3, t3, t4
            addi t3, t3, LATE
            addi t5, t1, 100
            bltu t5, t3, 2f
            li t3, 500
        1:  addi t3, t3, -1
            bnez t3, 1b
            j 2b
        3:  li t5, PERIOD / 4
            add t3, t3, t5
        # Where slices end, others run meanwhile.
        2:  rdcycle t1
            addi t5, t1, 200
            bltu t5, t3, 2b
        .endm
        # Begun at `t2`, it was interrupted if the tick came since.
        .macro interrupted
            li t5, CAME
            lx t5, 0, t5
            bleu t5, t2, 1f
        .endm
";

/// The path begins a whole slice behind the end of one, but for so many instants.
pub(crate) const BY_SLICES: &str = "
        .macro aligned
            rdcycle t1
        1:  rdcycle t2
            sub t3, t2, t1
            mv t1, t2
            sltiu t3, t3, 40
            bnez t3, 1b
            li t3, PERIOD
            bgez t4, 1f
            li t3, PERIOD / 4
            li t4, 0
        1:  sub t3, t3, t4
            add t3, t3, t1
        .endm
        # Over at `t1`, it was interrupted if it took longer than alone.
        .macro interrupted
            sub t2, t1, t2
            lx t5, LENGTHS, t4
            addi t5, t5, 20
            bltu t2, t5, 1f
        .endm
";

/// Another thread of the first domain, with marks of its own, that wants the mutex that the first
/// one holds.
pub(crate) const RIVAL: &str = "
        tag 11
        rival: entry started
        rivals: make WAIT, 17, 0, rival
            expect rival_bits
            make LOCK, 8, 0, rival
            expect rival_nothing
            make UNLOCK, 8, 0, rival
            expect rival_nothing
            j rivals
        checks rival
        tag 1
";

/// Answers, faults, or is refused something, as the method says.
pub(crate) const SERVER: &str = "
        serve: entry entered
            srli t1, a6, 16
            li t2, 1
            beq t1, t2, message
            li t2, 2
            beq t1, t2, fault
            li t2, 3
            beq t1, t2, refused
            li t2, 4
            beq t1, t2, yielding
            li t2, 5
            beq t1, t2, gone
        answer: make RETURN
        message: make RETURN, 0, FURTHER
        fault: fill
            unimp
        refused: make RETURN, 0, 115
            expect own_nothing, 33
            make COMPLETE
            expect own_nothing, 10
            j answer
        yielding: make YIELD, -1
            expect own_nothing
            j answer
        gone: make SIGNAL, 0
            j bad
        job: entry started
            make COMPLETE
";
