//! A protocol that does not go with the policy.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Policy, Scope};

use crate::finding::Finding;
use crate::rules::policies::deadlines_at;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0560"),
    name: "protocol-unfit-for-policy",
    severity: Severity::Error,
    what: "A gate is `fixed` or `ceiling`, and deadlines decide who runs on its users' core.",
    why: "Both protocols compare priorities: a `fixed` gate runs at one, and a `ceiling` gate lets \
          in who has one above its ceiling. Under earliest deadline a job's urgency is a point in \
          time that no description can name.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4RPCCall calls(from pump.log, to logger.log);
    }
    configuration {
        system.policy = "earliest_deadline";
        pump.calls = ["log"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        logger.log_wcet = "100 us";
        logger.log_priority_protocol = "fixed";
    }
}
"#,
    instead: "Use `srp`, which does for deadlines what `fixed` does for priorities; or \
              `non_preemptive`, or `inherited`.",
    reference: "Baker 1991; Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.gate_ids())
        .filter(|(_, gate)| {
            gate.protocol.value.descriptor().scope == Scope::OneCore
                && !gate.protocol.value.goes_with(Policy::EarliestDeadline)
        })
        .filter_map(|(id, gate)| Some((gate, deadlines_at(view, id)?)))
        .map(|(gate, policy)| {
            let word = gate.protocol.value.name();
            Finding::of(
                &RULE,
                format!(
                    "`{}` is `{word}`, which is about priorities, and deadlines decide",
                    gate.name
                ),
            )
            .at(gate.protocol.origin, "compares priorities")
            .because(policy, "no task has one under this policy")
            .note("`srp` blocks once as well, and is made for deadlines")
            .fix("use `srp`", gate.protocol.origin, "\"srp\"")
        })
        .collect()
}
