//! A mutex that tasks of several cores lock, on the booted kernel.
//!
//! QEMU's cores take turns, so nothing is asked of times; what is asked is what must hold whatever
//! the order of events is.

use fusee_testing::{Tool, beginning, write_project};
use std::path::PathBuf;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Users on three cores lock the mutex of a component that they enter, for long; one of them has a
/// budget, which ends inside, and on each core somebody interrupts. One is at home there.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Log { int put(in int crashes); }
component User { control; uses Log log; }
component Brake { control; }
component Logger { control; provides Log log; has mutex guard; }
assembly {
    composition {
        component Logger logger;
        component User user1; component User user2; component User user3;
        component Brake brake0; component Brake brake1;
        connection seL4RPCCall calls(from user1.log, from user2.log, from user3.log,
            to logger.log);
    }
    configuration {
        logger.log_priority_protocol = "propagated"; logger.on_fault = "FATE";
        logger.guard_priority_protocol = "msrp";
        logger.log_put_calls = ["lock guard", "4 ms", "unlock guard"];
        logger.period = "17 ms"; logger.priority = 30; logger.wcet = "4 ms";
        logger.calls = ["lock guard", "4 ms", "unlock guard"];
        user1.period = "19 ms"; user1.wcet = "1 ms"; user1.priority = 20; user1.core = 1;
        user2.period = "23 ms"; user2.wcet = "1 ms"; user2.priority = 20; user2.core = 2;
        user2.budget = "2 ms"; user2.overrun = "suspend";
        user3.period = "29 ms"; user3.wcet = "1 ms"; user3.priority = 10; user3.core = 1;
        brake0.period = "5 ms"; brake0.wcet = "1 ms"; brake0.priority = 90;
        brake1.period = "3 ms"; brake1.wcet = "1 ms"; brake1.priority = 90; brake1.core = 1;
        brake0.stub = true; brake1.stub = true;
    }
}
"#;

/// Nobody else may write what is written while the mutex is held.
const LOGGER: &str = r#"
#include <camkes.h>
#include <stdint.h>
#include <stdio.h>

static volatile int used, entries;

static int section(int crashes)
{
    if (guard_lock() != 0)
        printf("not locked\n");
    int own = ++entries;
    used = own;
    for (volatile int i = 0; i < 100000; i++)
        if (used != own)
            printf("two inside\n");
    if (crashes)
        *(volatile int *)(intptr_t)16 = 1;
    if (guard_unlock() != 0)
        printf("not unlocked\n");
    return own;
}

int log_put(int crashes)
{
    return section(crashes);
}

int run(void)
{
    section(0);
    return 0;
}
"#;

/// Crashes inside now and then.
const USER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int jobs;

int run(void)
{
    int crashes = ++jobs % 4 == CRASHES;
    int result = log_put(crashes);
    if (result == 0)
        printf("%s: %d\n", crashes ? "own end" : "cut off", fusee_take_error());
    if (result > 0)
        printf("entry %d\n", result);
    return 0;
}
"#;

/// Returns the end of a boot, and its output, if the component has this fate and users crash it, or
/// not.
fn console(platform: &str, fate: &str, crashes: bool) -> Vec<String> {
    let name = format!("mutexes-{platform}-{fate}-{crashes}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let user = USER.replace("CRASHES", if crashes { "3" } else { "9" });
    let code = [("Logger", LOGGER), ("User", user.as_str())];
    let path = write_project(&folder, ("log.camkes", &TEXT.replace("FATE", fate)), &code);
    let how = ["--for", "300ms", "--platform", platform, "--kernel", "checked"];
    // Where there are faults, jobs have failed.
    FUSEE.console(&path, &how, i32::from(crashes))
}

/// Returns the lines of users, of which nobody has met another inside.
fn kept_apart(platform: &str, fate: &str, crashes: bool) -> Vec<String> {
    let lines = console(platform, fate, crashes);
    for wrong in ["two inside", "not locked", "not unlocked"] {
        assert_eq!(beginning(&lines, wrong), 0, "{platform}, {fate}: {lines:?}");
    }
    lines
}

#[test]
fn tasks_of_several_cores_are_kept_apart() {
    for platform in ["qemu-rv64", "qemu-rv32"] {
        let lines = kept_apart(platform, "continue", false);
        assert!(beginning(&lines, "entry") >= 20, "{platform}: {lines:?}");
        assert_eq!(beginning(&lines, "cut off"), 0, "{platform}: {lines:?}");
    }
}

/// A thread that crashes with the mutex gives it to the next.
#[test]
fn a_crash_unlocks_it() {
    let lines = kept_apart("qemu-rv64", "continue", true);
    assert!(beginning(&lines, "own end") >= 3, "{lines:?}");
    assert_eq!(beginning(&lines, "cut off"), 0, "{lines:?}");
    assert!(beginning(&lines, "entry") >= 15, "{lines:?}");
}

/// Whoever waited or was inside is cut off, and unlocks what it got.
#[test]
fn a_restart_unlocks_it() {
    let lines = kept_apart("qemu-rv64", "restart", true);
    assert!(beginning(&lines, "own end") >= 3, "{lines:?}");
    assert!(beginning(&lines, "entry 1") >= 3, "entries are counted anew: {lines:?}");
    assert!(beginning(&lines, "entry") >= 10, "{lines:?}");
}

/// Nobody waits for a mutex of a component that is dead.
#[test]
fn a_death_lets_nobody_wait() {
    let lines = kept_apart("qemu-rv64", "dead", true);
    assert_eq!(beginning(&lines, "own end: 65"), 1, "{lines:?}");
    assert!(beginning(&lines, "cut off") >= 10, "{lines:?}");
}

/// Whoever holds the mutex also tries to wait for an event, and to enter a gate of its own core
/// that a less urgent task may hold, of which its list of calls says nothing.
const HOLDER: &str = r#"
import <std_connector.camkes>;
procedure Log { int put(in int n); }
component User { control; uses Log log; }
component Slow { control; uses Log store; }
component Bell { control; emits Ring bell; }
component Store { provides Log log; }
component Logger { control; provides Log log; uses Log store; consumes Ring bell; has mutex guard; }
assembly {
    composition {
        component Logger logger; component User user1; component User user2;
        component Slow slow; component Bell ringer; component Store store;
        connection seL4RPCCall calls(from user1.log, from user2.log, to logger.log);
        connection seL4RPCCall stored(from logger.store, from slow.store, to store.log);
        connection seL4Notification rings(from ringer.bell, to logger.bell);
    }
    configuration {
        logger.log_priority_protocol = "propagated";
        logger.guard_priority_protocol = "msrp";
        store.log_priority_protocol = "inherited";
        store.log_put_wcet = "4 ms";
        logger.log_put_calls = ["lock guard", "1 ms", "unlock guard"];
        logger.period = "17 ms"; logger.priority = 30;
        logger.calls = ["lock guard", "1 ms", "unlock guard"];
        user1.period = "19 ms"; user1.wcet = "1 ms"; user1.priority = 20; user1.core = 1;
        user2.period = "23 ms"; user2.wcet = "1 ms"; user2.priority = 20; user2.core = 1;
        slow.period = "11 ms"; slow.wcet = "1 ms"; slow.priority = 5;
        slow.calls = ["store.put"];
        ringer.period = "5 ms"; ringer.wcet = "1 ms"; ringer.priority = 50;
        ringer.calls = ["emit bell"];
    }
}
"#;

/// Both calls are made with the mutex, and each tells how it ended.
const WAITER: &str = r#"
#include <camkes.h>
#include <stdio.h>

int log_put(int n)
{
    guard_lock();
    guard_unlock();
    return n;
}

int run(void)
{
    guard_lock();
    bell_wait();
    int waited = fusee_take_error();
    int stored = store_put(1);
    int error = fusee_take_error();
    guard_unlock();
    printf("waited: %d\n", waited);
    if (error == 0)
        printf("stored %d\n", stored);
    else
        printf("not stored: %d\n", error);
    return 0;
}
"#;

/// Holds the gate of its core for most of the time.
const SLOW: &str = r#"
#include <camkes.h>

int run(void)
{
    store_put(40);
    return 0;
}
"#;

const STORE: &str = r#"
#include <camkes.h>

int log_put(int n)
{
    for (volatile int i = 0; i < n * 50000; i++)
        ;
    return n;
}
"#;

const CALLER: &str = r#"
#include <camkes.h>
#include <stdio.h>

int run(void)
{
    printf("entry %d\n", log_put(1));
    return 0;
}
"#;

const RINGER: &str = r#"
#include <camkes.h>

int run(void)
{
    bell_emit();
    return 0;
}
"#;

/// Calls that would keep the other core waiting come back at once, and the mutex goes on to it.
#[test]
fn its_holder_does_not_wait() {
    let code =
        [("Logger", WAITER), ("Slow", SLOW), ("Store", STORE), ("User", CALLER), ("Bell", RINGER)];
    for platform in ["qemu-rv64", "qemu-rv32"] {
        let name = format!("mutexes-holder-{platform}");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let path = write_project(&folder, ("hold.camkes", HOLDER), &code);
        let how = ["--for", "300ms", "--platform", platform, "--kernel", "checked"];
        // Its calls are those that are refused.
        let how = [&how[..], &["--trust-written"]].concat();
        // The run counts refused calls as failures.
        let lines = FUSEE.console(&path, &how, 1);
        assert!(beginning(&lines, "waited: 18") >= 10, "{platform}: {lines:?}");
        assert_eq!(beginning(&lines, "waited: 0"), 0, "{platform}: {lines:?}");
        assert!(beginning(&lines, "not stored: 18") >= 3, "{platform}: {lines:?}");
        assert!(beginning(&lines, "entry 1") >= 15, "{platform}: {lines:?}");
    }
}
