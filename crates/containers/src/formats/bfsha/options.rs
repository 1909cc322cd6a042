//! Options of a shading model, and keys: the choices of all options packed into words of 32 bits.
//!
//! Static options and dynamic options are packed each by themselves, in their order, from the highest bit of a
//! word down; no option stands in two words. The rule reproduces all options of a measured archive of the
//! console's tools.

use super::model::Bfsha;
use super::raw;
use super::wiiu;
use crate::formats::switch::{Pointer, Texts};

/// Which bits of a key an option has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Packed {
    /// Word of the key.
    pub word: u32,
    /// Lowest bit.
    pub shift: u32,
    /// Its bits.
    pub mask: u32,
}

impl Packed {
    /// The choice that a key says.
    pub fn choice(self, key: &[u32]) -> u32 {
        let word = usize::try_from(self.word).ok().and_then(|word| key.get(word)).copied().unwrap_or(0);
        (word & self.mask).checked_shr(self.shift).unwrap_or(0)
    }

    /// Puts a choice into a key.
    pub fn set(self, key: &mut [u32], choice: u32) {
        if let Some(word) = usize::try_from(self.word).ok().and_then(|word| key.get_mut(word)) {
            *word = *word & !self.mask | choice.checked_shl(self.shift).unwrap_or(0) & self.mask;
        }
    }
}

/// The bits of options with these counts of choices from word `first` on, and how many words they take.
pub fn packing(counts: &[u32], first: u32) -> (Vec<Packed>, u32) {
    let (mut word, mut free) = (first, 32_u32);
    let mut packed = Vec::with_capacity(counts.len());
    for &count in counts {
        let bits = 32_u32.saturating_sub(count.saturating_sub(1).leading_zeros()).max(1);
        if bits > free {
            word = word.saturating_add(1);
            free = 32;
        }
        free = free.saturating_sub(bits);
        let ones = u32::MAX.checked_shr(32_u32.saturating_sub(bits)).unwrap_or(0);
        packed.push(Packed { word, shift: free, mask: ones.checked_shl(free).unwrap_or(0) });
    }
    let words = if counts.is_empty() { 0 } else { word.saturating_sub(first).saturating_add(1) };
    (packed, words)
}

/// An option with its choices.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ShaderOption {
    /// Name as the file gives it.
    pub name: String,
    /// Programs are compiled for its choices; others are chosen at run time.
    pub is_static: bool,
    /// Names of the choices.
    pub choices: Vec<String>,
    /// A number for each choice.
    pub values: Vec<u32>,
    /// The choice that is taken where none is given.
    pub default: u32,
    /// Which bits of a key it has.
    pub packed: Packed,
    /// Place of its value in the block of options, for one that is not compiled in.
    pub branch_offset: Option<u32>,
    /// Bits with more about it.
    pub flags: u8,
}

impl ShaderOption {
    /// The choice of that name.
    pub fn choice(&self, name: &str) -> Option<u32> {
        self.choices.iter().position(|known| known == name).and_then(|index| u32::try_from(index).ok())
    }
}

/// The options of a shading model and the keys of its programs, of either console.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OptionTable {
    /// Name of the shading model.
    pub model: String,
    /// Static options, then dynamic ones.
    pub options: Vec<ShaderOption>,
    /// Words of a key.
    pub words: usize,
    /// Keys, one program after the other.
    pub keys: Vec<u32>,
    /// How many programs there are.
    pub programs: usize,
    /// The program that is taken where none fits.
    pub default_program: Option<usize>,
}

impl OptionTable {
    /// The key of a program.
    pub fn key(&self, program: usize) -> &[u32] {
        let start = program.saturating_mul(self.words);
        self.keys.get(start..start.saturating_add(self.words)).unwrap_or_default()
    }

    /// The key of which every option has its default.
    pub fn default_key(&self) -> Vec<u32> {
        let mut key = vec![0; self.words];
        for option in &self.options {
            option.packed.set(&mut key, option.default);
        }
        key
    }

    /// The option of that name.
    pub fn option(&self, name: &str) -> Option<&ShaderOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// The choice of each option that a program was compiled for; of one that its key has no choice for, its
    /// number.
    pub fn choices(&self, program: usize) -> Vec<(&str, String)> {
        let key = self.key(program);
        self.options
            .iter()
            .map(|option| {
                let choice = option.packed.choice(key);
                let name = usize::try_from(choice).ok().and_then(|index| option.choices.get(index));
                (option.name.as_str(), name.cloned().unwrap_or_else(|| format!("#{choice}")))
            })
            .collect()
    }

    /// The same by names alone, as who adds a program says them: of a static and a dynamic option of one name the first is
    /// meant; the key says both.
    pub(crate) fn values(&self, program: usize) -> Vec<(String, String)> {
        let mut values: Vec<(String, String)> = Vec::new();
        for (name, choice) in self.choices(program) {
            if !values.iter().any(|(known, _)| known == name) {
                values.push((name.to_owned(), choice));
            }
        }
        values
    }
}

impl Bfsha {
    /// The options of a shading model and the keys of its programs.
    pub fn options(&self, model: usize, texts: &Texts<'_>) -> Option<OptionTable> {
        if let Some(found) = self.wiiu_model(model) {
            let [fixed, moving, _] = found.counts;
            let mut options = Vec::new();
            for ([array, _], count, is_static) in
                [(found.arrays[0], fixed, true), (found.arrays[1], moving, false)]
            {
                for index in 0..u64::from(count) {
                    let at = Pointer(array.0.saturating_add(index.saturating_mul(wiiu::OPTION_LEN)));
                    options.push(self.wiiu_shader_option(at, is_static, texts)?);
                }
            }
            let words = usize::from(found.words[0]).saturating_add(found.words[1].into());
            return Some(OptionTable {
                model: texts.show(found.name),
                options,
                words,
                keys: self.keys(found.keys).cloned().unwrap_or_default(),
                programs: found.programs_held(),
                default_program: usize::try_from(found.default_program).ok(),
            });
        }
        let found = self.model(model)?;
        let mut options = Vec::new();
        for ([array, _], count, is_static) in [
            (found.static_options, found.static_option_count, true),
            (found.dynamic_options, found.dynamic_option_count, false),
        ] {
            for index in 0..u64::from(count) {
                let at = Pointer(array.0.saturating_add(index.saturating_mul(raw::OPTION_LEN)));
                options.push(self.shader_option(at, is_static, texts)?);
            }
        }
        Some(OptionTable {
            model: texts.show(found.name),
            options,
            words: usize::try_from(found.words()).unwrap_or(0),
            keys: self.keys(found.keys).cloned().unwrap_or_default(),
            programs: found.programs_held(),
            default_program: usize::try_from(found.default_program).ok(),
        })
    }

    fn choice_names(&self, at: Pointer, texts: &Texts<'_>) -> Vec<String> {
        self.dictionary(at).map(|dictionary| dictionary.names(texts)).unwrap_or_default()
    }

    fn shader_option(&self, at: Pointer, is_static: bool, texts: &Texts<'_>) -> Option<ShaderOption> {
        let option = self.option_at(at)?;
        Some(ShaderOption {
            name: texts.show(option.name),
            is_static,
            choices: self.choice_names(option.choices, texts),
            values: self.values(option.values).cloned().unwrap_or_default(),
            default: option.default_choice.into(),
            packed: Packed { word: option.word.into(), shift: option.shift.into(), mask: option.mask },
            branch_offset: option.branch_offset.checked_sub(1).map(u32::from),
            flags: option.flags,
        })
    }

    fn wiiu_shader_option(&self, at: Pointer, is_static: bool, texts: &Texts<'_>) -> Option<ShaderOption> {
        let option = self.wiiu_option(at)?;
        Some(ShaderOption {
            name: texts.show(option.name),
            is_static,
            choices: self.choice_names(option.choices, texts),
            values: self.values(option.values).cloned().unwrap_or_default(),
            default: option.default_choice.into(),
            packed: Packed { word: option.word.into(), shift: option.shift.into(), mask: option.mask },
            branch_offset: option.branch_offset.checked_sub(1).map(u32::from),
            flags: option.flags,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_fill_words_from_the_top() {
        let (packed, words) = packing(&[2, 1, 4, 9, 1 << 24, 2], 3);
        let found: Vec<_> = packed.iter().map(|packed| (packed.word, packed.shift, packed.mask)).collect();
        let expected = [
            (3, 31, 1 << 31),
            (3, 30, 1 << 30),
            (3, 28, 3 << 28),
            (3, 24, 15 << 24),
            (3, 0, 0xFF_FFFF),
            (4, 31, 1 << 31),
        ];
        assert_eq!((found.as_slice(), words), (&expected[..], 2));
        assert_eq!(packing(&[], 3), (Vec::new(), 0));
        let mut key = [0; 5];
        packed[3].set(&mut key, 5);
        assert_eq!((key[3], packed[3].choice(&key)), (5 << 24, 5));
    }
}
