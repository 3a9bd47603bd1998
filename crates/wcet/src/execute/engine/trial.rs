//! Iterations of a loop that are tried, and leave nothing behind unless they
//! count.
//!
//! What an execution notes on its way (obstacles, facts that were used, what
//! was reached) is kept apart from its paths, so that it can be taken back: a
//! guess that was wrong must not be seen in the result.

use super::Engine;
use super::mode::Mode;
use crate::execute::findings::Findings;
use crate::execute::path::{Exit, Frame, Iteration, Path, Stop};
use crate::flow::Loop;
use crate::machine::Machine;

/// The notes up to some point.
#[derive(Clone)]
pub(super) struct Notes {
    pub(super) findings: Findings,
    ended: u64,
    finished: usize,
    unwound: usize,
    ways: usize,
}

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    pub(super) fn notes(&self) -> Notes {
        Notes {
            findings: self.findings.clone(),
            ended: self.endings.count,
            finished: self.endings.paths.len(),
            unwound: self.endings.unwound.len(),
            ways: self.ways.len(),
        }
    }

    /// Returns whether paths have ended since without a return to their caller.
    pub(super) fn has_ended_since(&self, notes: &Notes) -> bool {
        self.endings.count != notes.ended
            || self.endings.paths.len() != notes.finished
            || self.endings.unwound.len() != notes.unwound
    }

    /// Takes back what was noted since, and keeps what was noted before.
    pub(super) fn take_back_to(&mut self, notes: &Notes) {
        self.take_back(notes.clone());
    }

    /// Takes back what was noted since.
    pub(super) fn take_back(&mut self, notes: Notes) {
        self.findings = notes.findings;
        self.endings.count = notes.ended;
        self.endings.paths.truncate(notes.finished);
        self.endings.unwound.truncate(notes.unwound);
        // Only paths that were dropped with the trial go by these steps.
        self.ways.truncate(notes.ways);
    }

    /// Executes one iteration of a loop with one header, apart from the paths that wait in the
    /// function.
    pub(super) fn iteration(
        &mut self,
        frame: &mut Frame<M::Timing>,
        looping: &Loop,
        path: Path<M::Timing>,
    ) -> Result<Iteration<M::Timing>, Stop> {
        let header = looping.headers[0];
        // Paths that wait in the function have no part in the trial.
        let nobody = (0..frame.waiting.len()).map(|_| Vec::new()).collect();
        let waiting = std::mem::replace(&mut frame.waiting, nobody);
        let returned = std::mem::take(&mut frame.returned);
        // Whoever leaves in a trial has not left the loop yet. If the trial counts, these paths are
        // sent on and counted then.
        let (arrived, gone) = (frame.arrived.clone(), frame.gone);
        // What ends in this iteration is not joined to what has ended before: it takes longer.
        let finished = std::mem::take(&mut self.endings.paths);
        let unwound = std::mem::take(&mut self.endings.unwound);
        let depths = (self.loops.depth(), self.calls.len());
        frame.waiting[header] = vec![path];
        self.loops.try_iteration(frame.function.blocks[header].address());
        let done = self.nodes(frame, &looping.body);
        // A path that ran out of effort has not come back from where it was.
        self.loops.come_back_to(depths.0);
        self.cut_calls(depths.1);
        let mut after = std::mem::replace(&mut frame.waiting, waiting);
        let returns = std::mem::replace(&mut frame.returned, returned);
        (frame.arrived, frame.gone) = (arrived, gone);
        let ends = std::mem::replace(&mut self.endings.paths, finished);
        let unwound = std::mem::replace(&mut self.endings.unwound, unwound);
        // An error goes on only now, when all is back in its place: who catches it uses this frame.
        done?;
        let back = std::mem::take(&mut after[header]);
        let at = |(block, paths): (usize, Vec<Path<_>>)| {
            paths.into_iter().map(move |path| (Exit::Block(block), path))
        };
        let left = after.into_iter().enumerate().flat_map(at);
        let returns = returns.into_iter().map(|path| (Exit::Return, path));
        let ends = ends.into_iter().map(|path| (Exit::End, path));
        let unwound = unwound.into_iter().map(|(calls, path)| (Exit::Unwound(calls), path));
        Ok(Iteration { back, left: left.chain(returns).chain(ends).chain(unwound).collect() })
    }
}
