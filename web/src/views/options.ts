// What programs were compiled for: options and macros as a form that finds the programs for values.

import { counted, fill, h, number } from "../dom";
import { Refused } from "../library";
import { type State, innerOf } from "../state";
import type { MaterialName, MaterialPick, Options, Pick } from "../types";
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
  private readonly material = h("select", { "aria-label": "Material", onchange: () => (this.rows(), void this.pick()) });
  /** Materials of all open files, each with the number of its file. */
  private materials: (MaterialName & { models: number })[] = [];
  /** Of each option the entry that stands for "not set here". */
  private readonly free = new Map<string, HTMLOptionElement>();
  private groups: Group[] = [];
  private chosen = new Map<string, string>();
  private at = { file: 0, item: "" };
  private asked = 0;

  constructor(private readonly state: State) {
    this.element = h("div.options-view", null, h("section.pane", { "aria-label": "Options" }, h("div.pane-head", null, h("h2", null, "Options"), this.group, this.material, h("div.spring"), this.filter, h("button", { onclick: () => this.reset() }, "Reset")), h("div.pane-body.scroll", null, this.form)), h("section.pane", { "aria-label": "Programs" }, h("div.pane-head", null, h("h2", null, "Programs that serve")), h("div.pane-body.scroll", { tabindex: 0, role: "region", "aria-label": "Programs that serve" }, this.result)));
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
    const files = this.state.files;
    const named = await Promise.all(files.map(async (file) => {
      const models = this.state.current(file);
      const materials = await this.state.library.materials(models).catch(() => []);
      return materials.map((material) => ({ ...material, models, title: `${files.length > 1 ? `${file.name} ` : ""}${material.names.join(":")}` }));
    }));
    if (!this.shown.still(at)) return;
    this.at = at;
    this.materials = named.flat();
    fill(this.material, h("option", { value: "" }, "no material"), named.flat().map(({ title }, index) => h("option", { value: index }, title)));
    this.material.hidden = !this.materials.length;
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
      fill(this.result, this.materials.length ? h("p.quiet", null, "Choose a material, and its programs are looked for.") : null);
      return;
    }
    const current = this.groups.findIndex(({ item }) => this.state.place.item.startsWith(`${item}/`));
    this.group.value = String(Math.max(0, current));
    this.choose();
  }

  private choose(): void {
    this.chosen = new Map();
    this.material.value = "";
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
    this.free.clear();
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
      this.free.set(name, select.options[0]!);
      const row: HTMLElement = h("label.pick-row", { class: this.chosen.has(name) ? "set" : "" }, h("span.pick-name.mono", { title: name }, name), h("span.quiet.pick-note", null, note), select);
      return row;
    });
    fill(this.form, rows.length ? rows : h("p.quiet", null, "No option has such a name."));
  }

  private async pick(): Promise<void> {
    const group = this.current();
    const material = this.material.value === "" ? undefined : this.materials[Number(this.material.value)];
    const question = ++this.asked;
    if (!group && !material) return;
    try {
      if (material) {
        const found = await this.state.library.pickMaterial(this.at, material.models, material.names, [...this.chosen]);
        if (question === this.asked) this.served(found);
        return;
      }
      if (!group) return;
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

  /** What serves a material, for each number of bones of its shapes. */
  private served(found: MaterialPick): void {
    const { archive } = found;
    const where = `${archive.inner ? `${archive.inner}: ` : ""}${archive.name}${archive.in_models ? ", in the model's file" : ""}`;
    const unknown = found.unknown.map(({ name, value, choices }) => h("li", null, h("span.mono", null, `${name}=${value}`), ` ${choices ? `is none of ${choices.join(", ")}` : "is no option of it"}`));
    // What is not set in the form is what the material wants.
    for (const { name, value, from } of found.skins[0]?.wanted ?? []) {
      const entry = this.free.get(name);
      if (entry && from !== "given") entry.textContent = `${from}: ${value}`;
    }
    const skins = found.skins.map(({ skin, shapes, grade, wanted, found: count, programs, fallback }) => {
      const kind = found.macros ? "variation" : "program";
      const rows = programs.map((one) => {
        const row = this.program(kind, one.program, one.stages, one.pass === null ? [] : [{ name: "pass", value: one.pass }], ["pass"]);
        const differences = one.differences ?? [];
        if (differences.length) row.append(h("span.differences", null, differences.map(({ name, wanted, found }) => h("span.difference", null, h("span.mono", null, name), " ", h("del", null, wanted), " ", h("ins", null, found)))));
        const slots = (all: Record<string, number>) => Object.entries(all).map(([stage, slot]) => `${stage} ${slot}`).join(", ");
        const bound = [
          ...one.attributes.map(({ name, location, vertex_attribute }) => [name, `attribute ${location}`, vertex_attribute ?? "not bound"]),
          ...one.samplers.map(({ name, slots: all, sampler, texture }) => [name, `sampler ${slots(all)}`, sampler === null ? "not bound" : `${sampler}${texture === null ? "" : `, ${texture}`}`]),
        ];
        return [row, bound.length ? h("details", null, h("summary", null, `${counted(bound.length, "thing")} bound`), h("table", { "aria-label": `What ${kind} ${one.program} binds` }, h("tbody", null, bound.map(([name, place, what]) => h("tr", null, h("th.mono", { scope: "row" }, name!), h("td", null, place!), h("td.mono", null, what!)))))) : null];
      });
      const bones = skin === null ? "Any number of bones" : counted(skin, "bone");
      return [
        h("h3", null, `${bones}: ${grade}`),
        shapes.length ? h("p.quiet", null, shapes.join(", ")) : null,
        rows.flat(),
        count > programs.length ? h("p.quiet", null, `and ${number(count - programs.length)} more`) : null,
        count === 0 && fallback !== null ? h("p.quiet", null, `The console takes program ${fallback} where none fits.`) : null,
        wanted.length ? h("details", null, h("summary", null, `${counted(wanted.length, "value")} wanted`), h("table", { "aria-label": "Values wanted" }, h("tbody", null, wanted.map(({ name, value, from }) => h("tr", null, h("th.mono", { scope: "row" }, name), h("td.mono", null, value), h("td.quiet", null, from)))))) : null,
      ];
    });
    fill(
      this.result,
      h("p.pick-count", null, h("strong", null, found.grade), ` for ${found.material} in ${counted(found.programs, found.macros ? "variation" : "program")} of ${found.model}`),
      h("p.quiet", null, `${where} (by ${archive.by}${archive.wanted === archive.name ? "" : `; wanted ${archive.wanted}`})`),
      unknown.length ? h("ul.unknown", null, unknown) : null,
      skins.flat(2),
    );
    if (found.macros) {
      const before = [...this.result.childNodes];
      this.answer(found.macros);
      this.result.prepend(...before);
    }
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
