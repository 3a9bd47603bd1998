//! A view made by hand: Pathfinder, and names that try to break out.

use fusee_model::{Duration, Protocol};
use fusee_report::view::*;

/// Returns a time of so many milliseconds.
pub(crate) fn ms(n: u64) -> Duration {
    Duration(n * 1_000_000)
}

/// Returns a system with every kind of thing that a page can show.
pub(crate) fn demo() -> View {
    let names = [
        ("bc_sched", true),
        ("bc_dist", true),
        ("uplink", true),
        ("downlink", true),
        ("asi_met", true),
        ("imaging", true),
        ("information", false),
    ];
    let components = names
        .map(|(n, control)| Component {
            name: n.into(),
            kind: "T".into(),
            control,
            ..Default::default()
        })
        .to_vec();
    let edges = [1, 4]
        .map(|from| Edge {
            from,
            to: 6,
            kind: EdgeKind::Procedure(0),
            label: "information_bus (seL4RPCCall)".into(),
        })
        .to_vec();
    let gates = vec![Gate {
        name: "information.bus".into(),
        interface: "bus".into(),
        component: 6,
        protocol: Protocol::Fifo,
        direct: false,
        ceiling: Some("240".into()),
        stacks: 1,
        rpc_threads: 1,
        tasks: vec!["bc_dist".into(), "asi_met".into()],
        observed: Some(GateObserved { invocations: 100, contended: 3, longest_wait: ms(53) }),
    }];
    let task = |name: &str, priority, t, d, bound, max| Task {
        name: name.into(),
        priority,
        priority_source: "given".into(),
        period: Some(ms(t)),
        arrival: "periodic".into(),
        deadline: Some(ms(d)),
        wcet: Some(ms(10)),
        bound,
        repair: None,
        observed: Some(Observed {
            jobs: 40,
            misses: u64::from(max > d),
            unfinished: 1,
            crashed: 0,
            refused: u64::from(max > d),
            word: if max > d { ("missed".into(), true) } else { ("met".into(), false) },
            max: ms(max),
            mean: Some(ms(max / 2)),
            blocking: ms(2),
            preemptions: 4,
            histogram: vec![
                (9_000_000, 9_400_000, 30),
                (12_000_000, 12_500_000, 6),
                (max * 1_000_000, max * 1_010_000, 1),
            ],
        }),
    };
    let proof = |parts: &[(PartKind, &str, u64)]| {
        Bound::Proven(Proof {
            response: ms(parts.iter().map(|p| p.2).sum()),
            parts: parts
                .iter()
                .map(|p| Part { kind: p.0, source: p.1.into(), time: ms(p.2), place: None })
                .collect(),
            theorem: "Joseph and Pandya 1986, response-time analysis".into(),
            notes: vec!["execution times of its own may grow by 12 %".into()],
        })
    };
    use PartKind::*;
    let tasks = vec![
        task("bc_sched", 250, 125, 25, proof(&[(Own, "", 5)]), 5),
        task(
            "bc_dist",
            240,
            125,
            40,
            Bound::None {
                reasons: vec![
                    "while asi_met holds information.bus, uplink and downlink can preempt it"
                        .into(),
                ],
            },
            65,
        ),
        task(
            "uplink",
            120,
            200,
            200,
            proof(&[
                (Own, "", 20),
                (Interference, "bc_sched", 5),
                (Interference, "bc_dist", 10),
                (Blocking, "asi_met in information.bus", 10),
            ]),
            35,
        ),
        task(
            "downlink",
            110,
            580,
            580,
            proof(&[
                (Own, "", 70),
                (Interference, "bc_sched", 5),
                (Interference, "bc_dist", 10),
                (Interference, "uplink", 20),
                (Blocking, "asi_met in information.bus", 10),
            ]),
            105,
        ),
        task(
            "asi_met",
            50,
            500,
            500,
            proof(&[
                (Own, "", 90),
                (Interference, "downlink", 70),
                (Interference, "uplink", 50),
                (Kernel, "", 20),
            ]),
            220,
        ),
    ];
    let lane = |task: &str, spans: &[(u64, u64, State)], marks: &[(u64, MarkKind)]| Lane {
        task: task.into(),
        core: None,
        home: names.iter().position(|n| n.0 == task).unwrap_or_default(),
        spans: spans
            .iter()
            .map(|s| Span { start: s.0 * 1_000_000, end: s.1 * 1_000_000, state: s.2 })
            .collect(),
        marks: marks.iter().map(|m| Mark { time: m.0 * 1_000_000, kind: m.1 }).collect(),
    };
    use MarkKind::*;
    use State::*;
    let timeline = Timeline {
        caption: "The job of bc_dist released at 625 ms took 65 ms.".into(),
        start: 570_000_000,
        end: 700_000_000,
        names: Vec::new(),
        focus: Some((1, 625_000_000, 690_000_000)),
        lanes: vec![
            lane(
                "bc_sched",
                &[(625, 630, Running(0))],
                &[(625, Release), (630, Completion), (650, Deadline)],
            ),
            lane(
                "bc_dist",
                &[
                    (625, 630, Ready(1)),
                    (630, 634, Running(1)),
                    (634, 684, Waiting(0)),
                    (684, 686, Running(6)),
                    (686, 690, Running(1)),
                ],
                &[(625, Release), (665, Deadline), (665, Miss), (690, Completion)],
            ),
            lane(
                "downlink",
                &[(580, 600, Running(3)), (600, 634, Ready(3)), (634, 679, Running(3))],
                &[(580, Release), (679, Completion)],
            ),
            lane(
                "asi_met",
                &[
                    (570, 575, Running(4)),
                    (575, 580, Running(6)),
                    (580, 679, Ready(6)),
                    (679, 684, Running(6)),
                    (690, 700, Running(4)),
                ],
                &[(634, Boost(Urgency::Priority(240)))],
            ),
        ],
    };
    let messages = vec![Message {
        code: "F0601".into(),
        severity: fusee_diagnostics::Severity::Error,
        text: "bc_dist has no response bound".into(),
        places: vec![(
            "examples/pathfinder/fifo.camkes:34:9".into(),
            "this gate does nothing about priorities".into(),
        )],
        notes: vec!["with `inherited` every deadline holds".into()],
    }];
    View {
        chains: Vec::new(),
        system: "fifo".into(),
        facts: vec![("tasks".into(), "6".into()), ("utilisation".into(), "72.1 %".into())],
        components,
        edges,
        gates,
        tasks,
        growth: vec![Growth { body: "bc_sched".into(), now: ms(5), most: Some(ms(9)) }],
        verdict: Some((
            "fifo: 1 call refused, 1 deadline missed, every bound held in 10 s".into(),
            false,
        )),
        timeline: Some(timeline),
        messages,
        assumptions: vec!["one core, fixed priorities".into()],
        run: Some("Simulated for 10 s with worst-case execution times.".into()),
        provenance: Provenance {
            made_by: vec![("command".into(), "fusee report fifo.camkes".into())],
            files: vec![("fifo.camkes".into(), "ba7816bf8f01cfea".into())],
            times: vec![TimeOrigin {
                body: "bc_sched".into(),
                time: Some(ms(5)),
                origin: "written".into(),
            }],
        },
    }
}
