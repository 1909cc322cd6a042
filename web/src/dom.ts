// Elements by a short call; nothing else is needed of a framework.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** An element: `h("button.plain", { onclick }, "Open")`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K | `${K}.${string}`,
  attributes?: Attributes | null,
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name as K);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.replace(/^on/, ""), value as EventListener);
    else if (key === "class") element.className += ` ${value}`;
    else if (key === "value") (element as unknown as HTMLInputElement).value = String(value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child): child is Node | string | number => child !== null && child !== undefined && child !== false).map((child) => (typeof child === "number" ? String(child) : child)));
  return element;
}

/** Other children. */
export function fill(parent: Element, ...children: (Child | Child[])[]): void {
  parent.replaceChildren(...children.flat().filter((child): child is Node | string => child instanceof Node || typeof child === "string"));
}

/** `12,345` in the page's language. */
export const number = (value: number) => value.toLocaleString("en");

/** `1 byte`, `2 bytes`. */
export const counted = (count: number, what: string) => `${number(count)} ${what}${count === 1 ? "" : "s"}`;

export const hex = (value: number, digits = 4) => `0x${value.toString(16).padStart(digits, "0")}`;

/** The last call of many in a short while. */
export function later(milliseconds: number): (what: () => void) => void {
  let timer = 0;
  return (what) => {
    clearTimeout(timer);
    timer = window.setTimeout(what, milliseconds);
  };
}
