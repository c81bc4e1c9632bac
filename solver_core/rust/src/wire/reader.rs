//! Reading the body of a payload, byte by byte, never past its end; and writing the numbers in it.

use super::WireError;

/// What is left of a body.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        Reader { rest: body }
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, WireError> {
        let (&byte, rest) = self.rest.split_first().ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(byte)
    }

    #[inline]
    pub(super) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], WireError> {
        let (array, rest) = self.rest.split_first_chunk::<N>().ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(array)
    }

    /// So many arrays; their number is checked against what is left before it is used.
    pub(super) fn arrays<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]], WireError> {
        let (arrays, rest) =
            count.checked_mul(N).and_then(|n| self.rest.split_at_checked(n)).ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(arrays.as_chunks::<N>().0)
    }

    /// The bytes from here to where another reader of the same body is, which is further on.
    pub(super) fn until(&self, further: &Reader<'_>) -> &'a [u8] {
        &self.rest[..self.rest.len() - further.rest.len()]
    }

    /// Bytes whose number stands before them as a varint.
    pub(super) fn counted(&mut self) -> Result<&'a [u8], WireError> {
        let length = usize::try_from(self.varint()?).map_err(|_| WireError::Truncated)?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// A LEB128 number: seven bits a byte, low bits first, the top bit set on all but the last byte.
    #[inline(always)]
    pub(super) fn varint(&mut self) -> Result<u64, WireError> {
        // Most are of one byte.
        if let [byte @ 0..0x80, rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(u64::from(*byte));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, WireError> {
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // 64 bits are nine groups of seven and one bit more.
            if shift == 63 && byte > 1 {
                return Err(WireError::Value("a number above 64 bits"));
            }
            value |= bits << shift;
            if byte < 0x80 {
                let longer_than_needed = byte == 0 && shift > 0;
                return if longer_than_needed { Err(WireError::Value("a padded number")) } else { Ok(value) };
            }
            shift += 7;
        }
    }

    #[inline(always)]
    pub(super) fn varint_u32(&mut self, what: &'static str) -> Result<u32, WireError> {
        u32::try_from(self.varint()?).map_err(|_| WireError::Value(what))
    }

    /// Checks that nothing is left.
    #[inline]
    pub(super) fn end(&self) -> Result<(), WireError> {
        if self.rest.is_empty() { Ok(()) } else { Err(WireError::Trailing) }
    }
}

/// Appends a LEB128 number.
#[inline]
pub(super) fn push_varint(body: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        body.push(value as u8 | 0x80);
        value >>= 7;
    }
    body.push(value as u8);
}

/// Appends bytes, and before them their number.
pub(super) fn push_counted(body: &mut Vec<u8>, bytes: &[u8]) {
    push_varint(body, bytes.len() as u64);
    body.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_at_every_length() {
        for value in (0..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1]).chain([u64::MAX]) {
            let mut body = Vec::new();

            push_varint(&mut body, value);

            let mut reader = Reader::new(&body);
            assert_eq!(reader.varint(), Ok(value));
            assert_eq!(reader.end(), Ok(()));
        }
    }

    #[test]
    fn a_number_that_is_padded_too_large_or_cut_is_an_error() {
        assert_eq!(Reader::new(&[0x80, 0x00]).varint(), Err(WireError::Value("a padded number")));
        assert_eq!(Reader::new(&[0xff; 11]).varint(), Err(WireError::Value("a number above 64 bits")));
        assert_eq!(Reader::new(&[0x80]).varint(), Err(WireError::Truncated));
    }

    #[test]
    fn a_length_beyond_the_end_is_cut_short_and_claims_nothing() {
        let mut body = Vec::new();
        push_varint(&mut body, u64::MAX);
        body.push(b'x');

        assert_eq!(Reader::new(&body).counted(), Err(WireError::Truncated));
    }
}
