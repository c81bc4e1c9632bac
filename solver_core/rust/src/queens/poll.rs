//! A look at the stop flag that is cheap enough for every node of a recursion.

use crate::stop::Stop;

/// Nodes from one look to the next. A look takes some 25 ns, a node a few.
const PERIOD: u32 = 64;

/// Asks a [`Stop`] now and then.
pub(super) struct Poll<'a> {
    stop: &'a Stop,
    nodes: u32,
}

impl<'a> Poll<'a> {
    pub(super) fn new(stop: &'a Stop) -> Self {
        Self { stop, nodes: 0 }
    }

    /// Whether to end now, as far as known. The first call does ask.
    pub(super) fn requested(&mut self) -> bool {
        let ask = self.nodes == 0;
        self.nodes = if ask { PERIOD } else { self.nodes - 1 };
        ask && self.stop.requested()
    }
}
