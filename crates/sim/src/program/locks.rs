//! Lock components and calls of them, as code.

use fusee_model::{GateId, LockCall, LockComponent, PRETAKE, Step};

use super::lock_code::{Assembly, Client, Services, Times};
use super::{Compiled, Compiler, Op, Site};
use crate::SimError;
use crate::locks::keepers_of;

impl Compiler<'_> {
    /// Compiles a step that asks a lock component; none: it asks none.
    ///
    /// # Errors
    /// [`SimError::Locks`]: it does not say for which lock.
    pub(super) fn asks(
        &mut self,
        site: Site,
        step: &Step,
    ) -> Result<Option<(Vec<Op>, u64)>, SimError> {
        let &Step::Invoke { gate, method, lock, .. } = step else { return Ok(None) };
        let Some(kind) = self.system.lock_component(gate) else { return Ok(None) };
        let component = self.system.gate(gate).component;
        let unknown = SimError::Locks { task: site.task, component };
        let call = self.system.lock_call(step).zip(method).zip(lock);
        let Some((((_, call), method), lock)) = call else { return Err(unknown) };
        let keeper = keepers_of(self.system).position(|(id, _)| id == component);
        let keeper = keeper.map_or(0, |place| place as u16);
        let (own, demand) = self.pass(site, gate, method)?;
        let pretake = match kind {
            LockComponent::Optimistic => Some(self.pass(site, gate, self.named(gate, PRETAKE))?.0),
            _ => None,
        };
        let client = Client { keeper, lock, pretake, take: own, release: own };
        let mut code = Assembly::default();
        match call {
            LockCall::Take => code.lock(&client),
            LockCall::Release => code.unlock(&client),
        }
        Ok(Some((code.finish(), demand)))
    }

    /// A call of one method.
    fn pass(&mut self, site: Site, gate: GateId, method: usize) -> Result<(Op, u64), SimError> {
        self.invocation(site, gate, Some(method))
    }

    /// Returns the position of a method; of one that is not there, behind all.
    fn named(&self, gate: GateId, name: &str) -> usize {
        let methods = &self.system.gate(gate).methods;
        methods.iter().position(|method| method.name == name).unwrap_or(methods.len())
    }

    /// The code of a lock component's method, if the gate is one's.
    pub(super) fn lock_method(
        &mut self,
        site: Site,
        gate: GateId,
        index: usize,
    ) -> Result<Option<Compiled>, SimError> {
        let described = self.system.gate(gate);
        let Some(kind) = self.system.component(described.component).lock_component else {
            return Ok(None);
        };
        let method = &described.methods[index];
        self.depth(site)?;
        let owner = format!("{}.{}", described.name, method.name);
        self.timed(site, &method.body, &owner)?;
        let steps = method.body.steps.iter().filter_map(|step| match *step {
            Step::Compute { best, worst } => Some((best.ns().min(worst.ns()), worst.ns())),
            _ => None,
        });
        let sum =
            |(best, worst): (u64, u64), (b, w)| (best.saturating_add(b), worst.saturating_add(w));
        let (best, worst) = steps.fold((0, 0), sum);
        let mut code = Assembly::default();
        if kind == LockComponent::Scheduler {
            let row = self.row(site, described.component);
            let time = Op::Compute { best, worst };
            match method.name.as_str() {
                "enter" => code.enter(row, time),
                "leave" => code.leave(row, time),
                "block" => code.block(row, time),
                "wakeup" => code.wakeup(row, time),
                _ => {}
            }
        } else {
            let component = described.component;
            let unknown = SimError::Locks { task: site.task, component };
            let behind = self.system.lock_scheduler(component).ok_or(unknown)?;
            let services = self.services(site, behind)?;
            let times = Times::of(best, worst);
            match method.name.as_str() {
                "take" => code.take(kind, &services, times),
                "release" => code.release(kind, &services, times),
                PRETAKE => code.pretake(&services, times),
                _ => {}
            }
        }
        let message = if described.direct { 0 } else { self.message(gate, index) };
        let mut ops = code.finish();
        if message > 0 {
            ops.insert(0, Op::Compute { best: message, worst: message });
        }
        ops.push(Op::End);
        Ok(Some(self.put(ops, worst.saturating_add(message))))
    }

    fn services(&mut self, site: Site, behind: GateId) -> Result<Services, SimError> {
        let mut call = |name| {
            let method = self.named(behind, name);
            Ok(self.pass(site, behind, method)?.0)
        };
        Ok(Services {
            enter: call("enter")?,
            leave: call("leave")?,
            block: call("block")?,
            wakeup: call("wakeup")?,
        })
    }

    /// Returns the row of slots by which code names threads that sleep through a component.
    fn row(&mut self, site: Site, through: fusee_model::ComponentId) -> u16 {
        let row = self.capabilities.threads(self.system, site.component, through);
        self.program.rows.push(row);
        (self.program.rows.len() - 1) as u16
    }
}
