// The built page over HTTP, as any host of files would serve it; with files also as `unshade serve` does.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json" };

export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const answer = (type, body) => response.writeHead(200, { "content-type": type }).end(body);
    if (made.files.length && path === "/files.json") return answer("application/json", JSON.stringify(made.files.map(({ name, bytes }) => ({ name, size: bytes.length }))));
    const file = /^\/files\/(\d+)$/.exec(path);
    if (file && made.files[file[1]]) return answer("application/octet-stream", made.files[file[1]].bytes);
    const place = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!place.startsWith(folder) || !existsSync(place) || !statSync(place).isFile()) return response.writeHead(404).end();
    answer(TYPES[extname(place)] ?? "application/octet-stream", readFileSync(place));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const made = { address: `http://127.0.0.1:${server.address().port}/`, files: [], close: () => server.close() };
  return made;
}
