//! A system of several cores, from which tables are made.

use fusee_kernel::cores::{
    CoreTables, GlobalConfig, GlobalProtocol, Host, MailboxConfig, OneCore, PostLimit, RequestSlot,
    RestartConfig, StartError,
};
use fusee_kernel::{
    Budget, Capability, ComponentConfig, ComponentIndex, EarliestDeadline, FixedPriority,
    GateConfig, GateIndex, GateKind, NEVER, NotificationConfig, NotificationIndex,
    NotificationKind, OnFault, Overrun, Protocol, Release, RestartIndex, SeatIndex, Store, Tables,
    ThreadConfig, ThreadIndex, Time,
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
        let components = parts.components(self.on_fault);
        let cores = (1 << self.cores.len()) - 1;
        let restarts = [RestartConfig { component: ComponentIndex(1), cores }];
        let ends = usize::from(self.on_fault != OnFault::Continue);
        let mut restart_of = vec![RestartIndex::NONE; ends * components.len()];
        restart_of.iter_mut().skip(1).take(1).for_each(|restart| *restart = RestartIndex(0));
        let gates: Vec<_> = (0..self.cores.len()).map(|core| self.gates(core)).collect();
        let notifications: Vec<_> =
            (0..self.cores.len()).map(|core| self.notifications(core)).collect();
        let mailboxes = self.mailboxes();
        let limits: Vec<_> = (0..self.cores.len()).map(|core| self.limits(core)).collect();
        let tables = |core: usize| {
            let one = Tables {
                threads: &parts.threads[core],
                gates: &gates[core],
                notifications: &notifications[core],
                components: &components,
                interrupts: &[],
                depth: 2,
                chain: 4,
                backlog: u16::from(self.releases_jobs()),
                time_slice: self.slice,
                cores: 1,
                levels: LEVELS,
            };
            let shared = CoreTables {
                core: core as u8,
                first_gate: GateIndex(2),
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
        Host::start(tables, |core, sizes| match self.by_deadline(core) {
            true => Store::<EarliestDeadline>::new(sizes).into(),
            false => Store::<FixedPriority>::new(sizes).into(),
        })
    }

    fn by_deadline(&self, core: usize) -> bool {
        self.deadlines.contains(&core)
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

    /// Returns a core's gates: its local one, the propagated one below activations, the stand-ins.
    fn gates(&self, core: usize) -> Vec<GateConfig> {
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
        own.into_iter().chain(stand_ins).collect()
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
}

impl Parts {
    fn of(system: &System) -> Parts {
        let count = system.protocols.len();
        let global = |global: &usize| Capability::Gate(GateIndex(2 + *global as u16));
        let mut below =
            if system.below > 0 { vec![Capability::Gate(GateIndex(1))] } else { vec![] };
        below.extend(system.below_exclusive.then_some(Capability::Gate(GateIndex(0))));
        let mut parts = Parts {
            threads: Vec::new(),
            seats: vec![Vec::new(); count],
            seats_of: Vec::new(),
            capabilities: vec![system.inside_local.iter().map(global).collect(), below.clone()],
        };
        let mutex = |global: &usize| Capability::Mutex(GateIndex(2 + *global as u16));
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
                let home = match task.part {
                    Part::Dwells => ComponentIndex(1),
                    _ => ComponentIndex(parts.capabilities.len() as u16),
                };
                let mut own: Vec<_> = task.gates.iter().map(global).collect();
                own.extend(task.local.then_some(Capability::Gate(GateIndex(0))));
                own.extend((task.part == Part::Enters).then_some(Capability::Gate(GateIndex(1))));
                let event = |event: &usize| NotificationIndex(*event as u16);
                let signal = |number| Capability::Signal(event(number), 1 << core);
                own.extend(task.signals.iter().map(signal));
                own.extend(task.waits.iter().map(|number| Capability::Wait(event(number))));
                parts.capabilities.push(own);
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

    fn components(&self, behind: OnFault) -> Vec<ComponentConfig<'_>> {
        let component = |(number, capabilities)| {
            let on_fault = if number == 1 { behind } else { OnFault::Continue };
            ComponentConfig { on_fault, capabilities }
        };
        self.capabilities.iter().map(Vec::as_slice).enumerate().map(component).collect()
    }
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
