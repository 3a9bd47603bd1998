//! The costs of the kernel's paths in instructions, held within limits.
//!
//! On this machine each instruction takes one tick, so two readings of the clock in user code count
//! what lies between them, the kernel included. Stubs are written as a compiler would: the
//! operation, the selector and the count of further words are set, the error is tested, the
//! function returns.

use fusee_kernel::*;
use fusee_testing::boots::*;

// What the paths may cost: a little more than they did when this was written, so that no change
// makes them longer unseen. What they are meant to cost at most is in the book's page on the
// kernel.
const ROUND_TRIP: u64 = 257;
const TEN_WORDS: u64 = 360;
const SIGNAL: u64 = 230;
const INTERRUPT: u64 = 225;
const CONTENDED: u64 = 650;
const CONTENDED_IN_ORDER: u64 = 670;

/// A caller whose `round` is measured eight times, into the words of its data page.
fn caller(stub: &str) -> String {
    format!(
        "run:
            li s0, DATA
            li s1, 8
        1:  rdcycle s2
            call stub
            rdcycle s3
            sub s3, s3, s2
            addi s3, s3, -1
            st s3, 0, s0
            addi s0, s0, W
            addi s1, s1, -1
            bnez s1, 1b
            sys COMPLETE
        failed: unimp
        {stub}"
    )
}

/// Arguments in registers.
const PLAIN_STUB: &str = "
        stub: li a7, INVOKE
            li a6, 0x10000
            li t0, 0
            ecall
            bnez a7, failed
            ret";

/// A server with an entry stub that finds the method and comes back; its method does nothing.
const PLAIN_SERVER: &str = "
        serve: lla gp, serve
            srli t1, a6, 16
            addi t1, t1, -1
            bnez t1, 1f
            call method
            li t0, 0
        1:  li a7, RETURN
            ecall
            unimp
        method: ret";

fn round_trip(protocol: Protocol, stub: &str, server: &str) -> u64 {
    let domains = vec![
        Domain::new(&caller(stub), vec![Capability::Gate(GateIndex(0))]),
        Domain::new(server, vec![]),
    ];
    let bench = Bench::new(domains, vec![(home(0, 5, 1000), "run")]).gate(1, protocol, 1, "serve");
    let run = boot(&bench).finished();
    let counts = run.words(0, 0..8);
    assert!(counts[1..].iter().all(|&count| count == counts[1] && count > 0), "{counts:?}");
    counts[1]
}

const FIXED: Protocol = Protocol::Fixed { ceiling: 9 };

#[test]
fn round_trips() {
    let propagated = round_trip(Protocol::Propagated, PLAIN_STUB, PLAIN_SERVER);
    let fixed = round_trip(FIXED, PLAIN_STUB, PLAIN_SERVER);
    let inherited = round_trip(Protocol::Inherited, PLAIN_STUB, PLAIN_SERVER);
    println!("propagated {propagated}, fixed {fixed}, inherited {inherited}");
    assert!(propagated <= ROUND_TRIP, "{propagated}");
    assert!(fixed * 100 <= propagated * 105, "{fixed}");
    assert!(inherited * 100 <= propagated * 115, "{inherited}");
}

#[test]
fn ten_words_each_way() {
    let stub = "
        stub: st s1, -114, tp
            st s2, -113, tp
            st s1, -112, tp
            st s2, -111, tp
            li a7, INVOKE
            li a6, 0x10000
            li t0, 4
            ecall
            bnez a7, failed
            lx a1, -114, tp
            lx a2, -113, tp
            lx a3, -112, tp
            lx a4, -111, tp
            ret";
    let server = "
        serve: lla gp, serve
            srli t1, a6, 16
            addi t1, t1, -1
            bnez t1, 1f
            lx t1, -114, tp
            lx t2, -113, tp
            lx t3, -112, tp
            lx t4, -111, tp
            call method
            st t1, -114, tp
            st t2, -113, tp
            st t3, -112, tp
            st t4, -111, tp
            li t0, 4
        1:  li a7, RETURN
            ecall
            unimp
        method: ret";
    let count = round_trip(Protocol::Propagated, stub, server);
    println!("ten words each way {count}");
    assert!(count <= TEN_WORDS, "{count}");
}

/// A server that calls on through its first slot.
const NESTING_SERVER: &str = "
        serve: lla gp, serve
            srli t1, a6, 16
            addi t1, t1, -1
            bnez t1, 1f
            call method
            li t0, 0
        1:  li a7, RETURN
            ecall
            unimp
        method: addi sp, sp, -16
            st ra, 0, sp
            call stub
            lx ra, 0, sp
            addi sp, sp, 16
            ret
        failed: unimp";

/// Round trip through so many gates.
fn nested(protocol: Protocol, levels: u16) -> u64 {
    let mut domains = vec![Domain::new(&caller(PLAIN_STUB), vec![Capability::Gate(GateIndex(0))])];
    for level in 1..levels {
        let source = NESTING_SERVER.to_owned() + PLAIN_STUB;
        domains.push(Domain::new(&source, vec![Capability::Gate(GateIndex(level))]));
    }
    domains.push(Domain::new(PLAIN_SERVER, vec![]));
    let mut bench = Bench::new(domains, vec![(home(0, 5, 1000), "run")]);
    bench.depth = levels as u8;
    for level in 0..levels {
        bench = bench.gate(level + 1, protocol, 1, "serve");
    }
    boot(&bench).finished().word(0, 1)
}

#[test]
fn each_level_costs_as_much_as_the_first() {
    let plain = round_trip(Protocol::Propagated, PLAIN_STUB, PLAIN_SERVER);
    for protocol in [Protocol::Propagated, FIXED, Protocol::Inherited] {
        let counts: Vec<u64> = (1..=8).map(|levels| nested(protocol, levels)).collect();
        let steps: Vec<u64> = counts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        println!("{protocol:?}: {counts:?}, each level {steps:?}");
        // The server's own method saves a register and calls: six instructions more than the last
        // one's.
        let own = 6;
        assert!(
            steps.iter().all(|step| (step - own) * 100 <= plain * 110),
            "{steps:?}, plain {plain}"
        );
    }
}

#[test]
fn signals_wake_who_is_higher() {
    let source = "
        low: li s0, DATA
            li s1, 8
        1:  rdcycle s2
            st s2, 0, s0
            call signal
            addi s0, s0, W
            addi s1, s1, -1
            bnez s1, 1b
            sys COMPLETE
        signal: li a7, SIGNAL
            li a6, 0
            li t0, 0
            ecall
            bnez a7, failed
            ret
        high: li s0, DATA + 8*W
        1:  call wait
            rdcycle s3
            st s3, 0, s0
            addi s0, s0, W
            j 1b
        wait: li a7, WAIT
            li a6, 1
            li t0, 0
            ecall
            bnez a7, failed
            ret
        failed: unimp";
    let capabilities =
        vec![Capability::Signal(NotificationIndex(0), 1), Capability::Wait(NotificationIndex(0))];
    let threads = vec![(home(0, 3, 2000), "low"), (home(0, 8, 1000), "high")];
    let mut bench = Bench::new(vec![Domain::new(source, capabilities)], threads);
    bench.notifications = vec![NotificationConfig {
        kind: NotificationKind::Merging,
        releases: ThreadIndex::NONE,
        initial: 0,
    }];
    let run = boot(&bench).finished();
    let counts: Vec<u64> =
        (1..8).map(|index| run.word(0, 8 + index) - run.word(0, index) - 1).collect();
    println!("signal to waiter {counts:?}");
    assert!(counts.iter().all(|&count| count <= SIGNAL), "{counts:?}");
}

#[test]
fn interrupts_reach_their_handler() {
    // The serial line's transmitter is empty, so it interrupts as soon as that is enabled.
    let source = "
        low: li s0, DATA
            li s4, 0x10c00000
            li s1, 8
        1:  li t1, 2
            rdcycle s2
            sb t1, 1(s4)
            st s2, 0, s0
            addi s0, s0, W
            addi s1, s1, -1
            bnez s1, 1b
            sys COMPLETE
        high: li s0, DATA + 8*W
            li s4, 0x10c00000
        1:  li a7, WAIT
            li a6, 1
            li t0, 0
            ecall
            rdcycle s3
            bnez a7, failed
            st s3, 0, s0
            addi s0, s0, W
            sb zero, 1(s4)
            lbu t1, 2(s4)
            sys ACKNOWLEDGE
            bnez a7, failed
            j 1b
        failed: unimp";
    let mut domain = Domain::new(
        source,
        vec![Capability::Acknowledge(0), Capability::Wait(NotificationIndex(0))],
    );
    domain.devices = vec![0x1000_0000];
    let mut bench =
        Bench::new(vec![domain], vec![(home(0, 3, 2000), "low"), (home(0, 8, 1000), "high")]);
    bench.notifications = vec![NotificationConfig {
        kind: NotificationKind::Merging,
        releases: ThreadIndex::NONE,
        initial: 0,
    }];
    bench.interrupts =
        vec![fusee_image_format::InterruptLine { source: 10, notification: NotificationIndex(0) }];
    let run = boot(&bench).finished();
    let counts: Vec<u64> =
        (1..8).map(|index| run.word(0, 8 + index) - run.word(0, index) - 1).collect();
    println!("interrupt to handler {counts:?}");
    assert!(counts.iter().all(|&count| count <= INTERRUPT), "{counts:?}");
}

#[test]
fn a_contended_gate_is_handed_on() {
    for (protocol, most) in [(Protocol::Inherited, CONTENDED), (Protocol::Fifo, CONTENDED_IN_ORDER)]
    {
        let [block, hand_on, back] = contended(protocol);
        println!("contended, {protocol:?}: to block {block}, to hand on {hand_on}, back {back}");
        assert!(block + hand_on + back <= most, "{block} and {hand_on} and {back}");
    }
}

/// Returns the times of waiting for a gate, of being handed it, and of coming back from it.
fn contended(protocol: Protocol) -> [u64; 3] {
    // The low thread stays in the gate until a fixed time and notes each reading of the clock that
    // comes after a gap; the high one is released meanwhile, blocks, and gets the gate when the low
    // one returns.
    let high = format!(
        "high: li s0, DATA
            rdcycle s2
            st s2, 0, s0
            call stub
            rdcycle s3
            st s3, 1, s0
            sys COMPLETE
        low: call stub
            sys COMPLETE
        failed: unimp
        {PLAIN_STUB}"
    );
    let server = "
        serve: lla gp, serve
            srli t1, a6, 16
            addi t1, t1, -1
            bnez t1, 1f
            call method
            li t0, 0
        1:  li a7, RETURN
            ecall
            unimp
        method: li t6, DATA
            li t5, 0x10000
            and t4, a6, 1
            bnez t4, 3f
            li t4, 100000
            rdcycle t1
        2:  rdcycle t2
            sub t3, t2, t1
            mv t1, t2
            slti t3, t3, 50
            bnez t3, 4f
            st t2, 0, t6
        4:  blt t2, t4, 2b
            rdcycle t2
            st t2, 1, t6
            ret
        3:  rdcycle t2
            st t2, 2, t6
            ret";
    let domains =
        vec![Domain::new(&high, vec![Capability::Gate(GateIndex(0))]), Domain::new(server, vec![])];
    // The high thread is thread 1, which the server tells by the caller's number.
    let threads = vec![(home(0, 3, 1000), "low"), (home(0, 8, 50_000), "high")];
    let run = boot(&Bench::new(domains, threads).gate(1, protocol, 1, "serve")).finished();
    let (called, back) = (run.word(0, 0), run.word(0, 1));
    let (resumed, left, entered) = (run.word(1, 0), run.word(1, 1), run.word(1, 2));
    assert!(back > entered && entered > left && resumed > called);
    [resumed - called, entered - left, back - entered]
}
