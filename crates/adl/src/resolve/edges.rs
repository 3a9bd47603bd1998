//! The begin and end of sections: `lock` and `unlock` in `calls`.

use fusee_diagnostics::Diagnostic;
use fusee_model::{LockCall, LockComponent, Step};

use super::bodies::{Call, Inside};
use super::report::Report;
use super::sections::Piece;
use super::value::Located;
use super::{code, codes};
use crate::tree::{InterfaceKind as Kind, LockKind};

impl Inside<'_, '_> {
    /// `lock` or `unlock` with a mutex of the component.
    pub(super) fn edge(
        &self,
        word: &str,
        name: &str,
        value: &Located,
        report: &mut Report,
    ) -> Option<Call> {
        let locks = code::locks(self.shape);
        let found = locks.iter().position(|lock| lock.name.text == name);
        if let Some(position) = found.filter(|&at| locks[at].kind == LockKind::Mutex) {
            let mutex = (self.instance, position);
            let edge = if word == "lock" { Piece::Lock } else { Piece::Unlock };
            return Some(Call::Edge(edge(mutex, value.span)));
        }
        let message = match found {
            Some(_) => format!("`{name}` is a semaphore, which nobody holds"),
            None => format!("the component has no mutex `{name}`"),
        };
        let error = Diagnostic::error(codes::UNKNOWN_CALL, message).at(value.span, "");
        let mutexes = locks.iter().filter(|lock| lock.kind == LockKind::Mutex);
        let fixes: Vec<String> =
            mutexes.map(|lock| format!("\"{word} {}\"", lock.name.text)).collect();
        report.unknown(
            error,
            (&format!("\"{word} {name}\""), value.span),
            fixes.iter().map(String::as_str),
        );
        None
    }

    /// `lock` or `unlock` with a lock of a component, `interface.number`.
    pub(super) fn lock_call(
        &self,
        call: LockCall,
        lock: &str,
        value: &Located,
        report: &mut Report,
    ) -> Option<Call> {
        let (interface, number) = lock.split_once('.')?;
        let word = if call == LockCall::Take { "lock" } else { "unlock" };
        let whole = format!("{word} {lock}");
        let place = self.find(interface, Kind::Uses, &whole, value, report)?;
        let Some(&gate) = self.objects.used.get(&place) else {
            self.report_unconnected(place, value, report);
            return None;
        };
        let refused = |message: String, note: &str| {
            Diagnostic::error(codes::UNKNOWN_CALL, message).at(value.span, "").with_note(note)
        };
        let known = LockComponent::LOCKS;
        let asked = self.shape.interfaces[place.port].type_name.as_str();
        let is_locking = matches!(asked, "Locking" | "OptimisticLocking");
        let method = (self.methods)(gate)?.position(call.method());
        let Some(method) = method.filter(|_| is_locking) else {
            let message = format!("`{interface}` does not ask for locks");
            let note = "this is for interfaces of the types `Locking` and `OptimisticLocking`, \
                        which `<fusee/locks.camkes>` has: lock components provide them";
            report.push(refused(message, note));
            return None;
        };
        let Some(number) = number.parse().ok().filter(|&number: &u8| number < known) else {
            let message = format!("`{number}` is no lock of `{interface}`");
            report.push(refused(message, &format!("locks are numbered 0 to {}", known - 1)));
            return None;
        };
        let origin = report.origin(value.span);
        let step = Step::Invoke { gate, method: Some(method), lock: Some(number), origin };
        Some(Call::Edge(match call {
            LockCall::Take => Piece::Take(step, value.span),
            LockCall::Release => Piece::Release(step, value.span),
        }))
    }
}
