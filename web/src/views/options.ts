// What programs were compiled for: options and macros as a form that finds the programs for values.

import { counted, fill, h, number } from "../dom";
import { Refused } from "../library";
import { type State, innerOf } from "../state";
import type { Options, Pick } from "../types";
import { Shown, type View } from "./view";

/** A question of the form. */
interface Choice {
  name: string;
  note: string;
  fallback: string | null;
  values: { value: string; count: number }[];
}

/** Something that programs are picked from. */
interface Group {
  item: string;
  note: string;
  choices: Choice[];
}

/** Programs that are listed. */
const SHOWN = 200;

export class OptionsView implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly form = h("div.pick-form");
  private readonly result = h("div.pick-result", { "aria-live": "polite" });
  private readonly group = h("select", { "aria-label": "Shading model or program", onchange: () => this.choose() });
  private readonly filter = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter options", oninput: () => this.rows() });
  private groups: Group[] = [];
  private chosen = new Map<string, string>();
  private at = { file: 0, item: "" };
  private asked = 0;

  constructor(private readonly state: State) {
    this.element = h("div.options-view", null, h("section.pane", { "aria-label": "Options" }, h("div.pane-head", null, h("h2", null, "Options"), this.group, h("div.spring"), this.filter, h("button", { onclick: () => this.reset() }, "Reset")), h("div.pane-body.scroll", null, this.form)), h("section.pane", { "aria-label": "Programs" }, h("div.pane-head", null, h("h2", null, "Programs that serve")), h("div.pane-body.scroll", { tabindex: 0, role: "region", "aria-label": "Programs that serve" }, this.result)));
  }

  forget(): void {
    this.shown.forget();
  }

  show(): void {
    const at = { file: this.state.current(), item: innerOf(this.state.place.item) };
    if (this.shown.is(at)) void this.load(at);
  }

  private async load(at: { file: number; item: string }): Promise<void> {
    let found: Options = { programs: [] };
    let failure = "";
    try {
      found = await this.state.library.options(at);
    } catch (error) {
      failure = error instanceof Refused ? error.message : String(error);
    }
    if (!this.shown.still(at)) return;
    this.at = at;
    const models = (found.models ?? []).map(({ item, programs, options }) => ({
      item,
      note: counted(programs, "program"),
      choices: options.map((option) => ({ name: option.name, note: option.is_static ? "static" : "dynamic", fallback: option.default, values: option.choices.map(({ value, programs }) => ({ value, count: programs })) })),
    }));
    const programs = found.programs.map(({ item, variations, macros }) => ({
      item,
      note: counted(variations, "variation"),
      choices: macros.map((macro) => ({ name: macro.name, note: macro.decides ? `decides ${counted(macro.decides, "symbol")}` : "decides nothing", fallback: macro.default, values: macro.values.map(({ value, symbols }) => ({ value, count: symbols })) })),
    }));
    this.groups = [...models, ...programs];
    fill(this.group, this.groups.map(({ item, note }, index) => h("option", { value: index }, `${item} (${note})`)));
    this.group.disabled = this.groups.length < 2;
    if (!this.groups.length) {
      fill(this.form, h("p.quiet", null, failure || "This file has no options: its programs are what they are."));
      fill(this.result);
      return;
    }
    const current = this.groups.findIndex(({ item }) => this.state.place.item.startsWith(`${item}/`));
    this.group.value = String(Math.max(0, current));
    this.choose();
  }

  private choose(): void {
    this.chosen = new Map();
    this.rows();
    void this.pick();
  }

  private reset(): void {
    this.filter.value = "";
    this.choose();
  }

  private current(): Group | undefined {
    return this.groups[Number(this.group.value)];
  }

  private rows(): void {
    const word = this.filter.value.toLowerCase();
    const choices = (this.current()?.choices ?? []).filter(({ name }) => name.toLowerCase().includes(word));
    const rows = choices.map(({ name, note, fallback, values }) => {
      const select = h(
        "select",
        {
          "aria-label": name,
          onchange: (event: Event) => {
            const { value } = event.target as HTMLSelectElement;
            if (value === "") this.chosen.delete(name);
            else this.chosen.set(name, value);
            row.classList.toggle("set", value !== "");
            void this.pick();
          },
        },
        h("option", { value: "" }, fallback === null ? "any" : `default: ${fallback}`),
        h("option", { value: "*" }, "any value"),
        values.map(({ value, count }) => h("option", { value }, `${value} (${number(count)})`)),
      );
      select.value = this.chosen.get(name) ?? "";
      const row: HTMLElement = h("label.pick-row", { class: this.chosen.has(name) ? "set" : "" }, h("span.pick-name.mono", { title: name }, name), h("span.quiet.pick-note", null, note), select);
      return row;
    });
    fill(this.form, rows.length ? rows : h("p.quiet", null, "No option has such a name."));
  }

  private async pick(): Promise<void> {
    const group = this.current();
    if (!group) return;
    const question = ++this.asked;
    try {
      const found = await this.state.library.pick({ file: this.at.file, item: group.item }, [...this.chosen]);
      if (question === this.asked) this.answer(found);
    } catch (error) {
      if (question === this.asked) fill(this.result, h("p.message", null, error instanceof Error ? error.message : String(error)));
    }
  }

  private answer(found: Pick): void {
    const all = found.programs ?? found.variations ?? 0;
    const kind = found.programs !== undefined ? "program" : "variation";
    const head = h("p.pick-count", null, h("strong", null, number(found.picked.length)), ` of ${counted(all, kind)} fit`);
    const picked = found.picked.slice(0, SHOWN).map((one) => this.program(kind, one.program ?? one.variation ?? 0, one.stages, one.values, found.any));
    const more = found.picked.length > SHOWN ? h("p.quiet", null, `and ${number(found.picked.length - SHOWN)} more`) : null;
    const near = found.nearest ?? [];
    const nearest = near.length
      ? [
          h("h3", null, "Nearest"),
          ...near.slice(0, SHOWN).map((one) => {
            const row = this.program(kind, one.program, one.stages, [], []);
            row.append(h("span.differences", null, (one.differences ?? []).map(({ name, wanted, found }) => h("span.difference", null, h("span.mono", null, name), " ", h("del", null, wanted), " ", h("ins", null, found)))));
            return row;
          }),
        ]
      : [];
    const fallback = found.picked.length === 0 && found.fallback !== null && found.fallback !== undefined ? h("p.quiet", null, `The console takes program ${found.fallback} where none fits.`) : null;
    fill(this.result, head, picked, more, fallback, nearest);
  }

  private program(kind: string, index: number, stages: { item: string }[], values: { name: string; value: string }[], any: string[]): HTMLElement {
    const told = values.filter(({ name }) => any.includes(name)).map(({ name, value }) => `${name}=${value}`);
    return h(
      "div.pick-program",
      null,
      h("span.pick-number", null, `${kind} ${index}`),
      stages.map(({ item }) => h("button.link", { title: item, onclick: () => this.state.go({ item, view: "code", position: null }) }, item.slice(item.lastIndexOf("/") + 1))),
      told.length ? h("span.quiet.mono", null, told.join(" ")) : null,
    );
  }
}
