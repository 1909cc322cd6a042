"""What is printed and kept of a run: a line of JSON for each program, a table of figures by stage and check, and the failures in
groups of one cause."""

import collections
import json
import os
import statistics

import faults
from checks import CHECKS
from reduce import way
from stages import STAGES


def share(part, all_):
    return "-" if not all_ else f"{part}/{all_}"


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * percent / 100))] if values else 0.0


class Report:
    def __init__(self, folder, compiler):
        self.folder, self.compiler, self.documents = folder, compiler, []
        os.makedirs(folder, exist_ok=True)
        self.lines = open(os.path.join(folder, "results.jsonl"), "a")

    def take(self, document):
        for failure in document["failures"]:
            known = faults.explanation(self.compiler, document, failure)
            if known:
                failure["explained"] = known
        self.documents.append(document)
        kept = {key: value for key, value in document.items() if key not in ("listing", "between")}
        self.lines.write(json.dumps(kept, sort_keys=True) + "\n")
        self.lines.flush()

    def unexplained(self):
        return [(document, failure) for document in self.documents for failure in document["failures"] if "explained" not in failure]

    def groups(self):
        """Failures by how they fail: way -> [(document, failure)], the largest first."""
        found = collections.defaultdict(list)
        for document, failure in self.unexplained():
            found[way(failure)].append((document, failure))
        return sorted(found.items(), key=lambda pair: -len(pair[1]))

    def table(self):
        """Failures of all that were checked, by check and stage."""
        stages = [stage for stage in STAGES if any(document["stage"] == stage for document in self.documents)]
        out = [f"{'check':<16}" + "".join(f"{stage:>12}" for stage in stages) + f"{'all':>12}{'explained':>11}"]
        for check in [*CHECKS, "harness"]:
            cells, total_failed, total_made, explained = [], 0, 0, 0
            for stage in stages:
                made = [document for document in self.documents if document["stage"] == stage and document["checks"].get(check, "skipped").startswith(("passed", "failed", "refused"))]
                failed = [document for document in made if document["checks"][check] != "passed"]
                cells.append(share(len(failed), len(made)))
                total_failed, total_made = total_failed + len(failed), total_made + len(made)
                explained += sum(any(f["check"] == check for f in d["failures"]) and all("explained" in f for f in d["failures"] if f["check"] == check) for d in failed)
            if total_made:
                out.append(f"{check:<16}" + "".join(f"{cell:>12}" for cell in cells) + f"{share(total_failed, total_made):>12}{explained:>11}")
        return out

    def figures(self):
        ratios = [document["figures"]["ratio"] for document in self.documents if "ratio" in document["figures"]]
        seconds = [document["figures"]["seconds"] for document in self.documents if "seconds" in document["figures"]]
        compared = [document["figures"]["compared"] for document in self.documents if "compared" in document["figures"]]
        out = [f"programs: {len(self.documents)}, compiled: {sum(document['checks'].get('compile') == 'passed' for document in self.documents)}, "
               f"with an unexplained failure: {len({document['name'] for document, _ in self.unexplained()})}"]
        if ratios:
            out.append(f"tokens of the text to those of the source: median {statistics.median(ratios):.2f}, 90th {percentile(ratios, 90):.2f}, 99th {percentile(ratios, 99):.2f}, worst {max(ratios):.2f}")
        if compared:
            out.append(f"cases of verify that could be compared, median: strict {statistics.median(pair[0] for pair in compared):.0f}, readable {statistics.median(pair[1] for pair in compared):.0f}")
        if seconds:
            out.append(f"slowest command of a program, CPU seconds: median {statistics.median(seconds):.2f}, 99th {percentile(seconds, 99):.2f}, worst {max(seconds):.2f}")
        skipped = collections.Counter(f"{check} {value}" for document in self.documents for check, value in document["checks"].items() if value.startswith(("skipped", "refused")))
        out += [f"{count} x {what}" for what, count in skipped.most_common(12)]
        return out

    def explained(self):
        count = collections.Counter(failure["explained"] for document in self.documents for failure in document["failures"] if "explained" in failure)
        return [f"{number} x {name}" for name, number in count.most_common()]

    def write(self, reduced):
        """The whole as a text file; `reduced` are smaller programs by the way in which they fail."""
        out = ["# Differential run", "", "```", *self.table(), "", *self.figures(), "```", ""]
        if self.explained():
            out += ["Explained by known faults of the compiler:", "", *(f"- {line}" for line in self.explained()), ""]
        for key, members in self.groups():
            out += [f"## {key[0]}: {key[1]} ({len(members)})", "", "Programs: " + ", ".join(document["name"] for document, _ in members[:12]), ""]
            for small in reduced.get(key, []):
                out += [f"Reduced from {small['name']} ({small['tried']} tries), {small['detail']}".replace("\n", "; "), "", "```glsl", small["reduced"].rstrip(), "```", ""]
                text = small["texts"].get("strict" if "strict" in key[0] else "readable")
                if text and len(text) < 3000:
                    out += ["```glsl", text.rstrip(), "```", ""]
            if key not in reduced:
                out += ["```", *members[0][1]["detail"].splitlines()[:6], "```", ""]
        path = os.path.join(self.folder, "report.md")
        with open(path, "w") as file:
            file.write("\n".join(out) + "\n")
        return path
