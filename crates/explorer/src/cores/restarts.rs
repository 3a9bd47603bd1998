//! The effect of restarts between cores, by the rules alone.

use fusee_kernel::cores::{AnyStore, At, OneCore, RestartConfig};
use fusee_kernel::{Component, RestartIndex, each_store};

use super::check::State;
use super::rule::ensure;
use super::{Checked, Rule};

/// Returns `true` if a thread's own code goes on in a component, if its core lets it run.
pub(super) fn goes_on(
    tables: &OneCore<'_>,
    store: &AnyStore,
    thread: usize,
    component: usize,
) -> bool {
    let epoch = each_store!(store, store => {
        let frames = store.frames_of(&tables.0, thread);
        frames.last().unwrap_or_else(|| store.home_of(&tables.0, thread)).epoch
    });
    store.component_of(&tables.0, thread) == component
        && epoch == store.components()[component].epoch
}

impl State<'_> {
    /// Checks what concerns components that several cores enter.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub(super) fn restarts(&self) -> Checked {
        for (number, config) in self.tables[0].1.restarts.iter().enumerate() {
            for core in (0..self.host.cores.len()).filter(|core| config.cores & 1 << core != 0) {
                self.part(number, config, core)?;
                self.section(number, config, core)?;
            }
            let inside = self.host.restarts[number].restart.inside;
            ensure(Rule::Progress, inside == 0 || !self.is_quiet(), || {
                format!("a restart waits for {inside} cores, none of which knows")
            })?;
        }
        Ok(())
    }

    /// Checks that a section runs in a component as that is now. A core on a path runs nothing.
    fn section(&self, number: usize, config: &RestartConfig, core: usize) -> Checked {
        let own = &self.host.cores[core];
        let inside = &own.home.inside;
        let runs = inside.global.is_some()
            && inside.component == config.component
            && !self.host.is_busy(core)
            && self.diary.goes_on[core];
        if !runs {
            return Ok(());
        }
        let known = &own.store.components()[config.component.at()];
        let open = !known.is_dead() && !known.is_unrestored();
        ensure(Rule::Restarts, open && self.host.restarts[number].written == 0, || {
            format!("core {core} runs g{}'s section in what is to be put back", inside.global.0)
        })?;
        let kept = &self.diary.restarts[number];
        let since = kept.section_since(inside);
        ensure(Rule::Restarts, since == kept.times, || {
            format!("core {core} goes on with g{}'s section after a restart", inside.global.0)
        })
    }

    /// Checks what one core has of a restart.
    fn part(&self, number: usize, config: &RestartConfig, core: usize) -> Checked {
        let (shared, store) = (&self.host.restarts[number], &self.host.cores[core].store);
        let component = config.component.at();
        let (own, newest) = (store.components()[component], shared.restart.newest);
        let at = self.tables[core].1.mailbox_of(RestartIndex(number as u16));
        let behind = own.entering() != newest.entering();
        ensure(Rule::Told, !behind || self.is_told(core, At::Mailbox(at)), || {
            format!("core {core} is in what is to be restarted, and does not know")
        })?;
        let open = |component: &Component| !component.is_dead() && !component.is_unrestored();
        ensure(Rule::Restarts, behind || open(&newest) || !open(&own), || {
            format!("core {core} has a component open that is to be put back")
        })?;
        let Some(running) = store.running() else { return Ok(()) };
        if self.asked(core, running).is_some()
            || !goes_on(&self.tables[core], store, running, component)
        {
            return Ok(());
        }
        ensure(Rule::Restarts, shared.written == 0, || {
            format!("T{running} of core {core} runs in what is half put back")
        })?;
        let kept = &self.diary.restarts[number];
        let depth = usize::from(store.depth(running));
        // What it has not begun it begins where its core says.
        let since = kept.since[core][running][depth];
        ensure(Rule::Restarts, since == kept.times, || {
            format!("T{running} of core {core} goes on in what was put back meanwhile")
        })
    }
}
