//! A system of several cores, from which tables are made.

use fusee_kernel::cores::{
    CoreTables, GlobalConfig, GlobalProtocol, Host, MailboxConfig, OneCore, PostLimit, RequestSlot,
    RestartConfig, StartError,
};
use fusee_kernel::{
    Budget, Capability, ComponentConfig, ComponentIndex, DeadlineServices, EarliestDeadline,
    FixedPriority, GateConfig, GateIndex, GateKind, LockServices, NEVER, NotificationConfig,
    NotificationIndex, NotificationKind, OnFault, Overrun, Protocol, Release, RestartIndex,
    SeatIndex, Store, Tables, ThreadConfig, ThreadIndex, Time,
};

/// A thread of a core.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// Its priority: 1 to 4.
    pub priority: u8,
    /// The global gates that it uses at home.
    pub gates: &'static [usize],
    /// `true` if it uses its core's local gate.
    pub local: bool,
    /// Its relative deadline, which counts where deadlines decide.
    pub deadline: Time,
    /// `true` if its budget is a tick.
    pub limited: bool,
    /// The events that it signals at home.
    pub signals: &'static [usize],
    /// The limit on its signals of each event of another core: so many in a period, and in any
    /// window as many as in one that is longer by the last number. `None`: there is no limit.
    pub posts: Option<(u32, Time, Time)>,
    /// The events for which it waits at home.
    pub waits: &'static [usize],
    /// Its stays in the component that all cores enter.
    pub part: Part,
    /// `true` if it may sleep at home on the account of others of its core that may, and wake them:
    /// they have one home, and use the same gates.
    pub sleeps: bool,
}

/// The use that a thread makes of the component behind the propagated gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It does not enter it.
    Nothing,
    /// It enters it.
    Enters,
    /// It is at home there.
    Dwells,
}

/// An event of one core.
#[derive(Debug, Clone, Copy)]
pub struct EventOf {
    /// The core whose threads wait for it, or are released by it.
    pub core: usize,
    /// The effect of a signal.
    pub kind: EventKind,
}

/// The effect of an event's signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// Their bits merge: each core has its own.
    Merges,
    /// They are counted.
    Counts,
    /// Each releases a job of this thread.
    Releases(usize),
}

/// So many signals of an event are under way or pending at once, at most.
pub(super) const MOST_SIGNALS: u32 = 2;

/// A core's threads.
pub type Core = &'static [Task];

/// A system to explore.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that name the system.
    pub name: &'static str,
    /// The cores of the system.
    pub cores: &'static [Core],
    /// Those of its cores where deadlines decide.
    pub deadlines: &'static [usize],
    /// `true` if local gates have a ceiling, or a floor where deadlines decide; else they inherit.
    pub floors: bool,
    /// `true` if each job waits for one section of a less urgent thread of its core at most, and
    /// none finds a gate held there.
    pub once: bool,
    /// The protocols of its global gates.
    pub protocols: &'static [GlobalProtocol],
    /// The global gates that are mutexes of the component behind the propagated gate.
    pub mutexes: &'static [usize],
    /// `true` if a thread in that component can enter its core's local gate and wait for the first
    /// event.
    pub waits_inside: bool,
    /// The global gates that are used inside the local gate of each core, which inherits.
    pub inside_local: &'static [usize],
    /// The number of passages of a propagated gate by an activation, which may be passed again
    /// inside.
    pub below: u8,
    /// `true` if sections, and threads behind the propagated gate, name the local gate of the core
    /// on which they are, too: it is exclusive.
    pub below_exclusive: bool,
    /// `true` if the component behind the propagated gate is behind the global gates, too.
    pub behind: bool,
    /// The effect of a fault on the component behind the propagated gate, which all cores enter
    /// unless it goes on.
    pub on_fault: OnFault,
    /// `true` if sections fail.
    pub faults: bool,
    /// `true` if looks come for nothing.
    pub spurious: bool,
    /// The time slice of threads.
    pub slice: Time,
    /// The events of the system.
    pub events: &'static [EventOf],
}

/// Above all other urgencies.
const TOP: u8 = 9;
/// Above all normal ones: what owners have under mpcp, besides the priority of a user elsewhere.
const BOOST: u8 = 4;
const LEVELS: u16 = 10;
/// The first gate about a thread: behind the local gate and the propagated one.
const FIRST_ABOUT: usize = 2;

impl System {
    /// A system without anything special.
    pub const PLAIN: System = System {
        name: "",
        cores: &[],
        deadlines: &[],
        floors: false,
        once: false,
        protocols: &[],
        mutexes: &[],
        waits_inside: false,
        inside_local: &[],
        below: 0,
        below_exclusive: false,
        behind: false,
        on_fault: OnFault::Continue,
        faults: true,
        spurious: false,
        slice: NEVER,
        events: &[],
    };

    /// Returns the tables of all cores.
    pub fn with<T>(&self, run: impl FnOnce(&[OneCore<'_>]) -> T) -> T {
        let parts = Parts::of(self);
        let globals = parts.globals(self);
        let cores = (1 << self.cores.len()) - 1;
        let restarts = [RestartConfig { component: ComponentIndex(1), cores }];
        let ends = usize::from(self.on_fault != OnFault::Continue);
        let mut restart_of = vec![RestartIndex::NONE; ends * parts.capabilities.len()];
        restart_of.iter_mut().skip(1).take(1).for_each(|restart| *restart = RestartIndex(0));
        let components: Vec<_> =
            (0..self.cores.len()).map(|core| parts.components(core, self.on_fault)).collect();
        let components: Vec<Vec<ComponentConfig<'_>>> =
            components.iter().map(|own| configured(own)).collect();
        let gates: Vec<_> = (0..self.cores.len()).map(|core| self.gates(core, &parts)).collect();
        let notifications: Vec<_> =
            (0..self.cores.len()).map(|core| self.notifications(core)).collect();
        let mailboxes = self.mailboxes();
        let limits: Vec<_> = (0..self.cores.len()).map(|core| self.limits(core)).collect();
        let tables = |core: usize| {
            let one = Tables {
                threads: &parts.threads[core],
                gates: &gates[core],
                notifications: &notifications[core],
                components: &components[core],
                interrupts: &[],
                depth: 2,
                chain: 4 + 2 * self.row() as u16,
                backlog: u16::from(self.releases_jobs()),
                time_slice: self.slice,
                cores: 1,
                levels: LEVELS,
            };
            let shared = CoreTables {
                core: core as u8,
                first_gate: GateIndex(self.first_gate()),
                first_turn: NotificationIndex(self.events.len() as u16),
                globals: &globals,
                seats: &parts.seats_of[core],
                mailboxes: &mailboxes,
                limits: &limits[core],
                restarts: &restarts[..ends],
                restart_of: &restart_of,
            };
            (one, shared)
        };
        let tables: Vec<_> = (0..self.cores.len()).map(tables).collect();
        run(&tables)
    }

    /// Returns the state in which it starts.
    ///
    /// # Errors
    /// Those of [`Host::start`].
    pub(super) fn start(&self, tables: &[OneCore<'_>]) -> Result<Host, (usize, StartError)> {
        Host::start(tables, |core, sizes| match (self.by_deadline(core), self.sleep_on(core)) {
            (true, true) => Store::<DeadlineServices>::new(sizes).into(),
            (true, false) => Store::<EarliestDeadline>::new(sizes).into(),
            (false, true) => Store::<LockServices>::new(sizes).into(),
            (false, false) => Store::<FixedPriority>::new(sizes).into(),
        })
    }

    fn by_deadline(&self, core: usize) -> bool {
        self.deadlines.contains(&core)
    }

    /// Returns `true` if threads of a core may sleep on each other's account.
    fn sleep_on(&self, core: usize) -> bool {
        self.cores[core].iter().any(|task| task.sleeps)
    }

    /// Returns the number of gates about threads that each core has, of use or not: gates behind
    /// them have the same numbers on all cores.
    fn row(&self) -> usize {
        let some = (0..self.cores.len()).any(|core| self.sleep_on(core));
        let longest = self.cores.iter().map(|core| core.len()).max().unwrap_or(0);
        if some { longest } else { 0 }
    }

    /// Returns the number of the first stand-in: behind the local gate, the propagated one, and
    /// those about threads.
    fn first_gate(&self) -> u16 {
        (FIRST_ABOUT + self.row()) as u16
    }

    /// Returns `true` if time passes whatever is due: deadlines come nearer.
    pub(super) fn ages(&self) -> bool {
        !self.deadlines.is_empty()
    }

    /// Returns `true` if some thread may not signal other cores as often as it likes. Then time
    /// passes whatever is due.
    pub(super) fn limits_posts(&self) -> bool {
        self.cores.iter().copied().flatten().any(|task| task.posts.is_some())
    }

    /// Returns `true` if some event releases jobs, of which one can then wait.
    fn releases_jobs(&self) -> bool {
        self.events.iter().any(|event| matches!(event.kind, EventKind::Releases(_)))
    }

    /// The event that releases a thread.
    pub(super) fn releases(&self, core: usize, thread: usize) -> bool {
        let it = EventKind::Releases(thread);
        self.events.iter().any(|event| event.core == core && event.kind == it)
    }

    /// Returns a core's notifications: the events, then the turns.
    fn notifications(&self, core: usize) -> Vec<NotificationConfig> {
        let none = ThreadIndex::NONE;
        let merging =
            NotificationConfig { kind: NotificationKind::Merging, releases: none, initial: 0 };
        let event = |event: &EventOf| match event.kind {
            EventKind::Merges => merging,
            EventKind::Counts => NotificationConfig {
                kind: NotificationKind::Counting { limit: u32::MAX },
                ..merging
            },
            EventKind::Releases(thread) if event.core == core => {
                NotificationConfig { releases: ThreadIndex(thread as u16), ..merging }
            }
            EventKind::Releases(_) => merging,
        };
        let turns = vec![merging; self.protocols.len()];
        self.events.iter().map(event).chain(turns).collect()
    }

    /// For each event, for each thread of a core: how often it may signal that.
    fn limits(&self, core: usize) -> Vec<PostLimit> {
        let limit = |task: &Task| match task.posts {
            Some((signals, period, ahead)) => PostLimit::rate(signals, period, ahead),
            None => PostLimit::FREE,
        };
        let events = self.events.iter();
        events.flat_map(|_| self.cores[core].iter().map(limit)).collect()
    }

    fn mailboxes(&self) -> Vec<MailboxConfig> {
        let config = |(number, event): (usize, &EventOf)| MailboxConfig {
            core: event.core as u8,
            notification: NotificationIndex(number as u16),
            counts: event.kind != EventKind::Merges,
        };
        self.events.iter().enumerate().map(config).collect()
    }

    /// Returns `true` if a thread may come to ask at a global gate.
    fn uses(&self, task: &Task, global: usize) -> bool {
        let inside = self.mutexes.contains(&global) && task.part != Part::Nothing;
        inside || task.gates.contains(&global) || task.local && self.inside_local.contains(&global)
    }

    /// Returns the urgency of a request on a core. A thread that may wait for the local gate counts
    /// for one that asks inside.
    fn ceiling(&self, core: usize, global: usize) -> u8 {
        let here = |task: &&Task| {
            self.uses(task, global) || task.local && self.inside_local.contains(&global)
        };
        let most = |core: &Core, of: &dyn Fn(&&Task) -> bool| {
            core.iter().filter(of).map(|task| task.priority).max().unwrap_or(0)
        };
        match self.protocols[global] {
            GlobalProtocol::Msrp => TOP,
            GlobalProtocol::Mrsp => most(&self.cores[core], &here),
            GlobalProtocol::Mpcp => {
                let others = self.cores.iter().enumerate().filter(|(other, _)| *other != core);
                let uses = |task: &&Task| self.uses(task, global);
                BOOST + others.map(|(_, core)| most(core, &uses)).max().unwrap_or(0)
            }
        }
    }

    /// Returns a core's gates: its local one, the propagated one below activations, those about
    /// threads, the stand-ins.
    fn gates(&self, core: usize, parts: &Parts) -> Vec<GateConfig> {
        let gate = |component: usize, protocol, stacks| GateConfig {
            component: ComponentIndex(component as u16),
            protocol,
            stacks,
            kind: GateKind::Interface,
        };
        let mutex = |gate: GateConfig| GateConfig { kind: GateKind::Mutex, ..gate };
        let request = |global| match self.by_deadline(core) {
            true => Protocol::NonPreemptive,
            false => Protocol::Fixed { ceiling: self.ceiling(core, global) },
        };
        let behind = |global| if self.behind { 1 } else { 2 + global };
        let stand_in = |global| match self.mutexes.contains(&global) {
            true => mutex(gate(1, request(global), 1)),
            false => gate(behind(global), request(global), 1),
        };
        let stand_ins = (0..self.protocols.len()).map(stand_in);
        let entering = self.cores[core].iter().filter(|task| task.part == Part::Enters).count();
        let stacks = entering.max(1) as u16;
        let own = [gate(0, self.local(core), 1), gate(1, Protocol::Propagated, stacks)];
        // They are of the first component if nobody sleeps.
        let keeper = parts.keepers[core].unwrap_or(0);
        let about = (0..self.row()).map(|_| mutex(gate(keeper, Protocol::Inherited, 1)));
        own.into_iter().chain(about).chain(stand_ins).collect()
    }
}

impl System {
    /// Returns the protocol of a core's local gate.
    fn local(&self, core: usize) -> Protocol {
        let users = self.cores[core].iter().filter(|task| task.local);
        let ceiling = users.map(|task| task.priority).max().unwrap_or(0);
        match (self.floors, self.by_deadline(core)) {
            (false, _) => Protocol::Inherited,
            (true, false) => Protocol::Fixed { ceiling },
            (true, true) => Protocol::Srp { ceiling },
        }
    }
}

/// The storage behind the tables. Component 0 is behind the local gate, 1 behind the propagated
/// one, then come those behind the global gates, then the threads' homes.
struct Parts {
    threads: Vec<Vec<ThreadConfig>>,
    seats: Vec<Vec<RequestSlot>>,
    seats_of: Vec<Vec<SeatIndex>>,
    capabilities: Vec<Vec<Capability>>,
    /// For each core, the component through which threads sleep.
    keepers: Vec<Option<usize>>,
}

impl Parts {
    fn of(system: &System) -> Parts {
        let count = system.protocols.len();
        let first = system.first_gate();
        let global = |global: &usize| Capability::Gate(GateIndex(first + *global as u16));
        let mut below =
            if system.below > 0 { vec![Capability::Gate(GateIndex(1))] } else { vec![] };
        below.extend(system.below_exclusive.then_some(Capability::Gate(GateIndex(0))));
        let mut parts = Parts {
            threads: Vec::new(),
            seats: vec![Vec::new(); count],
            seats_of: Vec::new(),
            capabilities: vec![system.inside_local.iter().map(global).collect(), below.clone()],
            keepers: vec![None; system.cores.len()],
        };
        let mutex = |global: &usize| Capability::Mutex(GateIndex(first + *global as u16));
        parts.capabilities[1].extend(system.mutexes.iter().map(mutex));
        if system.waits_inside {
            let waits = [Capability::Gate(GateIndex(0)), Capability::Wait(NotificationIndex(0))];
            parts.capabilities[1].extend(waits);
        }
        parts.capabilities.extend(vec![below; count]);
        for (core, tasks) in system.cores.iter().enumerate() {
            let mut threads = Vec::new();
            let mut seats_of = vec![SeatIndex::NONE; count * tasks.len()];
            for (number, task) in tasks.iter().enumerate() {
                let home = match (task.part, parts.keepers[core]) {
                    (Part::Dwells, _) => ComponentIndex(1),
                    (_, Some(keeper)) if task.sleeps => ComponentIndex(keeper as u16),
                    _ => ComponentIndex(parts.capabilities.len() as u16),
                };
                let mut own: Vec<_> = task.gates.iter().map(global).collect();
                own.extend(task.local.then_some(Capability::Gate(GateIndex(0))));
                own.extend((task.part == Part::Enters).then_some(Capability::Gate(GateIndex(1))));
                let event = |event: &usize| NotificationIndex(*event as u16);
                let signal = |number| Capability::Signal(event(number), 1 << core);
                own.extend(task.signals.iter().map(signal));
                own.extend(task.waits.iter().map(|number| Capability::Wait(event(number))));
                if task.sleeps {
                    own.extend(
                        parts.keepers[core].is_none().then(|| about(tasks)).into_iter().flatten(),
                    );
                    parts.keepers[core] = Some(home.at());
                }
                if home.at() == parts.capabilities.len() {
                    parts.capabilities.push(own);
                }
                threads.push(thread(task, home));
                for global in (0..count).filter(|global| system.uses(task, *global)) {
                    let seats = &mut parts.seats[global];
                    seats_of[global * tasks.len() + number] = SeatIndex(seats.len() as u16);
                    let thread = ThreadIndex(number as u16);
                    seats.push(RequestSlot { core: core as u8, thread, rank: task.priority });
                }
            }
            parts.threads.push(threads);
            parts.seats_of.push(seats_of);
        }
        parts
    }

    fn globals(&self, system: &System) -> Vec<GlobalConfig<'_>> {
        let config = |(&protocol, seats)| GlobalConfig::of(protocol, seats, system.below);
        let seats = self.seats.iter().map(Vec::as_slice);
        system.protocols.iter().zip(seats).map(config).collect()
    }

    /// Returns what a core has of each component: threads are named on their own core alone.
    fn components(&self, core: usize, behind: OnFault) -> Vec<(OnFault, Vec<Capability>)> {
        let component = |(number, capabilities): (usize, &Vec<Capability>)| {
            let on_fault = if number == 1 { behind } else { OnFault::Continue };
            let is_here = |capability: &&Capability| {
                !matches!(capability, Capability::Thread(..)) || self.keepers[core] == Some(number)
            };
            (on_fault, capabilities.iter().filter(is_here).copied().collect())
        };
        self.capabilities.iter().enumerate().map(component).collect()
    }
}

fn configured(components: &[(OnFault, Vec<Capability>)]) -> Vec<ComponentConfig<'_>> {
    let all = components.iter();
    all.map(|(on_fault, own)| ComponentConfig { on_fault: *on_fault, capabilities: own }).collect()
}

/// Returns the capabilities for the threads of a core that may sleep.
fn about(tasks: &[Task]) -> Vec<Capability> {
    let all = tasks.iter().enumerate().filter(|(_, task)| task.sleeps);
    let may = |number: usize| {
        Capability::Thread(GateIndex((FIRST_ABOUT + number) as u16), ThreadIndex(number as u16))
    };
    all.map(|(number, _)| may(number)).collect()
}

fn thread(task: &Task, component: ComponentIndex) -> ThreadConfig {
    let budget = Budget { amount: 1, overrun: Overrun::Suspend };
    ThreadConfig {
        component,
        priority: task.priority,
        core: 0,
        release: Release::Sporadic { separation: 0, jitter: 0 },
        deadline: task.deadline,
        budget: task.limited.then_some(budget),
    }
}
