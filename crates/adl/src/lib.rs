//! CAmkES descriptions: text to syntax tree to model.
