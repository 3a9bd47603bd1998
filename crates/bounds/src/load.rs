//! The part of each core that its tasks need.

use fusee_model::System;

use crate::bound::Analysis;

/// The part of one core that its tasks need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The core in question.
    pub core: u32,
    /// The sum of its tasks' execution times over their periods: 1 is the whole core.
    pub share: f64,
    /// `true` if every execution time is known; others are not in the share.
    pub is_complete: bool,
}

impl Analysis {
    /// Returns the load of each core of the system that has tasks, in order.
    pub fn loads(&self, system: &System) -> Vec<Load> {
        let mut loads: Vec<Load> = Vec::new();
        for core in 0..system.cores() {
            let tasks = system.tasks.iter().zip(&self.tasks).filter(|(task, _)| task.core == core);
            let mut load = Load { core, share: 0.0, is_complete: true };
            let mut is_used = false;
            for (task, bound) in tasks {
                is_used = true;
                let Some(release) = &task.release else { continue };
                match bound.wcet {
                    Some(wcet) => {
                        // A share is only shown. No verdict rests on it, so a float is good enough.
                        load.share += wcet.ns() as f64 / release.period.value.ns().max(1) as f64;
                    }
                    None => load.is_complete = false,
                }
            }
            loads.extend(is_used.then_some(load));
        }
        loads
    }
}
