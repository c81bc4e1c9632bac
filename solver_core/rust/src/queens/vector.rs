//! The front of the vector kernel: from an isa to its vectors, and from a prefix to blocks, with the mirror.

use super::QueensError;
use super::arrays::{U16x8, U32x4};
#[cfg(target_arch = "x86_64")]
use super::avx2::{U16x16, U32x8};
#[cfg(target_arch = "x86_64")]
use super::avx512::{U16x32, U32x16};
use super::block::{Block, border_queens};
use super::board::Board;
use super::lanes::Lanes;
use super::levels;
use super::states::Memory;
use crate::dispatch::Isa;
use crate::stop::Stop;

/// Boards with fewer rows left are faster counted by the plain recursion: with 9 it takes some 1 us, while the vector
/// kernel takes 5 to begin. (It needs 5 rows: two may be rows of border queens, and its last three are one formula.)
pub(super) const ROWS_FROM: u8 = 10;

/// Runs an expression with `$lanes` being the vectors of an isa: of 16 bits if `$narrow`, else of 32. An isa that this
/// machine lacks is taken for the portable one.
macro_rules! with_lanes {
    ($isa:expr, if $narrow:expr, $lanes:ident => $vector:expr) => {{
        macro_rules! either {
            ($few:ident $many:ident) => {
                if $narrow {
                    type $lanes = $few;
                    $vector
                } else {
                    type $lanes = $many;
                    $vector
                }
            };
        }
        match $isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if $isa.is_available() => either!(U16x32 U32x16),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if $isa.is_available() => either!(U16x16 U32x8),
            // The compiler makes NEON of them.
            _ => either!(U16x8 U32x4),
        }
    }};
}

/// A count, or `None` when stopped.
type Count = Option<u64>;

/// Counts the solutions that begin with `prefix`, with at least [`ROWS_FROM`] rows left.
pub(super) fn count(isa: Isa, n: u8, prefix: &[u8], stop: &Stop) -> Result<Count, QueensError> {
    // 18 columns without the two of the border.
    // SAFETY: this machine has the isa.
    with_lanes!(isa, if n <= 18, V => unsafe { halves(n, prefix, &mut Memory::<V>::new(n.into()), stop) })
}

/// The two halves of a board that is its own mirror have the same count, so one is searched.
///
/// # Safety
///
/// The CPU must have the isa of `L`.
unsafe fn halves<L: Lanes>(n: u8, prefix: &[u8], memory: &mut Memory<L>, stop: &Stop) -> Result<Count, QueensError> {
    let Some(board) = Board::new(n, prefix)? else { return Ok(Some(0)) };
    if !board.is_its_own_mirror() {
        // SAFETY: the caller's promise.
        return Ok(unsafe { blocks(n, prefix, memory, stop) });
    }
    let mut total = 0;
    for column in (0..n.div_ceil(2)).filter(|column| board.open() >> column & 1 == 1) {
        let longer = [prefix, &[column]].concat();
        let in_the_middle = 2 * column + 1 == n;
        // SAFETY: the caller's promise.
        let half =
            unsafe { if in_the_middle { halves(n, &longer, memory, stop)? } else { blocks(n, &longer, memory, stop) } };
        let Some(half) = half else { return Ok(None) };
        total += if in_the_middle { half } else { 2 * half };
    }
    Ok(Some(total))
}

/// # Safety
///
/// The CPU must have the isa of `L`.
unsafe fn blocks<L: Lanes>(n: u8, prefix: &[u8], memory: &mut Memory<L>, stop: &Stop) -> Count {
    let mut total = 0;
    for borders in border_queens(n, prefix, L::BITS) {
        // SAFETY: the caller's promise.
        total += unsafe { levels::count(&Block::new(n, prefix, &borders), memory, stop)? };
    }
    Some(total)
}

/// Finds the solutions of many boards at once.
pub(super) trait Find {
    /// Appends the solutions of up to [`super::states::CAPACITY`] boards to `found`; see [`levels::find`].
    fn find(&mut self, boards: &[Board], stop: &Stop, found: &mut Vec<u64>) -> Count;
}

/// What finds the solutions of boards of `n` with `rows_left` rows left.
pub(super) fn finder(isa: Isa, n: u8, rows_left: u8) -> Box<dyn Find> {
    // Any boards: no border queens, so no more than 16 columns in 16 bits.
    // SAFETY: this machine has the isa.
    with_lanes!(isa, if n <= 16, V => Box::new(unsafe { Finder::<V>::new(rows_left) }))
}

struct Finder<L: Lanes> {
    block: Block<L>,
    memory: Memory<L>,
}

impl<L: Lanes> Finder<L> {
    /// # Safety
    ///
    /// The CPU must have the isa of `L`.
    unsafe fn new(rows_left: u8) -> Self {
        // SAFETY: the caller's promise.
        Self { block: unsafe { Block::new(rows_left, &[], &[]) }, memory: Memory::new(rows_left.into()) }
    }
}

impl<L: Lanes> Find for Finder<L> {
    fn find(&mut self, boards: &[Board], stop: &Stop, found: &mut Vec<u64>) -> Count {
        // SAFETY: a finder is only made where the CPU has the isa.
        unsafe { levels::find(&self.block, boards, &mut self.memory, stop, found) }
    }
}
