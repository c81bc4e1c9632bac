//! The portable path alone, small enough for Miri: `cargo +nightly miri test --test portable`.

mod common;

use common::*;
use gridmill::dispatch::Isa;

#[test]
fn a_small_mixed_batch_on_the_portable_path_gets_the_rows_of_solo() {
    let mut puzzles = vec![cells(EASY); 8];
    puzzles.extend([cells(EASY_SOLUTION), [0; 81], [15; 81], clash_in_a_box(), unsolvable(), many(), many()]);

    for bounds in [bounds(2, 30), bounds(1, 3)] {
        let expected = by_solo(&puzzles, &bounds);
        assert_rows(Isa::Portable, &puzzles, &expected, &by_lanes(Isa::Portable, &puzzles, &bounds));
    }
}
