"""Asks every recipe through DuckDB, pandas and unshade-sql, and holds the answers against facts.py, row by row.

recipes.py UNSHADE UNSHADE_SQL [--bless]
"""

import importlib.util
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pandas

import facts

ROOT = Path(__file__).resolve().parents[2]
SQL = ROOT / "docs/recipes.sql"
GUIDE = ROOT / "docs/recipes.md"


def pandas_recipes():
    spec = importlib.util.spec_from_file_location("recipes_in_pandas", ROOT / "docs/recipes.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def recipes():
    """Name, question, tables and SQL of each recipe."""
    found = []
    for block in SQL.read_text().split("\n\n"):
        comments = [line[3:] for line in block.splitlines() if line.startswith("-- ")]
        sql = "\n".join(line for line in block.splitlines() if not line.startswith("--")).strip()
        if sql:
            name, question = comments[0].split(": ", 1)
            tables = next((line for line in comments if line.startswith("Tables: ")), "Tables: catalog.")
            tables = tables.removeprefix("Tables: ").split(".")[0].split(", ")
            found.append((name, question, tables, sql.rstrip(";")))
    return found


def damaged(source, to):
    """A file cut short, and one whose last part is other bytes."""
    data = source.read_bytes()
    (to / f"cut_{source.name}").write_bytes(data[: len(data) * 2 // 3])
    (to / f"wrong_{source.name}").write_bytes(data[: len(data) // 2] + bytes(len(data) - len(data) // 2))


def yaz0(data):
    """A file inside a wrapper, stored byte by byte."""
    groups = b"".join(b"\xff" + data[at : at + 8] for at in range(0, len(data), 8))
    return b"Yaz0" + len(data).to_bytes(4, "big") + bytes(8) + groups


def build_tree(folder):
    """Three games: the samples, some of them and some damaged, and the corpus where there is one."""
    samples = sorted(path for path in (ROOT / "samples").iterdir() if path.is_file())
    one, two = folder / "one", folder / "two/deep er"
    one.mkdir(parents=True)
    two.mkdir(parents=True)
    for index, sample in enumerate(samples):
        shutil.copy(sample, one)
        if index % 2 == 0:
            shutil.copy(sample, two / f"copy of {sample.name}")
        if sample.suffix in (".szs", ".shbin", ".bfsha", ".sharcfb", ".zs", ".mbs"):
            damaged(sample, two)
    # A format that is known by name only.
    (two / "effects.szs").write_bytes(yaz0(b"VFXB" + bytes(60)))
    corpus = ROOT.parent / "shared/corpus"
    if corpus.is_dir():
        shutil.copytree(corpus, folder / "corpus")
    else:
        print("skipped: the corpus as a third game (no folder shared/corpus beside the checkout)")
    # Two versions of a game: one program changed, one gone, one new.
    old, new = folder / "v1", folder / "v2"
    shutil.copytree(one, old)
    shutil.copytree(one, new)
    shutil.copy(old / "lighting.shbin", new / "loops.shbin")
    (new / "passthrough.shbin").unlink()
    shutil.copy(old / "loops.shbin", new / "loops_2.shbin")


def scan(unshade, folder, paths, name):
    """One tree as Parquet and as lines."""
    for ending in ("parquet", "jsonl"):
        out = folder / f"{name}.{ending}"
        subprocess.run([unshade, "scan", *paths[1], "-o", out], cwd=paths[0], check=True, stdout=subprocess.DEVNULL)


def plain(value):
    """A value as Python has it, whoever gave it."""
    if value is None or value is pandas.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    if hasattr(value, "item"):
        value = value.item()
    # A sum may come as a number with a point.
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return round(value, 9) if isinstance(value, float) else value


def same(name, who, answer, expected):
    answer = [tuple(map(plain, row)) for row in answer]
    expected = [tuple(map(plain, row)) for row in expected]
    for index, (row, wanted) in enumerate(zip(answer, expected)):
        if row != wanted:
            sys.exit(f"{name}: row {index} of {who} is\n  {row}\nand should be\n  {wanted}")
    if len(answer) != len(expected):
        sys.exit(f"{name}: {len(answer)} rows of {who}, and should be {len(expected)}")


def ask_sql(unshade_sql, name, files, values):
    """Columns and rows by unshade-sql: rows from JSON lines, the order of the columns from the heading of the CSV."""
    command = [unshade_sql, "--recipe", name, *files]
    command += [part for key, value in values.items() for part in ("--set", f"{key}={value}")]
    run = lambda form: subprocess.run([*command, form], check=True, capture_output=True, text=True).stdout
    columns = run("--csv").splitlines()[0].split(",")
    rows = [json.loads(line) for line in run("--json").splitlines()]
    return columns, [tuple(row.get(column) for column in columns) for row in rows]


def values_for(rows):
    """Values that have answers: the most frequent ones, and a program that others look like."""
    programs = facts.stages(rows)
    # Every pair of programs would take long here.
    some = programs[:: len(programs) // 40 + 1]
    looks = max(some, key=lambda row: len(facts.similar(rows, facts.place(row))))
    return {
        "level": "1",
        "option": facts.Counter(pair for row in programs for pair in facts.words(row, "options")).most_common(1)[0][0],
        "name": facts.uniforms(rows)[0][0],
        "place": facts.place(looks),
    }


def table_of_recipes(found):
    lines = ["| recipe | question | put in | tables |", "|---|---|---|---|"]
    for name, question, tables, sql in found:
        words = ", ".join(f"`${word}`" for word in sorted(set(re.findall(r"\$(\w+)", sql))))
        lines.append(f"| `{name}` | {question} | {words} | {', '.join(f'`{table}`' for table in tables)} |")
    return "\n".join(lines)


def guide(found, bless):
    """The table in the guide is that of the file."""
    text = GUIDE.read_text()
    pattern = re.compile(r"\| recipe \|.*?(?=\n\n)", re.DOTALL)
    blessed = pattern.sub(lambda _: table_of_recipes(found), text)
    if bless:
        GUIDE.write_text(blessed)
    elif blessed != text or not pattern.search(text):
        sys.exit("docs/recipes.md does not list the recipes as they are; tools/recipes --bless writes it")


def main():
    unshade, unshade_sql = (str(Path(path).resolve()) for path in sys.argv[1:3])
    found = recipes()
    guide(found, "--bless" in sys.argv)
    in_pandas = pandas_recipes()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        build_tree(folder)
        games = [name for name in ("one", "two", "corpus") if (folder / name).is_dir()]
        scan(unshade, folder, (folder, games), "catalog")
        scan(unshade, folder, (folder / "v1", ["."]), "old")
        scan(unshade, folder, (folder / "v2", ["."]), "new")
        names = ("catalog", "old", "new")
        lines = {
            name: [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()] for name in names
        }
        frames = {
            name: pandas.read_parquet(folder / f"{name}.parquet", dtype_backend="numpy_nullable") for name in names
        }
        values = values_for(lines["catalog"])
        duck = duckdb.connect()
        duck.execute((ROOT / "docs/recipes-duckdb.sql").read_text())
        for name in names:
            duck.execute(f"CREATE VIEW {name} AS SELECT * FROM '{folder / name}.parquet'")
        for name, question, tables, sql in found:
            words = {word: values[word] for word in re.findall(r"\$(\w+)", sql)}
            expected = getattr(facts, name)(*(lines[table] for table in tables), **words)
            if not expected:
                sys.exit(f"{name}: no row, so nothing is compared")
            answer = duck.execute(sql, words or None)
            columns = [column[0] for column in answer.description]
            same(name, "DuckDB", answer.fetchall(), expected)
            frame = getattr(in_pandas, name)(*(frames[table] for table in tables), **words)
            same(name, "pandas", frame.itertuples(index=False, name=None), expected)
            if list(frame.columns) != columns:
                sys.exit(f"{name}: the columns of pandas are {list(frame.columns)}, those of DuckDB {columns}")
            for ending in ("parquet", "jsonl"):
                files = [f"{table}={folder / table}.{ending}" for table in tables if table != "catalog"]
                files = files or [str(folder / f"catalog.{ending}")]
                sql_columns, rows = ask_sql(unshade_sql, name, files, words)
                same(name, f"unshade-sql ({ending})", rows, expected)
                if sql_columns != columns:
                    sys.exit(f"{name}: the columns of unshade-sql are {sql_columns}, those of DuckDB {columns}")
            print(f"{name:<12}{len(expected):>6} rows  the same in DuckDB, pandas, unshade-sql and plain Python")
    print(f"{len(found)} recipes over {sum(map(len, lines.values()))} rows")


if __name__ == "__main__":
    main()
