//! How a long search is told to end: a flag that any thread may set, a deadline, and somebody to ask.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a watch is asked at most.
const WATCH_EVERY: Duration = Duration::from_millis(20);

/// A request to stop, shared by the kernel that polls it and whoever may set it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
    watch: Option<Arc<Watch>>,
}

impl Stop {
    /// A stop that only `set` brings about.
    pub fn new() -> Self {
        Self::default()
    }

    /// A stop that comes by itself once `budget` of wall time (monotonic clock) is used up.
    pub fn after(budget: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(budget), ..Self::default() }
    }

    /// The same stop, which from now on also comes when `ask` says so; it is asked every 20 ms of polling.
    pub fn watched_by(&self, ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let watch = Watch { began: Instant::now(), next_ns: AtomicU64::new(0), ask: Box::new(ask) };
        Self { watch: Some(Arc::new(watch)), ..self.clone() }
    }

    /// Asks every kernel that holds this stop to end.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether to end now. May read a clock (about 25 ns): poll it every 10 to 100 microseconds of work, not at
    /// every step.
    pub fn requested(&self) -> bool {
        if self.flag.load(Ordering::Relaxed) {
            return true;
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.watch.as_ref().is_some_and(|watch| watch.says_stop()) {
            self.set();
            return true;
        }
        false
    }
}

struct Watch {
    began: Instant,
    next_ns: AtomicU64,
    ask: Box<dyn Fn() -> bool + Send + Sync>,
}

impl Watch {
    fn says_stop(&self) -> bool {
        let now_ns = self.began.elapsed().as_nanos() as u64;
        if now_ns < self.next_ns.load(Ordering::Relaxed) {
            return false;
        }
        self.next_ns.store(now_ns + WATCH_EVERY.as_nanos() as u64, Ordering::Relaxed);
        (self.ask)()
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("began", &self.began).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_comes_by_flag_by_deadline_and_by_watch() {
        let by_flag = Stop::new();
        let shared = by_flag.clone();
        let by_deadline = Stop::after(Duration::ZERO);
        let by_watch = Stop::new().watched_by(|| true);
        let never = Stop::after(Duration::MAX).watched_by(|| false);

        assert!(!by_flag.requested());
        shared.set();

        assert!(by_flag.requested() && by_deadline.requested() && by_watch.requested());
        assert!(!never.requested());
    }
}
