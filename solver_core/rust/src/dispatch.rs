//! Which vector units a kernel uses: found once, named, and refused in one line where this machine lacks them.

use std::fmt;
use std::sync::OnceLock;

/// The path of a kernel through the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and GFNI (Ice Lake, Zen 4 and later).
    Avx512,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// Arm with 128-bit NEON.
    Neon,
    /// No vector units asked for.
    Portable,
}

/// A name that is no isa, or one that this machine lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IsaError(String);

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IsaError {}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Isa {
    /// Every isa there is, the widest first.
    pub const ALL: [Isa; 4] = [Isa::Avx512, Isa::Avx2, Isa::Neon, Isa::Portable];

    /// The widest isa of this machine; looked up once.
    pub fn detect() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| Self::ALL.into_iter().find(|isa| isa.is_available()).unwrap_or(Isa::Portable))
    }

    /// The isas of this machine, the widest first; `Portable` is always the last.
    pub fn available() -> Vec<Isa> {
        Self::ALL.into_iter().filter(|isa| isa.is_available()).collect()
    }

    /// The isa called `name`, if this machine has it.
    ///
    /// # Errors
    ///
    /// One line that says which names there are, or that this machine lacks the isa.
    pub fn parse(name: &str) -> Result<Isa, IsaError> {
        let list = |all: &[Isa]| all.iter().map(|isa| isa.name()).collect::<Vec<_>>().join(", ");
        let Some(isa) = Self::ALL.into_iter().find(|isa| isa.name() == name) else {
            return Err(IsaError(format!("unknown isa {name:?}: choose one of {}", list(&Self::ALL))));
        };
        if isa.is_available() {
            Ok(isa)
        } else {
            Err(IsaError(format!("this machine has no {isa}: it can run {}", list(&Self::available()))))
        }
    }

    /// The name people write.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Avx512 => "avx512",
            Isa::Avx2 => "avx2",
            Isa::Neon => "neon",
            Isa::Portable => "portable",
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Isa::Avx512 => has_avx512(),
            Isa::Avx2 => has_avx2(),
            Isa::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
            Isa::Portable => true,
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("gfni")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detected_isa_is_the_widest_available_and_parses() {
        let available = Isa::available();

        assert_eq!(available[0], Isa::detect());
        assert_eq!(available.last(), Some(&Isa::Portable));
        for isa in available {
            assert_eq!(Isa::parse(isa.name()), Ok(isa));
        }
    }

    #[test]
    fn an_unknown_or_missing_isa_is_refused_in_one_line() {
        let mut refused: Vec<&str> = vec!["", "AVX2", "sse9\nx"];
        refused.extend(Isa::ALL.into_iter().filter(|isa| !isa.is_available()).map(Isa::name));

        for name in refused {
            let line = Isa::parse(name).expect_err(name).to_string();
            assert!(!line.contains('\n') && line.contains("portable"), "{line}");
        }
    }
}
