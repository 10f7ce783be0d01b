// Writes the package `trunkline-client`: the client of `trunkline` without the engine and its dependencies. It has the
// same files and the same version, so that an application may change from one to the other.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

type Conditions = Readonly<Record<string, unknown>>

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly exports: Readonly<Record<string, Conditions | string>>
}

/** The entry points of the small package, with the names that they have in the large one. */
const entries = { ".": "./client", "./webhooks": "./webhooks", "./actions": "./actions", "./web": "./web" } as const

/** The sources are in the repository only. */
const published = (conditions: Conditions | string | undefined): unknown => {
  if (typeof conditions !== "object") throw new Error("An entry point of the client is not in package.json")
  return Object.fromEntries(Object.entries(conditions).filter(([condition]) => condition !== "trunkline-source"))
}

/** The package.json of the small package, from that of the large one. */
export const clientManifest = ({ exports, license, version }: Manifest) => ({
  name: "trunkline-client",
  version,
  description: "The client of trunkline: calls, webhooks and voice actions by its API, and calls from browsers.",
  license,
  type: "module",
  engines: { node: ">=20" },
  sideEffects: false,
  exports: {
    ...Object.fromEntries(Object.entries(entries).map(([name, large]) => [name, published(exports[large])])),
    "./package.json": "./package.json"
  },
  files: ["dist"]
})

/** Writes the package to dist/packages/client, from what the build wrote to dist. */
export const writeClientPackage = (): void => {
  const folder = join(root, "dist/packages/client")
  const manifest = clientManifest(JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest)
  mkdirSync(folder, { recursive: true })
  for (const name of ["client", "web"])
    cpSync(join(root, "dist", name), join(folder, "dist", name), { recursive: true })
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
  cpSync(join(import.meta.dirname, "client-package.md"), join(folder, "README.md"))
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
}
