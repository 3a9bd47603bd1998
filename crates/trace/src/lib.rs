//! Kernel records and their Perfetto form.
