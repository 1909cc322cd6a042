//! What somebody may have meant who wrote a name that does not exist.

/// Longer names are compared up to here.
const LONGEST: usize = 128;

/// The names among `known` that are spelled most like `wanted`, best first, at most `count`; those that have little in
/// common with it are left out.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wanted = letters(wanted);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|name| (distance(&wanted, &letters(name)), name))
        .filter(|(distance, name)| *distance <= wanted.len().max(name.len()).min(LONGEST) / 2)
        .collect();
    near.sort();
    near.truncate(count);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Upper and lower case count as the same.
fn letters(name: &str) -> Vec<char> {
    name.chars().take(LONGEST).flat_map(char::to_lowercase).collect()
}

/// How many letters must be added, left out or exchanged to make one of the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, letter) in a.iter().enumerate() {
        let mut diagonal = index;
        let mut left = index + 1;
        for (other, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let best = (diagonal + usize::from(letter != other)).min(left + 1).min(*cell + 1);
            diagonal = std::mem::replace(cell, best);
            left = best;
        }
        row[0] = index + 1;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_comes_first() {
        let known = ["SKIN_COUNT", "SKIN", "FOG", "ALPHA_TEST"];
        assert_eq!(nearest("SKIN_CONT", known, 2), ["SKIN_COUNT"]);
        assert_eq!(nearest("fog", known, 1), ["FOG"]);
        assert_eq!(nearest("zzzzzzz", known, 3), Vec::<&str>::new());
        assert_eq!(super::distance(&['a', 'b'], &['b', 'c']), 2);
    }
}
