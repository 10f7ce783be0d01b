// Packs what `npm run build` wrote.
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** The folders with the package.json of each package. */
export const packages = { trunkline: root, "trunkline-client": join(root, "dist/packages/client") } as const

export interface Packed {
  readonly name: string
  readonly file: string
  /** Paths from the root of the package. */
  readonly files: ReadonlyArray<string>
}

/** Writes the tarballs to a folder, and says what is in them. */
export const packed = (
  folders: Readonly<Record<string, string>>,
  to = join(root, "dist/packages")
): ReadonlyArray<Packed> => {
  mkdirSync(to, { recursive: true })
  return Object.entries(folders).map(([name, folder]) => {
    const args = ["pack", folder, "--json", "--ignore-scripts", "--pack-destination", to]
    const text = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
    const [result] = JSON.parse(text) as ReadonlyArray<{
      readonly filename: string
      readonly files: ReadonlyArray<{ readonly path: string }>
    }>
    if (result === undefined) throw new Error(`npm packed nothing from ${folder}`)
    return { name, file: join(to, result.filename), files: result.files.map(({ path }) => path).sort() }
  })
}
