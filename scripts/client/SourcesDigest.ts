// Tells whether something that was made from sources must be made again.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

const filesOf = (path: string): ReadonlyArray<string> =>
  statSync(join(root, path)).isFile()
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .sort()
        .map((name) => `${path}/${name}`)

/** Changes whenever one of the files does, or a TypeScript file below one of the folders. Paths are from the root. */
export const digestOf = (paths: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const file of paths.flatMap(filesOf)) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest("hex")
}
