//! Text of any kind made fit to be shown: valid UTF-8, no control characters, not too long.

use std::borrow::Cow;

/// Characters that a note shows of a line which could not be read.
pub const EXCERPT_CHARACTERS: usize = 120;

/// The longest character of UTF-8.
const CHARACTER_BYTES: usize = 4;

/// What stands in the place of a character that cannot be shown.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// The first characters of a line, fit to be shown.
pub(super) fn excerpt(line: &[u8]) -> String {
    // Any character takes at most four bytes, so what comes later cannot be among the first.
    let head = &line[..line.len().min(EXCERPT_CHARACTERS * CHARACTER_BYTES)];
    shown(head).take(EXCERPT_CHARACTERS).collect()
}

/// The characters of a text; control characters other than a tab, and whatever is not UTF-8, become U+FFFD.
fn shown(text: &[u8]) -> impl Iterator<Item = char> {
    text.utf8_chunks().flat_map(|chunk| {
        let broken = if chunk.invalid().is_empty() { None } else { Some(REPLACEMENT) };
        let valid = chunk.valid().chars();
        valid.map(|it| if it.is_control() && it != '\t' { REPLACEMENT } else { it }).chain(broken)
    })
}

/// A text fit to be shown. Most are so as they stand.
pub(super) fn showable(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) if !text.chars().any(|it| it.is_control() && it != '\t') => Cow::Borrowed(text),
        _ => Cow::Owned(shown(text).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_counts_characters_and_not_bytes() {
        let line = "\u{1F9E9}".repeat(EXCERPT_CHARACTERS + 1);

        assert_eq!(excerpt(line.as_bytes()), "\u{1F9E9}".repeat(EXCERPT_CHARACTERS));
        assert_eq!(excerpt(&vec![0xff; 1000]).chars().count(), EXCERPT_CHARACTERS);
    }

    #[test]
    fn what_cannot_be_shown_is_replaced() {
        assert_eq!(excerpt(b"a\0b\x1b[1m\xffc\td\xe2\x82"), "a\u{fffd}b\u{fffd}[1m\u{fffd}c\td\u{fffd}");
    }
}
