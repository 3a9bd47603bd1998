//! Short programs by which cores act on each other.

use std::sync::atomic::Ordering;

use fusee_kernel::NotificationIndex;
use fusee_kernel::cores::{Mailbox, MailboxConfig};
use fusee_kernel::exchange::{Board, LOOK_WORDS, Lines, Ticket, Word, tell};

use super::program::{Cell, Program, Wires};

/// Programs, one for each core, and what must hold when they have come to rest.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that name the system.
    pub name: &'static str,
    /// The program of each core.
    pub cores: &'static [Program],
    /// No word has a value above this.
    pub most: u32,
    /// The number of words in memory.
    pub words: usize,
    /// The condition that must hold at the end.
    pub holds: fn(&Last<'_>) -> Result<(), String>,
}

/// The end of a history.
#[derive(Debug)]
pub struct Last<'l> {
    /// The words in memory.
    pub words: &'l [u32],
    /// The notes of each core.
    pub notes: Vec<Vec<u32>>,
}

/// The number of words of a gate: a lock of two words and two words of state; then come the boards.
const GATE: u8 = 4;
const GATES: u8 = 2;
const BOXES: u8 = GATE * GATES;
/// Words of a message that is in no lock.
const PACKET: u8 = BOXES + 3 * LOOK_WORDS as u8;
const WORDS: usize = PACKET as usize + 1;

const PLAIN: Ordering = Ordering::Relaxed;

fn lock<'a>(wires: &'a Wires<'a>, gate: u8) -> Ticket<Cell<'a>> {
    Ticket { next: wires.word(gate * GATE), serving: wires.word(gate * GATE + 1) }
}

fn state<'a>(wires: &'a Wires<'a>, gate: u8) -> [Cell<'a>; 2] {
    [2, 3].map(|word| wires.word(gate * GATE + word))
}

fn board<'a>(wires: &'a Wires<'a>, core: usize) -> Board<Cell<'a>> {
    let first = BOXES + (core * LOOK_WORDS) as u8;
    Board([0, 1].map(|word| wires.word(first + word)))
}

/// A core goes through a gate's lock: adds to both words of its state, which are the same.
fn add(wires: &Wires<'_>, gate: u8) {
    let (lock, [one, other]) = (lock(wires, gate), state(wires, gate));
    let ticket = lock.enter(|| wires.again());
    let value = one.load(PLAIN);
    one.store(value + 1, PLAIN);
    wires.note(u32::from(other.load(PLAIN) != value));
    other.store(value + 1, PLAIN);
    lock.leave(ticket);
}

/// A core goes through a gate's lock: looks at both words; answers the first.
fn see(wires: &Wires<'_>, gate: u8) -> u32 {
    let (lock, [one, other]) = (lock(wires, gate), state(wires, gate));
    let ticket = lock.enter(|| wires.again());
    let value = one.load(PLAIN);
    wires.note(u32::from(other.load(PLAIN) != value));
    lock.leave(ticket);
    value
}

/// No two were in a section at once.
fn alone(last: &Last<'_>) -> Result<(), String> {
    let torn = last.notes.iter().position(|notes| notes.contains(&1));
    torn.map_or(Ok(()), |core| Err(format!("core {core} sees half of what another does")))
}

fn counted(last: &Last<'_>, gate: u8, sections: u32) -> Result<(), String> {
    alone(last)?;
    let of = |word: u8| last.words[usize::from(gate * GATE + word)];
    let right = of(2) == sections && of(3) == sections;
    right.then_some(()).ok_or_else(|| format!("of {sections} sections, {} are left", of(2)))
}

/// Nothing is pending where no core looks any more.
fn none_pending(last: &Last<'_>) -> Result<(), String> {
    let boxes = &last.words[usize::from(BOXES)..usize::from(PACKET)];
    let pending = boxes.iter().position(|word| *word != 0);
    pending.map_or(Ok(()), |word| Err(format!("core {} sleeps, and is to look", word / LOOK_WORDS)))
}

/// Checks the value, from 2 on, that a core has seen last of each gate.
fn seen(last: &Last<'_>, core: usize, (gate, value): (u32, u32)) -> Result<(), String> {
    let of = |note: &&u32| **note / 16 == gate + 1;
    let is = last.notes[core].iter().rfind(of).map(|note| note % 16);
    (is == Some(value))
        .then_some(())
        .ok_or_else(|| format!("core {core} has seen {is:?}, not {value}"))
}

fn saw(wires: &Wires<'_>, gate: u32, value: u32) {
    wires.note(16 * (gate + 1) + value);
}

/// Returns a gate at which a core is to look.
fn look(wires: &Wires<'_>, core: usize) -> Option<u32> {
    Board::look(&[0, 1, 2].map(|core| board(wires, core)), wires, core)
}

/// A core adds at a gate and tells another.
fn send(wires: &Wires<'_>, gate: u8, to: usize) {
    add(wires, gate);
    tell(&board(wires, to).0[0], 1 << gate, wires, to);
}

/// A core sleeps, and looks when it is interrupted, so often.
fn receive(wires: &Wires<'_>, core: usize, times: usize) {
    for _ in 0..times {
        wires.sleep(core);
        if let Some(gate) = look(wires, core) {
            let value = see(wires, gate as u8);
            saw(wires, gate, value);
        }
    }
}

fn once(wires: &Wires<'_>, _: usize) {
    add(wires, 0);
}

fn twice(wires: &Wires<'_>, _: usize) {
    add(wires, 0);
    add(wires, 0);
}

/// Two cores, each once through a lock.
pub static LOCK: System = System {
    name: "two cores through a lock",
    cores: &[once, once],
    most: 2,
    words: WORDS,
    holds: |last| counted(last, 0, 2),
};

/// Two cores, each twice through a lock.
pub static LOCK_TWICE: System = System {
    name: "two cores, twice through a lock",
    cores: &[twice, twice],
    most: 4,
    words: WORDS,
    holds: |last| counted(last, 0, 4),
};

/// Three cores take one lock.
pub static LOCK_OF_THREE: System = System {
    name: "three cores through a lock",
    cores: &[once, once, once],
    most: 3,
    words: WORDS,
    holds: |last| counted(last, 0, 3),
};

/// A core tells another.
pub static LOOK: System = System {
    name: "a look",
    cores: &[|wires, _| send(wires, 0, 1), |wires, core| receive(wires, core, 2)],
    most: 2,
    words: WORDS,
    holds: |last| {
        counted(last, 0, 1)?;
        none_pending(last)?;
        seen(last, 1, (0, 1))
    },
};

/// A core tells another twice.
pub static LOOKS: System = System {
    name: "two looks at one gate",
    cores: &[
        |wires, _| {
            send(wires, 0, 1);
            send(wires, 0, 1);
        },
        |wires, core| receive(wires, core, 3),
    ],
    most: 4,
    words: WORDS,
    holds: |last| {
        counted(last, 0, 2)?;
        none_pending(last)?;
        seen(last, 1, (0, 2))
    },
};

/// Two cores tell a third, of different gates.
pub static TWO_SENDERS: System = System {
    name: "looks of two cores",
    cores: &[
        |wires, _| send(wires, 0, 2),
        |wires, _| send(wires, 1, 2),
        |wires, core| receive(wires, core, 3),
    ],
    most: 2,
    words: WORDS,
    holds: |last| {
        none_pending(last)?;
        seen(last, 2, (0, 1))?;
        seen(last, 2, (1, 1))
    },
};

/// Two cores tell each other.
pub static EACH_OTHER: System = System {
    name: "looks to and fro",
    cores: &[
        |wires, core| {
            send(wires, 0, 1);
            receive(wires, core, 1);
        },
        |wires, core| {
            send(wires, 0, 0);
            receive(wires, core, 1);
        },
    ],
    most: 4,
    words: WORDS,
    holds: |last| {
        counted(last, 0, 2)?;
        none_pending(last)
    },
};

/// A request with its words, and the answer.
pub static REQUEST: System = System {
    name: "a request and its answer",
    cores: &[
        |wires, core| {
            wires.word(PACKET).store(3, PLAIN);
            send(wires, 0, 1);
            wires.sleep(core);
            if look(wires, core).is_some() && see(wires, 0) == 2 {
                saw(wires, 0, wires.word(PACKET).load(PLAIN));
            }
        },
        |wires, core| {
            wires.sleep(core);
            if look(wires, core).is_some() && see(wires, 0) == 1 {
                let words = wires.word(PACKET).load(PLAIN);
                wires.word(PACKET).store(words + 1, PLAIN);
                send(wires, 0, 0);
            }
        },
    ],
    most: 4,
    words: WORDS,
    holds: |last| {
        counted(last, 0, 2)?;
        none_pending(last)?;
        seen(last, 0, (0, 4))
    },
};

/// Returns a core's mailbox, in the word that is in no lock.
fn mail<'a>(wires: &'a Wires<'a>) -> Mailbox<Cell<'a>> {
    Mailbox::over(wires.word(PACKET))
}

const fn mails(counts: bool) -> MailboxConfig {
    MailboxConfig { core: 0, notification: NotificationIndex(0), counts }
}

/// A core puts something into another's mailbox, and tells it.
fn post(wires: &Wires<'_>, config: &MailboxConfig, (bits, to): (u32, usize)) {
    if mail(wires).add(config, bits).is_ok() {
        tell(&board(wires, to).0[1], 1, wires, to);
    }
}

/// A core sleeps, and takes what is in its mailbox when it is interrupted, so often.
fn collect(wires: &Wires<'_>, config: &MailboxConfig, (core, times): (usize, usize)) {
    for _ in 0..times {
        wires.sleep(core);
        if look(wires, core).is_some() {
            let taken = mail(wires).take(config);
            saw(wires, 0, taken.signal);
            if taken.more {
                tell(&board(wires, core).0[1], 1, wires, core);
            }
        }
    }
}

/// All that a core has taken.
fn collected(last: &Last<'_>, core: usize, all: u32) -> Result<(), String> {
    none_pending(last)?;
    let sum: u32 = last.notes[core].iter().map(|note| note % 16).sum();
    let right = sum == all && last.words[usize::from(PACKET)] == 0;
    right.then_some(()).ok_or_else(|| format!("core {core} has got {sum} of {all}"))
}

/// Bits for another core, one after the other.
pub static BITS: System = System {
    name: "bits for another core",
    cores: &[
        |wires, _| {
            post(wires, &mails(false), (1, 1));
            post(wires, &mails(false), (2, 1));
        },
        |wires, core| collect(wires, &mails(false), (core, 3)),
    ],
    most: 3,
    words: WORDS,
    holds: |last| collected(last, 1, 3),
};

/// Two cores signal a third, which counts.
pub static COUNTS: System = System {
    name: "counts of two cores",
    cores: &[
        |wires, _| post(wires, &mails(true), (1, 2)),
        |wires, _| post(wires, &mails(true), (1, 2)),
        |wires, core| collect(wires, &mails(true), (core, 4)),
    ],
    most: 2,
    words: WORDS,
    holds: |last| collected(last, 2, 2),
};

/// Locks, and looks at gates.
pub static GATES_ONLY: &[&System] =
    &[&LOCK, &LOCK_TWICE, &LOCK_OF_THREE, &LOOK, &LOOKS, &TWO_SENDERS, &EACH_OTHER, &REQUEST];

/// Mailboxes, which are in no lock.
pub static MAILBOXES: &[&System] = &[&BITS, &COUNTS];

/// Programs that use what is right in a wrong order.
pub static WRONG: &[&System] = &[&LATE_TAKING, &LATE_READING, &LATE_WORDS];

/// A core takes the bit of a look after it has looked.
static LATE_TAKING: System = System {
    name: "a bit is taken after the look",
    cores: &[LOOKS.cores[0], |wires, core| {
        for _ in 0..3 {
            wires.sleep(core);
            wires.withdraw(core);
            wires.after_devices();
            let bits = &board(wires, core).0[0];
            if bits.load(Ordering::Acquire) != 0 {
                let value = see(wires, 0);
                saw(wires, 0, value);
                bits.fetch_and(!1, Ordering::AcqRel);
            }
        }
    }],
    ..LOOKS
};

/// A core reads what a gate has when it has left the lock.
static LATE_READING: System = System {
    name: "a state is read after the lock is left",
    cores: &[twice, |wires, _| {
        let (lock, [one, other]) = (lock(wires, 0), state(wires, 0));
        lock.leave(lock.enter(|| wires.again()));
        wires.note(u32::from(one.load(PLAIN) != other.load(PLAIN)));
    }],
    most: 3,
    holds: |last| counted(last, 0, 2),
    ..LOCK
};

/// A request's words are written when it is in the queue.
static LATE_WORDS: System = System {
    name: "words are written after the request",
    cores: &[
        |wires, core| {
            send(wires, 0, 1);
            wires.word(PACKET).store(3, PLAIN);
            wires.sleep(core);
            if look(wires, core).is_some() && see(wires, 0) == 2 {
                saw(wires, 0, wires.word(PACKET).load(PLAIN));
            }
        },
        REQUEST.cores[1],
    ],
    ..REQUEST
};
