// `npm run build` and `npm run check`: writes the package to dist, except for the console, which has a builder of its
// own.
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { writeClientBundles } from "./bundles/ClientBundle.ts"
import { writeCommandBundle } from "./bundles/CommandBundle.ts"
import { writeWebBundle } from "./bundles/WebBundle.ts"

const root = join(import.meta.dirname, "..")
const dist = join(root, "dist")

/** What an earlier build wrote, of sources that may be gone. */
const clean = (): void => {
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist)) if (name !== "console") rmSync(join(dist, name), { recursive: true })
}

const compile = (): void => {
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
}

clean()
compile()
const modules = {
  "cli/Main.js": (await writeCommandBundle()).code,
  "web/trunkline-web.js": (await writeWebBundle()).code,
  ...Object.fromEntries(Object.entries(await writeClientBundles()).map(([name, code]) => [`client/${name}`, code]))
}
for (const [name, code] of Object.entries(modules))
  console.error(`dist/${name}: ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`)
