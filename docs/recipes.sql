-- Questions to catalogs, in SQL that DuckDB and DataFusion both take. docs/recipes.md says how to ask them.
--
-- A recipe begins with a line `-- name: question`; the lines below it say more. `$word` stands for what is put in. The table
-- is `catalog`, or `old` and `new` where two are held against each other. The functions `program_place`, `has_word` and
-- `similarity` are in `unshade-sql`, and for DuckDB in docs/recipes-duckdb.sql.

-- overview: How many programs of each instruction set and kind are there, and how long are they?
SELECT isa, kind,
       count(*) AS programs,
       count(DISTINCT code_hash) AS distinct_programs,
       min(instructions) AS fewest,
       round(avg(instructions), 1) AS average,
       max(instructions) AS most,
       sum(code_bytes) AS code_bytes
FROM catalog
WHERE record = 'stage'
GROUP BY isa, kind
ORDER BY isa, kind;

-- archives: What does each file hold?
SELECT path,
       count(*) FILTER (WHERE record = 'stage') AS programs,
       count(DISTINCT code_hash) AS distinct_programs,
       coalesce(sum(code_bytes), 0) AS code_bytes,
       count(*) FILTER (WHERE record = 'stage' AND "check" = 'error') AS faulty,
       count(*) FILTER (WHERE record = 'error') AS errors,
       count(*) FILTER (WHERE record = 'unread') AS unread
FROM catalog
GROUP BY path
ORDER BY path;

-- games: What does each game hold, and how much of it lies in no other?
-- A game is a folder: `$level` says which part of the path names it, counted from 1 between the `/`.
WITH programs AS (
    SELECT DISTINCT split_part(path, '/', CAST($level AS INTEGER)) AS game, isa, kind, code_hash
    FROM catalog
    WHERE record = 'stage'
), counted AS (
    SELECT isa, kind, code_hash, count(*) AS games
    FROM programs
    GROUP BY isa, kind, code_hash
)
SELECT game,
       count(*) AS distinct_programs,
       count(*) FILTER (WHERE games = 1) AS in_no_other
FROM programs
JOIN counted USING (isa, kind, code_hash)
GROUP BY game
ORDER BY game;

-- shared: Which programs lie in several games?
-- `$level` is as in `games`.
WITH programs AS (
    SELECT DISTINCT split_part(path, '/', CAST($level AS INTEGER)) AS game, isa, kind, code_hash, instructions
    FROM catalog
    WHERE record = 'stage'
)
SELECT isa, kind, code_hash,
       max(instructions) AS instructions,
       count(*) AS games,
       string_agg(game, ', ' ORDER BY game) AS which
FROM programs
GROUP BY isa, kind, code_hash
HAVING count(*) > 1
ORDER BY games DESC, instructions DESC, isa, kind, code_hash;

-- duplicates: Which programs lie in several files?
SELECT isa, kind, code_hash,
       max(instructions) AS instructions,
       count(DISTINCT path) AS files,
       count(*) AS places,
       min(program_place(path, "inner", item)) AS first_place
FROM catalog
WHERE record = 'stage'
GROUP BY isa, kind, code_hash
HAVING count(DISTINCT path) > 1
ORDER BY files DESC, places DESC, isa, kind, code_hash;

-- wasted: How many bytes do programs take that are there already?
-- Programs of one file that share their code are stored once.
WITH stored AS (
    SELECT DISTINCT isa, kind, code_hash, path, "inner", "offset", code_bytes
    FROM catalog
    WHERE record = 'stage'
), programs AS (
    SELECT isa, kind, code_hash, count(*) AS copies, sum(code_bytes) AS bytes, max(code_bytes) AS once
    FROM stored
    GROUP BY isa, kind, code_hash
)
SELECT isa, kind,
       count(*) AS distinct_programs,
       sum(copies) AS copies,
       sum(bytes) AS code_bytes,
       sum(bytes) - sum(once) AS wasted_bytes
FROM programs
GROUP BY isa, kind
ORDER BY wasted_bytes DESC, isa, kind;

-- largest: Which programs are the longest?
SELECT DISTINCT instructions, code_bytes, isa, kind, code_hash
FROM catalog
WHERE record = 'stage'
ORDER BY instructions DESC, code_bytes DESC, isa, kind, code_hash
LIMIT 20;

-- smallest: Which programs are the shortest?
SELECT DISTINCT instructions, code_bytes, isa, kind, code_hash
FROM catalog
WHERE record = 'stage'
ORDER BY instructions, code_bytes, isa, kind, code_hash
LIMIT 20;

-- near: Which programs differ in registers, names and constants alone?
-- Programs of one look (`normal_hash`) and several contents (`code_hash`).
SELECT isa, kind, normal_hash,
       max(instructions) AS instructions,
       count(DISTINCT code_hash) AS variants,
       count(*) AS places,
       min(program_place(path, "inner", item)) AS first_place
FROM catalog
WHERE record = 'stage'
GROUP BY isa, kind, normal_hash
HAVING count(DISTINCT code_hash) > 1
ORDER BY variants DESC, places DESC, isa, kind, normal_hash;

-- similar: Which programs look most like this one?
-- `$place` is what names the program: `games/a.bfsha#model/0/vertex`.
WITH wanted AS (
    SELECT isa, code_hash, signature
    FROM catalog
    WHERE record = 'stage' AND program_place(path, "inner", item) = $place
), looks AS (
    SELECT isa, kind, code_hash, max(signature) AS signature,
           min(program_place(path, "inner", item)) AS first_place
    FROM catalog
    WHERE record = 'stage'
    GROUP BY isa, kind, code_hash
)
SELECT similarity(looks.signature, wanted.signature) AS alike,
       looks.kind, looks.code_hash, looks.first_place
FROM looks
JOIN wanted ON looks.isa = wanted.isa AND looks.code_hash <> wanted.code_hash
WHERE similarity(looks.signature, wanted.signature) >= 0.25
ORDER BY alike DESC, looks.code_hash, looks.kind
LIMIT 20;

-- option: Which programs were compiled for this value of an option?
-- `$option` is `NAME=VALUE`, as in the column `options`.
SELECT program_place(path, "inner", item) AS place, isa, kind, code_hash, options
FROM catalog
WHERE record = 'stage' AND has_word(options, $option)
ORDER BY place;

-- options: Which options are there, and how many values does each have?
WITH pairs AS (
    SELECT unnest(string_to_array(options, ' ')) AS pair
    FROM catalog
    WHERE record = 'stage' AND options IS NOT NULL
)
SELECT split_part(pair, '=', 1) AS name,
       count(DISTINCT pair) AS different_values,
       count(*) AS programs
FROM pairs
GROUP BY split_part(pair, '=', 1)
ORDER BY programs DESC, name;

-- named: Which programs have a uniform, block, sampler, input or output of this name?
-- `$name` is the whole name, as in the columns.
SELECT program_place(path, "inner", item) AS place, isa, kind,
       CASE WHEN has_word(uniforms, $name) THEN 'uniform'
            WHEN has_word(blocks, $name) THEN 'block'
            WHEN has_word(samplers, $name) THEN 'sampler'
            WHEN has_word(inputs, $name) THEN 'input'
            ELSE 'output' END AS found_as
FROM catalog
WHERE record = 'stage'
  AND (has_word(uniforms, $name) OR has_word(blocks, $name) OR has_word(samplers, $name)
       OR has_word(inputs, $name) OR has_word(outputs, $name))
ORDER BY place;

-- uniforms: Which names do uniforms have most often?
WITH names AS (
    SELECT unnest(string_to_array(uniforms, ' ')) AS name, path
    FROM catalog
    WHERE record = 'stage' AND uniforms IS NOT NULL
)
SELECT name, count(*) AS programs, count(DISTINCT path) AS files
FROM names
GROUP BY name
ORDER BY programs DESC, name
LIMIT 50;

-- unclean: About which programs is there something to say?
SELECT "check", findings, program_place(path, "inner", item) AS place, message
FROM catalog
WHERE record = 'stage' AND "check" <> 'clean'
ORDER BY CASE "check" WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, findings DESC, place;

-- errors: What kinds of errors are there, and in how many files?
SELECT split_part(split_part(message, ']', 1), '[', 2) AS error,
       count(*) AS places,
       count(DISTINCT path) AS files,
       min(program_place(path, "inner", item)) AS first_place
FROM catalog
WHERE record = 'error'
GROUP BY split_part(split_part(message, ']', 1), '[', 2)
ORDER BY places DESC, error;

-- unread: Which formats were met that are known by name only?
SELECT format, count(*) AS places, count(DISTINCT path) AS files
FROM catalog
WHERE record = 'unread'
GROUP BY format
ORDER BY places DESC, format;

-- versions: How many programs are the same in two catalogs, and how many are in one alone?
-- Tables: old, new.
WITH sides AS (
    SELECT isa, kind, code_hash, 1 AS in_old, 0 AS in_new FROM old WHERE record = 'stage'
    UNION ALL
    SELECT isa, kind, code_hash, 0 AS in_old, 1 AS in_new FROM new WHERE record = 'stage'
), programs AS (
    SELECT isa, kind, code_hash, max(in_old) AS in_old, max(in_new) AS in_new
    FROM sides
    GROUP BY isa, kind, code_hash
)
SELECT isa, kind,
       count(*) FILTER (WHERE in_old = 1 AND in_new = 1) AS same,
       count(*) FILTER (WHERE in_new = 0) AS old_only,
       count(*) FILTER (WHERE in_old = 0) AS new_only
FROM programs
GROUP BY isa, kind
ORDER BY isa, kind;

-- changed: Which programs differ at the same place of two catalogs, came, or went?
-- Tables: old, new. Scan both from inside their folders, so that the same file has the same path.
WITH befores AS (
    SELECT program_place(path, "inner", item) AS place, isa, kind, code_hash, instructions
    FROM old
    WHERE record = 'stage'
), afters AS (
    SELECT program_place(path, "inner", item) AS place, isa, kind, code_hash, instructions
    FROM new
    WHERE record = 'stage'
)
SELECT coalesce(befores.place, afters.place) AS place,
       CASE WHEN befores.place IS NULL THEN 'came'
            WHEN afters.place IS NULL THEN 'went'
            ELSE 'differs' END AS change,
       coalesce(afters.isa, befores.isa) AS isa,
       coalesce(afters.kind, befores.kind) AS kind,
       befores.instructions AS old_instructions,
       afters.instructions AS new_instructions
FROM befores
FULL JOIN afters ON befores.place = afters.place
WHERE befores.code_hash IS DISTINCT FROM afters.code_hash
ORDER BY 1;
