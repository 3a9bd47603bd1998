//! Random schedulers under random calls, with the same checks.
//!
//! What the exhaustive search cannot reach is tried at random: more schedulers and threads, larger
//! budgets, priorities of all kinds. Every choice comes from one function.

use fusee_kernel::tcaps::{
    AccountConfig, Delegation, Dispatch, EndPointConfig, Funding, Principal, SchedulerConfig, Slot,
    Standing, Tables, Transfer,
};
use fusee_kernel::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

use super::history::told;
use super::view::{View, account, thread};
use super::{Step, World};

/// The counts of events during a drive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps that the kernel took.
    pub steps: u64,
    /// Steps that it refused.
    pub refused: u64,
    /// The number of sends and interrupts after which their thread runs in another's place.
    pub preemptions: u64,
    /// Budgets that ended.
    pub expiries: u64,
    /// The number of times that a thread ran on an account that another had delegated to.
    pub delegated: u64,
}

/// Builds a system and puts it through `steps` steps, all chosen by `choose(n)`, which answers a
/// number below n.
///
/// # Errors
/// Which rule broke, at which step.
pub fn drive(choose: &mut dyn FnMut(u32) -> u32, steps: u32) -> Result<Tally, String> {
    let parts = Parts::draw(choose);
    let tables = parts.tables();
    let mut world = World::start(&tables);
    let mut tally = Tally::default();
    for number in 0..steps {
        let timer = world.timer(&tables);
        let before = world.clone();
        let view = View::of(&tables, &before.store, before.now);
        let step = draw_step(&view, timer, (parts.late, choose));
        let refused = world.take(&tables, step, parts.late).map_err(|breach| {
            format!("step {number}, {step}: {breach}\nbefore: {}\n{parts:#?}", told(&view))
        })?;
        if refused.is_some() {
            tally.refused += 1;
            continue;
        }
        tally.count(step, &view, &View::of(&tables, &world.store, world.now));
    }
    Ok(tally)
}

impl Tally {
    fn count(&mut self, step: Step, before: &View<'_>, after: &View<'_>) {
        self.steps += 1;
        let sent = step.sends(before.tables);
        let takes = after.running.is_some() && after.running == sent;
        self.preemptions += u64::from(takes && before.running.is_some() && before.running != sent);
        let ended = |(number, held): (usize, &super::Held)| {
            after.store.accounts[number].funds.budget == 0
                && (held.is_funded() || before.is_due(number))
        };
        self.expiries +=
            before.accounts.iter().enumerate().filter(|account| ended(*account)).count() as u64;
        let payer = after.running.and_then(|running| after.payer_of(running));
        let foreign = payer.is_some_and(|payer| after.accounts[payer].opinions.len() > 1);
        self.delegated += u64::from(step == Step::Tick && foreign);
    }
}

/// The parts of a random system.
#[derive(Debug, Default)]
struct Parts {
    accounts: Vec<AccountConfig>,
    schedulers: Vec<SchedulerConfig>,
    end_points: Vec<EndPointConfig>,
    interrupts: Vec<ThreadIndex>,
    late: Time,
}

impl Parts {
    fn draw(choose: &mut dyn FnMut(u32) -> u32) -> Self {
        let mut parts = Parts { late: Time::from(choose(3)), ..Parts::default() };
        let single = choose(2) == 0;
        let roots = if single { 1 } else { 2 };
        for number in 0..roots {
            let infinite = single || choose(2) == 0;
            let amount = if infinite { NEVER } else { 4 + Time::from(choose(6)) };
            let level = if single { 0 } else { [2, 5][number] };
            // The one and only speaks for the kernel.
            let principal = if single { 0 } else { 1 + number as u16 };
            parts.kernel_thread((level, amount), Some(principal));
        }
        for _ in 0..1 + choose(3) {
            let parent = choose(parts.schedulers.len() as u32) as u16;
            let principal = 10 + parts.schedulers.len() as u16;
            parts.child(parent, (principal, choose));
        }
        for scheduler in 0..parts.schedulers.len() as u16 {
            for _ in 0..choose(3) {
                parts.thread(scheduler, choose);
            }
        }
        for level in [1, 3] {
            if choose(3) == 0 {
                parts.kernel_thread((level, NEVER), None);
            }
        }
        parts.interrupts = (0..parts.end_points.len()).map(thread).collect();
        parts
    }

    fn kernel_thread(&mut self, (level, amount): (u8, Time), principal: Option<u16>) {
        let (own, account) = (self.end_points.len(), self.accounts.len() as u16);
        let scheduler = match principal {
            Some(principal) => self.scheduler(own, principal, SchedulerIndex::NONE),
            None => SchedulerIndex::NONE,
        };
        let funding = Funding::Kernel { level, amount };
        self.accounts.push(AccountConfig { scheduler, priority: level.into(), funding });
        let account = AccountIndex(account);
        self.end_points.push(EndPointConfig { scheduler: SchedulerIndex::NONE, account });
    }

    fn scheduler(&mut self, own: usize, principal: u16, parent: SchedulerIndex) -> SchedulerIndex {
        let number = SchedulerIndex(self.schedulers.len() as u16);
        let principal = Principal(principal);
        self.schedulers.push(SchedulerConfig { thread: thread(own), principal, parent });
        number
    }

    fn child(&mut self, parent: u16, (principal, choose): (u16, &mut dyn FnMut(u32) -> u32)) {
        let parent = SchedulerIndex(parent);
        let own = self.scheduler(self.end_points.len(), principal, parent);
        let account = self.account(own, choose);
        self.end_points.push(EndPointConfig { scheduler: parent, account });
    }

    fn thread(&mut self, scheduler: u16, choose: &mut dyn FnMut(u32) -> u32) {
        let scheduler = SchedulerIndex(scheduler);
        // Some share an account with another thread of theirs.
        let shared = self.end_points.iter().find(|other| {
            other.scheduler == scheduler && self.accounts[other.account.at()].scheduler == scheduler
        });
        let account = match shared {
            Some(other) if choose(4) == 0 => other.account,
            _ => self.account(scheduler, choose),
        };
        self.end_points.push(EndPointConfig { scheduler, account });
    }

    fn account(
        &mut self,
        scheduler: SchedulerIndex,
        choose: &mut dyn FnMut(u32) -> u32,
    ) -> AccountIndex {
        let number = AccountIndex(self.accounts.len() as u16);
        let limit = 3 + Time::from(choose(8));
        let priority = u64::from(choose(4));
        let funding = Funding::Delegated { limit };
        self.accounts.push(AccountConfig { scheduler, priority, funding });
        number
    }

    fn tables(&self) -> Tables<'_> {
        let Parts { accounts, schedulers, end_points, interrupts, .. } = self;
        Tables { accounts, schedulers, end_points, interrupts }
    }
}

/// Any step that may come in a state.
pub(super) fn draw_step(
    view: &View<'_>,
    timer: Time,
    (late, choose): (Time, &mut dyn FnMut(u32) -> u32),
) -> Step {
    if timer <= view.now && (timer.saturating_add(late) <= view.now || choose(2) == 0) {
        return Step::Timer;
    }
    let threads = view.threads().len() as u32;
    let accounts = view.accounts.len() as u32;
    let scheduler = view.running.and_then(|running| view.is_scheduler(running));
    match (choose(if scheduler.is_some() { 16 } else { 8 }), scheduler) {
        (0..3, _) => Step::Tick,
        (3, _) => Step::Interrupt(choose(threads) as u16),
        (4, _) => Step::Send(thread(choose(threads) as usize)),
        (5, _) if choose(4) == 0 => Step::Fault,
        (7, _) if choose(2) == 0 => {
            Step::Alarm(SchedulerIndex(choose(view.tables.schedulers.len() as u32) as u16))
        }
        (6, _) => Step::Refill(account(choose(accounts) as usize)),
        (8.., Some(scheduler)) => draw_call(view, scheduler, choose),
        _ => Step::Wait,
    }
}

/// Returns a call of a scheduler: mostly about what is its own.
fn draw_call(view: &View<'_>, scheduler: usize, choose: &mut dyn FnMut(u32) -> u32) -> Step {
    let pick = |all: Vec<usize>, among: usize, choose: &mut dyn FnMut(u32) -> u32| {
        let any = all.is_empty() || choose(16) == 0;
        if any { choose(among as u32) as usize } else { all[choose(all.len() as u32) as usize] }
    };
    let its = |number: &usize| view.scheduler_of_account(*number) == Some(scheduler);
    let own: Vec<usize> = (0..view.accounts.len()).filter(its).collect();
    let funded = own.iter().copied().filter(|number| view.accounts[*number].is_funded()).collect();
    let from = account(pick(funded, view.accounts.len(), choose));
    let (amount, priority) = (Time::from(choose(5)), u64::from(choose(7)));
    // The kernel's levels end somewhere.
    let priority = if choose(32) == 0 { 256 } else { priority };
    match choose(7) {
        6 => {
            let its = |thread: &usize| view.scheduler_of(*thread) == Some(scheduler);
            let to =
                thread(pick(view.threads().filter(its).collect(), view.threads().len(), choose));
            let until = (view.now + amount + 1).saturating_sub(Time::from(choose(2)));
            Step::until(view, Slot { from, to, until, priority })
        }
        0 | 1 => {
            let ready = |thread: &usize| {
                view.scheduler_of(*thread) == Some(scheduler)
                    && matches!(view.standing(*thread), Standing::Stopped | Standing::Activated)
            };
            let ready = view.threads().filter(ready).collect();
            let newest = view.store.schedulers[scheduler].token;
            let timeout = if choose(2) == 0 {
                NEVER
            } else {
                (view.now + Time::from(choose(6))).saturating_sub(1)
            };
            Step::Dispatch(Dispatch {
                thread: thread(pick(ready, view.threads().len(), choose)),
                account: from,
                priority: (choose(2) == 0).then(|| priority.min(255)),
                timeout,
                token: newest.wrapping_add([1, 1, 1, 0, 7, u32::MAX][choose(6) as usize]),
            })
        }
        2 => {
            let to = account(pick(own, view.accounts.len(), choose));
            Step::Transfer(Transfer { from, to, amount, priority })
        }
        kind => {
            let its = |thread: &usize| view.scheduler_of(*thread) == Some(scheduler);
            let its = view.threads().filter(its).collect();
            let to = thread(pick(its, view.threads().len(), choose));
            let delegation = Delegation { from, to, amount, priority };
            if kind == 3 { Step::Yield(delegation) } else { Step::Delegate(delegation) }
        }
    }
}
