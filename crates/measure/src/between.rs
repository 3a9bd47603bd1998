//! The systems that measure gates between cores.
//!
//! In each of them an owner stays inside such a gate while users on other cores ask for
//! it, one after the other. Where cores execute sections for others (mrsp), the owner, who
//! executes for it and all who wait but one are then preempted, so that whoever looks for
//! somebody present has to look far.
//!
//! Cores take turns on an emulator (QEMU 7.2, one thread for all of them). A turn ends when some
//! timer is due, and then the core behind gets none: it is given the time up to the next timer,
//! which is none. So a core behind a busy one would never be heard. It is heard behind the last
//! core, and where a turn ends because a core sets the timer that is due next. Hence the owner is
//! on
//! the last core, and those who take cores away have budgets, each a shorter one than who came
//! before it, so that each of them sets the next timer and the next core is heard.
//!
//! What the kernel does for a core's own threads grows with their number. So the first core and the
//! last, on which most happens, have as many threads as are promised. Where deadlines decide it
//! grows with how many of them are ready: so there they all are released with whoever comes on
//! their core, and are less urgent.

use fusee_model::{Duration, Policy, Protocol};

use crate::THREADS;
use crate::experiment::{Experiment, files};
use crate::on_cores::{elsewhere, instance, line, startup, thread};
use crate::setting::{Others, Setting};

/// The most requests that a gate can have in systems of the size that is meant.
pub const MOST_REQUESTS: usize = THREADS;

/// The object that threads of several cores wait at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// A gate with this protocol.
    Gate(Protocol),
    /// They wait at a mutex.
    Mutex,
}

impl Guard {
    /// Returns the protocol of the object.
    pub fn protocol(self) -> Protocol {
        match self {
            Guard::Gate(protocol) => protocol,
            Guard::Mutex => Protocol::Msrp,
        }
    }

    /// Returns a word for it.
    pub fn name(self) -> &'static str {
        match self {
            Guard::Gate(protocol) => protocol.name(),
            Guard::Mutex => "mutex",
        }
    }
}

/// A system of several cores with one gate or mutex between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between {
    /// The object that they wait at.
    pub guard: Guard,
    /// Cores, two at least.
    pub cores: usize,
    /// The number of users besides the owner. If waiting threads stay on their core, one for each
    /// other core. Where who waits stays on its core, one for each other core.
    pub users: usize,
    /// `true` if threads have budgets, which never end: their time is counted at each switch.
    pub budgets: bool,
    /// The scheduling policy of each core. Where deadlines do, the gate has [`Protocol::Msrp`].
    pub policy: Policy,
}

/// The nanoseconds from one user to the next: longer than the releases of all that come with it
/// take.
const ARRIVALS: usize = 20_000;
/// The same where all threads of a core come with it.
const CROWDED_ARRIVALS: usize = 80_000;
/// Nanoseconds from one thread that preempts to the next.
const STEP: usize = 150_000;
/// The nanoseconds from one budget of a thread that takes a core to the next: longer than its path
/// there.
const BUDGETS: usize = 3_500;
/// The shortest of them.
const SHORTEST: usize = 3_000;
/// The time from the moment when all others have lost their cores until something happens to the
/// owner: longer than their budgets.
const AFTER: usize = 40_000;
/// The number of rounds: in some rounds not all cores are heard in time.
const ROUNDS: usize = 12;
/// The same where more cores than these have to be heard in one round, which is rare.
const FEW_CORES: usize = 6;
const MORE_ROUNDS: usize = 60;
/// Milliseconds for setting up where cores take turns, since each is set up behind the others.
const SET_UP: usize = 20;
/// Nanoseconds from the end of one round to the next, so that each is met at another place of what
/// is repeated more often.
const UNEVEN: usize = 507_300;

/// Round trips through gates that are free, one for each protocol, between the first two of so many
/// cores, and through one below: by the clock. Where others walk, all but the first do.
pub fn free(setting: Setting, policy: Policy, budgets: bool, cores: usize) -> Experiment {
    let files = files!(
        "global",
        "components/Client/client.c",
        "components/Server/server.c",
        "components/Inner/inner.c",
        "components/Elsewhere/elsewhere.c"
    );
    // All are ready while the client runs, and less urgent.
    let times = if policy == Policy::EarliestDeadline { (IDLE.0, 0) } else { IDLE };
    let (own, mut other) = (padding(0, 1, times), padding(1, 1, IDLE));
    for core in (1..cores).filter(|_| setting.others == Others::Walk) {
        let (walker, times) = elsewhere(core, setting.others);
        other = (other.0 + &walker, other.1 + &times);
    }
    other.1 += &startup(cores, setting.others).map_or_else(String::new, line);
    let budget = if budgets { "client.budget = \"1000 s\";" } else { "" };
    let kind = if budgets { ".budget" } else { "" };
    // More cores wait longer for each other.
    let time = Duration(500_000_000 * cores as u64);
    let experiment = Experiment::of_cores("free", files, time)
        .with("instances", &(own.0 + &other.0))
        .with("timing", &(own.1 + &other.1))
        .with("budgets", budget)
        .with("kind", kind)
        .with("mrsp", in_place_of(Protocol::Mrsp, policy).name())
        .with("mpcp", in_place_of(Protocol::Mpcp, policy).name())
        .in_setting(setting);
    let experiment = under(policy, experiment);
    if budgets { experiment.called("budget") } else { experiment }
}

/// Returns the protocol that there is where deadlines decide.
fn in_place_of(protocol: Protocol, policy: Policy) -> Protocol {
    if policy == Policy::EarliestDeadline { Protocol::Msrp } else { protocol }
}

/// The same where this decides.
fn under(policy: Policy, experiment: Experiment) -> Experiment {
    match policy {
        Policy::FixedPriority => experiment,
        Policy::EarliestDeadline => experiment.ordered_by_deadline().called("deadlines"),
    }
}

/// The preemption of a core, with its instant.
struct Preempts {
    core: usize,
    at: usize,
    component: &'static str,
    /// The one of two rounds in which it happens; none: it happens in each.
    round: Option<usize>,
}

impl Preempts {
    /// Period and first release, where all is repeated with this period.
    fn times(&self, period: usize) -> (usize, usize) {
        match self.round {
            None => (period, self.at),
            Some(round) => (2 * period, self.at + round * period),
        }
    }
}

impl Between {
    /// Returns the system. Where other cores walk through memory, each core has a thread that does
    /// so whenever no other runs there.
    pub fn experiment(&self, others: Others) -> Experiment {
        let arrived = (self.users + 2) * self.arrivals();
        let preempts = self.preempts(arrived);
        let hold = preempts.last().map_or(arrived, |last| last.at + 1_000);
        let period = 4 * hold + self.users * 2 * self.arrivals() + UNEVEN;
        let mut instances = String::new();
        let mut timing = String::new();
        for user in 0..self.users {
            let (name, at) = (format!("user{user}"), (user + 1) * self.arrivals());
            // Who comes later is less urgent, and finds its place behind all others.
            instances += &instance("User", &name);
            timing += &thread(&name, self.core_of(user), 90 - user, (period, at));
        }
        for (index, one) in preempts.iter().enumerate() {
            let name = format!("above{index}");
            instances += &instance(one.component, &name);
            timing += &thread(&name, one.core, 200, one.times(period));
            timing += &format!(
                "{name}.budget = \"{} ns\";\n        {name}.overrun = \"continue\";\n        ",
                self.budget_of(one.core)
            );
        }
        for (name, core, at) in self.wakers(&preempts) {
            instances += &instance("Padding", &name);
            timing += &thread(&name, core, 2, (period, at));
            timing += &format!("{name}.stub = true;\n        ");
        }
        let walking = usize::from(others == Others::Walk);
        timing += &line(startup(self.cores, others).unwrap_or(SET_UP));
        for core in (0..self.cores).filter(|_| walking > 0) {
            let (walker, times) = elsewhere(core, others);
            instances += &walker;
            timing += &times;
        }
        for (core, at) in [(0, self.arrivals() + 1_000), (self.last(), 1_000)] {
            let times = if self.is_crowded() { (period, at) } else { IDLE };
            let own = walking + self.threads_on(core, &preempts);
            let (padding, times) = padding(core, own, times);
            instances += &padding;
            timing += &times;
        }
        let users: String =
            (0..self.users).map(|user| format!("from user{user}.section, ")).collect();
        let files = files!(
            "between",
            "components/Server/server.c",
            "components/Owner/owner.c",
            "components/User/user.c",
            "components/Brake/brake.c",
            "components/Patient/patient.c"
        );
        let kind = if self.budgets { "-budget" } else { "" };
        let (protocol, cores, number) = (self.guard.name(), self.cores, self.users);
        let (has, lock, unlock) = match self.guard {
            Guard::Gate(_) => ("", "", ""),
            Guard::Mutex => ("has mutex guard;", "guard_lock();", "guard_unlock();"),
        };
        let protocols = self.protocols();
        let experiment =
            Experiment::of_cores("between", files, Duration((self.rounds() * period) as u64))
                .with("instances", &instances)
                .with("timing", &timing)
                .with("users", &users)
                .with("last", &self.last().to_string())
                .with("has", has)
                .with("protocols", &protocols)
                .with("lock", lock)
                .with("unlock", unlock)
                .with("period", &period.to_string())
                .with("hold", &hold.to_string())
                .with("short", &(STEP / 5).to_string())
                .with("long", &hold.to_string())
                .with("budgets", &self.budgets_of())
                .beside(others)
                .called(&format!("{protocol}-{cores}-{number}{kind}"));
        under(self.policy, experiment)
    }

    /// Returns `true` if who waits executes the sections of others.
    fn helps(&self) -> bool {
        self.guard.protocol().helps()
    }

    /// Returns how often all this happens.
    fn rounds(&self) -> usize {
        let is_rare = self.helps() && self.cores > FEW_CORES;
        if is_rare { MORE_ROUNDS } else { ROUNDS }
    }

    /// Returns `true` if all threads of a core are ready while something happens there.
    fn is_crowded(&self) -> bool {
        self.policy == Policy::EarliestDeadline
    }

    /// Nanoseconds from one user to the next.
    fn arrivals(&self) -> usize {
        if self.is_crowded() { CROWDED_ARRIVALS } else { ARRIVALS }
    }

    /// Returns the server's protocols as the description has them.
    fn protocols(&self) -> String {
        let section = |protocol: &str| {
            format!("server.section_priority_protocol = \"{protocol}\";\n        ")
        };
        let Guard::Gate(protocol) = self.guard else {
            let calls = "[\"lock guard\", \"1 us\", \"unlock guard\"]";
            let methods = ["hold", "touch"];
            let calls = methods.map(|m| format!("server.section_{m}_calls = {calls};\n        "));
            let own = "server.guard_priority_protocol = \"msrp\";";
            return section("propagated") + &calls.concat() + own;
        };
        section(protocol.name())
    }

    /// Returns the threads that take cores, while all users wait. In the end one request only is
    /// present besides the owner's, the last; then in every other round the owner loses its core,
    /// too, and in the others it comes back.
    fn preempts(&self, arrived: usize) -> Vec<Preempts> {
        if !self.helps() {
            return Vec::new();
        }
        let one = |core, at, component, round| Preempts { core, at, component, round };
        let at = |step: usize| arrived + step * STEP;
        // The owner, who gets its core back at once, as does who executes for it meanwhile.
        let mut all = vec![one(self.last(), at(0), "Brake", None), one(0, at(1), "Brake", None)];
        all.extend((0..self.last() - 1).map(|core| one(core, at(2), "Patient", None)));
        all.push(one(self.last(), at(2) + AFTER, "Patient", Some(0)));
        all
    }

    /// Returns the owner's core.
    fn last(&self) -> usize {
        self.cores - 1
    }

    /// Returns the budgets of the threads that take a core away, in the order in which they are
    /// heard.
    fn budget_of(&self, core: usize) -> usize {
        SHORTEST + (self.last() - core) * BUDGETS
    }

    /// Threads that are never more urgent than others. When all but the owner have lost their cores
    /// no budget is left that would end a turn, so one on each of these cores ends one.
    fn wakers(&self, preempts: &[Preempts]) -> Vec<(String, usize, usize)> {
        let Some(last) = preempts.last() else { return Vec::new() };
        let waker = |core| (format!("waker{core}"), core, last.at + core * BUDGETS / 2);
        let own = ("waker".to_owned(), last.core, last.at);
        (0..self.last() - 1).map(waker).chain([own]).collect()
    }

    fn core_of(&self, user: usize) -> usize {
        user % self.last()
    }

    fn threads_on(&self, core: usize, preempts: &[Preempts]) -> usize {
        let users = (0..self.users).filter(|&user| self.core_of(user) == core).count();
        let above = preempts.iter().filter(|one| one.core == core).count();
        let wakers = self.wakers(preempts).iter().filter(|waker| waker.1 == core).count();
        users + above + wakers + usize::from(core == self.last())
    }

    fn budgets_of(&self) -> String {
        let users = (0..self.users).map(|user| format!("user{user}"));
        let all = ["owner".to_owned()].into_iter().chain(users);
        let budgets = all.map(|name| format!("{name}.budget = \"1000 s\";\n        "));
        if self.budgets { budgets.collect() } else { String::new() }
    }
}

/// The period and the first release of a thread that comes long after the end, in nanoseconds.
const IDLE: (usize, usize) = (1_000_000_000_000, 999_000_000_000);

/// Threads that fill a core up, in one address space, with their period and first release.
fn padding(core: usize, threads: usize, (period, at): (usize, usize)) -> (String, String) {
    let names = (threads..THREADS).map(|number| format!("padding{core}x{number}"));
    let (mut instances, mut timing) = (format!("group beside{core} {{ "), String::new());
    for name in names {
        instances += &format!("component Padding {name}; ");
        let lines = [
            format!("{name}.core = {core};"),
            format!("{name}.priority = 1;"),
            format!("{name}.period = \"{period} ns\";"),
            format!("{name}.offset = \"{at} ns\";"),
            format!("{name}.wcet = \"1 us\";"),
            format!("{name}.stub = true;"),
        ];
        timing += &lines.map(|line| line + "\n        ").concat();
    }
    if timing.is_empty() {
        return Default::default();
    }
    instances += "}\n        ";
    (instances, timing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_core_has_its_threads() {
        let policy = Policy::FixedPriority;
        let guard = Guard::Gate(Protocol::Mrsp);
        let between = Between { guard, cores: 8, users: 7, budgets: true, policy };
        let preempts = between.preempts(0);
        let cores: Vec<_> = preempts.iter().map(|one| (one.core, one.component)).collect();
        let patients = (0..6).map(|core| (core, "Patient"));
        let expected: Vec<_> = [(7, "Brake"), (0, "Brake")]
            .into_iter()
            .chain(patients)
            .chain([(7, "Patient")])
            .collect();
        assert_eq!(cores, expected);
        assert_eq!((0..8).map(|core| between.threads_on(core, &preempts)).sum::<usize>(), 24);
        let guard = Guard::Gate(Protocol::Mpcp);
        let spread = Between { guard, cores: 3, users: 31, budgets: false, policy };
        assert_eq!((spread.threads_on(0, &[]), spread.threads_on(1, &[])), (16, 15));
    }
}
