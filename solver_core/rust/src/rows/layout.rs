//! Which columns a row has, and in which order, where they are not the usual ones.

use std::fmt;

use super::excerpt::showable;
use super::format::Record;
use super::{csv, jsonl};
use crate::wire::WireError;

/// The usual columns, in order.
pub const COLUMNS: [&str; 11] =
    ["id", "source", "line", "label", "puzzle", "status", "solutions", "solution", "guesses", "time_ns", "note"];

/// The column that tells listed solutions apart.
const NTH: &str = "nth";
/// The columns that tell which puzzles are the same.
const CANONICAL: &str = "canonical";
const SAME_AS: &str = "same_as";

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Column {
    /// One of [`COLUMNS`], by its place there.
    Usual(usize),
    Nth,
    Canonical,
    SameAs,
    /// A field of the input that is carried through, by its place among those.
    Kept(usize),
}

/// Columns in order, each with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    columns: Vec<(Column, String)>,
}

/// A name that no column has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchColumn(pub String);

impl fmt::Display for NoSuchColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no column {:?}", self.0)
    }
}

impl Default for Layout {
    fn default() -> Self {
        Layout { columns: (0..COLUMNS.len()).map(|at| (Column::Usual(at), COLUMNS[at].to_owned())).collect() }
    }
}

impl Layout {
    /// The columns with these names, `kept` being the fields that are carried through. A name of a kept field that is
    /// also one of ours means ours.
    ///
    /// # Errors
    /// A name is neither.
    pub fn new(names: &[String], kept: &[String]) -> Result<Self, NoSuchColumn> {
        let column = |name: &String| {
            let usual = COLUMNS.iter().position(|column| column == name).map(Column::Usual);
            let special = || match name.as_str() {
                NTH => Some(Column::Nth),
                CANONICAL => Some(Column::Canonical),
                SAME_AS => Some(Column::SameAs),
                _ => None,
            };
            let kept = || kept.iter().position(|field| field == name).map(Column::Kept);
            let column = usual.or_else(special).or_else(kept).ok_or_else(|| NoSuchColumn(name.clone()))?;
            Ok((column, name.clone()))
        };
        Ok(Layout { columns: names.iter().map(column).collect::<Result<_, _>>()? })
    }

    /// Whether these are the usual columns, for which there is a straight way.
    pub(super) fn is_usual(&self) -> bool {
        self.columns.len() == COLUMNS.len()
            && self.columns.iter().enumerate().all(|(at, (column, _))| *column == Column::Usual(at))
    }

    pub(super) fn csv_header(&self) -> String {
        let mut header = Vec::new();
        for (at, (_, name)) in self.columns.iter().enumerate() {
            if at > 0 {
                header.push(b',');
            }
            csv::push_field(&mut header, name);
        }
        header.push(b'\n');
        String::from_utf8_lossy(&header).into_owned()
    }

    /// Writes one row as CSV.
    pub(super) fn write_csv(&self, out: &mut Vec<u8>, record: &Record<'_>) -> Result<(), WireError> {
        for (at, (column, _)) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            match value(column, record)? {
                Value::Nothing => {}
                Value::Number(number) => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
                Value::Cells(cells) => out.extend_from_slice(cells),
                Value::Encoded(text) => out.extend_from_slice(text),
                Value::Text(text) => csv::push_field(out, &showable(text)),
            }
        }
        out.push(b'\n');
        Ok(())
    }

    /// Writes one row as a JSON object.
    pub(super) fn write_jsonl(&self, out: &mut Vec<u8>, record: &Record<'_>) -> Result<(), WireError> {
        out.push(b'{');
        for (at, (column, name)) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            jsonl::push_string(out, name);
            out.push(b':');
            match value(column, record)? {
                Value::Nothing => out.extend_from_slice(b"null"),
                Value::Number(number) => jsonl::push_number(out, number),
                Value::Cells(cells) => jsonl::push_cells(out, Some(cells)),
                Value::Encoded(text) => out.extend_from_slice(text),
                Value::Text(text) => jsonl::push_text(out, &showable(text)),
            }
        }
        out.extend_from_slice(b"}\n");
        Ok(())
    }
}

/// What a row has in one column.
enum Value<'a> {
    Nothing,
    Number(u64),
    Cells(&'a [u8; 81]),
    /// Already in the form of the output.
    Encoded(&'a [u8]),
    Text(&'a [u8]),
}

fn value<'a>(column: &Column, record: &'a Record<'_>) -> Result<Value<'a>, WireError> {
    let cells = |cells: Option<&'a [u8; 81]>| cells.map_or(Value::Nothing, Value::Cells);
    let number = |number: Option<u64>| number.map_or(Value::Nothing, Value::Number);
    let place = match column {
        Column::Nth => return Ok(number(record.nth)),
        Column::Canonical => return Ok(cells(record.canonical.as_ref())),
        Column::SameAs => return Ok(number(record.same_as)),
        Column::Kept(place) => {
            let field = record.kept.fields().nth(*place).transpose()?.unwrap_or_default();
            return Ok(Value::Text(field));
        }
        Column::Usual(place) => *place,
    };
    Ok(match COLUMNS[place] {
        "id" => Value::Number(record.id),
        "source" => Value::Encoded(record.source),
        "line" => Value::Number(record.line),
        "label" => Value::Text(record.label.as_bytes()),
        "puzzle" => cells(record.puzzle),
        "status" => Value::Text(record.status.as_bytes()),
        "solutions" => Value::Number(record.solutions.into()),
        "solution" => cells(record.solution),
        "guesses" => number(record.effort.map(|(guesses, _)| guesses.into())),
        "time_ns" => number(record.effort.map(|(_, time_ns)| time_ns)),
        _ => Value::Text(record.note.as_bytes()),
    })
}
