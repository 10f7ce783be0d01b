// Bundles `trunkline/client`, `trunkline/webhooks` and `trunkline/actions`, each into one module for `import` and one
// for `require`.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"

const root = join(import.meta.dirname, "../..")
const endings = { es: "js", cjs: "cjs" } as const
const entries = { client: "Client.ts", webhooks: "Webhooks.ts", actions: "Actions.ts" } as const

type Format = keyof typeof endings
export type ClientEntry = keyof typeof entries

/** The text of a module. It imports nothing. */
export const bundleClient = async (entry: ClientEntry, format: Format): Promise<string> => {
  const { output } = await build({
    input: join(root, "src/client", entries[entry]),
    write: false,
    platform: "neutral",
    logLevel: "warn",
    transform: { target: "es2022" },
    output: { format, minify: { mangle: { keepNames: true } }, exports: "named" }
  })
  return output[0].code
}

/** Those for `require` have a folder with a `package.json`, so that TypeScript reads the types there as CommonJS. */
const folders: Readonly<Record<Format, string>> = { es: ".", cjs: "cjs" }

/** Writes all modules to `folder`, which has the types that tsc made, and returns their texts by name. */
export const writeClientBundles = async (
  folder = join(root, "dist/client")
): Promise<Readonly<Record<string, string>>> => {
  const forRequire = join(folder, folders.cjs)
  mkdirSync(forRequire, { recursive: true })
  const types = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"))
  for (const name of types.filter((each) => !each.startsWith("cjs"))) cpSync(join(folder, name), join(forRequire, name))
  writeFileSync(join(forRequire, "package.json"), `{ "type": "commonjs" }\n`)
  const written: Record<string, string> = {}
  for (const entry of Object.keys(entries) as ReadonlyArray<ClientEntry>) {
    for (const [format, ending] of Object.entries(endings) as ReadonlyArray<[Format, string]>) {
      const name = `trunkline-${entry}.${ending}`
      written[name] = await bundleClient(entry, format)
      writeFileSync(join(folder, folders[format], name), written[name])
    }
  }
  return written
}
