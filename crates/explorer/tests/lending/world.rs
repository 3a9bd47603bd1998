//! A system whose threads, and whose scheduler, do what chance says.

use crate::judge::{Judge, Seen};
use fusee_kernel::tcaps::{
    self, AccountConfig, Decision, Dispatch, EndPointConfig, Funding, Principal, SchedulerConfig,
    Transfer, TreeKernel, Trees, Waited,
};
use fusee_kernel::{
    AccountIndex, Budget, Capability, ComponentConfig, ComponentIndex, Delivery, Event,
    FixedPriority, Flow, GateConfig, GateIndex, GateKind, Kernel, NEVER, NotificationConfig,
    NotificationIndex, NotificationKind, OnFault, Overrun, Protocol, Release, SchedulerIndex,
    Status, Store, ThreadConfig, ThreadIndex, Time,
};

/// The scheduler; its threads have the numbers behind it.
pub(crate) const SCHEDULER: usize = 0;
/// The number of threads that it has.
pub(crate) const DISPATCHED: usize = 3;
/// All threads: one of the kernel's own is above the scheduler, and one below.
pub(crate) const THREADS: usize = 6;
/// The priority of each thread.
pub(crate) const PRIORITIES: [u8; THREADS] = [1, 1, 1, 1, 2, 0];
const GATES: usize = 3;

/// A number below a limit.
pub(crate) type Dice<'d> = &'d mut dyn FnMut(u64) -> u64;

/// The counts of events in a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Ticks in which somebody ran on the time of a dispatched thread that waited.
    pub(crate) lent: u64,
    /// The same, of a task of the kernel's own.
    pub(crate) lent_by_kernel: u64,
    /// Waits at a gate.
    pub(crate) waits: u64,
    /// Dispatches of a thread that waited at a gate.
    pub(crate) moved: u64,
}

impl Tally {
    /// Adds another run's counts.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.lent += other.lent;
        self.lent_by_kernel += other.lent_by_kernel;
        self.waits += other.waits;
        self.moved += other.moved;
    }
}

type World<'k, 'm> = (&'k mut Kernel<'m, FixedPriority, ()>, &'k mut Trees<'m>);

/// The tables of the build.
struct Built {
    threads: Vec<ThreadConfig>,
    gates: Vec<GateConfig>,
    notifications: Vec<NotificationConfig>,
    capabilities: Vec<Capability>,
    accounts: Vec<AccountConfig>,
    end_points: Vec<EndPointConfig>,
    on_fault: OnFault,
}

impl Built {
    fn new(dice: Dice<'_>) -> Self {
        let mut thread = |number: usize| {
            let release = match number {
                SCHEDULER => Release::Once { offset: 0 },
                _ => Release::Periodic { period: 6 + dice(20), offset: dice(10) },
            };
            // What tasks of the kernel's own lend may end as well.
            let limited = number > DISPATCHED && dice(2) == 0;
            let budget = limited.then(|| Budget { amount: 1 + dice(6), overrun: Overrun::Suspend });
            let component = ComponentIndex(number as u16);
            let priority = PRIORITIES[number];
            ThreadConfig { component, priority, core: 0, release, deadline: NEVER, budget }
        };
        let threads = (0..THREADS).map(&mut thread).collect();
        let gate = |number| GateConfig {
            component: ComponentIndex((THREADS + number) as u16),
            protocol: Protocol::Inherited,
            stacks: 1,
            kind: GateKind::Interface,
        };
        let kernels = |scheduler, level| AccountConfig {
            scheduler,
            priority: 0,
            funding: Funding::Kernel { level, amount: NEVER },
        };
        let mut accounts = vec![kernels(SchedulerIndex(0), 1)];
        let mut end_points = vec![EndPointConfig::of_kernel(ThreadIndex(0))];
        for number in 1..THREADS as u16 {
            let thread = ThreadIndex(number);
            if usize::from(number) <= DISPATCHED {
                let funding = Funding::Delegated { limit: 100 };
                let scheduler = SchedulerIndex(0);
                accounts.push(AccountConfig { scheduler, priority: 1, funding });
                end_points.push(EndPointConfig { scheduler, account: AccountIndex(number) });
            } else {
                accounts.push(kernels(SchedulerIndex::NONE, PRIORITIES[thread.at()]));
                end_points.push(EndPointConfig::of_kernel(thread));
            }
        }
        let gates_of = (0..GATES as u16).map(|gate| Capability::Gate(GateIndex(gate)));
        let others =
            [Capability::Wait(NotificationIndex(0)), Capability::Signal(NotificationIndex(0), 1)];
        Built {
            threads,
            gates: (0..GATES).map(gate).collect(),
            notifications: vec![NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex::NONE,
                initial: 0,
            }],
            capabilities: gates_of.chain(others).collect(),
            accounts,
            end_points,
            on_fault: [OnFault::Continue, OnFault::Restart][dice(2) as usize],
        }
    }
}

/// Runs a system for so many ticks. Where threads wait for signals `inside` of gates, too, nobody
/// judges who runs and pays, but only whether schedulers hear of what they are to hear.
pub(crate) fn run(dice: Dice<'_>, ticks: Time, inside: bool) -> Result<Tally, String> {
    let built = Built::new(dice);
    let component = ComponentConfig { on_fault: built.on_fault, capabilities: &built.capabilities };
    let components = [component; THREADS + GATES];
    let tables = fusee_kernel::Tables {
        threads: &built.threads,
        gates: &built.gates,
        notifications: &built.notifications,
        components: &components,
        interrupts: &[],
        depth: GATES as u8,
        chain: THREADS as u16,
        backlog: 2,
        time_slice: NEVER,
        cores: 1,
        levels: 3,
    };
    let schedulers = [SchedulerConfig {
        thread: ThreadIndex(SCHEDULER as u16),
        principal: Principal(1),
        parent: SchedulerIndex::NONE,
    }];
    let in_order: Vec<_> = (0..THREADS as u16).map(ThreadIndex).collect();
    let time = tcaps::Tables {
        accounts: &built.accounts,
        schedulers: &schedulers,
        end_points: &built.end_points,
        interrupts: &in_order,
    };
    let mut store = Store::start(&tables).expect("right tables");
    let mut memory = tcaps::Store::start(&time).expect("right tables");
    let mut alarms = [0];
    let mut kernel = Kernel::start(tables, store.memory(), ()).expect("right tables");
    let mut trees =
        Trees::start(&mut kernel, (time, memory.memory()), &mut alarms).expect("right tables");
    let mut chance = Chance { dice, token: 0, inside };
    let (mut judge, mut tally) = (Judge::default(), Tally::default());
    for now in 0..ticks {
        let mut world = (&mut kernel, &mut trees);
        // What is due may come right behind what somebody does.
        if (chance.dice)(4) > 0 {
            due(&mut world, now)?;
        }
        for _ in 0..8 {
            chance.step(&mut world, now, &mut judge, &mut tally)?;
            due(&mut world, now)?;
        }
        if inside {
            continue;
        }
        judge
            .tick(&Seen::of(&kernel, &trees), &mut tally)
            .map_err(|why| format!("{now}: {why}"))?;
    }
    Ok(tally)
}

/// Everything that the timer is to do by now.
fn due(world: &mut World<'_, '_>, now: Time) -> Result<(), String> {
    for _ in 0..100 {
        if world.0.next_timer().min(world.1.next_timer(world.0)) > now {
            // What has been used so far is charged.
            TreeKernel::over(world.0, world.1).reconcile(now);
            return Ok(());
        }
        let mut flow = Flow::over(&mut *world.0, &mut *world.1);
        flow.take(now, Event::Timer).map(|_| ()).map_err(|error| format!("{now}: {error:?}"))?;
    }
    Err(format!("{now}: the timer is due for ever"))
}

/// The random choice of the thread that acts, and of its act.
struct Chance<'d> {
    dice: Dice<'d>,
    token: u32,
    inside: bool,
}

impl Chance<'_> {
    /// Whoever runs does something, or goes on executing.
    fn step(
        &mut self,
        world: &mut World<'_, '_>,
        now: Time,
        judge: &mut Judge,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let (kernel, trees) = world;
        let Some(current) = kernel.current().is_some().then(|| kernel.current().at()) else {
            return Ok(());
        };
        match kernel.outcome().delivery {
            Delivery::Abort => return self.event(world, now, Event::Abort, tally),
            Delivery::Restore => return self.event(world, now, Event::Restored, tally),
            _ => {}
        }
        let depth = kernel.frames(ThreadIndex(current as u16)).len();
        if current == SCHEDULER && depth == 0 && (self.dice)(6) > 0 {
            self.decide(&mut TreeKernel::over(kernel, trees), now, judge, tally);
            return Ok(());
        }
        let event = match (self.dice)(16) {
            0..4 => Event::Invoke((self.dice)(GATES as u64) as u16),
            4..6 if depth > 0 => Event::Return,
            4..6 if current != SCHEDULER => Event::Complete,
            6 if current != SCHEDULER && (self.dice)(4) == 0 => Event::Fault,
            7 if (depth == 0 || self.inside) && (1..=DISPATCHED).contains(&current) => {
                Event::Wait(GATES as u16)
            }
            8 if (self.dice)(2) == 0 => Event::Signal(GATES as u16 + 1),
            _ => return Ok(()),
        };
        self.event(world, now, event, tally)
    }

    fn event(
        &mut self,
        (kernel, trees): &mut World<'_, '_>,
        now: Time,
        event: Event,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let (caller, first) = (kernel.current(), trees.dispatcher().running());
        let is_due = kernel.next_timer().min(trees.next_timer(kernel)) <= now;
        // A circle, a second time the same gate, one too many: refused, and nothing has changed.
        let refused = Flow::over(&mut **kernel, &mut **trees).take(now, event).is_err();
        if !Flow::over(&mut **kernel, &mut **trees).is_told(now) {
            return Err(format!("{now}: somebody goes on after {event:?}, and nobody was told"));
        }
        // What was done at once is charged, too.
        TreeKernel::over(kernel, trees).reconcile(now);
        if !refused && kernel.thread(caller).status == Status::AtGate {
            tally.waits += 1;
            if !self.inside && caller == first && trees.dispatcher().running() != first && !is_due {
                return Err(format!("{now}: {} waits at a gate, and lost its dispatch", caller.0));
            }
        }
        Ok(())
    }

    fn decide(
        &mut self,
        kernel: &mut TreeKernel<'_, '_, '_, FixedPriority, ()>,
        now: Time,
        judge: &mut Judge,
        tally: &mut Tally,
    ) {
        let thread = 1 + (self.dice)(DISPATCHED as u64) as u16;
        match (self.dice)(8) {
            0..2 => {
                let (to, amount) = (AccountIndex(thread), 1 + (self.dice)(12));
                let from = AccountIndex(0);
                let given = Transfer { from, to, amount, priority: 1 };
                if kernel.decide(now, &Decision::Transfer(given)).is_ok() {
                    judge.gets(thread.into(), amount);
                }
            }
            2 => {
                let alarm = now + (self.dice)(6);
                if let Ok(Waited::Event(event)) = kernel.wait(now, alarm) {
                    judge.hears(event.thread.at(), event.cycles);
                }
            }
            _ => {
                while let Ok(Waited::Event(event)) = kernel.wait(now, now) {
                    judge.hears(event.thread.at(), event.cycles);
                }
                self.token += 1;
                let account = if (self.dice)(2) == 0 { 0 } else { thread };
                let dispatch = Dispatch {
                    thread: ThreadIndex(thread),
                    account: AccountIndex(account),
                    priority: None,
                    timeout: if (self.dice)(4) == 0 { NEVER } else { now + 1 + (self.dice)(8) },
                    token: self.token,
                };
                let dispatched = kernel.decide(now, &Decision::Dispatch(dispatch)).is_ok();
                tally.moved += u64::from(dispatched && judge.waits_at_gate(thread.into()));
            }
        }
    }
}
