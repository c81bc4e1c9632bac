//! Who pays for the kernel time: each lane an equal share of the time between two readings.
//!
//! The clock adds up what one lane has had to pay since the start. A lane notes that sum when it is filled and
//! pays the difference when it is free again, so a puzzle pays for the passes of its lanes and nothing is counted
//! pass by pass. What is paid out adds up to the measured time, to the nanosecond.

use std::time::Instant;

/// Binary places of a nanosecond.
const FRACTION: u32 = 20;

pub(super) struct Clock {
    start: Instant,
    last_ns: u64,
    /// What a lane that was in use all the time would owe, in 2^-20 ns.
    pub sum: u64,
    /// What was paid in and not yet out, in 2^-20 ns; below 0 once a puzzle had to be given its 1 ns.
    balance: i64,
    /// Nanoseconds paid out.
    pub paid_ns: u64,
}

impl Clock {
    pub fn start() -> Self {
        Self { start: Instant::now(), last_ns: 0, sum: 0, balance: 0, paid_ns: 0 }
    }

    /// Nanoseconds since the start.
    #[inline(always)]
    pub fn now_ns(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Charges the time since the last reading to `lanes` lanes.
    #[inline(always)]
    pub fn charge(&mut self, lanes: u32) {
        if lanes > 0 {
            let now = self.now_ns();
            self.sum += ((now - self.last_ns) << FRACTION) / u64::from(lanes);
            self.last_ns = now;
        }
    }

    /// The time since a reading, in the units of `sum`; the lanes will not be charged for it.
    pub fn skip(&mut self, before_ns: u64) -> u64 {
        let now = self.now_ns();
        self.last_ns = now;
        (now - before_ns) << FRACTION
    }

    /// The whole nanoseconds of a puzzle that is finished and owes `time`; at least 1.
    #[inline(always)]
    pub fn pay(&mut self, time: u64) -> u64 {
        self.balance += time as i64;
        let ns = (self.balance >> FRACTION).max(1);
        self.balance -= ns << FRACTION;
        self.paid_ns += ns as u64;
        ns as u64
    }
}
