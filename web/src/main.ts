// The page: a bar, the tree of programs, and one view.

import { counted, fill, h } from "./dom";
import { Help } from "./help";
import { Library } from "./library";
import { bytes, Sidebar } from "./sidebar";
import { State, VIEWS, type ViewName } from "./state";
import { startPage } from "./start";
import "./style.css";
import { theme } from "./theme";
import type { View } from "./views/view";
import { CodePane } from "./views/code";
import { Compare } from "./views/compare";
import { Debug } from "./views/debug";
import { Draw } from "./views/draw";
import { Edit } from "./views/edit";
import { Findings } from "./views/findings";
import { Interface } from "./views/interface";
import { OptionsView } from "./views/options";
import { Structure } from "./views/structure";

const library = new Library();
const state = new State(library);
const help = new Help();

const status = h("div.status-text", { role: "status" });
const picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Open files" });
picker.onchange = () => {
  void take([...(picker.files ?? [])]);
  picker.value = "";
};

const MAKERS: Record<ViewName, () => View> = {
  code: () => new CodePane(state),
  structure: () => new Structure(state),
  interface: () => new Interface(state),
  options: () => new OptionsView(state),
  findings: () => new Findings(state),
  compare: () => new Compare(state),
  edit: () => new Edit(state),
  debug: () => new Debug(state),
  draw: () => new Draw(state),
};
const made = new Map<ViewName, View>();

const tabs = VIEWS.map(({ name, title, key }) =>
  h("button.tab", { role: "tab", id: `tab-${name}`, "aria-controls": "view", title: `${title} (${key})`, onclick: () => state.go({ view: name, position: null }) }, title),
);
const openButton = h("button.primary", { title: "Open files (o)", onclick: () => picker.click() }, "Open…");
const themeButton = h("button.icon", { onclick: () => theme.toggle() });
const helpButton = h("button.icon", { title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts", onclick: () => help.toggle() }, "?");
const heading = h("div.crumbs");
const view = h("div.view", { id: "view", role: "tabpanel" });
const sidebar = new Sidebar(state);
const start = startPage({ pick: () => picker.click(), sample: (name, address) => void fetchFile(name, address) });
const bar = h("header.bar", null, h("span.brand", null, h("img", { src: "./icon.svg", alt: "", width: 20, height: 20 }), h("h1", null, "Unshade")), openButton, h("div.tabs", { role: "tablist", "aria-label": "Views" }, tabs), h("div.spring"), themeButton, helpButton);
const main = h("main.main", null, heading, view);
const body = h("div.body", null, sidebar.element, main);
const app = document.getElementById("app")!;
app.append(bar, body, start, h("footer.status", null, status), picker, help.element);

theme.listen((dark) => {
  themeButton.textContent = dark ? "☀" : "☾";
  const other = dark ? "Light colours (t)" : "Dark colours (t)";
  themeButton.title = other;
  themeButton.setAttribute("aria-label", other);
});

let shown: View | null = null;

function draw(): void {
  const { file, item, view: name } = state.place;
  const empty = state.files.length === 0;
  start.hidden = !empty;
  body.hidden = empty;
  document.body.classList.toggle("empty", empty);
  VIEWS.forEach(({ name: other }, index) => {
    const tab = tabs[index]!;
    tab.setAttribute("aria-selected", String(other === name));
    tab.disabled = empty;
  });
  view.setAttribute("aria-labelledby", `tab-${name}`);
  if (!file) {
    document.title = "Unshade";
    return;
  }
  let next = made.get(name);
  if (!next) made.set(name, (next = MAKERS[name]()));
  if (next !== shown) {
    shown?.hide?.();
    shown = next;
    view.replaceChildren(next.element);
  }
  document.title = `${file.name}${item} – Unshade`;
  crumbs();
  next.show();
}

/** Where we are, and what that is. */
function crumbs(): void {
  const { file, item } = state.place;
  if (!file) return;
  const found = state.item();
  const facts = found
    ? [found.kind, found.isa, `${found.instructions} instructions`, `${found.code_bytes} bytes`, found.hash]
    : [bytes(file.size), `${file.listing.items.length} stages`];
  fill(heading, h("span.crumb-file", null, file.name), h("span.crumb-item", null, item || "whole file"), found?.name ? h("span.crumb-name", null, found.name) : null, h("span.crumb-facts", null, facts.join(" · ")));
}

state.listen(() => draw());
state.listen((what) => {
  if (what === "version") for (const view of made.values()) view.forget?.();
});

export function say(text: string): void {
  status.textContent = text;
}

/** Opens files. What `show` says no to comes into the list only, unless nothing is shown yet or the address asks for it. */
async function take(files: { name: string; arrayBuffer(): Promise<ArrayBuffer> }[], show = true): Promise<void> {
  for (const file of files) {
    say(`Opening ${file.name}…`);
    try {
      await library.ready;
      await state.open(file.name, await file.arrayBuffer(), show);
      const opened = state.files.at(-1);
      say(`${file.name}: ${opened?.failure ?? `${counted(opened?.listing.items.length ?? 0, "stage")}; read here, sent nowhere`}`);
    } catch (error) {
      say(`${file.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

async function fetchFile(name: string, address: string): Promise<void> {
  const reply = await fetch(address);
  if (reply.ok) await take([{ name, arrayBuffer: () => reply.arrayBuffer() }], false);
  else say(`${name}: the server says ${reply.status}`);
}

/** `unshade serve FILE...` lists its files; the list that is built with the page is empty. */
async function served(): Promise<void> {
  try {
    const reply = await fetch("files.json");
    if (!reply.ok || !reply.headers.get("content-type")?.includes("json")) return;
    const files = (await reply.json()) as { name: string; size: number }[];
    for (const [index, file] of files.entries()) await fetchFile(file.name, `files/${index}`);
  } catch {
    // Without a server there is nothing to open.
  }
}

// A file may be dropped anywhere.
let inside = 0;
addEventListener("dragenter", (event) => {
  event.preventDefault();
  inside++;
  document.body.classList.add("dropping");
});
addEventListener("dragleave", () => {
  if (--inside <= 0) document.body.classList.remove("dropping");
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  inside = 0;
  document.body.classList.remove("dropping");
  void take([...(event.dataTransfer?.files ?? [])]);
});

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  const typing = target.matches("input, textarea, select") || target.isContentEditable && !target.closest(".read-only");
  if (event.key === "Escape") {
    if (help.open) help.toggle();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const tab = VIEWS.find(({ key }) => key === event.key);
  const actions: Record<string, () => void> = {
    "?": () => help.toggle(),
    o: () => picker.click(),
    t: () => theme.toggle(),
    "/": () => sidebar.search.focus(),
    p: () => sidebar.focus(),
    v: () => (view.querySelector<HTMLElement>(".cm-content, .list, button, input, select") ?? view).focus(),
    j: () => sidebar.step(1),
    k: () => sidebar.step(-1),
    u: () => state.place.file && void state.undo(state.place.file),
    r: () => state.place.file && void state.redo(state.place.file),
  };
  const action = tab ? () => state.files.length && state.go({ view: tab.name, position: null }) : actions[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});

// For the browser's console, and for the page's tests: the same questions that the views ask.
Object.assign(window, { unshade: { state, library, open: take } });

draw();
say("Reading the library…");
library.ready.then(
  () => {
    say("Ready");
    document.body.dataset.ready = "true";
    void served();
  },
  (error: Error) => say(`The library does not start: ${error.message}`),
);
