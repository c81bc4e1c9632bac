//! One puzzle at a time.
