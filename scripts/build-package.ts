// `npm run build`: writes the package to dist, except for the console, which has a builder of its own, and the package
// of the client to dist/packages/client. With `--if-changed` it does so only if a source has changed since.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { digestOf } from "./client/SourcesDigest.ts"

const root = join(import.meta.dirname, "..")
const dist = join(root, "dist")

const sources = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "LICENSE",
  "src",
  "scripts/bundles",
  "scripts/bundles/client-package.md",
  "scripts/build-package.ts"
]

/** What an earlier build wrote, of sources that may be gone. */
const clean = (): void => {
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist)) if (name !== "console") rmSync(join(dist, name), { recursive: true })
}

const compile = (): void => {
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
}

/** The modules that are in a bundle. Their types stay. */
const removeBundled = (...folders: ReadonlyArray<string>): void => {
  for (const folder of folders)
    for (const name of readdirSync(join(dist, folder), { recursive: true, encoding: "utf8" }))
      if (name.endsWith(".js")) rmSync(join(dist, folder, name))
}

const build = async (): Promise<void> => {
  const { writeClientBundles } = await import("./bundles/ClientBundle.ts")
  const { writeClientPackage } = await import("./bundles/ClientPackage.ts")
  const { writeCommandBundle } = await import("./bundles/CommandBundle.ts")
  const { writeWebBundle } = await import("./bundles/WebBundle.ts")
  clean()
  compile()
  removeBundled("client", "web")
  const modules = {
    "cli/Main.js": (await writeCommandBundle()).code,
    "web/trunkline-web.js": (await writeWebBundle()).code,
    ...Object.fromEntries(Object.entries(await writeClientBundles()).map(([name, code]) => [`client/${name}`, code]))
  }
  for (const [name, code] of Object.entries(modules))
    console.error(`dist/${name}: ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`)
  writeClientPackage()
}

const digestFile = join(dist, "packages/sources.sha256")
const digest = digestOf(sources)
const isBuilt = (): boolean => existsSync(digestFile) && readFileSync(digestFile, "utf8") === digest
if (!process.argv.includes("--if-changed") || !isBuilt()) {
  await build()
  writeFileSync(digestFile, digest)
}
