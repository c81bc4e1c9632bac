//! Where a line ends: LF, CR LF, CR CR LF, or a lone CR.

use memchr::memchr2;

/// A line longer than this is not held in memory: it becomes one row (or one comment), judged by its first
/// part, and the rest is skipped. No label of a puzzle is nearly as long.
pub const LONG_LINE_BYTES: usize = 1 << 20;

/// What is known of the end of the first line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// The line has `length` bytes, and the next one begins at `next`.
    Found { length: usize, next: usize },
    /// The line has `length` bytes or more: the text ends in it, or in CRs that may go on.
    Open { length: usize },
}

/// Finds the end of the first line. Where nothing comes after the text (`at_end`), its end ends the line.
pub(super) fn line_end(text: &[u8], at_end: bool) -> LineEnd {
    let Some(length) = memchr2(b'\n', b'\r', text) else {
        let length = text.len();
        return if at_end { LineEnd::Found { length, next: length } } else { LineEnd::Open { length } };
    };
    let ending = match &text[length..] {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        [b'\r', b'\r', b'\n', ..] => 3,
        // A CR, or two, and it is not known what comes next.
        [b'\r'] | [b'\r', b'\r'] if !at_end => return LineEnd::Open { length },
        _ => 1,
    };
    LineEnd::Found { length, next: length + ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_is_one_end() {
        for (text, next) in
            [("ab\nc", 3), ("ab\r\nc", 4), ("ab\r\r\nc", 5), ("ab\rc", 3), ("ab\r\rc", 3), ("ab\n\nc", 3)]
        {
            assert_eq!(line_end(text.as_bytes(), false), LineEnd::Found { length: 2, next }, "{text:?}");
        }
    }

    #[test]
    fn an_end_is_open_until_it_is_known() {
        for text in ["ab", "ab\r", "ab\r\r"] {
            assert_eq!(line_end(text.as_bytes(), false), LineEnd::Open { length: 2 }, "{text:?}");
        }
        assert_eq!(line_end(b"ab", true), LineEnd::Found { length: 2, next: 2 });
        assert_eq!(line_end(b"ab\r", true), LineEnd::Found { length: 2, next: 3 });
    }
}
