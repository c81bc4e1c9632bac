//! Nanoseconds a puzzle: `cargo bench --bench sudoku -- FILE... [--solver NAME]... [--limit N] [--repeat N] [--copies N] [--first N]`.
//!
//! NAME is `solo` or an isa of the kernel `lanes`; default: all that this machine has. The solvers take turns, the
//! median counts, and a first turn checks every solution. Files have one puzzle a line.

use std::time::Instant;

use gridmill::dispatch::Isa;
use gridmill::grid::{Bounds, CELLS, Cells, Outcome, is_solution_of};
use gridmill::lanes;
use gridmill::solo;
use gridmill::stop::Stop;

fn main() {
    let mut files = Vec::new();
    let mut solvers = Vec::new();
    let (mut limit, mut repeat, mut copies, mut first) = (2, 7, 1, usize::MAX);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
        match argument.as_str() {
            "--solver" => solvers.push(value()),
            "--limit" => limit = value().parse().expect("a number"),
            "--repeat" => repeat = value().parse().expect("a number"),
            "--copies" => copies = value().parse().expect("a number"),
            "--first" => first = value().parse().expect("a number"),
            _ => files.push(argument),
        }
    }
    if solvers.is_empty() {
        solvers.push("solo".into());
        solvers.extend(Isa::available().into_iter().map(|isa| isa.name().to_owned()));
    }
    let bounds = Bounds { limit, max_guesses: u32::MAX };
    for file in files {
        let puzzles = read(&file);
        let puzzles = puzzles[..puzzles.len().min(first.saturating_mul(CELLS))].repeat(copies);
        compare(&file, &puzzles, &solvers, &bounds, repeat);
    }
}

fn compare(file: &str, puzzles: &[u8], solvers: &[String], bounds: &Bounds, repeat: usize) {
    let count = puzzles.len() / CELLS;
    println!("{file}: {count} puzzles, limit {}", bounds.limit);
    let mut out = vec![Outcome::UNFINISHED; count];
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); solvers.len()];
    let mut notes = vec![String::new(); solvers.len()];
    for turn in 0..=repeat {
        for (i, solver) in solvers.iter().enumerate() {
            let start = Instant::now();
            let passes = run(solver, puzzles, bounds, &mut out);
            let ns = start.elapsed().as_nanos() as f64 / count as f64;
            if turn > 0 {
                times[i].push(ns);
                continue;
            }
            check(puzzles, &out);
            let guesses: u64 = out.iter().map(|outcome| u64::from(outcome.guesses)).sum();
            let each = |sum: u64| sum as f64 / count as f64;
            notes[i] = format!("{:.3} guesses, {:.2} passes a puzzle", each(guesses), each(passes));
        }
    }
    for (i, solver) in solvers.iter().enumerate() {
        times[i].sort_by(f64::total_cmp);
        let (median, least) = (times[i][times[i].len() / 2], times[i][0]);
        println!("  {solver:9} {median:9.1} ns a puzzle (least {least:.1}), {}", notes[i]);
    }
}

fn run(solver: &str, puzzles: &[u8], bounds: &Bounds, out: &mut [Outcome]) -> u64 {
    if solver == "solo" {
        solo::solve_batch(puzzles, bounds, &Stop::new(), out);
        return 0;
    }
    let isa = Isa::parse(solver).unwrap_or_else(|error| panic!("{error}"));
    lanes::solve_batch(isa, puzzles, bounds, &Stop::new(), out).passes
}

fn check(puzzles: &[u8], out: &[Outcome]) {
    let (puzzles, _) = puzzles.as_chunks::<CELLS>();
    for (puzzle, outcome) in puzzles.iter().zip(out) {
        assert!(outcome.solutions == 0 || is_solution_of(&outcome.solution, puzzle), "a wrong solution");
    }
}

fn read(file: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let lines = text.lines().filter(|line| line.len() >= CELLS && !line.starts_with('#'));
    lines.flat_map(cells).collect()
}

fn cells(line: &str) -> Cells {
    let mut cells = [0; CELLS];
    for (cell, character) in cells.iter_mut().zip(line.bytes()) {
        *cell = if character.is_ascii_digit() { character - b'0' } else { 0 };
    }
    cells
}
