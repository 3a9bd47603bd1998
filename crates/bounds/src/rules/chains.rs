//! The manual pages about chains.

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) static CHAIN: Rule = Rule {
    code: Code("F0618"),
    name: "chain-not-guaranteed",
    severity: Severity::Warning,
    what: "The bound on a chain's reaction time or data age is longer than what its description \
           allows. The message lists the parts of the bound.",
    why: "Each task may meet its deadline and the effect still come too late: at every link that \
          is sampled it waits for the reader's next job, and a change may just miss the first \
          reading.",
    example: r#"
import <std_connector.camkes>;
component Sensor { control; dataport Buf value; }
component Motor { control; dataport Buf value; }
assembly {
    composition {
        component Sensor sensor;
        component Motor motor;
        connection seL4SharedData values(from sensor.value, to motor.value);
    }
    configuration {
        sensor.period = "10 ms";
        sensor.wcet = "1 ms";
        motor.period = "20 ms";
        motor.wcet = "1 ms";
        system.chains = ["sensor -> motor within 25 ms"];
    }
}
"#,
    instead: "Shorten the largest part: a shorter period of who samples, or an event that releases \
              the reader.",
    reference: "Davare et al. 2007; Duerr et al. 2019; the book, chapter \"Chains and events\".",
};

pub(crate) static CHAIN_WITHOUT_BOUND: Rule = Rule {
    code: Code("F0619"),
    name: "chain-without-bound",
    severity: Severity::Warning,
    what: "A chain has no bound on its reaction time or its data age: a task on the way has none, \
           arrives at no known rate, is released by a device or a budget's end besides, or more \
           often than its `period` allows.",
    why: "What is not bounded at one link is not bounded at all.",
    example: r#"
import <std_connector.camkes>;
component Sensor { control; dataport Buf value; }
component Motor { control; dataport Buf value; }
assembly {
    composition {
        component Sensor sensor;
        component Motor motor;
        connection seL4SharedData values(from sensor.value, to motor.value);
    }
    configuration {
        sensor.period = "10 ms";
        sensor.wcet = "1 ms";
        motor.period = "20 ms";
        motor.wcet = "1 ms";
        motor.arrival = "sporadic";
        system.chains = ["sensor -> motor within 50 ms"];
    }
}
"#,
    instead: "Let the clock or an event of the chain release the task that the message names, in \
              each job of an emitter on the same core.",
    reference: "The book, chapter \"Chains and events\".",
};
