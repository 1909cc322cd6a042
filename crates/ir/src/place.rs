//! Where the parts of a global lie.

use crate::{Global, Shape};

/// Longest array whose extent is taken seriously, in elements.
const MOST_ELEMENTS: u32 = 1 << 16;

/// Past the last word that an extent can have.
const MOST_WORDS: u32 = 1 << 20;

impl Global {
    /// One past the last word, of globals of a reasonable size at least.
    pub fn end(&self) -> u32 {
        let elements = self.shape.elements().min(MOST_ELEMENTS);
        let words = match self.shape {
            Shape::Matrix { columns, .. } => {
                let last = self.stride.saturating_mul(u32::from(columns.max(1)) - 1);
                let one = last.saturating_add(self.shape.components().into());
                match elements {
                    0 => one,
                    _ => self.element_stride().saturating_mul(elements - 1).saturating_add(one),
                }
            }
            shape if elements == 0 => shape.components().into(),
            _ => elements.saturating_mul(self.stride.max(1)),
        };
        self.offset.saturating_add(words).min(MOST_WORDS)
    }

    /// Whether a word belongs to both, of two in the same space and binding. Arrays of the members of structures lie
    /// in each other's gaps, so words are looked at one by one; `effort` is how many, and is lowered by them. Where it
    /// is used up, the answer is that they share one.
    pub fn overlaps(&self, other: &Self, effort: &mut u32) -> bool {
        let words = self.offset.max(other.offset)..self.end().min(other.end());
        for word in words {
            let Some(left) = effort.checked_sub(1) else { return true };
            *effort = left;
            if self.locate(word).is_some() && other.locate(word).is_some() {
                return true;
            }
        }
        false
    }

    /// Element and component of a word inside of it; `None`: no word of it. The columns of a matrix, or of all
    /// matrices of an array, are its elements.
    pub fn locate(&self, word: u32) -> Option<(Option<u32>, u8)> {
        let at = word.checked_sub(self.offset)?;
        let components = u32::from(self.shape.components());
        let stride = self.stride.max(1);
        match self.shape {
            Shape::Matrix { columns, elements, .. } => {
                let between = self.element_stride().max(1);
                let (element, inside) = if elements == 0 { (0, at) } else { (at / between, at % between) };
                let (column, row) = (inside / stride, inside % stride);
                let there = element < elements.max(1) && column < columns.into() && row < components;
                there.then(|| (Some(element.wrapping_mul(columns.into()).wrapping_add(column)), row as u8))
            }
            shape => match shape.elements() {
                0 => (at < components).then_some((None, at as u8)),
                elements => (at / stride < elements && at % stride < components)
                    .then_some((Some(at / stride), (at % stride) as u8)),
            },
        }
    }

    /// Word of a component of the global or of an element of it, which need not exist. Elements are counted as
    /// [`Global::locate`] does.
    pub fn word(&self, element: Option<i64>, component: u8) -> Option<u32> {
        let element = element.unwrap_or(0);
        let from_start = match self.shape {
            Shape::Matrix { columns, .. } => {
                let columns = i64::from(columns.max(1));
                element.div_euclid(columns).checked_mul(self.element_stride().into())?
                    + element.rem_euclid(columns) * i64::from(self.stride)
            }
            _ => element.checked_mul(self.stride.into())?,
        };
        u32::try_from(i64::from(self.offset).checked_add(from_start)?.checked_add(component.into())?).ok()
    }

    /// What a word means as a value of the declared kind: a truth value is 0 or 1.
    pub fn declared(&self, word: u32) -> u32 {
        let number = f32::from_bits(word);
        match (self.shape, self.as_float) {
            (Shape::Bool { .. }, true) => u32::from(number != 0.0),
            (Shape::Bool { .. }, false) => u32::from(word != 0),
            (Shape::Int { .. }, true) => number as i32 as u32,
            (Shape::Uint { .. }, true) => number as u32,
            _ => word,
        }
    }

    /// A component of a constant, or of an element of it, as a value of the declared kind; 0 where it has none.
    pub fn constant_value(&self, element: u32, component: u8) -> u32 {
        let words = self.constant.as_deref().unwrap_or_default();
        let word = self.word(Some(element.into()), component);
        let at = word.and_then(|word| word.checked_sub(self.offset));
        self.declared(at.and_then(|at| words.get(at as usize)).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_structures_lie_in_gaps() {
        let array = |name: &str, offset, components| {
            let shape = Shape::Float { components, elements: 4 };
            Global { stride: 16, ..Global::new(name, Space::Uniform, 0, offset, shape) }
        };
        let (one, other, late) = (array("a.uv", 0, 2), array("a.k", 2, 1), array("a.z", 3, 2));
        let overlaps = |one: &Global, other: &Global, effort: u32| one.overlaps(other, &mut { effort });
        assert!(!overlaps(&one, &other, 1000));
        assert!(!overlaps(&other, &late, 1000));
        assert!(overlaps(&one, &array("a.w", 1, 2), 1000));
        assert!(overlaps(&array("a.w", 1, 2), &one, 1000));
        // Nobody looks longer than it is worth.
        assert!(overlaps(&one, &other, 3));
        let far = array("far", 64, 2);
        assert!(!overlaps(&one, &far, 0));
    }
    use crate::Space;

    fn global(offset: u32, stride: u32, shape: Shape) -> Global {
        Global { stride, ..Global::new("g", Space::Uniform, 0, offset, shape) }
    }

    #[test]
    fn words_and_places_are_inverse() {
        let float = |components, elements| Shape::Float { components, elements };
        let matrix = |columns, rows, elements, element_stride| Shape::Matrix {
            columns,
            rows,
            elements,
            element_stride,
        };
        for (global, words, end) in [
            (global(3, 4, float(1, 0)), 1, 4),
            (global(4, 1, float(1, 5)), 5, 9),
            (global(4, 2, float(2, 3)), 6, 10),
            (global(4, 4, float(3, 2)), 6, 12),
            (global(2, 1, Shape::Bool { components: 2, elements: 0 }), 2, 4),
            (global(8, 4, matrix(3, 3, 0, 0)), 9, 19),
            (global(8, 2, matrix(2, 2, 0, 0)), 4, 12),
            (global(0, 4, matrix(3, 3, 2, 0)), 18, 23),
            (global(0, 4, matrix(2, 4, 3, 12)), 24, 32),
        ] {
            let found: Vec<u32> = (0..64)
                .filter(|word| match global.locate(*word) {
                    Some((element, component)) => {
                        assert_eq!(global.word(element.map(i64::from), component), Some(*word), "{global:?}");
                        true
                    }
                    None => false,
                })
                .collect();
            assert_eq!(found.len(), words, "{global:?}");
            assert_eq!(global.end(), end, "{global:?}");
        }
    }
}
