//! Nanoseconds a row, on one thread: reading, skipping, packing and writing. `cargo run --release --example rows_speed [FILE]`
//!
//! Without a file it reads made-up lines of 81 cells. The figures are medians over rounds that take turns.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

use gridmill::grid::{CELLS, Cells, Outcome, Status};
use gridmill::rows::{Answered, Format, Layout, Parsed, Parser, Place, Twins, format_into};
use gridmill::wire::{examine_results, pack_puzzles, pack_results, tally, unfinished, unpack_puzzles};

/// Rows of the made-up text: with cells, rows and output it stays within a usual second-level cache.
const ROWS: usize = 4_000;
const ROUNDS: usize = 301;

fn made_up_text() -> Vec<u8> {
    let mut state = 1u64;
    let mut text = Vec::new();
    for _ in 0..ROWS {
        for _ in 0..CELLS {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digit = (state >> 33) % 30;
            text.push(if (1..=9).contains(&digit) { b'0' + digit as u8 } else { b'.' });
        }
        text.push(b'\n');
    }
    text
}

fn main() {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path).expect("a file that can be read"),
        None => made_up_text(),
    };
    let read = || {
        let mut parsed = Parsed::default();
        let consumed = Parser::new(0, Place::START).parse(&text, true, usize::MAX, &mut parsed);
        assert_eq!(consumed, text.len());
        parsed
    };
    let parsed = read();
    let (cells, rows) = (parsed.cells, parsed.rows.finish().expect("less than 4 GiB"));
    let solution: Cells = std::array::from_fn(|cell| ((cell / 9 * 3 + cell / 27 + cell % 9) % 9 + 1) as u8);
    let outcomes: Vec<Outcome> = (0..cells.len() / CELLS)
        .map(|i| match cells[i * CELLS] {
            0..=9 => {
                Outcome { solution, status: Status::Unique, solutions: 1, guesses: 3, time_ns: 100 + i as u64 % 900 }
            }
            _ => Outcome { status: Status::Invalid, ..Outcome::UNFINISHED },
        })
        .collect();
    let puzzles = pack_puzzles(&cells).expect("less than 4 GiB");
    let results = pack_results(&outcomes).expect("less than 4 GiB");
    let out = RefCell::new(Vec::new());
    let write = |kind| {
        let out = &mut *out.borrow_mut();
        out.clear();
        format_into(
            out,
            kind,
            &Layout::default(),
            1_000_000,
            &["data/puzzles.txt"],
            Answered { rows: &rows, puzzles: &puzzles, results: &results },
            Twins::default(),
        )
        .expect("rows that fit");
        out.len()
    };

    let stages: [(&str, &dyn Fn()); 11] = [
        ("parse", &|| drop(black_box(read()))),
        ("skip", &|| assert_eq!(Parser::new(0, Place::START).skip(&text, true, usize::MAX), text.len())),
        ("pack_puzzles", &|| drop(black_box(pack_puzzles(&cells)))),
        ("unpack_puzzles", &|| drop(black_box(unpack_puzzles(&puzzles)))),
        ("pack_results", &|| drop(black_box(pack_results(&outcomes)))),
        ("unfinished", &|| drop(black_box(unfinished(&results)))),
        ("tally", &|| drop(black_box(tally(&results)))),
        ("examine", &|| drop(black_box(examine_results(&puzzles, &results)))),
        ("format csv", &|| assert!(write(Format::Csv) >= outcomes.len())),
        ("format jsonl", &|| assert!(write(Format::Jsonl) >= outcomes.len())),
        ("format lines", &|| assert!(write(Format::Lines) >= outcomes.len())),
    ];
    let mut times = vec![Vec::new(); stages.len()];
    for _ in 0..ROUNDS.min(ROUNDS * ROWS / outcomes.len().max(1)).max(5) {
        for ((_, stage), times) in stages.iter().zip(&mut times) {
            let start = Instant::now();
            stage();
            times.push(start.elapsed().as_nanos());
        }
    }
    println!("{} rows, {} bytes of text, {} bytes of csv", outcomes.len(), text.len(), write(Format::Csv));
    for ((name, _), times) in stages.iter().zip(&mut times) {
        times.sort_unstable();
        println!("{name:<15} {:7.1} ns a row", times[times.len() / 2] as f64 / outcomes.len() as f64);
    }
}
