// What the page shows: files with their versions, the chosen item, the view. The address holds it, too.

import type { At, Library } from "./library";
import type { Info, Item, Listing } from "./types";

export type ViewName = "code" | "structure" | "interface" | "options" | "findings" | "compare" | "edit" | "debug" | "draw";

export const VIEWS: { name: ViewName; title: string; key: string }[] = [
  { name: "code", title: "Code", key: "1" },
  { name: "structure", title: "Structure", key: "2" },
  { name: "interface", title: "Interface", key: "3" },
  { name: "options", title: "Options", key: "4" },
  { name: "findings", title: "Findings", key: "5" },
  { name: "compare", title: "Compare", key: "6" },
  { name: "edit", title: "Edit", key: "7" },
  { name: "debug", title: "Debug", key: "8" },
  { name: "draw", title: "Draw", key: "9" },
];

/** A file that was opened, as it was and as it is. */
export interface OpenFile {
  name: string;
  /** Numbers of the file as it came and after each change; the last is shown. */
  versions: number[];
  /** Changes that were taken back, the next one last. */
  undone: number[];
  size: number;
  info: Info | null;
  listing: Listing;
  /** Why it does not open. */
  failure: string | null;
}

export interface Place {
  file: OpenFile | null;
  /** What stands behind the file's name: `:inner#item`, or nothing for the whole. */
  item: string;
  view: ViewName;
  /** A line of the code, or a byte of the structure. */
  position: number | null;
}

type Listener = (what: Change) => void;
export type Change = "files" | "place" | "version" | "view";

export class State {
  files: OpenFile[] = [];
  place: Place = { file: null, item: "", view: "code", position: null };
  private readonly listeners = new Set<Listener>();
  /** An address that names a file which is not open yet. */
  private wanted: { file: string; item: string; view: ViewName; position: number | null } | null;

  constructor(readonly library: Library) {
    this.wanted = parse(location.hash);
    addEventListener("hashchange", () => this.follow());
  }

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  private tell(what: Change): void {
    for (const listener of this.listeners) listener(what);
  }

  /** The number of the file that is shown, as it is now. */
  current(file = this.place.file): number {
    return file?.versions.at(-1) ?? 0;
  }

  at(): At {
    return { file: this.current(), item: this.place.item };
  }

  /** The file inside that the item is in: `:Model/x.szs` of `:Model/x.szs#0`. */
  inner(): string {
    return innerOf(this.place.item);
  }

  /** The row of the list for the chosen item, where it is one program. */
  item(): Item | null {
    return this.place.file?.listing.items.find((item) => item.item === this.place.item) ?? null;
  }

  async open(name: string, bytes: ArrayBuffer, show = true): Promise<void> {
    const size = bytes.byteLength;
    const number = await this.library.openFile(name, bytes);
    const file: OpenFile = { name, versions: [number], undone: [], size, info: null, listing: { items: [], others: 0 }, failure: null };
    await this.list(file);
    // Two files of one name are told apart in addresses by what stands behind.
    if (this.files.some((other) => other.name === name)) file.name = this.freeName(name);
    this.files.push(file);
    this.tell("files");
    const wanted = this.wanted;
    if (wanted && wanted.file === file.name) {
      this.wanted = null;
      this.go({ file, item: wanted.item, view: wanted.view, position: wanted.position });
    } else if (show || !this.place.file) {
      this.go({ file, item: file.listing.items[0]?.item ?? "", position: null, ...(file.listing.items.length ? {} : { view: file.failure ? "findings" : "structure" }) });
    }
  }

  private freeName(name: string): string {
    for (let number = 2; ; number++) {
      const other = `${name} (${number})`;
      if (!this.files.some((file) => file.name === other)) return other;
    }
  }

  private async list(file: OpenFile): Promise<void> {
    const at = { file: this.current(file) };
    try {
      file.listing = await this.library.ls(at);
      file.failure = null;
    } catch (error) {
      file.listing = { items: [], others: 0 };
      file.failure = error instanceof Error ? error.message : String(error);
    }
  }

  closeFile(file: OpenFile): void {
    for (const number of [...file.versions, ...file.undone]) void this.library.close(number);
    this.files = this.files.filter((other) => other !== file);
    if (this.place.file === file) {
      const next = this.files[0] ?? null;
      this.place = { file: next, item: next?.listing.items[0]?.item ?? "", view: "code", position: null };
      this.write();
    }
    this.tell("files");
    this.tell("place");
  }

  go(to: Partial<Place>): void {
    const before = this.place;
    this.place = { ...before, ...to };
    this.write();
    const moved = before.file !== this.place.file || before.item !== this.place.item;
    if (moved) this.tell("place");
    else if (before.view !== this.place.view || before.position !== this.place.position) this.tell("view");
  }

  /** Takes a changed file as the one that is shown. */
  async changed(file: OpenFile, version: number, size: number): Promise<void> {
    for (const number of file.undone) void this.library.close(number);
    file.undone = [];
    file.versions.push(version);
    file.size = size;
    await this.list(file);
    this.tell("version");
  }

  async undo(file: OpenFile): Promise<void> {
    if (file.versions.length < 2) return;
    file.undone.push(file.versions.pop()!);
    await this.list(file);
    this.tell("version");
  }

  async redo(file: OpenFile): Promise<void> {
    const version = file.undone.pop();
    if (version === undefined) return;
    file.versions.push(version);
    await this.list(file);
    this.tell("version");
  }

  /** Remembers a line or byte in the address without drawing anything. */
  note(position: number | null): void {
    if (this.place.position === position) return;
    this.place.position = position;
    this.write();
  }

  private write(): void {
    const { file, item, view, position } = this.place;
    const encode = (text: string) => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%23", "#");
    const hash = file ? `#${view}/${encodeURIComponent(file.name)}/${encode(item)}${position === null ? "" : `@${position}`}` : "";
    if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname + location.search);
  }

  private follow(): void {
    const to = parse(location.hash);
    const file = to && this.files.find((file) => file.name === to.file);
    if (to && file) this.go({ file, item: to.item, view: to.view, position: to.position });
    else this.wanted = to;
  }
}

export function innerOf(item: string): string {
  const at = item.lastIndexOf("#");
  return at < 0 ? item : item.slice(0, at);
}

function parse(hash: string): { file: string; item: string; view: ViewName; position: number | null } | null {
  const found = /^#([a-z]+)\/([^/]+)\/(.*?)(?:@(\d+))?$/.exec(hash);
  if (!found) return null;
  const view = VIEWS.find((view) => view.name === found[1])?.name;
  if (!view) return null;
  try {
    const [file, item] = [decodeURIComponent(found[2]!), decodeURIComponent(found[3]!)];
    return { file, item, view, position: found[4] === undefined ? null : Number(found[4]) };
  } catch {
    return null;
  }
}
