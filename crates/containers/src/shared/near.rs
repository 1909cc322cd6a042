//! Names that come near one that is not there, for error messages.

/// At most so many names.
const SHOWN: usize = 5;
/// Longer names are compared up to here.
const LEN: usize = 64;
/// So many names are looked at.
const LOOKED_AT: usize = 4096;

/// The names that differ least from the wanted one, nearest first: by at most a third of its characters, or by case
/// alone, or that it is a part of.
pub(crate) fn near<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = wanted.chars().take(LEN).flat_map(char::to_lowercase).collect();
    let limit = (wanted.len() / 3).max(1);
    let mut found: Vec<(usize, &str)> = known
        .take(LOOKED_AT)
        .filter_map(|name| {
            let other: Vec<char> = name.chars().take(LEN).flat_map(char::to_lowercase).collect();
            let inside = wanted.len() > 2 && other.windows(wanted.len()).any(|part| part == wanted);
            let distance = distance(&wanted, &other);
            (distance <= limit || inside).then_some((distance, name))
        })
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().take(SHOWN).map(|(_, name)| name).collect()
}

/// How many characters have to be put in, taken out or changed to make one of the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, x) in a.iter().enumerate() {
        let mut corner = index;
        let mut left = index.saturating_add(1);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (above, y) in row.iter_mut().skip(1).zip(b) {
            let changed = corner.saturating_add(usize::from(x != y));
            corner = *above;
            left = changed.min(above.saturating_add(1)).min(left.saturating_add(1));
            *above = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first() {
        let known = ["o_light", "o_lights", "o_shadow", "gsys_weight", "x"];
        assert_eq!(near("o_ligth", known.into_iter()), ["o_light", "o_lights"]);
        assert_eq!(near("O_SHADOW", known.into_iter()), ["o_shadow"]);
        assert_eq!(near("weight", known.into_iter()), ["gsys_weight"]);
        assert_eq!(near("nothing like it", known.into_iter()), [""; 0]);
        assert_eq!(near("", known.into_iter()), ["x"]);
    }

    #[test]
    fn distances() {
        let distance =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
