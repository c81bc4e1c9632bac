//! How a long search is told to end: a flag that any thread may set, and a deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A request to stop, shared by the kernel that polls it and whoever may set it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// A stop that only `set` brings about.
    pub fn new() -> Self {
        Self::default()
    }

    /// A stop that comes by itself once `budget` of wall time (monotonic clock) is used up.
    pub fn after(budget: Duration) -> Self {
        Self { flag: Arc::default(), deadline: Instant::now().checked_add(budget) }
    }

    /// Asks every kernel that holds this stop to end.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether to end now. Reads a clock when there is a deadline (about 25 ns): poll it every
    /// 10 to 100 microseconds of work, not at every step.
    pub fn requested(&self) -> bool {
        if self.flag.load(Ordering::Relaxed) {
            return true;
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late {
            self.set();
        }
        late
    }
}
