// The control-flow graph of a program, drawn: blocks with their lines, the ways between them.

import { h } from "../dom";
import type { Graph } from "../types";

/** A character and a line of the picture, in pixels. */
const WIDE = 6.7;
const HIGH = 15;
/** As small as a picture becomes to fit into its pane: smaller nobody can read it. */
const SMALLEST = 0.7;
const SPACE = "http://www.w3.org/2000/svg";

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SPACE, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** The picture; a press on a block tells its first line, counted from 1. */
export function picture(graph: Graph, onblock: (line: number) => void): HTMLElement {
  const lines = graph.listing.split("\n");
  const blocks = graph.blocks.map((block) => {
    const [x, y] = [block.x * WIDE, block.y * HIGH];
    const texts = lines.slice(block.line, block.end_line).map((line, at) => svg("text", { x: x + WIDE, y: y + HIGH * (at + 1.75), class: "graph-text" }, line.replace(/\s+/g, " ").trim().slice(0, Math.max(4, block.width - 2))));
    const kind = block.entry ? "entry" : block.ends || block.returns ? "leaves" : "";
    const group = svg("g", { class: `graph-block ${kind}`, "data-line": block.line + 1 }, svg("rect", { x, y, width: block.width * WIDE, height: block.height * HIGH, rx: 4 }), svg("title", {}, `word ${block.word}, line ${block.line + 1}`), ...texts);
    group.addEventListener("click", () => onblock(block.line + 1));
    return group;
  });
  const edges = graph.edges.map(({ points, kind, back }) => {
    const way = points.map(({ x, y }, at) => `${at ? "L" : "M"}${x * WIDE} ${y * HIGH}`).join("");
    return svg("path", { d: way, class: `graph-edge ${kind}${back ? " back" : ""}`, "marker-end": "url(#arrow)" });
  });
  const marker = svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: "graph-arrow" })));
  const [width, height] = [(graph.width + 2) * WIDE, (graph.height + 2) * HIGH];
  const drawn = svg("svg", { width, height, viewBox: `${-WIDE} ${-HIGH / 2} ${width} ${height}`, role: "img", "aria-label": `Control-flow graph: ${graph.blocks.length} blocks, ${graph.edges.length} ways` }, marker, ...edges, ...blocks);
  const box = h("div.graph", { tabindex: 0, role: "region", "aria-label": "Control-flow graph" });
  drawn.style.setProperty("--smallest", `${Math.round(width * SMALLEST)}px`);
  box.append(drawn);
  return box;
}

/** Brings the entry into sight where the picture is wider than its place. */
export function begin(element: HTMLElement): void {
  element.querySelector(".graph-block.entry")?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Marks the block that has a line. */
export function mark(element: HTMLElement, graph: Graph, line: number | null): void {
  const at = line === null ? null : graph.blocks.find((block) => line - 1 >= block.line && line - 1 < block.end_line);
  for (const block of element.querySelectorAll<SVGElement>(".graph-block")) block.classList.toggle("here", at !== null && at !== undefined && Number(block.dataset.line) === at.line + 1);
}
