//! A row as one JSON object on a line.

use super::format::Record;

/// The largest integer up to which a double, which is what most readers of JSON make of a number, has them all.
const EXACT_IN_A_DOUBLE: u64 = 1 << 53;

/// Writes one row. The keys are the columns of the CSV form in the same order; what is empty there is null.
pub(super) fn write_record(out: &mut Vec<u8>, record: &Record<'_>) {
    out.extend_from_slice(b"{\"id\":");
    push_number(out, record.id);
    out.extend_from_slice(b",\"source\":");
    out.extend_from_slice(record.source);
    out.extend_from_slice(b",\"line\":");
    push_number(out, record.line);
    out.extend_from_slice(b",\"label\":");
    push_text(out, record.label);
    out.extend_from_slice(b",\"puzzle\":");
    push_cells(out, record.puzzle);
    out.extend_from_slice(b",\"status\":\"");
    out.extend_from_slice(record.status.as_bytes());
    out.extend_from_slice(b"\",\"solutions\":");
    push_number(out, u64::from(record.solutions));
    out.extend_from_slice(b",\"solution\":");
    push_cells(out, record.solution);
    match record.effort {
        Some((guesses, time_ns)) => {
            out.extend_from_slice(b",\"guesses\":");
            push_number(out, u64::from(guesses));
            out.extend_from_slice(b",\"time_ns\":");
            push_number(out, time_ns);
        }
        None => out.extend_from_slice(b",\"guesses\":null,\"time_ns\":null"),
    }
    out.extend_from_slice(b",\"note\":");
    push_text(out, record.note);
    out.extend_from_slice(b"}\n");
}

/// Writes an integer: as a string of digits where a double could not hold it.
pub(super) fn push_number(out: &mut Vec<u8>, value: u64) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(value).as_bytes();
    if value <= EXACT_IN_A_DOUBLE {
        out.extend_from_slice(digits);
    } else {
        out.push(b'"');
        out.extend_from_slice(digits);
        out.push(b'"');
    }
}

/// Writes the 81 characters of a grid, or null.
pub(super) fn push_cells<const N: usize>(out: &mut Vec<u8>, cells: Option<&[u8; N]>) {
    match cells {
        Some(cells) => {
            out.push(b'"');
            out.extend_from_slice(cells);
            out.push(b'"');
        }
        None => out.extend_from_slice(b"null"),
    }
}

/// Writes a text, or null if it is empty.
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) {
    if text.is_empty() {
        out.extend_from_slice(b"null");
    } else {
        push_string(out, text);
    }
}

/// Writes a text in quotes, with the escapes that JSON demands and no others.
pub(super) fn push_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => {
                let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&digits);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
