//! A table whose paths take a part as long, or longer.

use super::{CostTable, DeviceCosts, MessageCosts, MutexCosts, ProtocolCosts};
use crate::Duration;

impl CostTable {
    /// Returns the same costs where an interrupted thread takes so much longer afterwards.
    #[must_use]
    pub fn interrupted(self, longer: Duration) -> Self {
        let with = |path: Duration| Duration(path.ns().saturating_add(longer.ns()));
        let (release, time_slice) = (with(self.release), with(self.time_slice));
        let device =
            self.device.map(|device| DeviceCosts { interrupt: with(device.interrupt), ..device });
        Self { release, time_slice, budget_end: with(self.budget_end), device, ..self }
    }

    /// The same where threads that schedulers dispatch may lend at gates: each path takes as much
    /// longer as [`SchedulerCosts::lend`](super::SchedulerCosts::lend) says. What is added to
    /// others takes no longer. Unknown costs of schedulers stay unknown.
    #[must_use]
    pub fn lending(&self) -> Self {
        let Some(schedulers) = self.schedulers else { return self.clone() };
        let lend = schedulers.lend.ns();
        let with = |path: Duration| Duration(path.ns().saturating_add(lend));
        let gate =
            |costs: ProtocolCosts| ProtocolCosts::of_each(|protocol| costs.of(protocol).map(with));
        let device = |costs: DeviceCosts| DeviceCosts {
            interrupt: with(costs.interrupt),
            acknowledge: with(costs.acknowledge),
        };
        Self {
            release: with(self.release),
            completion: with(self.completion),
            invoke: gate(self.invoke),
            return_: gate(self.return_),
            mutex: MutexCosts {
                lock: with(self.mutex.lock),
                unlock: with(self.mutex.unlock),
                uncontended: self.mutex.uncontended,
            },
            signal: with(self.signal),
            wait: with(self.wait),
            budget_end: with(self.budget_end),
            fault: with(self.fault),
            time_slice: with(self.time_slice),
            device: self.device.map(device),
            schedulers: Some(schedulers.lending()),
            ..self.clone()
        }
    }

    /// The same where every path takes `part` of `whole` as long, rounded down.
    #[must_use]
    pub fn scaled(&self, part: u32, whole: u32) -> Self {
        let of = |time: Duration| {
            let scaled = u128::from(time.ns()) * u128::from(part) / u128::from(whole.max(1));
            Duration(u64::try_from(scaled).unwrap_or(u64::MAX))
        };
        let gate =
            |costs: ProtocolCosts| ProtocolCosts::of_each(|protocol| costs.of(protocol).map(of));
        let message = |costs: MessageCosts| MessageCosts {
            invocation: of(costs.invocation),
            word: of(costs.word),
        };
        let device = |costs: DeviceCosts| DeviceCosts {
            interrupt: of(costs.interrupt),
            acknowledge: of(costs.acknowledge),
        };
        Self {
            platform: self.platform.clone(),
            policy: self.policy,
            also: self.also,
            image: self.image.clone(),
            provenance: self.provenance,
            release: of(self.release),
            completion: of(self.completion),
            invoke: gate(self.invoke),
            return_: gate(self.return_),
            mutex: MutexCosts {
                lock: of(self.mutex.lock),
                unlock: of(self.mutex.unlock),
                uncontended: self.mutex.uncontended.map(of),
            },
            block: of(self.block),
            handoff: of(self.handoff),
            inherit_step: of(self.inherit_step),
            signal: of(self.signal),
            wait: of(self.wait),
            wake: of(self.wake),
            budget_end: of(self.budget_end),
            fault: of(self.fault),
            time_slice: of(self.time_slice),
            device: self.device.map(device),
            message: self.message.map(message),
            cores: self.cores.map(|cores| cores.each(of)),
            schedulers: self.schedulers.map(|costs| costs.each(of)),
            dependencies: self.dependencies.map(|costs| costs.each(of)),
            limits: self.limits,
            origins: self.origins.clone(),
        }
    }
}
