"""The command line of unshade-sql: forms of output, names of files and tables, and errors with their exit statuses.

command.py UNSHADE UNSHADE_SQL [--bless]
"""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet

import facts

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
GUIDE = ROOT / "docs/recipes.md"


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}:\n  {found!r}\nand should be\n  {wanted!r}")


def guide(answer, bless):
    """The example in the guide is what is answered."""
    pattern = re.compile(r"(?<=\$ unshade-sql --recipe overview samples\.parquet\n).*?(?=```)", re.DOTALL)
    text = GUIDE.read_text()
    if bless:
        GUIDE.write_text(pattern.sub(lambda _: answer, text, count=1))
    found = pattern.search(GUIDE.read_text())
    check("docs/recipes.md (tools/recipes --bless writes it)", found and found[0], answer)


def main():
    unshade, unshade_sql = (str(Path(path).resolve()) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)

        def scan(name, *paths):
            command = [unshade, "scan", *paths, "-o", folder / name]
            subprocess.run(command, cwd=SAMPLES, check=True, stdout=subprocess.DEVNULL)
            return folder / name

        def ask(*arguments, stdin=""):
            command = [unshade_sql, *map(str, arguments)]
            return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True)

        def good(*arguments, stdin=""):
            answer = ask(*arguments, stdin=stdin)
            check(f"status of {arguments} ({answer.stderr})", answer.returncode, 0)
            return answer.stdout

        guide(good("--recipe", "overview", scan("samples.parquet", ".")), "--bless" in sys.argv)

        # A name with everything that means something in patterns and addresses.
        strange = "a b*[c]?#%41\u00e4.parquet"
        parquet, lines = scan(strange, "loops.shbin"), scan("lines.jsonl", "lighting.shbin", "loops.shbin")
        rows = [json.loads(line) for line in lines.read_text().splitlines()]
        few, more = sum(row["path"] == "loops.shbin" for row in rows), len(rows)
        if not 0 < few < more:
            sys.exit(f"{few} of {more} rows: nothing is told apart")

        count = "SELECT count(*) AS rows FROM catalog"
        check("one file", good("--csv", parquet, count), f"rows\n{few}\n")
        check("by its name alone", good("--csv", strange, count), f"rows\n{few}\n")
        check("two files are one table", good("--csv", parquet, lines, count), f"rows\n{few + more}\n")
        named = "SELECT (SELECT count(*) FROM one) AS one, (SELECT count(*) FROM Two) AS two, count(*) AS both FROM catalog"
        check("names", good("--csv", f"one={parquet}", f"two={lines}", named), f"one,two,both\n{few},{more},{few + more}\n")
        check("from the standard input", good("--csv", parquet, "-", stdin=count), f"rows\n{few}\n")
        parts = folder / "parts"
        for index in (1, 2):
            (parts / f"shard={index}").mkdir(parents=True)
            shutil.copy(parquet, parts / f"shard={index}" / "part.parquet")
        (parts / "other.parquet.parts").mkdir()
        shutil.copy(parquet, parts / "other.parquet.parts" / "0.parquet")
        check("a folder of parts", good("--csv", parts, count), f"rows\n{2 * few}\n")

        everything = "SELECT * FROM catalog"
        check("JSON lines are the catalog again", [json.loads(line) for line in good("--json", lines, everything).splitlines()], rows)
        out = folder / "out.parquet"
        check("Parquet says how many", good("--parquet", out, lines, everything), f"{out}: {more} rows\n")
        check("Parquet", pyarrow.parquet.read_table(out).to_pylist(), [
            {column: row.get(column) for column in pyarrow.parquet.read_schema(out).names} for row in rows
        ])
        written = list(csv.DictReader(io.StringIO(good("--csv", lines, everything))))
        check("CSV", [row["code_hash"] for row in written], [row.get("code_hash", "") for row in rows])
        check(
            "columns",
            good(lines, "SELECT 'a' AS text, 5 AS number UNION ALL SELECT 'long', 1234 ORDER BY number"),
            "text  number\na          5\nlong    1234\n",
        )
        check("no terminal is moved", good(lines, "SELECT chr(27) || '[2J' AS x"), "x\n\\u{1b}[2J\n")
        check("text is no word to put in", good("--csv", lines, "SELECT '$x' AS x"), "x\n$x\n")
        given = good("--csv", "--set", "x=it's", lines, "SELECT $x AS x, upper($x) AS y")
        check("what is put in is text", given, "x,y\nit's,IT'S\n")
        empty = folder / "empty.jsonl"
        empty.touch()
        check("a catalog without rows", good("--csv", empty, count), "rows\n0\n")

        first = facts.stages(rows)[0]
        check("functions", json.loads(good("--json", lines, f"""
            SELECT program_place('a', NULL, '0') AS p, program_place('a', ':b', NULL) AS q, has_word('one two', 'two') AS r,
                   has_word('one two', 'tw') AS s, has_word(NULL, 'x') AS t, similarity('{first["signature"]}', '{first["signature"]}') AS u,
                   similarity('0102', '01ff') AS v, similarity('01', '0102') AS w""")),
            {"p": "a#0", "q": "a:b", "r": True, "s": False, "u": 1.0, "v": 0.5})

        def bad(status, *arguments, says, stdin=""):
            answer = ask(*arguments, stdin=stdin)
            check(f"status of {arguments}", answer.returncode, status)
            check(f"output of {arguments}", answer.stdout, "")
            if not answer.stderr.startswith("error: ") or says not in answer.stderr:
                sys.exit(f"{arguments}:\n{answer.stderr}\nshould say\n{says}")

        bad(1, "nowhere.parquet", count, says="cannot read nowhere.parquet: No such file")
        other, text = folder / "other.parquet", folder / "text.txt"
        pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), other)
        text.write_text("no catalog")
        bad(1, other, count, says="other.parquet: no catalog: a Parquet file of something else")
        bad(1, text, count, says="text.txt: no catalog: neither")
        newer = folder / "newer.parquet"
        table = pyarrow.parquet.read_table(parquet)
        pyarrow.parquet.write_table(table.replace_schema_metadata({"unshade.schema": "99"}), newer)
        bad(1, newer, count, says="its columns are those of version 99")
        cut = folder / "cut.parquet"
        cut.write_bytes(parquet.read_bytes()[:-100])
        bad(1, cut, count, says="cut.parquet: no catalog: ")
        (folder / "none").mkdir()
        bad(1, "none", count, says="none: no catalog: there is no Parquet file in this folder")
        damaged = folder / "damaged.jsonl"
        damaged.write_text('{"record":"stage"}\n{"record":\n')
        bad(1, damaged, "SELECT record FROM catalog", says="cannot read a catalog: ")
        bad(1, "--parquet", folder / "no/where.parquet", lines, everything, says="where.parquet: ")

        bad(2, lines, "SELEC 1", says="line 1, column 1: ")
        bad(2, lines, "SELECT record\nFROM catalog\nWHERE nothing = 1", says="\n  WHERE nothing = 1\n        ^^^^^^^\n")
        bad(2, lines, "SELECT 1 WHERE", says="line 1, column 15: Expected: an expression, and here is the end")
        bad(2, lines, "SELECT 1/0", says="Divide by zero")
        bad(2, lines, "SELECT * FROM nothing", says="nothing")
        bad(2, lines, "SELECT nothing(1)", says="nothing")
        bad(2, lines, "COPY catalog TO 'x.csv'", says="only questions are taken")
        bad(2, lines, "CREATE TABLE x AS SELECT 1", says="only questions are taken")
        bad(2, lines, "SELECT $x", says="--set x=VALUE")
        bad(2, "--set", "y=1", lines, count, says="has no $y")
        bad(2, "--recipe", "nothing", lines, says="there is no recipe `nothing`")
        bad(2, "--recipe", "versions", lines, says="old=FILE")
        bad(2, "--recipe", "option", lines, says="--set option=VALUE")
        bad(2, f"a={lines}", f"A={lines}", count, says="there is a table `a` already")
        bad(2, f"catalog={lines}", count, says="there is a table `catalog` already")
        bad(2, lines, says="wanted: a catalog")
        check("what is no option", ask("--nothing").returncode, 2)
        if list(folder.glob("x*")):
            sys.exit("a question has written something")
    print("the command line of unshade-sql: as it should be")


if __name__ == "__main__":
    main()
