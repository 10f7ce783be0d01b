// Bundles `trunkline/client` into one module for `import` and one for `require`.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"

const root = join(import.meta.dirname, "../..")
const formats = { es: "trunkline-client.js", cjs: "trunkline-client.cjs" } as const

/** The text of the module. It imports nothing. */
export const bundleClient = async (format: keyof typeof formats): Promise<string> => {
  const { output } = await build({
    input: join(root, "src/client/Client.ts"),
    write: false,
    platform: "neutral",
    logLevel: "warn",
    transform: { target: "es2022" },
    output: { format, minify: { mangle: { keepNames: true } }, exports: "named" }
  })
  return output[0].code
}

/** Writes both modules to dist/client, and returns their texts. */
export const writeClientBundles = async (): Promise<Readonly<Record<string, string>>> => {
  const folder = join(root, "dist/client")
  mkdirSync(folder, { recursive: true })
  const written: Record<string, string> = {}
  for (const [format, name] of Object.entries(formats) as ReadonlyArray<[keyof typeof formats, string]>) {
    written[name] = await bundleClient(format)
    writeFileSync(join(folder, name), written[name])
  }
  return written
}
