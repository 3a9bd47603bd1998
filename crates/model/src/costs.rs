//! The cost of each kernel path on a platform.
//!
//! The simulator charges these costs and the analysis accounts for them, so
//! both read the same table. An entry is the worst case of its path from kernel
//! entry to kernel exit, *including* the switch that it may lead to: nobody
//! adds a context switch on top. Kernel paths are not preemptible.
//!
//! A table comes from a measurement, from a proof on the kernel's own binary, or
//! from somebody's word; [`Provenance`] travels with every bound that rests on
//! it. The table says of all its numbers where they come from, and of single ones
//! where they come from somewhere else. A table read from a file must name every
//! path: an entry that is left out is an error and never a zero. Some may be left out,
//! because not every table can have them: without what messages cost, or passing a gate
//! with a protocol that not every kernel has, these have no bound; and without limits the
//! numbers hold for systems of any size.

mod between;
mod both;
mod dependencies;
mod device;
mod message;
mod paths;
mod scaled;
mod schedulers;

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Duration, Policy, Protocol};
pub use between::CoreCosts;
pub use dependencies::DependencyCosts;
pub use device::DeviceCosts;
pub use message::MessageCosts;
pub use paths::PATHS;
pub use schedulers::{SchedulerCosts, Slope};

/// The source of a cost table's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// The largest value seen in runs: no bound in the strict sense.
    Measured,
    /// A static analysis of the binary that runs.
    Proved,
    /// A user's statement, for example a simulated platform's own choice.
    Given,
}

impl Provenance {
    /// Returns its name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::Measured => "measured",
            Provenance::Proved => "proved",
            Provenance::Given => "given",
        }
    }

    /// Returns the degree of doubt in its numbers: a higher one is to be relied on less.
    fn doubt(self) -> u8 {
        match self {
            Provenance::Proved => 0,
            Provenance::Measured => 1,
            Provenance::Given => 2,
        }
    }
}

/// Cost of holding a component's own mutex, one path each; waiting for it and handing it on are
/// added as for gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutexCosts {
    /// The cost of taking it.
    pub lock: Duration,
    /// Giving it back.
    pub unlock: Duration,
    /// Both of one that is a word, without the kernel. `None`: the kernel knows no words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncontended: Option<Duration>,
}

/// The largest system for which the numbers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The most threads: tasks, event callbacks and interrupts; the one that starts the system
    /// apart.
    pub threads: u32,
    /// The most gates that one thread is inside at once, and the most along which threads wait for
    /// each other.
    pub nesting: u32,
    /// The most cores that execute at the same time, where they slow each other down: they share a
    /// memory. `None`: any number, since none is slower for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// The most schedulers that are components. `None`: what they take is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedulers: Option<u32>,
}

/// Cost of a path for each protocol; direct gates never enter the kernel.
///
/// Not every kernel has every protocol, so a table may be silent about some. A gate with one of
/// these costs nobody knows what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProtocolCosts([Option<Duration>; Protocol::ALL.len()]);

/// Nothing for any.
impl Default for ProtocolCosts {
    fn default() -> Self {
        Self::of_each(|_| Some(Duration::ZERO))
    }
}

impl ProtocolCosts {
    /// Protocols that every table names: one core's, under fixed priorities.
    const NAMED: [Protocol; 4] =
        [Protocol::Propagated, Protocol::Fixed, Protocol::Inherited, Protocol::Fifo];

    /// Returns the costs that `cost` gives for each protocol.
    pub fn of_each(cost: impl FnMut(Protocol) -> Option<Duration>) -> Self {
        Self(Protocol::ALL.map(cost))
    }

    /// Returns `true` if a table for a policy may be silent about a protocol: where deadlines
    /// decide, no gate has a priority.
    pub fn may_lack(protocol: Protocol, policy: Policy) -> bool {
        let compares_priorities = protocol == Protocol::Fixed && policy == Policy::EarliestDeadline;
        !Self::NAMED.contains(&protocol) || compares_priorities
    }

    /// Returns the first protocol that a table for a policy must name, and this one does not.
    fn lacks(&self, policy: Policy) -> Option<Protocol> {
        Protocol::ALL
            .into_iter()
            .find(|&protocol| self.of(protocol).is_none() && !Self::may_lack(protocol, policy))
    }

    /// Returns the entry of one protocol, if there is one.
    pub fn of(&self, protocol: Protocol) -> Option<Duration> {
        self.0[protocol as usize]
    }

    /// Another entry for one protocol.
    pub fn set(&mut self, protocol: Protocol, cost: Duration) {
        self.0[protocol as usize] = Some(cost);
    }

    /// The largest entry of these protocols.
    pub fn largest(&self, of: impl Fn(Protocol) -> bool) -> Duration {
        let costs = Protocol::ALL.into_iter().filter(|&protocol| of(protocol));
        costs.filter_map(|protocol| self.of(protocol)).max().unwrap_or(Duration::ZERO)
    }
}

impl Serialize for ProtocolCosts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(
            Protocol::WORDS.iter().filter_map(|&(word, protocol)| Some((word, self.of(protocol)?))),
        )
    }
}

impl<'de> Deserialize<'de> for ProtocolCosts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut given = BTreeMap::<String, Duration>::deserialize(from)?;
        let costs = Self::of_each(|protocol| given.remove(protocol.name()));
        // Of which policy the table is stands elsewhere in it.
        if let Some(protocol) = costs.lacks(Policy::EarliestDeadline) {
            return Err(Error::missing_field(protocol.name()));
        }
        match given.keys().next() {
            Some(word) => Err(Error::custom(format!("there is no protocol `{word}`"))),
            None => Ok(costs),
        }
    }
}

/// Worst-case costs of a platform's kernel paths, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostTable {
    /// The platform's name, for example `sim` or `qemu-rv64`.
    pub platform: String,
    /// The policy of the kernel whose paths these are: another one has other paths.
    #[serde(default, skip_serializing_if = "Policy::is_default")]
    pub policy: Policy,
    /// A second policy for whose kernel the numbers hold as well.
    #[serde(skip)]
    pub also: Option<Policy>,
    /// The digest of the image for which alone the numbers hold: they are of the kernel in it, and
    /// components' code is in none of them. `None`: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// The source of the numbers that [`CostTable::origins`] does not name.
    pub provenance: Provenance,
    /// Timer interrupt that releases one job.
    pub release: Duration,
    /// End of a job.
    pub completion: Duration,
    /// Passing a gate.
    pub invoke: ProtocolCosts,
    /// Coming back through a gate.
    #[serde(rename = "return")]
    pub return_: ProtocolCosts,
    /// Locking and unlocking.
    pub mutex: MutexCosts,
    /// Added to an invocation that has to wait for its gate.
    pub block: Duration,
    /// Added to a return that hands its gate to a waiter.
    pub handoff: Duration,
    /// Added for each gate over which a priority is inherited.
    pub inherit_step: Duration,
    /// Signalling a notification.
    pub signal: Duration,
    /// Waiting for a notification.
    pub wait: Duration,
    /// Added for each thread that a signal wakes.
    pub wake: Duration,
    /// The end of a budget.
    pub budget_end: Duration,
    /// A fault that unwinds one invocation.
    pub fault: Duration,
    /// The end of a time slice among equal priorities.
    pub time_slice: Duration,
    /// The costs of devices' interrupts; `None`: each as much as two signals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceCosts>,
    /// The costs of messages that do not travel in registers; `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageCosts>,
    /// The further costs of gates between cores; `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<CoreCosts>,
    /// The costs of schedulers that are components; `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedulers: Option<SchedulerCosts>,
    /// The costs of letting threads sleep on each other's account; `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies: Option<DependencyCosts>,
    /// The largest system that the numbers hold for; `None`: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// The source of single numbers, by their names in the file, for example `release` or
    /// `invoke.fixed`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub origins: BTreeMap<String, Provenance>,
}

/// The reason for which a text is no cost table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a cost table: {0}")]
pub struct ReadCostTableError(String);

impl CostTable {
    /// Returns a table in which no path costs anything: an idealised kernel.
    pub fn zero(platform: impl Into<String>) -> Self {
        Self {
            platform: platform.into(),
            policy: Policy::default(),
            also: None,
            image: None,
            provenance: Provenance::Given,
            release: Duration::ZERO,
            completion: Duration::ZERO,
            invoke: ProtocolCosts::default(),
            return_: ProtocolCosts::default(),
            mutex: MutexCosts { uncontended: Some(Duration::ZERO), ..MutexCosts::default() },
            block: Duration::ZERO,
            handoff: Duration::ZERO,
            inherit_step: Duration::ZERO,
            signal: Duration::ZERO,
            wait: Duration::ZERO,
            wake: Duration::ZERO,
            budget_end: Duration::ZERO,
            fault: Duration::ZERO,
            time_slice: Duration::ZERO,
            device: Some(DeviceCosts::default()),
            message: Some(MessageCosts::default()),
            cores: Some(CoreCosts::zero()),
            schedulers: Some(SchedulerCosts::default()),
            dependencies: Some(DependencyCosts::default()),
            limits: None,
            origins: BTreeMap::new(),
        }
    }

    /// Returns the source of one number, by its name in the file.
    pub fn origin(&self, path: &str) -> Provenance {
        self.origins.get(path).copied().unwrap_or(self.provenance)
    }

    /// The origin of the number that is to be relied on least: what rests on the table is no
    /// better.
    pub fn weakest(&self) -> Provenance {
        let unknown = [
            ("device.", self.device.is_none()),
            ("message.", self.message.is_none()),
            ("cores.", self.cores.is_none()),
            ("schedulers.", self.schedulers.is_none()),
            ("dependencies.", self.dependencies.is_none()),
            ("mutex.uncontended", self.mutex.uncontended.is_none()),
            ("cores.mutex_", self.cores.is_none_or(|cores| cores.mutex_lock.is_none())),
        ];
        let is_known =
            |path: &&String| !unknown.iter().any(|&(group, left)| left && path.starts_with(group));
        let known = PATHS.iter().filter(is_known);
        known
            .map(|path| self.origin(path))
            .max_by_key(|origin| origin.doubt())
            .unwrap_or(self.provenance)
    }

    /// Returns the costs of passing a gate with this protocol, and of coming back; `None`: unknown.
    /// Where priorities decide, a kernel has `srp` and `non_preemptive` as `fixed`.
    pub fn gate_passage(&self, protocol: Protocol) -> Option<(Duration, Duration)> {
        let entry = |protocol| self.invoke.of(protocol).zip(self.return_.of(protocol));
        let as_fixed = matches!(protocol, Protocol::Srp | Protocol::NonPreemptive)
            && self.policy == Policy::FixedPriority
            && self.also.is_none();
        entry(protocol).or_else(|| entry(Protocol::Fixed).filter(|_| as_fixed))
    }

    /// Returns the costs of locking a mutex with this protocol, and of unlocking it; `None`:
    /// unknown.
    pub fn mutex_passage(&self, protocol: Protocol) -> Option<(Duration, Duration)> {
        if !protocol.is_global() {
            return Some((self.mutex.lock, self.mutex.unlock));
        }
        let cores = self.cores?;
        cores.mutex_lock.zip(cores.mutex_unlock)
    }

    /// Returns `true` if no path costs anything.
    pub fn is_zero(&self) -> bool {
        let (policy, also, provenance) = (self.policy, self.also, self.provenance);
        let (limits, origins) = (self.limits, self.origins.clone());
        let image = self.image.clone();
        let message = self.message.filter(|message| *message == MessageCosts::default());
        let device = self.device.filter(|device| *device == DeviceCosts::default());
        let cores = self.cores.filter(CoreCosts::is_zero);
        let schedulers = self.schedulers.filter(SchedulerCosts::is_zero);
        let dependencies = self.dependencies.filter(DependencyCosts::is_zero);
        let uncontended = self.mutex.uncontended.filter(|cost| *cost == Duration::ZERO);
        let zero = Self {
            policy,
            also,
            image,
            provenance,
            limits,
            origins,
            device,
            message,
            cores,
            schedulers,
            dependencies,
            mutex: MutexCosts { uncontended, ..MutexCosts::default() },
            ..Self::zero(self.platform.clone())
        };
        *self == zero
    }

    /// Reads a table whose times are whole nanoseconds.
    ///
    /// # Errors
    /// The text is no TOML, or a path is missing, unknown or no non-negative integer.
    pub fn from_toml(text: &str) -> Result<Self, ReadCostTableError> {
        let table: Self = toml::from_str(text)
            .map_err(|error| ReadCostTableError(error.to_string().trim_end().to_owned()))?;
        for (way, costs) in [("invoke", &table.invoke), ("return", &table.return_)] {
            if let Some(protocol) = costs.lacks(table.policy) {
                return Err(ReadCostTableError(format!(
                    "`{way}` does not name `{}`",
                    protocol.name()
                )));
            }
        }
        match table.origins.keys().find(|name| !PATHS.contains(name)) {
            Some(name) => {
                Err(ReadCostTableError(format!("`origins` names `{name}`, which no table has")))
            }
            None => Ok(table),
        }
    }

    /// Returns the table as text that [`CostTable::from_toml`] reads back.
    ///
    /// # Errors
    /// A cost is larger than TOML's integers, 2^63 - 1.
    pub fn to_toml(&self) -> Result<String, ReadCostTableError> {
        toml::to_string(self).map_err(|error| ReadCostTableError(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survives_a_round_trip() {
        let mut table = CostTable::zero("board");
        table.provenance = Provenance::Measured;
        table.invoke.set(Protocol::Inherited, Duration(2226));
        table.inherit_step = Duration(1844);
        let text = table.to_toml().unwrap();
        assert!(text.contains("inherit_step = 1844"), "{text}");
        assert_eq!(CostTable::from_toml(&text), Ok(table));
    }

    #[test]
    fn every_path_is_scaled() {
        let (zero, mut numbers) = (CostTable::zero("board").to_toml().unwrap(), 0);
        let text = zero.replace("= 0", "= 40");
        let halved = CostTable::from_toml(&text).unwrap().scaled(1, 2).to_toml().unwrap();
        text.match_indices("= 40").for_each(|_| numbers += 1);
        assert_eq!((numbers, halved), (PATHS.len(), zero.replace("= 0", "= 20")));
        assert!(CostTable::from_toml(&text).unwrap().scaled(0, 16).is_zero());
    }

    #[test]
    fn a_missing_path_is_an_error_and_no_zero() {
        let text = CostTable { message: None, ..CostTable::zero("sim") }.to_toml().unwrap();
        // A table may be silent about the protocols that not every kernel has; the cost is unknown
        // then.
        let optional =
            Protocol::ALL.map(|p| (p, ProtocolCosts::may_lack(p, Policy::FixedPriority)));
        for line in text.lines().filter(|l| l.ends_with("= 0")) {
            let without = CostTable::from_toml(&text.replacen(&format!("{line}\n"), "", 1));
            let named = optional.iter().find(|(p, _)| line == format!("{} = 0", p.name()));
            match named {
                _ if line == "uncontended = 0" => assert!(without.is_ok(), "{without:?}"),
                _ if line.starts_with("mutex_") => {
                    assert_eq!(without.unwrap().mutex_passage(Protocol::Msrp), None);
                }
                Some(&(protocol, true)) => assert_eq!(without.unwrap().invoke.of(protocol), None),
                _ => assert!(without.is_err(), "accepted without `{line}`"),
            }
        }
        assert!(CostTable::from_toml(&format!("extra = 1\n{text}")).is_err());
        assert!(CostTable::from_toml(&text.replacen("release = 0", "release = -1", 1)).is_err());
    }

    #[test]
    fn each_number_has_an_origin_and_the_weakest_counts() {
        let mut table = CostTable::zero("board");
        table.provenance = Provenance::Proved;
        assert_eq!(table.weakest(), Provenance::Proved);
        table.limits = Some(Limits { threads: 32, nesting: 8, cores: Some(1), schedulers: None });
        table.origins.insert("message.word".to_owned(), Provenance::Measured);
        assert_eq!(
            (table.origin("message.word"), table.origin("invoke.fixed")),
            (Provenance::Measured, Provenance::Proved)
        );
        assert_eq!(table.weakest(), Provenance::Measured);
        let text = table.to_toml().unwrap();
        assert_eq!(CostTable::from_toml(&text).as_ref(), Ok(&table));
        assert!(CostTable::from_toml(&text.replace("message.word", "message.words")).is_err());
        // Nobody's word about a number that is not there.
        table.message = None;
        assert_eq!(table.weakest(), Provenance::Proved);
        assert_eq!(CostTable::from_toml(&table.to_toml().unwrap()).unwrap().message, None);
    }

    #[test]
    fn knows_when_it_is_zero() {
        let mut table = CostTable::zero("sim");
        assert!(table.is_zero());
        table.policy = Policy::EarliestDeadline;
        assert!(table.is_zero(), "nothing costs nothing under any policy");
        assert_eq!(CostTable::from_toml(&table.to_toml().unwrap()), Ok(table.clone()));
        table.return_.set(Protocol::Fifo, Duration(1));
        assert!(!table.is_zero());
    }
}
