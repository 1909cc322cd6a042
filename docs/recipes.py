"""The questions of docs/recipes.sql in pandas.

    catalog = pandas.read_parquet("games.parquet", dtype_backend="numpy_nullable")
    recipes.duplicates(catalog)

Each function takes catalogs as data frames and gives the columns and rows that the SQL of the same name gives.
`numpy_nullable` keeps numbers whole where a column has rows without one.
"""

import pandas

PROGRAM = ["isa", "kind", "code_hash"]
"""What makes two rows the same program."""


def stages(catalog):
    """The rows of programs, each with its place."""
    rows = catalog[catalog["record"] == "stage"]
    return rows.assign(place=program_place(rows))


def program_place(rows):
    """What names a program on the command line."""
    return rows["path"] + rows["inner"].fillna("") + ("#" + rows["item"]).fillna("")


def has_word(lists, word):
    """Whether lists with blanks between their words have a word."""
    return (" " + lists + " ").str.contains(f" {word} ", regex=False).fillna(False).astype(bool)


def similarity(one, other):
    """The share of bytes in which two signatures agree, from 0 to 1."""
    pairs = range(0, len(one), 2)
    return sum(one[at : at + 2] == other[at : at + 2] for at in pairs) / len(pairs)


def overview(catalog):
    groups = stages(catalog).groupby(["isa", "kind"])
    return pandas.DataFrame(
        {
            "programs": groups.size(),
            "distinct_programs": groups["code_hash"].nunique(),
            "fewest": groups["instructions"].min(),
            "average": (groups["instructions"].mean() * 10 + 0.5) // 1 / 10,
            "most": groups["instructions"].max(),
            "code_bytes": groups["code_bytes"].sum(),
        }
    ).reset_index()


def archives(catalog):
    rows = catalog.assign(
        programs=catalog["record"] == "stage",
        faulty=(catalog["record"] == "stage") & (catalog["check"] == "error").fillna(False),
        errors=catalog["record"] == "error",
        unread=catalog["record"] == "unread",
    )
    groups = rows.groupby("path")
    return pandas.DataFrame(
        {
            "programs": groups["programs"].sum(),
            "distinct_programs": groups["code_hash"].nunique(),
            "code_bytes": groups["code_bytes"].sum(),
            "faulty": groups["faulty"].sum(),
            "errors": groups["errors"].sum(),
            "unread": groups["unread"].sum(),
        }
    ).reset_index()


def _by_game(catalog, level):
    rows = stages(catalog)
    game = rows["path"].str.split("/").str.get(int(level) - 1).fillna("")
    return rows.assign(game=game).drop_duplicates(["game", *PROGRAM])


def games(catalog, level):
    rows = _by_game(catalog, level)
    alone = rows.groupby(PROGRAM)["game"].transform("size") == 1
    groups = rows.assign(alone=alone).groupby("game")
    return pandas.DataFrame(
        {"distinct_programs": groups.size(), "in_no_other": groups["alone"].sum()}
    ).reset_index()


def shared(catalog, level):
    groups = _by_game(catalog, level).sort_values("game").groupby(PROGRAM)
    found = pandas.DataFrame(
        {
            "instructions": groups["instructions"].max(),
            "games": groups.size(),
            "which": groups["game"].agg(", ".join),
        }
    ).reset_index()
    found = found[found["games"] > 1]
    return found.sort_values(
        ["games", "instructions", *PROGRAM], ascending=[False, False, True, True, True]
    )


def duplicates(catalog):
    groups = stages(catalog).groupby(PROGRAM)
    found = pandas.DataFrame(
        {
            "instructions": groups["instructions"].max(),
            "files": groups["path"].nunique(),
            "places": groups.size(),
            "first_place": groups["place"].min(),
        }
    ).reset_index()
    found = found[found["files"] > 1]
    return found.sort_values(["files", "places", *PROGRAM], ascending=[False, False, True, True, True])


def wasted(catalog):
    stored = stages(catalog).drop_duplicates([*PROGRAM, "path", "inner", "offset", "code_bytes"])
    copies = stored.groupby(PROGRAM)["code_bytes"].agg(["size", "sum", "max"]).reset_index()
    groups = copies.groupby(["isa", "kind"])
    found = pandas.DataFrame(
        {
            "distinct_programs": groups.size(),
            "copies": groups["size"].sum(),
            "code_bytes": groups["sum"].sum(),
            "wasted_bytes": groups["sum"].sum() - groups["max"].sum(),
        }
    ).reset_index()
    return found.sort_values(["wasted_bytes", "isa", "kind"], ascending=[False, True, True])


def _by_length(catalog, ascending):
    columns = ["instructions", "code_bytes", *PROGRAM]
    order = [ascending, ascending, True, True, True]
    return stages(catalog)[columns].drop_duplicates().sort_values(columns, ascending=order).head(20)


def largest(catalog):
    return _by_length(catalog, False)


def smallest(catalog):
    return _by_length(catalog, True)


def near(catalog):
    look = ["isa", "kind", "normal_hash"]
    groups = stages(catalog).groupby(look)
    found = pandas.DataFrame(
        {
            "instructions": groups["instructions"].max(),
            "variants": groups["code_hash"].nunique(),
            "places": groups.size(),
            "first_place": groups["place"].min(),
        }
    ).reset_index()
    found = found[found["variants"] > 1]
    return found.sort_values(["variants", "places", *look], ascending=[False, False, True, True, True])


def similar(catalog, place):
    rows = stages(catalog)
    wanted = rows[rows["place"] == place].iloc[0]
    groups = rows[rows["isa"] == wanted["isa"]].groupby(PROGRAM)
    looks = groups.agg(signature=("signature", "max"), first_place=("place", "min")).reset_index()
    looks = looks[looks["code_hash"] != wanted["code_hash"]]
    looks["alike"] = [similarity(signature, wanted["signature"]) for signature in looks["signature"]]
    looks = looks[looks["alike"] >= 0.25]
    looks = looks.sort_values(["alike", "code_hash", "kind"], ascending=[False, True, True])
    return looks[["alike", "kind", "code_hash", "first_place"]].head(20)


def option(catalog, option):
    rows = stages(catalog)
    rows = rows[has_word(rows["options"], option)]
    return rows[["place", "isa", "kind", "code_hash", "options"]].sort_values("place")


def options(catalog):
    pairs = stages(catalog)["options"].dropna().str.split(" ").explode()
    groups = pairs.groupby(pairs.str.split("=").str.get(0))
    found = pandas.DataFrame({"different_values": groups.nunique(), "programs": groups.size()})
    found = found.rename_axis("name").reset_index()
    return found.sort_values(["programs", "name"], ascending=[False, True])


def named(catalog, name):
    rows = stages(catalog)
    rows = rows.assign(found_as=None)
    # What is looked at first stands last here, and wins.
    for column in ["outputs", "inputs", "samplers", "blocks", "uniforms"]:
        rows.loc[has_word(rows[column], name), "found_as"] = column.removesuffix("s")
    rows = rows[rows["found_as"].notna()]
    return rows[["place", "isa", "kind", "found_as"]].sort_values("place")


def uniforms(catalog):
    rows = stages(catalog)[["uniforms", "path"]].dropna()
    rows = rows.assign(name=rows["uniforms"].str.split(" ")).explode("name")
    groups = rows.groupby("name")
    found = pandas.DataFrame({"programs": groups.size(), "files": groups["path"].nunique()}).reset_index()
    return found.sort_values(["programs", "name"], ascending=[False, True]).head(50)


def unclean(catalog):
    rows = stages(catalog)
    rows = rows[rows["check"] != "clean"]
    severity = rows["check"].map({"error": 0, "warning": 1}).fillna(2)
    rows = rows.assign(severity=severity)
    rows = rows.sort_values(["severity", "findings", "place"], ascending=[True, False, True])
    return rows[["check", "findings", "place", "message"]]


def errors(catalog):
    rows = catalog[catalog["record"] == "error"]
    kind = rows["message"].str.split("]").str.get(0).str.split("[").str.get(1).fillna("")
    rows = rows.assign(error=kind, place=program_place(rows))
    groups = rows.groupby("error")
    found = pandas.DataFrame(
        {"places": groups.size(), "files": groups["path"].nunique(), "first_place": groups["place"].min()}
    ).reset_index()
    return found.sort_values(["places", "error"], ascending=[False, True])


def unread(catalog):
    groups = catalog[catalog["record"] == "unread"].groupby("format")
    found = pandas.DataFrame({"places": groups.size(), "files": groups["path"].nunique()}).reset_index()
    return found.sort_values(["places", "format"], ascending=[False, True])


def versions(old, new):
    sides = [stages(side)[PROGRAM].drop_duplicates() for side in (old, new)]
    both = sides[0].merge(sides[1], how="outer", on=PROGRAM, indicator="side")
    names = {"both": "same", "left_only": "old_only", "right_only": "new_only"}
    found = pandas.crosstab([both["isa"], both["kind"]], both["side"].map(names).astype(object))
    return found.reindex(columns=list(names.values()), fill_value=0).reset_index()


def changed(old, new):
    columns = ["place", "isa", "kind", "code_hash", "instructions"]
    both = stages(old)[columns].merge(
        stages(new)[columns], how="outer", on="place", suffixes=("_old", "_new"), indicator="side"
    )
    both = both[(both["side"] != "both") | (both["code_hash_old"] != both["code_hash_new"]).fillna(True)]
    names = {"both": "differs", "left_only": "went", "right_only": "came"}
    found = pandas.DataFrame(
        {
            "place": both["place"],
            "change": both["side"].map(names).astype(object),
            "isa": both["isa_new"].fillna(both["isa_old"]),
            "kind": both["kind_new"].fillna(both["kind_old"]),
            "old_instructions": both["instructions_old"],
            "new_instructions": both["instructions_new"],
        }
    )
    return found.sort_values("place")
