// The licences of the packages inside a bundle, which ask to be passed on.
import { readFileSync } from "node:fs"
import { join } from "node:path"

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

/** The texts of the packages to which the modules of a bundle belong. */
export const licencesOf = (moduleIds: ReadonlyArray<string>): string =>
  [...new Set(moduleIds.flatMap((id) => packageOf(id.replace(/^\0/, "")) ?? []))]
    .sort()
    .map(licenceOf)
    .join(`\n${"-".repeat(80)}\n\n`)
