//! Random sources in the language, from a seed. Mostly right, in all its corners; now and then wrong.
