//! The part of deadline windows in which jobs wait for events.

use fusee_model::TaskId;

use crate::blocking::Blocking;
use crate::context::Context;
use crate::level::Level;
use crate::obstacle::Obstacle;
use crate::supposed::Supposed;
use crate::suspension;
use crate::waiting_suspended::suspends;

impl Level {
    /// Lets members' waits for events count as if they executed. After each of them a task that has
    /// run meanwhile can be in a section, whenever it is due.
    ///
    /// # Errors
    /// Why nobody knows how long one lasts.
    pub(crate) fn with_waits(
        mut self,
        context: &Context<'_>,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let arrivals = context.event_arrivals(supposed);
        for member in &mut self.members {
            for wait in context.event_waits(member.task) {
                let longest = wait.longest(&arrivals).map_err(|cause| match cause {
                    Obstacle::NoEnd => Obstacle::LongWait { task: member.task, event: wait.event },
                    known => known,
                })?;
                let all = member.awaited.checked_add(longest.time.ns());
                member.awaited = all.ok_or(Obstacle::NoEnd)?;
                member.suspensions += 1;
            }
        }
        // While a single member waits, any task of the core may run and enter a section.
        if self.members.iter().any(|member| member.suspensions > 0) {
            let core: Vec<TaskId> = context.on_core(context.core).collect();
            self.blocking = Blocking::in_progress(context, &core)?;
        }
        Ok(self)
    }

    /// Lets jobs of members that wait for events be under way for as long as they may take, and
    /// these tasks be in sections of whatever gates.
    ///
    /// # Errors
    /// Why nobody knows when such a job is over.
    pub(crate) fn with_jobs_under_way(
        mut self,
        context: &Context<'_>,
        in_sections: &[TaskId],
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        for member in &mut self.members {
            if suspends(context, member.task) {
                let response = supposed.responses[member.task.index()];
                // No job that is due by then is cut off at the window's end, so all of its
                // execution may still be to come: its jitter is the whole response.
                let over = suspension::over(context, member.task, response)?;
                member.arrivals.jitter = over.max(context.arrivals(member.task).jitter);
            }
        }
        self.blocking = Blocking::in_progress(context, in_sections)?;
        Ok(self)
    }
}
