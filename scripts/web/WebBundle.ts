// Bundles the browser client with JsSIP into one ES module.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"
import { version } from "../../src/web/Version.ts"

const root = join(import.meta.dirname, "../..")

export interface WebBundle {
  /** The ES module. */
  readonly code: string
  readonly map: string
  /** The licences of the packages inside, which ask to be passed on. */
  readonly licences: string
}

/** The folder of the package that a bundled file belongs to; undefined for the project's own files. */
const packageOf = (file: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

const licenceOf = (folder: string): string => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string
    readonly version: string
    readonly license: string
  }
  const file = ["LICENSE", "LICENSE.md", "License", "license"].find((each) => {
    try {
      return readFileSync(join(folder, each), "utf8").length > 0
    } catch {
      return false
    }
  })
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim()
  return `${name} ${version} (${license})\n\n${text}\n`
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
  const packages = new Set(moduleIds.flatMap((id) => packageOf(id.replace(/^\0/, "")) ?? []))
  return {
    code,
    map: map === null ? "" : map.toString(),
    licences: [...packages]
      .sort()
      .map(licenceOf)
      .join(`\n${"-".repeat(80)}\n\n`)
  }
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
