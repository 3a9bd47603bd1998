//! What a core has to do by the clock comes before what other cores tell it.
//!
//! The hardware prefers what others tell. QEMU's cores take turns, so that only the Verilog shows
//! both at once.

use std::path::PathBuf;

use fusee_kernel::Kind;
use fusee_model::Duration;
use fusee_run::{Image, Run};
use fusee_testing::{Tool, write_project};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// `wheel` of core 0 is released every 20 us, and `talker` of core 1 signals to core 0, each time
/// 200 ns later. Meanwhile core 0 calls through a gate again and again, so that both can come while
/// it is in the kernel.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Sum { void add(); }
component Talker { control; emits Ping ping; }
component Listener { control; consumes Ping ping; }
component Wheel { control; }
component User { control; uses Sum sum; }
component Keeper { provides Sum sum; }
assembly {
    composition {
        component Talker talker; component Listener listener; component Wheel wheel;
        component User user; component Keeper keeper;
        connection seL4Notification pings(from talker.ping, to listener.ping);
        connection seL4RPCCall sums(from user.sum, to keeper.sum);
    }
    configuration {
        system.startup = "300 us";
        keeper.stub = true; keeper.sum_add_wcet = "10 ns";
        keeper.sum_priority_protocol = "propagated";
        wheel.stub = true; wheel.priority = 200; wheel.period = "20 us"; wheel.wcet = "10 ns";
        listener.stub = true; listener.priority = 100; listener.period = "50 ms";
        listener.wcet = "10 ns"; listener.calls = ["wait ping"];
        user.priority = 20; user.period = "5 ms"; user.wcet = "1 us"; user.calls = ["sum.add"];
        talker.stub = true; talker.core = 1; talker.priority = 10; talker.period = "20200 ns";
        talker.wcet = "10 ns"; talker.calls = ["emit ping", "10 ns"];
    }
}
"#;

/// It never ends.
const USER: &str = "#include <camkes.h>
int run(void) { for (;;) sum_add(); return 0; }
";

/// Cycles from the look at what is pending to the time of what is recorded, at most.
const PATH: u64 = 1_000;
/// The time between two releases.
const PERIOD: u64 = 20_000;
/// So many signals come at all times between two releases.
const SIGNALS: usize = 100;

/// Boots the system on the kernel that records all.
fn booted() -> Run {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("timer-first");
    std::fs::create_dir_all(&folder).expect("a folder");
    write_project(&folder, ("system.camkes", TEXT), &[("User", USER)]);
    let build = ["build", "system.camkes", "--platform", "rtl-rocket", "--kernel", "traced"];
    let output = FUSEE.run_in(&folder, &[&build[..], &["-o", ".", "--trust-written"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let image = Image::read(&folder.join("image.elf")).expect("an image");
    fusee_run::boot(&image, Duration(SIGNALS as u64 * PERIOD)).expect("it runs")
}

#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn a_due_timer_comes_before_what_another_core_tells() {
    let (mut released, mut served, mut due_meanwhile) = (0, 0, 0);
    for record in booted().records {
        match record.kind {
            Kind::Release if record.thread.0 == 2 => released += 1,
            Kind::Signal if record.object == 0 => {
                let due = |time: u64| time / PERIOD + 1;
                let before = due(record.time.saturating_sub(PATH));
                assert!(released >= before, "at {} before release {before}", record.time);
                served += 1;
                due_meanwhile += usize::from(due(record.time) != due(record.time - 2 * PATH));
            }
            _ => {}
        }
    }
    println!("{served} signals, {due_meanwhile} of them just when the timer was due");
    assert!(served >= SIGNALS * 8 / 10 && due_meanwhile >= 5, "{served} {due_meanwhile}");
}
