// The structure with its values, and the bytes with their owners; each selects the other.

import { fill, h, hex, number } from "../dom";
import { type At, Refused } from "../library";
import { VirtualList } from "../list";
import { type State, innerOf } from "../state";
import type { Field, Found, Root } from "../types";
import { Bytes } from "./bytes";
import { Shown, type View } from "./view";

/** Fields that are asked for at once. */
const SOME = 500;

interface Row {
  tree: number;
  way: number[];
  field: Field;
  open: boolean;
  /** Stands for the fields of a structure that are not loaded yet, from this one. */
  more: number | null;
}

export class Structure implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly tree: VirtualList;
  private readonly bytes: Bytes;
  private readonly detail = h("div.detail");
  private readonly roots = h("select", { "aria-label": "Which structure the bytes are of", onchange: () => void this.select(Number(this.roots.value), []) });
  private readonly message = h("div.pane-message", { hidden: true });
  private rows: Row[] = [];
  private all: Root[] = [];
  private cursor = 0;
  private at: At = { file: 0, item: "" };

  constructor(private readonly state: State) {
    this.tree = new VirtualList({ height: 24, render: (index) => this.row(index) }, { role: "tree", "aria-label": "Fields", class: "fields" });
    this.tree.element.addEventListener("keydown", (event) => this.key(event));
    this.bytes = new Bytes(state.library, (at) => void this.byte(at));
    this.element = h(
      "div.structure-view",
      null,
      h("section.pane", { "aria-label": "Structure" }, h("div.pane-head", null, h("h2", null, "Structure")), h("div.pane-body.column", null, this.tree.element, this.detail, this.message)),
      h("section.pane", { "aria-label": "Bytes" }, h("div.pane-head", null, h("h2", null, "Bytes"), h("div.spring"), legend(), this.roots), h("div.pane-body.column", null, this.bytes.element)),
    );
  }

  forget(): void {
    this.shown.forget();
  }

  show(): void {
    const { item, position } = this.state.place;
    const at = { file: this.state.current(), item: innerOf(item) };
    const fresh = this.shown.is(at);
    if (fresh) void this.load(at, position);
    else if (position !== null && position !== this.bytes.cursor) void this.goTo(position);
  }

  private async load(at: At, position: number | null): Promise<void> {
    let failure = "";
    try {
      this.all = await this.state.library.trees(at);
    } catch (error) {
      this.all = [];
      failure = error instanceof Refused ? error.message : String(error);
    }
    if (!this.shown.still(at)) return;
    this.at = at;
    this.message.hidden = !failure;
    this.message.textContent = failure;
    this.rows = this.all.map(({ root, inner }, tree) => ({ tree, way: [], field: { ...root, name: inner ? `:${inner}` : root.name }, open: false, more: null }));
    fill(this.roots, this.all.map(({ inner, root }, tree) => h("option", { value: tree }, `${inner ? `:${inner} ` : ""}${root.name}`)));
    this.roots.hidden = this.all.length < 2;
    this.tree.setCount(this.rows.length);
    if (this.rows.length === 1) await this.open(0);
    const root = this.all[0];
    this.bytes.load(at, 0, root?.bytes ?? 0);
    if (!this.shown.still(at)) return;
    if (position !== null) await this.goTo(position);
    else if (root) await this.select(0, [], true);
  }

  /** Shows a byte and the field that has it. */
  private async goTo(position: number): Promise<void> {
    if (!this.all.length) return;
    const tree = this.bytes.tree;
    this.bytes.go(position);
    const found = await this.state.library.fieldAt(this.at, tree, position).catch(() => null);
    if (found) await this.select(tree, found.way, true, position);
  }

  private async byte(at: number): Promise<void> {
    this.state.note(at);
    await this.goTo(at);
  }

  /** Chooses a field: opens all that is around it, marks its bytes. */
  private async select(tree: number, way: number[], quiet = false, at: number | null = null): Promise<void> {
    const found = await this.state.library.field(this.at, tree, way);
    for (let depth = 0; depth < way.length; depth++) {
      const index = this.index(tree, way.slice(0, depth));
      if (index >= 0 && !this.rows[index]!.open) await this.open(index, way[depth]);
    }
    const index = this.index(tree, way);
    if (index >= 0) this.cursor = index;
    this.tree.show(this.cursor);
    this.tree.refresh();
    this.tree.element.setAttribute("aria-activedescendant", `field-${this.cursor}`);
    if (tree !== this.bytes.tree) {
      this.bytes.load(this.at, tree, this.all[tree]?.bytes ?? 0);
      this.roots.value = String(tree);
    }
    const { offset, size } = found.field;
    // All bytes at once are nothing to mark.
    this.bytes.mark(offset, way.length ? offset + size : offset, at ?? (way.length ? offset : null));
    if (!quiet) this.state.note(offset);
    this.describe(found);
  }

  private index(tree: number, way: number[]): number {
    const key = way.join();
    return this.rows.findIndex((row) => row.tree === tree && row.more === null && row.way.join() === key);
  }

  /** Opens a row; `until` is a child that must be among those loaded. */
  private async open(index: number, until = 0): Promise<void> {
    const row = this.rows[index];
    if (!row || row.field.children === 0 || row.open) return;
    row.open = true;
    const count = Math.max(SOME, Math.ceil((until + 1) / SOME) * SOME);
    const loaded = await this.loadRows(row, 0, count);
    this.rows.splice(this.rows.indexOf(row) + 1, 0, ...loaded);
    this.tree.setCount(this.rows.length);
  }

  private async loadRows(row: Row, from: number, count: number): Promise<Row[]> {
    const fields = await this.state.library.fields(this.at, row.tree, row.way, from, count);
    const rows: Row[] = fields.map((field, at) => ({ tree: row.tree, way: [...row.way, from + at], field, open: false, more: null }));
    const next = from + fields.length;
    if (next < row.field.children && fields.length) rows.push({ ...row, open: false, more: next });
    return rows;
  }

  private fold(index: number): void {
    const row = this.rows[index];
    if (!row?.open) return;
    row.open = false;
    let end = index + 1;
    while (end < this.rows.length && this.rows[end]!.tree === row.tree && (this.rows[end]!.way.length > row.way.length || this.rows[end]!.more !== null)) end++;
    this.rows.splice(index + 1, end - index - 1);
    this.tree.setCount(this.rows.length);
  }

  private async toggle(index: number): Promise<void> {
    const row = this.rows[index];
    if (!row) return;
    if (row.more !== null) {
      const loaded = await this.loadRows(row, row.more, SOME);
      this.rows.splice(this.rows.indexOf(row), 1, ...loaded);
      this.tree.setCount(this.rows.length);
    } else if (row.open) this.fold(index);
    else await this.open(index);
  }

  private row(index: number): HTMLElement {
    const row = this.rows[index]!;
    const { field, way, open, more } = row;
    const level = way.length + (more === null ? 1 : 2);
    const attributes: Record<string, string | number | ((event: MouseEvent) => void)> = {
      role: "treeitem",
      id: `field-${index}`,
      "aria-level": level,
      "aria-selected": String(index === this.cursor),
      "aria-setsize": this.rows.length,
      "aria-posinset": index + 1,
      class: `field-row o-${field.kind}${index === this.cursor ? " current" : ""}`,
      style: `padding-left:${6 + (level - 1) * 14}px`,
      onclick: (event) => {
        this.cursor = index;
        const leaf = field.children === 0;
        if (more !== null || (!leaf && ((event.target as HTMLElement).closest(".arrow") || event.detail > 1))) void this.toggle(index);
        else void this.select(row.tree, way);
      },
    };
    if (more !== null) return h("div", attributes, h("span.quiet", null, `… ${number(field.children - more)} more`));
    if (field.children) attributes["aria-expanded"] = String(open);
    return h("div", attributes, h("span.arrow", { "aria-hidden": "true" }, field.children ? (open ? "▾" : "▸") : ""), h("span.field-name", null, field.name), h("span.field-value", { title: field.value ?? "" }, field.value?.slice(0, 200) ?? ""));
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: this.tree.page, PageUp: -this.tree.page, Home: -this.rows.length, End: this.rows.length }[event.key];
    const row = this.rows[this.cursor];
    if (step !== undefined) {
      event.preventDefault();
      const next = this.rows[(this.cursor = Math.max(0, Math.min(this.rows.length - 1, this.cursor + step)))];
      if (next && next.more === null) void this.select(next.tree, next.way);
      else this.tree.refresh();
    } else if (event.key === "ArrowRight" && row) {
      event.preventDefault();
      if (!row.open) void this.toggle(this.cursor);
    } else if (event.key === "ArrowLeft" && row) {
      event.preventDefault();
      if (row.open) this.fold(this.cursor);
      else if (row.way.length) void this.select(row.tree, row.way.slice(0, -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.detail.querySelector<HTMLInputElement>("input")?.focus();
    }
  }

  /** What the chosen field is, and a place to change its value. */
  private describe({ path, field, tree, way }: Found): void {
    const what = { field: "field", code: "code", string: "text", padding: "padding", opaque: "kept, not understood", unowned: "no owner" }[field.kind];
    const end = field.offset + field.size;
    const facts = field.size ? `${hex(field.offset)}–${hex(end)} · ${number(field.size)} bytes · ${what}` : "no bytes of its own";
    const message = h("span.error-text", { role: "alert" });
    const apply = async (value: string) => {
      const file = this.state.place.file;
      if (!file || value === field.value) return;
      try {
        const made = await this.state.library.edit(this.at, [[path, value]]);
        await this.state.changed(file, made.file, made.bytes);
        await this.select(tree, way, true);
      } catch (error) {
        message.textContent = error instanceof Error ? error.message : String(error);
      }
    };
    const input =
      field.children === 0 && field.value !== undefined && path
        ? h("input.mono", { value: field.value, "aria-label": `Value of ${path}`, spellcheck: "false", onkeydown: (event: KeyboardEvent) => event.key === "Enter" && void apply((event.target as HTMLInputElement).value) })
        : null;
    const button = input ? h("button", { onclick: () => void apply(input.value) }, "Set") : null;
    fill(this.detail, h("div.detail-path.mono", { title: path }, path || field.name), h("div.quiet", null, facts), input ? h("div.detail-edit", null, input, button) : h("div.detail-value.mono", null, field.value ?? ""), message);
  }
}

function legend(): HTMLElement {
  const entry = (kind: string, text: string) => h("span.legend", null, h("span.swatch", { class: `o-${kind}` }), text);
  return h("span.legends", null, entry("field", "fields"), entry("code", "code"), entry("string", "text"), entry("padding", "padding"), entry("opaque", "not understood"), entry("none", "no owner"));
}
