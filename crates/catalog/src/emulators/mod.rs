//! What emulators call programs: hashes in their logs, and in the names of files that they dump.
//!
//! Each file here has the rules of one family of emulators, as its public source states them. What a hash is made of
//! beside the program, and so cannot be known from a file, each says for itself.

mod cemu;
mod pica;
mod ryujinx;
mod yuzu;

use std::fmt;
use unshade::{Isa, Stage};

/// A rule by which an emulator names programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// yuzu and its descendants: the last part of `<pipeline>_<stage>_<hash>.ash`, and `Shader <hash>` in logs.
    Yuzu,
    /// Ryujinx: the hash of an entry of `guest.toc`, of a program that reads no constants while it is translated. The
    /// emulator's own decoder says where the code ends; here each place where it may end has its hash.
    Ryujinx,
    /// Cemu, pixel programs: the first part of `<base>_<aux>_ps`.
    CemuPixel,
    /// Cemu, pixel and other programs: what the base is made of beside the state of the machine. Of a geometry or vertex
    /// program no hash can be known from a file alone.
    CemuProgram,
    /// Azahar and other descendants of Citra: the hash of the words of the program, where no longer one was loaded before.
    AzaharProgram,
    /// The same of the operand descriptors.
    AzaharDescriptors,
    /// Panda3DS: the hash of all 4,096 words of the program memory, where nothing else was loaded.
    PandaProgram,
    /// The same of the 128 operand descriptors.
    PandaDescriptors,
    /// Citra as it was before, and builds of Panda3DS with that algorithm: all words of the program memory.
    CitraProgram,
    /// The same of the operand descriptors.
    CitraDescriptors,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Yuzu,
        Self::Ryujinx,
        Self::CemuPixel,
        Self::CemuProgram,
        Self::AzaharProgram,
        Self::AzaharDescriptors,
        Self::PandaProgram,
        Self::PandaDescriptors,
        Self::CitraProgram,
        Self::CitraDescriptors,
    ];

    /// Its name in catalogs: `yuzu`, `cemu-ps`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yuzu => "yuzu",
            Self::Ryujinx => "ryujinx",
            Self::CemuPixel => "cemu-ps",
            Self::CemuProgram => "cemu-code",
            Self::AzaharProgram => "azahar",
            Self::AzaharDescriptors => "azahar-swizzle",
            Self::PandaProgram => "panda3ds",
            Self::PandaDescriptors => "panda3ds-swizzle",
            Self::CitraProgram => "citra",
            Self::CitraDescriptors => "citra-swizzle",
        }
    }

    /// What that means, for people.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Yuzu => "yuzu's hash of the program",
            Self::Ryujinx => "Ryujinx' hash of the program, if it reads no constants while it is translated",
            Self::CemuPixel => "Cemu's hash of the pixel program, if no geometry program is bound",
            Self::CemuProgram => "the part of Cemu's hash that is the program's own",
            Self::AzaharProgram => "Azahar's hash of the program, if no longer one was loaded before",
            Self::AzaharDescriptors => {
                "Azahar's hash of the operand descriptors, if no longer ones were loaded before"
            }
            Self::PandaProgram => "Panda3DS' hash of the program memory, if nothing else was loaded before",
            Self::PandaDescriptors => {
                "Panda3DS' hash of the operand descriptors, if nothing else was loaded before"
            }
            Self::CitraProgram => "Citra's hash of the program memory, if nothing else was loaded before",
            Self::CitraDescriptors => {
                "Citra's hash of the operand descriptors, if nothing else was loaded before"
            }
        }
    }

    /// The scheme of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// A name that an emulator gives a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EmulatorHash {
    /// By which rule.
    pub scheme: Scheme,
    /// The hash.
    pub hash: u64,
    /// How many hexadecimal digits it is written with: 8 or 16.
    pub digits: u8,
}

impl EmulatorHash {
    fn long(scheme: Scheme, hash: u64) -> Self {
        Self { scheme, hash, digits: 16 }
    }

    fn short(scheme: Scheme, hash: u32) -> Self {
        Self { scheme, hash: hash.into(), digits: 8 }
    }
}

/// `yuzu:0c693049d8c2c68d`
impl fmt::Display for EmulatorHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:0width$x}", self.scheme.name(), self.hash, width = usize::from(self.digits))
    }
}

/// What emulators call a program.
pub fn hashes(stage: &Stage<'_>) -> Vec<EmulatorHash> {
    // Of code that cannot be got at nothing is known.
    if stage.code.missing.is_some() {
        return Vec::new();
    }
    match stage.isa {
        Isa::Maxwell => {
            let program = yuzu::program(stage);
            let mut all: Vec<_> =
                yuzu::hash(&program).map(|hash| EmulatorHash::long(Scheme::Yuzu, hash)).into_iter().collect();
            all.extend(
                ryujinx::hashes(&program, stage)
                    .into_iter()
                    .map(|hash| EmulatorHash::short(Scheme::Ryujinx, hash)),
            );
            all
        }
        Isa::Latte => cemu::hashes(stage),
        Isa::Pica200 => pica::hashes(stage),
        _ => Vec::new(),
    }
}

/// Words as they lie in the memory of the machine that runs the emulator.
fn little_endian(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use twox_hash::{XxHash3_64, XxHash3_128};

    /// The published vectors of the algorithms that are libraries here: bytes 00 to FF, sixteen AA, bytes 00 to 3F.
    #[test]
    fn algorithms_are_the_ones_that_emulators_use() {
        let inputs: [Vec<u8>; 3] = [(0..=255).collect(), vec![0xaa; 16], (0..64).collect()];
        let city = inputs.each_ref().map(cityhasher::hash::<u64>);
        assert_eq!(city, [0x0c69_3049_d8c2_c68d, 0x63a1_c722_a968_74d1, 0xe99a_b80f_5ec7_dca5]);
        let xx = inputs.each_ref().map(|bytes| XxHash3_64::oneshot(bytes));
        assert_eq!(xx, [0x9408_a443_3b95_2d71, 0xcb0d_cf44_c835_78ee, 0x6187_eb90_89b0_ed55]);
        let low = inputs.each_ref().map(|bytes| XxHash3_128::oneshot(bytes) as u32);
        assert_eq!(low, [0x3b95_2d71, 0x1b20_ef1f, 0xdb04_ce74]);
    }

    #[test]
    fn names_are_unique() {
        for scheme in Scheme::ALL {
            assert_eq!(Scheme::named(scheme.name()), Some(scheme));
        }
        assert_eq!(EmulatorHash::short(Scheme::Ryujinx, 0x12).to_string(), "ryujinx:00000012");
    }
}
