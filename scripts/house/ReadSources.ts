import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Source } from "../../test/support/Tidy.ts"

/** What `npm ci` makes of the contract, and nobody writes. */
const generated = /\/generated\//

/** The written TypeScript files below some folders, which are paths from the root of the repository. */
export const readSources = (...folders: ReadonlyArray<string>): ReadonlyArray<Source> =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !generated.test(`/${name}`))
      .sort()
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }))
  )
