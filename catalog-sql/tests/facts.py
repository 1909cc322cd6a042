"""What the recipes must answer, from the rows of a JSON-lines catalog in plain Python: slow, and without a query engine."""

from collections import Counter, defaultdict


def stages(rows):
    return [row for row in rows if row["record"] == "stage"]


def place(row):
    item = "#" + row["item"] if "item" in row else ""
    return row["path"] + row.get("inner", "") + item


def program(row):
    return row["isa"], row["kind"], row["code_hash"]


def words(row, column):
    return row.get(column, "").split()


def grouped(rows, key):
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def half_up(number):
    return int(number * 10 + 0.5) / 10


def overview(rows):
    answer = []
    for key, found in sorted(grouped(stages(rows), lambda row: (row["isa"], row["kind"])).items()):
        lengths = [row["instructions"] for row in found]
        distinct = len({row["code_hash"] for row in found})
        average = half_up(sum(lengths) / len(lengths))
        size = sum(row["code_bytes"] for row in found)
        answer.append((*key, len(found), distinct, min(lengths), average, max(lengths), size))
    return answer


def archives(rows):
    answer = []
    for path, found in sorted(grouped(rows, lambda row: row["path"]).items()):
        records = Counter(row["record"] for row in found)
        programs = stages(found)
        faulty = sum(row["check"] == "error" for row in programs)
        size = sum(row["code_bytes"] for row in programs)
        distinct = len({row["code_hash"] for row in programs})
        answer.append((path, len(programs), distinct, size, faulty, records["error"], records["unread"]))
    return answer


def game(row, level):
    parts = row["path"].split("/")
    return parts[int(level) - 1] if int(level) <= len(parts) else ""


def homes(rows, level):
    """The games of each program."""
    found = defaultdict(set)
    for row in stages(rows):
        found[program(row)].add(game(row, level))
    return found


def games(rows, level):
    all_homes = homes(rows, level)
    names = sorted(set().union(*all_homes.values()))
    count = lambda name, alone: sum(name in at and (len(at) == 1 or not alone) for at in all_homes.values())
    return [(name, count(name, False), count(name, True)) for name in names]


def longest(rows):
    lengths = defaultdict(int)
    for row in stages(rows):
        lengths[program(row)] = max(lengths[program(row)], row["instructions"])
    return lengths


def shared(rows, level):
    lengths = longest(rows)
    answer = [
        (*key, lengths[key], len(at), ", ".join(sorted(at)))
        for key, at in homes(rows, level).items()
        if len(at) > 1
    ]
    return sorted(answer, key=lambda row: (-row[4], -row[3], row[:3]))


def duplicates(rows):
    answer = []
    for key, found in grouped(stages(rows), program).items():
        files = {row["path"] for row in found}
        if len(files) > 1:
            answer.append((*key, longest(found)[key], len(files), len(found), min(map(place, found))))
    return sorted(answer, key=lambda row: (-row[4], -row[5], row[:3]))


def wasted(rows):
    stored = {
        (*program(row), row["path"], row.get("inner"), row["offset"], row["code_bytes"]) for row in stages(rows)
    }
    sums = defaultdict(lambda: [0, 0, 0, 0])
    for (isa, kind, _), copies in grouped(stored, lambda one: one[:3]).items():
        sizes = [one[6] for one in copies]
        for index, number in enumerate((1, len(sizes), sum(sizes), sum(sizes) - max(sizes))):
            sums[isa, kind][index] += number
    return sorted(((*key, *numbers) for key, numbers in sums.items()), key=lambda row: (-row[5], row[:2]))


def _by_length(rows, sign):
    found = {(row["instructions"], row["code_bytes"], *program(row)) for row in stages(rows)}
    return sorted(found, key=lambda row: (sign * row[0], sign * row[1], row[2:]))[:20]


def largest(rows):
    return _by_length(rows, -1)


def smallest(rows):
    return _by_length(rows, 1)


def near(rows):
    answer = []
    for key, found in grouped(stages(rows), lambda row: (row["isa"], row["kind"], row["normal_hash"])).items():
        variants = {row["code_hash"] for row in found}
        if len(variants) > 1:
            length = max(row["instructions"] for row in found)
            answer.append((*key, length, len(variants), len(found), min(map(place, found))))
    return sorted(answer, key=lambda row: (-row[4], -row[5], row[:3]))


def similar(rows, place):
    wanted = next(row for row in stages(rows) if globals()["place"](row) == place)
    look = bytes.fromhex(wanted["signature"])
    answer = []
    for (isa, kind, code_hash), found in grouped(stages(rows), program).items():
        if isa != wanted["isa"] or code_hash == wanted["code_hash"]:
            continue
        other = bytes.fromhex(found[0]["signature"])
        alike = sum(one == two for one, two in zip(look, other)) / 64
        if alike >= 0.25:
            answer.append((alike, kind, code_hash, min(map(globals()["place"], found))))
    return sorted(answer, key=lambda row: (-row[0], row[2], row[1]))[:20]


def option(rows, option):
    found = [row for row in stages(rows) if option in words(row, "options")]
    return sorted((place(row), *program(row), row["options"]) for row in found)


def options(rows):
    pairs = Counter(pair for row in stages(rows) for pair in words(row, "options"))
    by_name = grouped(pairs, lambda pair: pair.split("=")[0])
    answer = [(name, len(found), sum(pairs[pair] for pair in found)) for name, found in by_name.items()]
    return sorted(answer, key=lambda row: (-row[2], row[0]))


def named(rows, name):
    answer = []
    for row in stages(rows):
        for column in ("uniforms", "blocks", "samplers", "inputs", "outputs"):
            if name in words(row, column):
                answer.append((place(row), row["isa"], row["kind"], column[:-1]))
                break
    return sorted(answer)


def uniforms(rows):
    programs, files = Counter(), defaultdict(set)
    for row in stages(rows):
        for name in words(row, "uniforms"):
            programs[name] += 1
            files[name].add(row["path"])
    answer = [(name, count, len(files[name])) for name, count in programs.items()]
    return sorted(answer, key=lambda row: (-row[1], row[0]))[:50]


def unclean(rows):
    found = [row for row in stages(rows) if row["check"] != "clean"]
    severity = {"error": 0, "warning": 1, "note": 2}
    found.sort(key=lambda row: (severity[row["check"]], -row["findings"], place(row)))
    return [(row["check"], row["findings"], place(row), row.get("message")) for row in found]


def errors(rows):
    found = [row for row in rows if row["record"] == "error"]
    answer = []
    for kind, same in grouped(found, lambda row: row["message"].partition("]")[0].partition("[")[2]).items():
        answer.append((kind, len(same), len({row["path"] for row in same}), min(map(place, same))))
    return sorted(answer, key=lambda row: (-row[1], row[0]))


def unread(rows):
    found = grouped([row for row in rows if row["record"] == "unread"], lambda row: row["format"])
    answer = [(name, len(same), len({row["path"] for row in same})) for name, same in found.items()]
    return sorted(answer, key=lambda row: (-row[1], row[0]))


def versions(old, new):
    before, after = ({program(row) for row in stages(side)} for side in (old, new))
    counts = defaultdict(lambda: [0, 0, 0])
    for key in before | after:
        side = 0 if key in before and key in after else 1 if key in before else 2
        counts[key[:2]][side] += 1
    return sorted((*key, *numbers) for key, numbers in counts.items())


def changed(old, new):
    before, after = ({place(row): row for row in stages(side)} for side in (old, new))
    answer = []
    for at in sorted(before.keys() | after.keys()):
        one, two = before.get(at), after.get(at)
        if one and two and one["code_hash"] == two["code_hash"]:
            continue
        change = "came" if not one else "went" if not two else "differs"
        last = two or one
        lengths = [row["instructions"] if row else None for row in (one, two)]
        answer.append((at, change, last["isa"], last["kind"], *lengths))
    return answer
