//! Several cores: what `simulate` shows of the same tasks under each protocol.

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Responses of the first job of each task in milliseconds, with its core.
///
/// On paper: the mapper asks at 1 and needs 4 inside; the brake is released at 3 and needs 5; the
/// planner asks at 3 and needs 2 inside, and 1 afterwards; telemetry needs 10 from 0 on.
///
/// - `msrp`: the mapper is inside until 5, the brake from 5 to 10, the mapper's last from 10 to 11.
///   The planner waits on its core until 5, is inside until 7 and done at 8; telemetry had 0 to 2
///   and has 8 to 16.
/// - `mrsp`: the brake preempts the mapper at 3 and is done at 8. The planner's core executes what
///   is left of the mapper's section from 3 to 5, and the planner's own as before. The mapper comes
///   back when the brake is done, and needs 8 to 9.
/// - `mpcp`: as msrp, but the planner waits suspended from 3 to 5, and telemetry is done at 14.
#[test]
fn each_protocol_shows_the_responses_of_the_paper() {
    let expected = [("msrp", [11, 7, 6, 16]), ("mrsp", [9, 5, 6, 16]), ("mpcp", [11, 7, 6, 14])];
    for (protocol, responses) in expected {
        let system = format!("examples/helping/{protocol}.camkes");
        let arguments = ["simulate", &system, "--for", "40ms", "--releases", "offsets", "--json"];
        let run = FUSEE.run(&arguments);
        let text = String::from_utf8_lossy(&run.stderr);
        // Whether the deadlines are guaranteed is no business of this test.
        assert!(matches!(run.status.code(), Some(0 | 1)), "{text}");
        let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
        assert_eq!(value["cores"], 2);
        let tasks = value["tasks"].as_array().expect("tasks");
        let names = [("mapper", 0), ("brake", 0), ("planner", 1), ("telemetry", 1)];
        for ((task, (name, core)), response) in tasks.iter().zip(names).zip(responses) {
            assert_eq!((&task["name"], &task["core"]), (&name.into(), &core.into()));
            let seen = (task["jobs"].as_u64(), task["response_max_ns"].as_u64());
            assert_eq!(seen, (Some(1), Some(response * 1_000_000)), "{protocol}: {task}");
        }
        let map = &value["gates"][0];
        assert_eq!((&map["invocations"], &map["contended"]), (&2.into(), &1.into()), "{map}");
        assert_eq!(map["longest_wait_ns"], 2_000_000, "{protocol}: the planner, from 3 to 5");
    }
}

/// Equals on one core, one of which waits suspended at one gate and then asks for another: `first`
/// owns the box at 5 and is back at 6, before its equal, which has been in the map since 1. It must
/// not be able to ask there until that is out.
const EQUALS: &str = r#"import <std_connector.camkes>;
procedure Map { void look(); };
procedure Box { void open(); };
component Store { provides Map map; };
component Shelf { provides Box box; };
component Both { control; uses Map map; uses Box box; };
component One { control; uses Map map; };
assembly {
    composition {
        component Store store;
        component Shelf shelf;
        component Both first;
        component One second;
        component Both remote;
        connection seL4RPCCall m(from first.map, from second.map, from remote.map, to store.map);
        connection seL4RPCCall b(from first.box, from remote.box, to shelf.box);
    }
    configuration {
        store.map_priority_protocol = "mrsp";
        store.map_wcet = "10 ms";
        shelf.box_priority_protocol = "mpcp";
        shelf.box_wcet = "5 ms";
        first.core = 0;
        second.core = 0;
        remote.core = 1;
        first.priority = 20;
        second.priority = 20;
        remote.priority = 10;
        first.period = "200 ms";
        second.period = "200 ms";
        remote.period = "200 ms";
        first.wcet = "1 ms";
        second.wcet = "1 ms";
        remote.wcet = "1 us";
        first.calls = ["box.open", "map.look"];
        second.calls = ["map.look"];
        remote.calls = ["box.open"];
    }
}
"#;

#[test]
fn who_comes_back_from_mpcp_finds_no_request_of_its_equal() {
    let path = format!("{}/helping-equals.camkes", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, EQUALS).expect("a scratch file");
    for seed in ["1", "2", "3"] {
        let run = ["simulate", &path, "--for", "2s", "--releases", "drawn", "--seed", seed];
        let run = FUSEE.run(&[&run[..], &["--json"]].concat());
        let value = fusee_testing::document(&run);
        let tasks = value["tasks"].as_array().expect("tasks");
        assert_eq!((tasks.len(), &value["refused"]), (3, &0.into()), "{value:#}");
        assert!(tasks.iter().all(|task| task["jobs"].as_u64() > Some(5)), "{value:#}");
    }
}
