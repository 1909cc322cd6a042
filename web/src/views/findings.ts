// What is wrong with the file, most severe first; each finding leads to its place.

import { counted, fill, h, hex } from "../dom";
import type { State } from "../state";
import type { Diagnostic } from "../types";
import { Shown, type View } from "./view";

/** More rows than anybody reads. */
const MOST = 2000;

export class Findings implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly head = h("h2.view-title");
  private readonly list = h("div.findings");

  constructor(private readonly state: State) {
    this.element = h("div.findings-view.page", null, this.head, this.list);
  }

  forget(): void {
    this.shown.forget();
  }

  show(): void {
    const at = this.state.at();
    if (this.shown.is(at)) void this.draw(at);
  }

  private async draw(at: { file: number; item?: string }): Promise<void> {
    const report = await this.state.library.check(at);
    if (!this.shown.still(at)) return;
    const { diagnostics, unowned } = report;
    const counts = (["error", "warning", "note"] as const).map((severity) => [severity, diagnostics.filter((found) => found.severity === severity).length] as const);
    const told = counts.filter(([, count]) => count > 0).map(([severity, count]) => counted(count, severity));
    this.head.textContent = told.length ? told.join(", ") : "Sound: nothing is wrong";
    const owned = unowned.length
      ? unowned.slice(0, 50).map((range) => h("p.quiet", null, `${range.inner ? `:${range.inner} ` : ""}${hex(range.offset)}: ${counted(range.bytes, "byte")} without an owner`))
      : [h("p.quiet", null, "Every byte has an owner.")];
    fill(this.list, diagnostics.slice(0, MOST).map((found) => this.row(found)), diagnostics.length > MOST ? h("p.quiet", null, `and ${counted(diagnostics.length - MOST, "finding")} more`) : null, owned);
  }

  private row(found: Diagnostic): HTMLElement {
    const place = typeof found.location === "object" && "bytes" in found.location ? hex(found.location.bytes.start) : typeof found.location === "object" && "word" in found.location ? `word ${hex(found.location.word, 3)}` : "";
    return h(
      "button.finding",
      { class: found.severity, onclick: () => void this.jump(found) },
      h("span.finding-severity", null, found.severity),
      h("span.finding-text", null, found.message, found.notes.map((note) => h("span.finding-note", null, note))),
      h("span.finding-place", null, h("code", null, found.code), h("span", null, [place, found.path].filter(Boolean).join("  "))),
    );
  }

  private async jump(found: Diagnostic): Promise<void> {
    const bytes = typeof found.location === "object" && "bytes" in found.location ? found.location.bytes.start : null;
    // The path names the file inside; the bytes count from its start.
    const inner = /^:(\S+)/.exec(found.path);
    const item = inner ? `:${inner[1]}` : this.state.inner();
    let position = bytes;
    if (position === null && found.path) {
      const place = await this.state.library.find({ file: this.state.current(), item: this.state.inner() }, found.path).catch(() => null);
      position = place?.field.offset ?? null;
    }
    this.state.go({ view: "structure", item: inner ? item : this.state.place.item, position });
  }
}
