import { defineConfig } from "vite";

// Addresses are relative, so that the page works wherever its folder is put. Assets stay files: the page's policy allows no
// other origin, and a file of its own can be kept by the browser.
export default defineConfig({
  base: "./",
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    modulePreload: { polyfill: false },
  },
});
