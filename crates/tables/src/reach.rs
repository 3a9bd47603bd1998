//! The threads that signal each event.

use fusee_model::{ComponentId, InterfaceKind, NotificationId, Overrun, Step, System};

/// Returns the notifications that an emitted interface signals, in the order of its connections.
pub fn emitted(system: &System, component: ComponentId, interface: usize) -> Vec<NotificationId> {
    let mut found = Vec::new();
    for &connection in &system.component(component).interfaces[interface].connections {
        let connection = &system.connections[connection.index()];
        let emits = connection
            .from
            .iter()
            .any(|end| end.component == component && end.interface == interface);
        for end in connection.to.iter().filter(|_| emits) {
            let consumer = &system.component(end.component).interfaces[end.interface];
            if let InterfaceKind::Consumes(Some(id)) = consumer.kind
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
    }
    found
}

/// Returns the interfaces that signal a notification, as (component, position), in order.
pub fn emitters(system: &System, notification: NotificationId) -> Vec<(ComponentId, usize)> {
    let mut found = Vec::new();
    for (index, component) in system.components.iter().enumerate() {
        for (position, interface) in component.interfaces.iter().enumerate() {
            let id = ComponentId::from(index);
            if matches!(interface.kind, InterfaceKind::Emits(_))
                && emitted(system, id, position).contains(&notification)
            {
                found.push((id, position));
            }
        }
    }
    found
}

/// Returns `true` if some body or the end of some budget signals a notification.
pub fn is_signalled(system: &System, notification: NotificationId) -> bool {
    let methods =
        system.gates.iter().flat_map(|gate| gate.methods.iter().map(|method| &method.body));
    let mut bodies = methods.chain(system.tasks.iter().map(|task| &task.body));
    bodies.any(|body| body.steps.contains(&Step::Emit(notification)))
        || system
            .tasks
            .iter()
            .filter_map(|task| task.budget.as_ref())
            .any(|budget| budget.overrun == Overrun::Notify(notification))
}
