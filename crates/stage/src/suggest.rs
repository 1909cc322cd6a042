//! Names like one that does not exist, for messages: "did you mean ...?".

/// Longer names are compared up to here, in characters.
const LONGEST: usize = 96;
/// So many names are looked at.
const MOST: usize = 4096;

/// The names among `known` that are spelled most like `wanted`, best first, at most `count`: those that differ from it in at
/// most a third of its characters (Levenshtein distance), or that it is a part of. Upper and lower case count as the same.
pub fn suggest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wanted = letters(wanted);
    let length = wanted.chars().count();
    let limit = length.div_ceil(3);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .take(MOST)
        .filter_map(|name| {
            let other = letters(name);
            let inside = length > 2 && other.contains(&wanted);
            // The distance is at least the difference of the lengths.
            if !inside && other.chars().count().abs_diff(length) > limit {
                return None;
            }
            let distance = strsim::levenshtein(&wanted, &other);
            (distance <= limit || inside).then_some((distance, name))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(count).map(|(_, name)| name).collect()
}

fn letters(name: &str) -> String {
    name.chars().take(LONGEST).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn the_nearest_come_first() {
        let known = ["o_light", "o_lights", "o_shadow", "gsys_weight", "x"];
        let near = |wanted: &str| suggest(wanted, known, 5);
        assert_eq!(near("o_ligth"), ["o_light", "o_lights"]);
        assert_eq!(near("O_SHADOW"), ["o_shadow"]);
        assert_eq!(near("weight"), ["gsys_weight"]);
        assert_eq!(near("nothing like it"), [""; 0]);
        assert_eq!(near(""), [""; 0]);
    }

    #[test]
    fn at_most_so_many_and_each_once() {
        let known = ["SKIN_COUNT", "SKIN_COUNT", "SKIN", "FOG", "ALPHA_TEST"];
        assert_eq!(suggest("SKIN_CONT", known, 2), ["SKIN_COUNT"]);
        assert_eq!(suggest("skin", known, 1), ["SKIN"]);
        assert_eq!(suggest("skin", known, 9), ["SKIN", "SKIN_COUNT"]);
        assert_eq!(suggest("zzzzzzz", known, 3), [""; 0]);
    }

    #[test]
    fn long_names_cost_no_more_than_their_start() {
        let (a, b) = ("a".repeat(1 << 20), "b".repeat(1 << 20));
        assert_eq!(suggest(&a, [a.as_str(), b.as_str()], 2), [a.as_str()]);
    }
}
