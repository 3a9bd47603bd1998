//! Drawn systems, and their tables for the kernel.

use fusee_kernel::cores::{CoreTables, GlobalConfig, GlobalProtocol, OneCore, Seat};
use fusee_kernel::{
    Capability, ComponentConfig, ComponentIndex, GateConfig, GateIndex, GateKind, NEVER,
    NotificationConfig, NotificationIndex, NotificationKind, OnFault, Release, SeatIndex, Tables,
    ThreadConfig, ThreadIndex,
};

/// SplitMix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Msrp,
    Mrsp,
    Mpcp,
}

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Work(u64),
    /// At a global gate.
    Ask(usize),
    /// Into the local gate.
    Enter,
    /// Out of the gate it is in.
    Leave,
}

#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) core: usize,
    /// On its core nobody else has it.
    pub(crate) priority: u64,
    pub(crate) period: u64,
    pub(crate) offset: u64,
    pub(crate) script: Vec<Op>,
}

#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) protocol: Protocol,
    pub(crate) cores: usize,
    pub(crate) gates: usize,
    pub(crate) tasks: Vec<Task>,
}

pub(crate) const BACKLOG: u16 = 3;

/// The level above all boosts, and the one below them.
const TOP: u8 = 20;
const BOOST: u8 = 10;

impl Drawn {
    /// Two to four cores with one to four tasks each. Few different numbers, so that much falls
    /// together.
    pub(crate) fn draw(dice: &mut Dice, protocol: Protocol) -> Drawn {
        let (cores, gates) = (2 + dice.below(3) as usize, 1 + dice.below(2) as usize);
        let mut tasks = Vec::new();
        for core in 0..cores {
            let count = 1 + dice.below(4);
            let mut priorities: Vec<u64> = (1..=5).collect();
            for _ in 0..count {
                let priority = priorities.remove(dice.below(priorities.len() as u64) as usize);
                let period = 8 + 4 * dice.below(8);
                let (offset, script) = (dice.below(10), script(dice, gates, protocol));
                tasks.push(Task { core, priority, period, offset, script });
            }
        }
        Drawn { protocol, cores, gates, tasks }
    }

    /// The highest priority of a gate's users on some cores.
    pub(crate) fn highest(&self, gate: usize, on: impl Fn(usize) -> bool) -> u64 {
        let uses = |task: &&Task| on(task.core) && task.script.contains(&Op::Ask(gate));
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    /// The highest priority of a local gate's users.
    pub(crate) fn local_ceiling(&self, core: usize) -> u64 {
        let uses = |task: &&Task| task.core == core && task.script.contains(&Op::Enter);
        self.tasks.iter().filter(uses).map(|task| task.priority).max().unwrap_or(0)
    }

    /// The tasks of a core, in the order of their threads.
    pub(crate) fn of_core(&self, core: usize) -> impl Iterator<Item = (usize, &Task)> {
        self.tasks.iter().enumerate().filter(move |(_, task)| task.core == core)
    }

    /// Which task a thread is.
    pub(crate) fn task(&self, core: usize, thread: ThreadIndex) -> usize {
        self.of_core(core).nth(thread.at()).expect("a thread").0
    }

    /// Runs something on the tables. Slot 0 leads into the local gate, the others to the global
    /// ones.
    pub(crate) fn with<T>(&self, run: impl FnOnce(&[OneCore<'_>]) -> T) -> T {
        let slots: Vec<_> =
            (0..=self.gates).map(|gate| Capability::Gate(GateIndex(gate as u16))).collect();
        let component =
            |capabilities| ComponentConfig { on_fault: OnFault::Continue, capabilities };
        let mut components = vec![component(&slots[..])];
        components.extend((0..=self.gates).map(|_| component(&[][..])));
        let (mut threads, mut seats) = (vec![Vec::new(); self.cores], vec![Vec::new(); self.gates]);
        let mut seats_of: Vec<Vec<SeatIndex>> = Vec::new();
        for (core, threads) in threads.iter_mut().enumerate() {
            let count = self.of_core(core).count();
            let mut own = vec![SeatIndex::NONE; self.gates * count];
            for (number, (_, task)) in self.of_core(core).enumerate() {
                threads.push(thread(task));
                for gate in (0..self.gates).filter(|gate| task.script.contains(&Op::Ask(*gate))) {
                    own[gate * count + number] = SeatIndex(seats[gate].len() as u16);
                    let (thread, rank) = (ThreadIndex(number as u16), task.priority as u8);
                    seats[gate].push(Seat { core: core as u8, thread, rank });
                }
            }
            seats_of.push(own);
        }
        let protocol = match self.protocol {
            Protocol::Msrp => GlobalProtocol::Msrp,
            Protocol::Mrsp => GlobalProtocol::Mrsp,
            Protocol::Mpcp => GlobalProtocol::Mpcp,
        };
        let globals: Vec<_> =
            seats.iter().map(|seats| GlobalConfig { protocol, seats, depth: 0 }).collect();
        let gates: Vec<_> = (0..self.cores).map(|core| self.gates_of(core)).collect();
        let kind = NotificationKind::Merging;
        let turn = NotificationConfig { kind, releases: ThreadIndex::NONE, initial: 0 };
        let turns = vec![turn; self.gates];
        let tables = |core: usize| {
            let one = Tables {
                threads: &threads[core],
                gates: &gates[core],
                notifications: &turns,
                components: &components,
                interrupts: &[],
                depth: 2,
                chain: 4,
                backlog: BACKLOG,
                time_slice: NEVER,
                cores: 1,
                levels: u16::from(TOP) + 1,
            };
            let shared = CoreTables {
                core: core as u8,
                first_gate: GateIndex(1),
                first_turn: NotificationIndex(0),
                globals: &globals,
                seats: &seats_of[core],
            };
            (one, shared)
        };
        run(&(0..self.cores).map(tables).collect::<Vec<_>>())
    }

    fn gates_of(&self, core: usize) -> Vec<GateConfig> {
        let gate = |(number, ceiling): (usize, u64)| GateConfig {
            component: ComponentIndex(number as u16 + 1),
            protocol: fusee_kernel::Protocol::Fixed { ceiling: ceiling as u8 },
            stacks: 1,
            kind: GateKind::Interface,
        };
        let ceiling = |global| match self.protocol {
            Protocol::Msrp => u64::from(TOP),
            Protocol::Mrsp => self.highest(global, |other| other == core),
            Protocol::Mpcp => u64::from(BOOST) + self.highest(global, |other| other != core),
        };
        std::iter::once(self.local_ceiling(core))
            .chain((0..self.gates).map(ceiling))
            .enumerate()
            .map(gate)
            .collect()
    }
}

fn thread(task: &Task) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(0),
        priority: task.priority as u8,
        core: 0,
        release: Release::Periodic { period: task.period, offset: task.offset },
        deadline: task.period,
        budget: None,
    }
}

/// Work and sections in any order. Who may be suspended at a global gate could find a local one
/// held, so under mpcp there is none.
fn script(dice: &mut Dice, gates: usize, protocol: Protocol) -> Vec<Op> {
    let mut script = Vec::new();
    for _ in 0..1 + dice.below(3) {
        if dice.below(2) == 0 {
            script.push(Op::Work(1 + dice.below(3)));
        }
        let local = protocol != Protocol::Mpcp && dice.below(4) == 0;
        match dice.below(3) {
            0 => continue,
            _ if local => script.push(Op::Enter),
            _ => script.push(Op::Ask(dice.below(gates as u64) as usize)),
        }
        script.push(Op::Work(1 + dice.below(4)));
        script.push(Op::Leave);
    }
    if script.is_empty() {
        script.push(Op::Work(1));
    }
    script
}
