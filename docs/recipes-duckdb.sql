-- The functions of `unshade-sql`, for DuckDB. Run this first: `duckdb -init docs/recipes-duckdb.sql`.

-- What names a program on the command line.
CREATE OR REPLACE MACRO program_place(path, "inner", item) AS
    path || coalesce("inner", '') || coalesce('#' || item, '');

-- Whether a list with blanks between its words has a word.
CREATE OR REPLACE MACRO has_word(list, word) AS
    contains(' ' || list || ' ', ' ' || word || ' ');

-- The share of bytes in which two signatures agree, from 0 to 1.
CREATE OR REPLACE MACRO similarity(one, other) AS
    CASE WHEN one IS NULL OR other IS NULL OR length(one) <> length(other) THEN NULL
         ELSE len([i FOR i IN range(1, length(one), 2) IF substr(one, i, 2) = substr(other, i, 2)]) * 2.0 / length(one) END;
