//! A row as comma-separated values, after RFC 4180 but with LF as the line end.

use memchr::memchr3;

use super::format::Record;

/// Writes one row.
#[inline]
pub(super) fn write_record(out: &mut Vec<u8>, record: &Record<'_>) {
    let mut digits = itoa::Buffer::new();
    let mut number = |out: &mut Vec<u8>, value: u64| {
        out.extend_from_slice(digits.format(value).as_bytes());
        out.push(b',');
    };
    number(out, record.id);
    out.extend_from_slice(record.source);
    out.push(b',');
    number(out, record.line);
    push_field(out, record.label);
    out.push(b',');
    push_cells(out, record.puzzle);
    out.extend_from_slice(record.status.as_bytes());
    out.push(b',');
    number(out, u64::from(record.solutions));
    push_cells(out, record.solution);
    match record.effort {
        Some((guesses, time_ns)) => {
            number(out, u64::from(guesses));
            number(out, time_ns);
        }
        None => out.extend_from_slice(b",,"),
    }
    push_field(out, record.note);
    out.push(b'\n');
}

/// Writes the 81 characters of a grid, or nothing, and a comma.
#[inline]
fn push_cells<const N: usize>(out: &mut Vec<u8>, cells: Option<&[u8; N]>) {
    if let Some(cells) = cells {
        out.extend_from_slice(cells);
    }
    out.push(b',');
}

/// Writes a text, in quotes if it has a comma, a quote or a line end in it.
pub(super) fn push_field(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return;
    }
    if memchr3(b',', b'"', b'\n', bytes).is_none() && !bytes.contains(&b'\r') {
        out.extend_from_slice(bytes);
        return;
    }
    out.push(b'"');
    for &byte in bytes {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}
