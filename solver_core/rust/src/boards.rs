//! Lists of N-Queens solutions as text.

/// How a solution is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One line: the 0-based column of each row, apart by one blank.
    Columns,
    /// `n` lines of `.` and `Q`; boards are parted by an empty line.
    Board,
    /// One line: a JSON array of the 0-based columns.
    Jsonl,
}

/// Writes solutions of `n` bytes each as text. `first` says that nothing stands before them in the file.
pub fn write_boards(n: u8, solutions: &[u8], form: Form, first: bool) -> Vec<u8> {
    let size = usize::from(n.max(1));
    let mut out = Vec::with_capacity(solutions.len() / size * bytes_of(size, form));
    for (i, solution) in solutions.chunks_exact(size).enumerate() {
        match form {
            Form::Columns => push_columns(&mut out, solution, b' ', b"", b"\n"),
            Form::Jsonl => push_columns(&mut out, solution, b',', b"[", b"]\n"),
            Form::Board => {
                if !(first && i == 0) {
                    out.push(b'\n');
                }
                for &column in solution {
                    let row = out.len();
                    out.resize(row + size, b'.');
                    if let Some(place) = out.get_mut(row + usize::from(column)) {
                        *place = b'Q';
                    }
                    out.push(b'\n');
                }
            }
        }
    }
    out
}

/// How long a solution is at most.
pub fn bytes_of(n: usize, form: Form) -> usize {
    let digits: usize = (0..n).map(|column| if column < 10 { 1 } else { 2 }).sum();
    match form {
        Form::Columns => digits + n,
        Form::Jsonl => digits + n + 2,
        Form::Board => n * (n + 1) + 1,
    }
}

fn push_columns(out: &mut Vec<u8>, solution: &[u8], between: u8, before: &[u8], behind: &[u8]) {
    out.extend_from_slice(before);
    for (row, &column) in solution.iter().enumerate() {
        if row > 0 {
            out.push(between);
        }
        if column >= 10 {
            out.push(b'0' + column / 10);
        }
        out.push(b'0' + column % 10);
    }
    out.extend_from_slice(behind);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_written_in_each_form() {
        let two = [1, 3, 0, 2, 2, 0, 3, 1];

        let text = |form, first| String::from_utf8(write_boards(4, &two, form, first)).expect("ASCII");

        assert_eq!(text(Form::Columns, true), "1 3 0 2\n2 0 3 1\n");
        assert_eq!(text(Form::Jsonl, true), "[1,3,0,2]\n[2,0,3,1]\n");
        assert_eq!(text(Form::Board, true), ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n");
        assert_eq!(text(Form::Board, false), format!("\n{}", text(Form::Board, true)));
    }

    #[test]
    fn the_length_told_is_the_length_written() {
        let solution: Vec<u8> = (0..12).collect();

        for form in [Form::Columns, Form::Jsonl, Form::Board] {
            assert_eq!(write_boards(12, &solution, form, false).len(), bytes_of(12, form));
        }
    }
}
