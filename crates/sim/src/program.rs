//! Bodies as flat code.
//!
//! The model's bodies are trees of vectors; a simulator that makes millions of
//! steps a second wants one array and a program counter. Every body that a task
//! can reach becomes a run of [`Op`]s that ends in [`Op::End`]. A direct gate
//! becomes a plain call, which the kernel never sees: its code runs with the
//! capabilities of the component that called it, in whose domain it lies.
//!
//! What packing, copying and unpacking a message takes is mostly the stubs' time, so it
//! is a step of its own at a method's begin. A message of unknown cost takes as long as
//! the largest whose cost is known: no bound is held against it.

mod lock_code;
mod locks;

use crate::locks::{Act, Locks};
use crate::{Code, SimError};
use fusee_kernel::{Capability, GateIndex, NotificationIndex};
use fusee_model::costs::CostTable;
use fusee_model::{Body, ComponentId, GateId, Message, Step, System, TaskId};
use fusee_tables::Capabilities;
use std::collections::BTreeMap;

/// Position in the code.
pub(crate) type Address = u32;

/// One step of a body; slots name capabilities of the component that runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    /// Own execution, in nanoseconds.
    Compute { best: u64, worst: u64 },
    /// Through a gate into one of its methods.
    Invoke { slot: u16, entry: Entry },
    /// A direct call.
    Call { entry: Entry },
    /// Locks a mutex, and goes on with the section up to its end.
    Lock { slot: u16, entry: Entry },
    /// Signals a notification.
    Emit { slot: u16 },
    /// Waits for a notification.
    Wait { slot: u16 },
    /// Does what takes no time, and goes on so many steps farther if the answer is as wanted.
    Branch { act: Act, wanted: bool, by: i32 },
    /// Sleeps on the account of the thread that it has named, whose slot is in a row.
    Depend { row: u16 },
    /// Wakes the thread that it has named.
    Wake { row: u16 },
    /// A lock was refused.
    Denied,
    /// Does what it must not.
    Fault,
    /// Back to the caller or out of the section, or the end of the job.
    End,
}

/// The target of an invocation: one address, or any of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The method that takes longest.
    pub(crate) longest: Address,
    first: u32,
    /// The number of methods that it may be.
    pub(crate) count: u32,
}

/// The code of a system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
    /// Slots of threads, by thread.
    pub(crate) rows: Vec<Vec<u16>>,
    /// The memory of lock components, before anything has happened.
    pub(crate) locks: Locks,
    /// The address at which each task's job starts.
    pub(crate) tasks: Vec<Address>,
    entries: Vec<Address>,
}

impl Program {
    /// Returns the `choice`-th method that an invocation may lead to.
    pub(crate) fn choose(&self, entry: Entry, choice: u32) -> Address {
        self.entries[(entry.first + choice) as usize]
    }

    /// Returns the slot of a thread in a row; a thread that is not there cannot be named.
    pub(crate) fn slot(&self, row: u16, thread: usize) -> u16 {
        let row = &self.rows[usize::from(row)];
        row.get(thread).copied().unwrap_or(u16::MAX)
    }

    /// Returns the code of everything that a task can reach.
    ///
    /// # Errors
    /// [`SimError::NoWcet`] and [`SimError::TooDeep`].
    pub(crate) fn compile(
        code: &Code<'_>,
        capabilities: &Capabilities,
        costs: &CostTable,
    ) -> Result<Program, SimError> {
        let system = code.bodies;
        let program = Program { locks: Locks::of(system), ..Program::default() };
        let mut compiler =
            Compiler { system, capabilities, costs, program, methods: BTreeMap::new() };
        for (id, task) in system.task_ids() {
            if system.scheduler(id).is_some() {
                // Its code is not the description's.
                compiler.program.tasks.push(compiler.program.ops.len() as Address);
                compiler.program.ops.push(Op::End);
                continue;
            }
            let site = Site { task: id, component: task.component, depth: 0 };
            let body = compiler.body(site, &task.body, 0, &task.name)?;
            compiler.program.tasks.push(body.start);
            if code.faults.contains(&id) {
                compiler.program.ops.pop();
                compiler.program.ops.push(Op::Fault);
            }
        }
        Ok(compiler.program)
    }
}

/// The kernel keeps at most this many frames for each thread.
const DEEPEST: u32 = u8::MAX as u32;

/// Words of the longest message, both ways.
const LONGEST: u32 = 240;

/// The place that code is compiled for.
#[derive(Clone, Copy)]
struct Site {
    /// A task that gets here.
    task: TaskId,
    /// The component whose capabilities count.
    component: ComponentId,
    depth: u32,
}

#[derive(Clone, Copy)]
struct Compiled {
    start: Address,
    /// Longest execution with all invocations.
    demand: u64,
}

struct Compiler<'a> {
    system: &'a System,
    capabilities: &'a Capabilities,
    costs: &'a CostTable,
    program: Program,
    /// By the component whose capabilities count, gate and method.
    methods: BTreeMap<(ComponentId, GateId, usize), Compiled>,
}

impl Compiler<'_> {
    /// A body behind its message.
    fn body(
        &mut self,
        site: Site,
        body: &Body,
        message: u64,
        owner: &str,
    ) -> Result<Compiled, SimError> {
        self.depth(site)?;
        self.timed(site, body, owner)?;
        let mut ops = Vec::with_capacity(body.steps.len() + 2);
        let mut demand = message;
        if message > 0 {
            ops.push(Op::Compute { best: message, worst: message });
        }
        for step in &body.steps {
            let takes = match self.asks(site, step)? {
                Some((code, takes)) => {
                    ops.extend(code);
                    takes
                }
                None => {
                    let (op, takes) = self.step(site, step)?;
                    ops.push(op);
                    takes
                }
            };
            demand = demand.saturating_add(takes);
        }
        ops.push(Op::End);
        Ok(self.put(ops, demand))
    }

    /// Checks that invocations do not nest too deep.
    fn depth(&self, site: Site) -> Result<(), SimError> {
        let fits = site.depth <= DEEPEST;
        fits.then_some(()).ok_or(SimError::TooDeep { task: site.task })
    }

    /// Checks that the description says how long a body takes.
    fn timed(&self, site: Site, body: &Body, owner: &str) -> Result<(), SimError> {
        let unknown = || SimError::NoWcet { task: site.task, body: owner.to_owned() };
        body.wcet_origin.map(|_| ()).ok_or_else(unknown)
    }

    /// Code has its place.
    fn put(&mut self, ops: Vec<Op>, demand: u64) -> Compiled {
        let start = self.program.ops.len() as Address;
        self.program.ops.extend(ops);
        Compiled { start, demand }
    }

    fn step(&mut self, site: Site, step: &Step) -> Result<(Op, u64), SimError> {
        let notification = |id: fusee_model::NotificationId| NotificationIndex(id.0 as u16);
        Ok(match *step {
            Step::Compute { best, worst } => {
                (Op::Compute { best: best.ns().min(worst.ns()), worst: worst.ns() }, worst.ns())
            }
            Step::Emit(id) => {
                (Op::Emit { slot: self.slot(site, Capability::Signal(notification(id), 1)) }, 0)
            }
            Step::Wait(id) => {
                (Op::Wait { slot: self.slot(site, Capability::Wait(notification(id))) }, 0)
            }
            Step::Invoke { gate, method, .. } => self.invocation(site, gate, method)?,
        })
    }

    /// A call of a method, or of whichever takes longest.
    fn invocation(
        &mut self,
        site: Site,
        gate: GateId,
        method: Option<usize>,
    ) -> Result<(Op, u64), SimError> {
        let (entry, demand) = self.entry(site, gate, method)?;
        let index = GateIndex(gate.0 as u16);
        let op = if self.system.gate(gate).direct {
            Op::Call { entry }
        } else if self.system.mutex(gate).is_some() {
            Op::Lock { slot: self.slot(site, Capability::Mutex(index)), entry }
        } else {
            Op::Invoke { slot: self.slot(site, Capability::Gate(index)), entry }
        };
        Ok((op, demand))
    }

    /// Returns the slot of a capability; what no table has is a slot that the kernel refuses.
    fn slot(&self, site: Site, wanted: Capability) -> u16 {
        self.capabilities.slot(site.component, wanted).unwrap_or(u16::MAX)
    }

    fn message(&self, gate: GateId, method: usize) -> u64 {
        let words = match self.system.message(gate, method) {
            Message::Registers => return 0,
            Message::Packed { words } => words,
            Message::Unknown => LONGEST,
        };
        let cost =
            self.costs.message.map(|message| message.of(words).map_or(u64::MAX, |cost| cost.ns()));
        cost.unwrap_or(0)
    }

    fn entry(
        &mut self,
        site: Site,
        gate: GateId,
        method: Option<usize>,
    ) -> Result<(Entry, u64), SimError> {
        let range = match method {
            Some(m) => m..m + 1,
            None => 0..self.system.gate(gate).methods.len(),
        };
        let methods = range.map(|m| self.method(site, gate, m)).collect::<Result<Vec<_>, _>>()?;
        let longest =
            methods.iter().copied().reduce(|a, b| if b.demand > a.demand { b } else { a });
        let Some(longest) = longest else {
            return Err(SimError::NoWcet {
                task: site.task,
                body: self.system.gate(gate).name.clone(),
            });
        };
        let first = self.program.entries.len() as u32;
        self.program.entries.extend(methods.iter().map(|m| m.start));
        Ok((Entry { longest: longest.start, first, count: methods.len() as u32 }, longest.demand))
    }

    fn method(&mut self, site: Site, gate: GateId, index: usize) -> Result<Compiled, SimError> {
        let described = self.system.gate(gate);
        let stays = described.direct || self.system.mutex(gate).is_some();
        let component = if stays { site.component } else { described.component };
        if let Some(&known) = self.methods.get(&(component, gate, index)) {
            return Ok(known);
        }
        let Some(method) = described.methods.get(index) else {
            return Err(SimError::NoWcet { task: site.task, body: described.name.clone() });
        };
        let owner = format!("{}.{}", described.name, method.name);
        let inside = Site { component, depth: site.depth + 1, ..site };
        if let Some(compiled) = self.lock_method(inside, gate, index)? {
            self.methods.insert((component, gate, index), compiled);
            return Ok(compiled);
        }
        let message = if described.direct { 0 } else { self.message(gate, index) };
        let compiled = self.body(inside, &method.body, message, &owner)?;
        self.methods.insert((component, gate, index), compiled);
        Ok(compiled)
    }
}
