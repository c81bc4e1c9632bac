//! What the tests of the queens share: a plain count to compare with, and the published tables.
#![allow(dead_code, reason = "each test binary uses its own share")]

use std::fs;
use std::path::PathBuf;

use gridmill::queens;
use gridmill::stop::Stop;

/// Counts by the plain recursion, straight from the rules; shares no code with the crate.
pub fn plain_count(n: u8, prefix: &[u8]) -> u64 {
    fn below(n: u32, row: u32, columns: u64, left: u64, right: u64) -> u64 {
        if row == n {
            return 1;
        }
        (0..n)
            .map(|column| (1 << column, 1 << (row + column), 1 << (n - 1 + row - column)))
            .filter(|(c, l, r)| columns & c == 0 && left & l == 0 && right & r == 0)
            .map(|(c, l, r)| below(n, row + 1, columns | c, left | l, right | r))
            .sum()
    }
    let (mut columns, mut left, mut right) = (0_u64, 0_u64, 0_u64);
    for (row, &column) in prefix.iter().enumerate() {
        let (c, l, r) = (1 << column, 1 << (row + usize::from(column)), 1 << (usize::from(n - 1 - column) + row));
        if columns & c != 0 || left & l != 0 || right & r != 0 {
            return 0;
        }
        (columns, left, right) = (columns | c, left | l, right | r);
    }
    below(n.into(), prefix.len() as u32, columns, left, right)
}

/// The rows of a published table below its header; `None`, with the reason printed, where the folder is not there.
pub fn known(name: &str) -> Option<Vec<Vec<u64>>> {
    let folder = std::env::var_os("GRIDMILL_TEST_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = folder.join("known").join(name);
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {} (GRIDMILL_TEST_DATA names its folder)", path.display());
        return None;
    };
    let numbers = |line: &str| line.split_whitespace().map_while(|field| field.parse().ok()).collect();
    Some(text.lines().skip(1).map(numbers).collect())
}

/// The whole list of a prefix.
pub fn listed(n: u8, prefix: &[u8]) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    let found = queens::list(n, prefix, u64::MAX, &Stop::new(), &mut out).unwrap().unwrap();
    let boards: Vec<Vec<u8>> = out.chunks_exact(n.into()).map(<[u8]>::to_vec).collect();
    assert_eq!((found, out.len()), (boards.len() as u64, boards.len() * usize::from(n)));
    boards
}

/// All non-attacking prefixes of a depth.
pub fn prefixes(n: u8, depth: u8) -> Vec<Vec<u8>> {
    queens::prefixes(n, depth).unwrap().collect()
}
