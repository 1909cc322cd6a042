// Two files or two programs beside each other, as `diff` compares them.

import { counted, fill, h, hex, number } from "../dom";
import { type At, Refused } from "../library";
import { VirtualList } from "../list";
import type { State } from "../state";
import type { Aligned, ContainerDifference, Difference, FieldDifference, ProgramDifference, RowKind } from "../types";
import { Shown, type View } from "./view";

/** What is compared with what. */
interface Side {
  file: HTMLSelectElement;
  item: HTMLInputElement;
  list: HTMLDataListElement;
}

const SOME = 400;

export class Compare implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly old: Side;
  private readonly now: Side;
  private readonly only = h("input", { type: "checkbox", onchange: () => this.draw() });
  private readonly result = h("div.compare-result");
  private readonly summary = h("span.quiet.compare-summary", { "aria-live": "polite" });
  private aligned: Aligned | null = null;
  private rows: VirtualList | null = null;
  private sources: { key: string; at: (item: string) => At }[] = [];
  private touched = false;

  constructor(private readonly state: State) {
    this.old = this.side("Old");
    this.now = this.side("New");
    const swap = h("button.icon", { title: "Exchange old and new", "aria-label": "Exchange old and new", onclick: () => this.swap() }, "⇄");
    this.element = h(
      "div.compare-view",
      null,
      h("div.toolbar", null, h("span.side", null, "Old", this.old.file, this.old.item, this.old.list), swap, h("span.side", null, "New", this.now.file, this.now.item, this.now.list), h("label.check", null, this.only, "only what differs"), h("div.spring"), this.summary),
      this.result,
    );
  }

  private side(title: string): Side {
    const list = h("datalist", { id: `compare-${title}` });
    const changed = () => {
      this.touched = true;
      void this.compare();
    };
    const file = h("select", { "aria-label": `${title} file`, onchange: () => { this.offer(this.old); this.offer(this.now); changed(); } });
    const item = h("input.mono", { "aria-label": `${title} program, or nothing for the whole file`, placeholder: "whole file", list: list.id, spellcheck: "false", onchange: changed });
    return { file, item, list };
  }

  forget(): void {
    this.shown.forget();
  }

  show(): void {
    const { files } = this.state;
    // Each file as it is now, and those that were changed also as they were.
    this.sources = files.flatMap((file) => [
      { key: file.name, at: (item: string) => ({ file: this.state.current(file), item }) },
      ...(file.versions.length > 1 ? [{ key: `${file.name} as opened`, at: (item: string) => ({ file: file.versions[0]!, item }) }] : []),
    ]);
    const keys = this.sources.map(({ key }) => key);
    for (const side of [this.old, this.now]) {
      const chosen = side.file.value;
      if ([...side.file.options].map((option) => option.value).join() !== keys.join()) fill(side.file, keys.map((key) => h("option", { value: key }, key)));
      side.file.value = keys.includes(chosen) ? chosen : (keys[0] ?? "");
    }
    if (!this.touched) this.suggest(keys);
    this.offer(this.old);
    this.offer(this.now);
    void this.compare();
  }

  /** What one probably wants to see: a changed file with itself, two files, two stages. */
  private suggest(keys: string[]): void {
    const { file, item } = this.state.place;
    if (!file) return;
    const before = `${file.name} as opened`;
    const other = this.state.files.find((other) => other !== file);
    if (keys.includes(before)) this.set([before, ""], [file.name, ""]);
    else if (other) {
      const same = other.listing.items.some((found) => found.item === item);
      this.set([other.name, same ? item : ""], [file.name, same ? item : ""]);
    } else {
      const items = file.listing.items.map((found) => found.item);
      const next = items.find((found) => found !== item) ?? item;
      this.set([file.name, item], [file.name, next]);
    }
  }

  private set(old: [string, string], now: [string, string]): void {
    [this.old.file.value, this.old.item.value] = old;
    [this.now.file.value, this.now.item.value] = now;
  }

  private swap(): void {
    const old: [string, string] = [this.old.file.value, this.old.item.value];
    this.set([this.now.file.value, this.now.item.value], old);
    this.touched = true;
    void this.compare();
  }

  private offer(side: Side): void {
    const file = this.state.files.find(({ name }) => side.file.value === name || side.file.value === `${name} as opened`);
    fill(side.list, (file?.listing.items ?? []).slice(0, SOME).map(({ item, name }) => h("option", { value: item }, name ?? "")));
  }

  private at(side: Side): At | null {
    return this.sources.find(({ key }) => key === side.file.value)?.at(side.item.value.trim()) ?? null;
  }

  private async compare(): Promise<void> {
    const [old, now] = [this.at(this.old), this.at(this.now)];
    if (!old || !now || !this.shown.is(old, now)) return;
    this.aligned = null;
    this.summary.textContent = "Comparing…";
    try {
      const found = await this.state.library.diff(old, now);
      // The listings of two single programs are shown whole, whatever differs.
      const single = old.item?.includes("#") && now.item?.includes("#") ? await this.state.library.rows(old, now).catch(() => null) : null;
      if (!this.shown.still(old, now)) return;
      this.summary.textContent = "";
      if (single) {
        this.aligned = single;
        this.draw();
      } else this.files(found);
    } catch (error) {
      if (!this.shown.still(old, now)) return;
      this.summary.textContent = "";
      fill(this.result, h("p.message", null, error instanceof Refused ? error.message : String(error)));
    }
  }

  /** Two listings, line beside line. */
  private draw(): void {
    const { aligned } = this;
    if (!aligned) return;
    const [old, now] = [aligned.old.split("\n"), aligned.new.split("\n")];
    const differs = (kind: RowKind) => kind !== "same" && kind !== "renumbered";
    const rows = this.only.checked ? around(aligned.rows, differs) : aligned.rows;
    const counts = (["changed", "removed", "added"] as const).map((kind) => [kind, aligned.rows.filter(([found]) => found === kind).length] as const);
    const told = counts.filter(([, count]) => count > 0).map(([kind, count]) => `${counted(count, "line")} ${kind}`);
    this.summary.textContent = told.join(", ") || "the same instructions";
    this.rows?.destroy();
    const list = new VirtualList(
      {
        height: 21,
        render: (index) => {
          const row = rows[index];
          if (!row) return h("div.diff-row.cut", null, "⋯");
          const [kind, left, right] = row;
          const cell = (line: number | null, lines: string[], other: string | null) => [h("span.diff-line", null, line === null ? "" : line + 1), h("span.diff-text", null, line === null ? "" : words(lines[line] ?? "", kind === "changed" ? other : null))];
          const [a, b] = [left === null ? null : (old[left] ?? ""), right === null ? null : (now[right] ?? "")];
          return h("div.diff-row", { class: kind }, h("span.diff-side.old", null, cell(left, old, b)), h("span.diff-side.new", null, cell(right, now, a)));
        },
      },
      { class: "diff-list mono", role: "group", "aria-label": "Lines of both programs" },
    );
    this.rows = list;
    fill(this.result, list.element);
    list.setCount(rows.length);
    const first = rows.findIndex((row) => row && differs(row[0]));
    if (first > 5) list.scrollTo(first - 4);
  }

  /** What differs between two files. */
  private files(found: Difference): void {
    if (found.same) return fill(this.result, h("p.message.calm", null, "Every byte that was compared is the same."));
    const files = (found.files ?? []).map((file) => {
      const [old, now] = [file.old ? `:${file.old}` : "", file.new ? `:${file.new}` : ""];
      const title = file.fate === "changed" ? now || old : `${file.fate} ${old === now ? now : [old, now].filter(Boolean).join(" → ")}`;
      return h("article", null, h("h2.view-title", null, title || "What differs", file.wrapper ? ` ${file.wrapper}` : ""), (file.containers ?? []).map((container) => this.container(container, old, now)), ranges(file.bytes ?? []));
    });
    const programs = found.programs?.length ? h("article", null, h("h2.view-title", null, "What differs"), this.programs(found.programs, "", "")) : null;
    const notes = (found.notes ?? []).map((note) => h("p.quiet", null, note));
    fill(this.result, h("div.page", null, notes, files, programs));
  }

  private container(container: ContainerDifference, old: string, now: string): HTMLElement {
    const formats = container.old_format !== container.new_format ? h("p", null, h("del", null, container.old_format ?? "nothing"), " → ", h("ins", null, container.new_format ?? "nothing")) : null;
    const parts = (container.parts ?? []).slice(0, SOME).map((part) => h("p.mono", { class: `fate-${part.fate}` }, `${part.fate} ${[part.old_path, part.new_path].filter(Boolean).join(" → ")} ${part.value}`));
    const fields = (container.fields ?? []).filter(({ code }) => !code);
    const rows = (container.fields ?? []).length - fields.length;
    return h(
      "section",
      null,
      formats,
      fields.length ? values("Values", fields) : null,
      parts.length ? [h("h3", null, "Parts"), ...parts] : null,
      rows ? h("p.quiet", null, `code in ${counted(rows, "row")}`) : null,
      container.programs?.length ? this.programs(container.programs, old, now) : null,
      ranges(container.bytes ?? []),
      container.follows?.length ? h("details", null, h("summary", null, `${counted(container.follows.length, "value")} that follow`), values("", container.follows)) : null,
    );
  }

  private programs(programs: ProgramDifference[], old: string, now: string): HTMLElement {
    const [before, after] = [this.old.file.value, this.now.file.value];
    const show = (program: ProgramDifference) => {
      const item = (front: string, item: string) => (item.startsWith(":") ? item : `${front}${item}`);
      this.set([before, item(old, program.old_item ?? "")], [after, item(now, program.new_item ?? "")]);
      this.touched = true;
      void this.compare();
    };
    return h(
      "section",
      null,
      h("h3", null, "Programs"),
      programs.slice(0, SOME).map((program) => {
        const name = program.old_item === program.new_item ? program.old_item : [program.old_item, program.new_item].filter(Boolean).join(" → ");
        const both = program.old_item && program.new_item;
        const counts = (["changed", "removed", "added"] as const).filter((what) => program[what]).map((what) => `${number(program[what])} ${what}`);
        return h("p.diff-program", { class: `fate-${program.fate}` }, both ? h("button.link.mono", { onclick: () => show(program) }, name) : h("span.mono", null, name), h("span.quiet", null, ` ${program.fate.replaceAll("-", " ")} · ${program.kind} ${program.isa} · ${counts.join(", ") || "entry or constants differ"}`));
      }),
      programs.length > SOME ? h("p.quiet", null, `and ${number(programs.length - SOME)} more`) : null,
    );
  }

}

/** Rows that differ, with a few around them; a gap is none. */
function around(rows: Aligned["rows"], differs: (kind: RowKind) => boolean): (Aligned["rows"][number] | null)[] {
  const keep = new Set<number>();
  rows.forEach(([kind], at) => {
    if (differs(kind)) for (let near = at - 2; near <= at + 2; near++) keep.add(near);
  });
  const kept: (Aligned["rows"][number] | null)[] = [];
  rows.forEach((row, at) => {
    if (keep.has(at)) kept.push(row);
    else if (kept.at(-1) !== null) kept.push(null);
  });
  return kept;
}

/** The words of a line; those that the other line has not stand out. */
function words(line: string, other: string | null): (Node | string)[] {
  if (other === null) return [line];
  const theirs = new Set(other.split(/[\s,]+/));
  return line.split(/([\s,]+)/).map((word) => (/^[\s,]*$/.test(word) || theirs.has(word) ? word : h("mark", null, word)));
}

function values(title: string, fields: FieldDifference[]): HTMLElement {
  return h(
    "section",
    null,
    title ? h("h3", null, title) : null,
    h("table", { "aria-label": title || "Values" }, h("thead", null, h("tr", null, ["Field", "Old", "New"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", null, fields.slice(0, SOME).map((field) => h("tr", null, h("td.mono", null, field.new_path && field.new_path !== field.path ? `${field.path} → ${field.new_path}` : field.path), h("td.mono", null, h("del", null, field.old)), h("td.mono", null, h("ins", null, field.new)))))),
    fields.length > SOME ? h("p.quiet", null, `and ${number(fields.length - SOME)} more`) : null,
  );
}

function ranges(bytes: { path: string; old_offset: number; old_bytes: number; new_offset: number; new_bytes: number }[]): HTMLElement | null {
  if (!bytes.length) return null;
  const place = (start: number, count: number) => `${hex(start)}–${hex(start + count)}`;
  return h("section", null, h("h3", null, "Bytes"), bytes.slice(0, SOME).map((range) => h("p.mono", null, `${place(range.old_offset, range.old_bytes)} → ${place(range.new_offset, range.new_bytes)} ${range.path}`)));
}
