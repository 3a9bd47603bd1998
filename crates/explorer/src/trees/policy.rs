//! The policies of kernels with schedulers.

use fusee_kernel::List;

use crate::Rules;

/// A policy of kernels with schedulers: threads go by priorities.
pub trait TreePolicy: Rules<Urgency = u8, Place = List> {}

impl<P: Rules<Urgency = u8, Place = List>> TreePolicy for P {}
