//! The kernel boots, and components call each other.

use fusee_image_format::{Platform, RawRecord};
use fusee_kernel::*;
use fusee_platform::Records as Variant;
use fusee_testing::boots::*;

/// Two domains, a call with six words between them, and two periodic jobs.
fn caller_and_server() -> Bench {
    let caller = "
        run:
            li a0, 10; li a1, 20; li a2, 30; li a3, 40; li a4, 50; li a5, 60
            sys INVOKE, (7 << 16)
            li s1, DATA
            st a7, 0, s1
            st a0, 1, s1
            st a1, 2, s1
            st sp, 3, s1
            sys COMPLETE
        tick:
            li s1, DATA
            lx t1, 8, s1
            addi t1, t1, 1
            st t1, 8, s1
            sys COMPLETE";
    let server = "
        serve:
            li s1, DATA
            st a6, 0, s1
            add a0, a0, a5
            add a1, a1, a2
            sys RETURN";
    let periodic = ThreadConfig {
        release: Release::Periodic { period: 1_000_000, offset: 500_000 },
        ..home(0, 7, 0)
    };
    let domains = vec![
        Domain::new(caller, vec![Capability::Gate(GateIndex(0))]),
        Domain::new(server, vec![]),
    ];
    Bench::new(domains, vec![(home(0, 5, 100_000), "run"), (periodic, "tick")]).gate(
        1,
        Protocol::Propagated,
        2,
        "serve",
    )
}

#[test]
fn calls_cross_domains_and_timers_release() {
    for platform in Platform::emulated() {
        let run = boot_on(&caller_and_server(), platform, Variant::Plain).finished();
        assert_eq!(run.words(0, 0..3), [0, 70, 50], "{platform:?}");
        assert_eq!(run.word(1, 0), 7 << 16, "method and caller");
        assert_eq!(run.word(0, 8), 10, "one job each millisecond");
        let completions: Vec<&RawRecord> =
            run.records.iter().filter(|record| record.kind == Kind::Complete as u8).collect();
        assert_eq!(completions.len(), 11);
        assert!(completions.iter().all(|record| record.value < 5_000), "{completions:?}");
    }
}

#[test]
fn a_large_system_takes_little_memory() {
    let source = "run: sys COMPLETE\nserve: sys RETURN";
    let domains = (0..8).map(|_| Domain::new(source, vec![])).collect();
    let mut bench =
        Bench::new(domains, (0..30).map(|thread| (home(thread % 8, 5, 1000), "run")).collect());
    for gate in 0..40 {
        bench = bench.gate(gate % 8, Protocol::Inherited, 1, "serve");
    }
    bench.depth = 8;
    let run = boot(&bench).finished();
    println!("kernel memory for 30 tasks, 40 gates, depth 8: {} bytes", run.result.kernel_memory);
    assert!(run.result.kernel_memory <= 68 << 10, "{}", run.result.kernel_memory);
    let done = run.records.iter().filter(|record| record.kind == Kind::Complete as u8).count();
    assert_eq!(done, 30);
}
