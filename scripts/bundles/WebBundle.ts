// Bundles the browser client with JsSIP into one ES module.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"
import { version } from "../../src/web/Version.ts"
import { licencesOf } from "./Licences.ts"

const root = join(import.meta.dirname, "../..")

export interface WebBundle {
  /** The ES module. */
  readonly code: string
  /** It contains the sources. */
  readonly map: string
  /** The licences of the packages inside, which ask to be passed on. */
  readonly licences: string
}

export const bundleWeb = async (): Promise<WebBundle> => {
  const { output } = await build({
    input: join(root, "src/web/Client.ts"),
    write: false,
    platform: "browser",
    logLevel: "warn",
    transform: { target: "es2022" },
    output: {
      format: "es",
      minify: true,
      sourcemap: "hidden",
      banner: `/*! trunkline/web ${version}, Apache-2.0. It contains JsSIP and others (MIT): trunkline-web.licences.txt */`
    }
  })
  const [{ code, map, moduleIds }] = output
  return { code, map: map === null ? "" : map.toString(), licences: licencesOf(moduleIds) }
}

/** Writes the bundle to dist/web, and returns it. */
export const writeWebBundle = async (): Promise<WebBundle> => {
  const bundle = await bundleWeb()
  const folder = join(root, "dist/web")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "trunkline-web.js"), bundle.code)
  writeFileSync(join(folder, "trunkline-web.js.map"), bundle.map)
  writeFileSync(join(folder, "trunkline-web.licences.txt"), bundle.licences)
  return bundle
}
