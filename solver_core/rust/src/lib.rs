//! The native kernels of gridmill.
//!
//! Plain bytes in, plain values out. Nothing here knows of files, queues or Python; the one exception is
//! `python/`, which is compiled with the feature `python` alone.

pub mod boards;
mod candidates;
pub mod canonical;
pub mod dispatch;
pub mod grid;
mod guess;
pub mod lanes;
#[cfg(feature = "python")]
mod python;
pub mod queens;
pub mod rows;
pub mod solo;
pub mod stop;
pub mod wire;
mod word;
