// The console as static files in dist/console. Nothing is inlined, because the Content-Security-Policy forbids it.
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

const engine = process.env["ENGINE_URL"] ?? "http://127.0.0.1:8080"

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    target: "es2024",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "LICENSES.md" }
  },
  // `npx vite console` serves the sources, with the API of a running engine.
  server: { proxy: Object.fromEntries(["/v1", "/sign-in", "/openapi.json", "/docs"].map((path) => [path, engine])) }
})
