//! Signals to other cores that the sender's kernel has refused.
//!
//! The kernel records the first one since a signal was sent, so that a storm does not fill its
//! memory: how many there were the stubs count.

use std::collections::BTreeMap;

use fusee_diagnostics::Diagnostic;
use fusee_kernel::{Kind, Record};

use crate::{Manifest, rules};

/// Returns a message for each thread and event.
pub(crate) fn diagnostics(records: &[Record], manifest: &Manifest) -> Vec<Diagnostic> {
    let mut found: BTreeMap<(u16, u16), u64> = BTreeMap::new();
    for record in records.iter().filter(|record| record.kind == Kind::Throttle) {
        *found.entry((record.thread.0, record.object)).or_default() += 1;
    }
    let message = |((thread, event), times): ((u16, u16), u64)| {
        let event = manifest.notifications.get(usize::from(event)).map_or("?", String::as_str);
        let sender = manifest.thread(thread);
        let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
        let text = format!(
            "`{sender}` signals `{event}` of another core more often than the description says"
        );
        Diagnostic::warning(rules::SIGNALS_REFUSED.code, text)
            .with_note(format!("its kernel began to refuse such signals {times}"))
    };
    found.into_iter().map(message).collect()
}
