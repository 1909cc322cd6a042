// The tree of files, programs and stages, with search and filters.

import { counted, fill, h, later, number } from "./dom";
import { VirtualList } from "./list";
import { type OpenFile, type State, innerOf } from "./state";
import type { Item } from "./types";

/** A row of the tree. */
type Row =
  | { what: "file"; file: OpenFile; level: 1; closed: boolean }
  | { what: "group"; file: OpenFile; level: number; key: string; title: string; count: number; closed: boolean }
  | ProgramRow;

type ProgramRow = { what: "program"; file: OpenFile; level: number; title: string; stages: Item[] };

/** What stands at the end of an item that is a stage of a program. */
const STAGE = /^(?:vertex|fragment|pixel|geometry|compute|tess-control|tess-eval|hull|domain|copy)$/;

const LETTERS: Record<string, string> = { vertex: "V", fragment: "F", geometry: "G", compute: "C", "tess-control": "H", "tess-eval": "D" };

export class Sidebar {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private readonly kind: HTMLSelectElement;
  private readonly machine: HTMLSelectElement;
  private readonly count: HTMLElement;
  private readonly list: VirtualList;
  private rows: Row[] = [];
  private readonly closed = new Set<string>();
  private cursor = 0;

  constructor(private readonly state: State) {
    const soon = later(80);
    this.search = h("input", {
      type: "search",
      placeholder: "Search programs",
      "aria-label": "Search programs by item, name or hash",
      spellcheck: "false",
      oninput: () => soon(() => this.build()),
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "ArrowDown" || event.key === "Enter") {
          event.preventDefault();
          this.focus();
        }
        if (event.key === "Escape" && this.search.value) {
          this.search.value = "";
          this.build();
          event.stopPropagation();
        }
      },
    });
    this.kind = h("select", { "aria-label": "Kind of program", onchange: () => this.build() });
    this.machine = h("select", { "aria-label": "Instruction set", onchange: () => this.build() });
    this.count = h("div.sidebar-count", { "aria-live": "polite" });
    this.list = new VirtualList(
      { height: 26, render: (index) => this.row(index) },
      { role: "tree", "aria-label": "Files and programs", class: "tree" },
    );
    this.list.element.addEventListener("keydown", (event) => this.key(event));
    this.element = h(
      "nav.sidebar",
      { "aria-label": "Files" },
      h("div.sidebar-tools", null, this.search, h("div.filters", null, this.kind, this.machine)),
      this.list.element,
      this.count,
    );
    state.listen((what) => {
      if (what === "files" || what === "version") this.choices();
      if (what === "files" || what === "version" || what === "place") this.build();
      if (what === "place") this.reveal();
    });
    this.choices();
  }

  focus(): void {
    this.list.element.focus();
  }

  /** The filters offer what there is. */
  private choices(): void {
    const items = this.state.files.flatMap((file) => file.listing.items);
    const offer = (select: HTMLSelectElement, all: string, values: Set<string>) => {
      const chosen = select.value;
      fill(select, h("option", { value: "" }, all), [...values].sort().map((value) => h("option", { value }, value)));
      select.value = values.has(chosen) ? chosen : "";
      select.disabled = values.size < 2;
    };
    offer(this.kind, "all kinds", new Set(items.map((item) => item.kind)));
    offer(this.machine, "all machines", new Set(items.map((item) => item.isa)));
  }

  private build(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [kind, machine] = [this.kind.value, this.machine.value];
    const fits = (item: Item) =>
      (!kind || item.kind === kind) &&
      (!machine || item.isa === machine) &&
      words.every((word) => `${item.item} ${item.name ?? ""} ${item.hash} ${item.kind}`.toLowerCase().includes(word));
    this.rows = [];
    let [shown, all] = [0, 0];
    for (const file of this.state.files) {
      const asked = words.length > 0 || kind !== "" || machine !== "";
      const closed = this.closed.has(file.name);
      const items = asked ? file.listing.items.filter(fits) : file.listing.items;
      all += file.listing.items.length;
      shown += items.length;
      // Whoever searches wants only files that have what is looked for.
      if (asked && !items.length) continue;
      this.rows.push({ what: "file", file, level: 1, closed });
      if (!closed) this.programs(file, items);
    }
    this.list.setCount(this.rows.length);
    this.cursor = Math.min(this.cursor, Math.max(0, this.rows.length - 1));
    this.count.textContent = all === shown ? counted(all, "stage") : `${number(shown)} of ${counted(all, "stage")}`;
  }

  /** Rows for the stages of a file: those of one program in one row, under what they have in common. */
  private programs(file: OpenFile, items: Item[]): void {
    const counts = new Map<string, number>();
    const read = items.map((item) => {
      const inner = innerOf(item.item);
      const parts = item.item.slice(inner.length + 1).split("/");
      const staged = parts.length > 1 && STAGE.test(parts.at(-1)!);
      if (staged) parts.pop();
      const program = parts.pop() ?? "";
      const groups = [inner, ...(parts.length ? [`${inner}#${parts.join("/")}`] : [])].filter(Boolean);
      groups.forEach((group) => counts.set(group, (counts.get(group) ?? 0) + 1));
      return { item, program, groups, staged };
    });
    let open: string[] = [];
    let last: ProgramRow | null = null;
    let lastKey = "";
    for (const { item, program, groups, staged } of read) {
      let hidden = false;
      groups.forEach((key, depth) => {
        if (open[depth] !== key) {
          open = [...open.slice(0, depth), key];
          if (!hidden) {
            const title = key.includes("#") ? key.slice(key.lastIndexOf("#") + 1) : key.slice(1);
            this.rows.push({ what: "group", file, level: 2 + depth, key, title, count: counts.get(key) ?? 0, closed: this.isClosed(file, key) });
          }
        }
        hidden ||= this.isClosed(file, key);
      });
      open.length = groups.length;
      if (hidden) continue;
      const key = `${groups.at(-1) ?? ""}/${program}`;
      if (last && lastKey === key && staged) {
        last.stages.push(item);
        continue;
      }
      last = { what: "program", file, level: 2 + groups.length, title: program, stages: [item] };
      lastKey = key;
      this.rows.push(last);
    }
  }

  private isClosed(file: OpenFile, key: string): boolean {
    return this.closed.has(`${file.name}${key}`);
  }

  private isCurrent(row: Row): boolean {
    const { file, item } = this.state.place;
    if (row.file !== file) return false;
    if (row.what === "file") return item === "";
    if (row.what === "group") return item === row.key;
    return row.stages.some((stage) => stage.item === item);
  }

  private row(index: number): HTMLElement {
    const row = this.rows[index]!;
    const current = this.isCurrent(row);
    const attributes: Record<string, string | number | ((event: MouseEvent) => void)> = {
      role: "treeitem",
      id: `tree-${index}`,
      "aria-level": row.level,
      "aria-selected": String(current),
      "aria-setsize": this.rows.length,
      "aria-posinset": index + 1,
      class: `tree-row ${row.what}${current ? " current" : ""}${index === this.cursor ? " cursor" : ""}`,
      style: `padding-left:${8 + (row.level - 1) * 14}px`,
      onclick: (event) => this.click(index, event),
    };
    if (row.what !== "program") attributes["aria-expanded"] = String(!row.closed);
    if (row.what === "file") {
      const changed = row.file.versions.length > 1 ? h("span.tree-changed", { title: "changed" }, "changed") : null;
      return h("div", attributes, arrow(row.closed), h("span.tree-title", null, row.file.name), changed, h("span.tree-note", null, bytes(row.file.size)), h("span.close", { "data-close": true, title: `Close ${row.file.name}`, "aria-hidden": "true" }, "×"));
    }
    if (row.what === "group") {
      return h("div", attributes, arrow(row.closed), h("span.tree-title", { title: row.title }, row.title), h("span.tree-note", null, number(row.count)));
    }
    const [first] = row.stages;
    const several = row.stages.length > 1;
    const badges = row.stages.map((stage) =>
      h(`span.badge`, { class: `kind-${stage.kind}${several && stage.item === this.state.place.item ? " chosen" : ""}`, role: "img", "aria-label": stage.kind, title: `${stage.kind}, ${counted(stage.instructions, "instruction")}`, "data-item": stage.item }, LETTERS[stage.kind] ?? "?"),
    );
    const name = first?.name && !several ? h("span.tree-name", null, first.name) : null;
    return h("div", attributes, h("span.badges", null, badges), h("span.tree-title", { title: row.title }, row.title), name, h("span.tree-note", null, number(row.stages.reduce((sum, stage) => sum + stage.instructions, 0))));
  }

  private click(index: number, event: MouseEvent): void {
    this.cursor = index;
    const target = event.target as HTMLElement;
    const row = this.rows[index]!;
    if (target.dataset.close !== undefined) return this.state.closeFile(row.file);
    if (row.what !== "program" && target.closest(".arrow")) return this.toggle(row);
    this.choose(index, target.dataset.item);
  }

  private choose(index: number, item?: string): void {
    const row = this.rows[index];
    if (!row) return;
    this.cursor = index;
    const chosen = item ?? (row.what === "file" ? "" : row.what === "group" ? row.key : row.stages[0]!.item);
    this.state.go({ file: row.file, item: chosen, position: null });
  }

  private toggle(row: Row): void {
    if (row.what === "program") return;
    const key = row.what === "file" ? row.file.name : `${row.file.name}${row.key}`;
    if (!this.closed.delete(key)) this.closed.add(key);
    this.build();
  }

  private key(event: KeyboardEvent): void {
    const row = this.rows[this.cursor];
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: this.list.page, PageUp: -this.list.page, Home: -this.rows.length, End: this.rows.length }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.cursor = Math.max(0, Math.min(this.rows.length - 1, this.cursor + step));
      this.list.show(this.cursor);
      this.list.refresh();
      this.list.element.setAttribute("aria-activedescendant", `tree-${this.cursor}`);
      return;
    }
    if (!row) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(this.cursor);
    } else if (event.key === "Delete" && row.what === "file") {
      this.state.closeFile(row.file);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      const right = event.key === "ArrowRight";
      if (row.what !== "program") {
        if (row.closed === right) this.toggle(row);
        return;
      }
      // Along the stages of a program.
      const at = row.stages.findIndex((stage) => stage.item === this.state.place.item);
      const next = row.stages[at < 0 ? 0 : at + (right ? 1 : -1)];
      if (next) this.choose(this.cursor, next.item);
    }
  }

  /** The next or previous stage, from anywhere on the page. */
  step(by: number): void {
    const stages = this.rows.flatMap((row, index) => (row.what === "program" ? row.stages.map((stage) => ({ stage, index })) : []));
    const at = stages.findIndex(({ stage, index }) => this.rows[index]!.file === this.state.place.file && stage.item === this.state.place.item);
    const next = stages[at + by];
    if (next) this.choose(next.index, next.stage.item);
  }

  private reveal(): void {
    const index = this.rows.findIndex((row) => this.isCurrent(row));
    if (index < 0) return;
    this.cursor = index;
    this.list.element.setAttribute("aria-activedescendant", `tree-${index}`);
    this.list.show(index);
    this.list.refresh();
  }
}

function arrow(closed: boolean): HTMLElement {
  return h("span.arrow", { "aria-hidden": "true" }, closed ? "▸" : "▾");
}

export function bytes(count: number): string {
  if (count < 10_000) return `${number(count)} B`;
  if (count < 10_000_000) return `${number(Math.round(count / 1024))} KiB`;
  return `${number(Math.round(count / 1048576))} MiB`;
}
