//! Jobs that follow scripts, and the kernel that runs them.

use fusee_explorer::{Rules, Store, Tape};
use fusee_kernel::{
    Capability, ComponentConfig, ComponentIndex, Event, GateConfig, GateIndex, GateKind, Kernel,
    Kind, OnFault, Protocol, Record, Tables, ThreadConfig, Time,
};

/// The length of a run in ticks.
pub(crate) const END: Time = 80;

/// Jobs of one task that may be pending.
pub(crate) const BACKLOG: u16 = 3;

/// An operation of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Work,
    Enter(usize),
    Leave,
}

/// The running task of each tick, and every completion: its instant, task, and response time.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Schedule {
    pub(crate) ticks: Vec<Option<usize>>,
    pub(crate) completions: Vec<(Time, usize, Time)>,
}

impl Schedule {
    /// Checks that it is the expected schedule.
    pub(crate) fn is(&self, should: &Schedule) -> Result<(), String> {
        if self == should {
            return Ok(());
        }
        let tick = self.ticks.iter().zip(&should.ticks).position(|(is, should)| is != should);
        let (is, should) = (&self.ticks, &should.ticks);
        Err(format!("differs at {tick:?}\n{is:?}\n{should:?}"))
    }
}

/// Returns the tables of these threads and gates: gate n is component n + 1, whose slots lead to
/// all gates; so do those of the threads' home.
pub(crate) fn with_tables<T>(
    threads: &[ThreadConfig],
    protocols: impl IntoIterator<Item = Protocol>,
    time_slice: Time,
    with: impl FnOnce(&Tables<'_>) -> T,
) -> T {
    let gate = |(index, protocol): (u16, _)| GateConfig {
        component: ComponentIndex(index + 1),
        protocol,
        stacks: 1,
        kind: GateKind::Interface,
    };
    let gates: Vec<GateConfig> = (0..).zip(protocols).map(gate).collect();
    let capabilities: Vec<Capability> =
        (0..).zip(&gates).map(|(gate, _)| Capability::Gate(GateIndex(gate))).collect();
    let component = ComponentConfig { on_fault: OnFault::Continue, capabilities: &capabilities };
    with(&Tables {
        threads,
        gates: &gates,
        notifications: &[],
        components: &vec![component; gates.len() + 1],
        interrupts: &[],
        depth: 4,
        chain: 16,
        backlog: BACKLOG,
        time_slice,
        cores: 1,
        levels: 8,
    })
}

/// A kernel whose threads follow scripts.
pub(crate) struct Scripted<'t, P: Rules> {
    tables: &'t Tables<'t>,
    scripts: Vec<&'t [Op]>,
    /// The next step of each task.
    at: Vec<usize>,
    pub(crate) store: Store<P>,
}

impl<'t, P: Rules> Scripted<'t, P> {
    pub(crate) fn start(tables: &'t Tables<'t>, scripts: Vec<&'t [Op]>) -> Result<Self, String> {
        let store = Store::start(tables).map_err(|error| format!("{error:?}"))?;
        Ok(Scripted { tables, at: vec![0; scripts.len()], scripts, store })
    }

    /// Returns the whole schedule.
    pub(crate) fn run(mut self) -> Result<Schedule, String> {
        let mut schedule = Schedule::default();
        for now in 0..END {
            while let Some((_, records)) = self.handle(now, || false)? {
                let completed = records.iter().filter(|record| record.kind == Kind::Complete);
                schedule.completions.extend(
                    completed.map(|record| (record.time, record.thread.at(), record.value)),
                );
            }
            schedule.ticks.push(self.work());
        }
        Ok(schedule)
    }

    /// Hands the kernel one event, if there is one at this time: what it was, and the records.
    ///
    /// `fails`: asked where a gate's code works, whether it fails instead.
    pub(crate) fn handle(
        &mut self,
        now: Time,
        mut fails: impl FnMut() -> bool,
    ) -> Result<Option<(Event, Vec<Record>)>, String> {
        let mut tape = Tape::default();
        let mut kernel = Kernel::resume(*self.tables, self.store.memory(), &mut tape);
        let current = kernel.current();
        let runs = current.is_some().then(|| current.at());
        let event = match runs.map(|task| self.scripts[task].get(self.at[task])) {
            Some(Some(Op::Work)) if !kernel.frames(current).is_empty() && fails() => Event::Fault,
            Some(Some(&Op::Enter(gate))) => Event::Invoke(gate as u16),
            Some(Some(Op::Leave)) => Event::Return,
            Some(None) => Event::Complete,
            _ if kernel.next_timer() <= now => Event::Timer,
            _ => return Ok(None),
        };
        kernel
            .handle(now, event)
            .map_err(|error| format!("{event:?} is refused at {now}: {error:?}"))?;
        kernel.check().map_err(|broken| format!("after {event:?} at {now}: {broken:?}"))?;
        if let Some(task) = runs {
            self.at[task] = match event {
                Event::Timer => self.at[task],
                Event::Complete => 0,
                Event::Fault => behind(self.scripts[task], self.at[task]),
                _ => self.at[task] + 1,
            };
        }
        // What has been asked for then is asked for again.
        for record in tape.records.iter().filter(|record| record.kind == Kind::Retry) {
            self.at[record.thread.at()] -= 1;
        }
        Ok(Some((event, tape.records)))
    }

    /// Lets who runs work for a tick.
    pub(crate) fn work(&mut self) -> Option<usize> {
        let running = self.store.running();
        if let Some(task) = running {
            self.at[task] += 1;
        }
        running
    }
}

/// Returns the place at which a task goes on whose innermost gate has failed: behind the gate's
/// end.
fn behind(script: &[Op], at: usize) -> usize {
    let mut inside = 1;
    let ends = script[at..].iter().position(|op| {
        match op {
            Op::Enter(_) => inside += 1,
            Op::Leave => inside -= 1,
            Op::Work => {}
        }
        inside == 0
    });
    at + ends.expect("each gate is left") + 1
}
