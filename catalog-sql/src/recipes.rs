//! The questions that come up most, from `docs/recipes.sql`.

use std::collections::BTreeSet;

/// All of them as they stand in the file.
pub const TEXT: &str = include_str!("../../docs/recipes.sql");

/// A question with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe<'t> {
    /// How it is called.
    pub name: &'t str,
    /// The question.
    pub question: &'t str,
    /// What else there is to say.
    pub about: Vec<&'t str>,
    /// The SQL.
    pub sql: &'t str,
}

impl Recipe<'_> {
    /// The words that stand for what is put in, without `$`.
    pub fn parameters(&self) -> BTreeSet<String> {
        parameters(self.sql)
    }

    /// The tables that it asks beside or instead of `catalog`.
    pub fn tables(&self) -> Vec<&str> {
        let line = self.about.iter().find_map(|line| line.strip_prefix("Tables: "));
        let names = line.and_then(|line| line.split('.').next());
        names.map(|names| names.split(", ").collect()).unwrap_or_default()
    }
}

/// Words behind `$` in SQL, outside of text.
pub fn parameters(sql: &str) -> BTreeSet<String> {
    let outside = sql.split('\'').step_by(2);
    let behind = outside.flat_map(|part| part.split('$').skip(1));
    let words = behind.map(|text| {
        text.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect::<String>()
    });
    words.filter(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic())).collect()
}

/// The recipes of a text, in its order.
pub fn read(text: &str) -> Vec<Recipe<'_>> {
    let blocks = text.split("\n\n").map(str::trim);
    blocks.filter_map(block).collect()
}

/// A block: comment lines, the first with name and question, and SQL below.
fn block(block: &str) -> Option<Recipe<'_>> {
    let start = block.find("\nSELECT").into_iter().chain(block.find("\nWITH")).min()?;
    let (comments, sql) = block.split_at(start + 1);
    let mut comments = comments.lines().map(|line| line.trim_start_matches("--").trim());
    let (name, question) = comments.next()?.split_once(": ")?;
    Some(Recipe { name, question, about: comments.collect(), sql: sql.trim_end_matches(';') })
}

/// The recipe of a name.
pub fn find(name: &str) -> Option<Recipe<'static>> {
    read(TEXT).into_iter().find(|recipe| recipe.name == name)
}
