// Names that a test chooses and moves, for an engine in a separate process. Where the engine allows private hosts, it
// asks the system for addresses; a module that is loaded before it answers from a file instead.
import { Effect } from "effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Names of `names` have the addresses in the file; all others have what the system says. */
const answering = (names: string): string => `
import dns, { promises } from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import { readFileSync } from "node:fs"
const system = promises.lookup
promises.lookup = async (host, options) => {
  const found = JSON.parse(readFileSync(${JSON.stringify(names)}, "utf8"))[host]
  if (found === undefined) return system(host, options)
  const all = found.map((address) => ({ address, family: 4 }))
  return options?.all === true ? all : all[0]
}
syncBuiltinESMExports()
`

export const makeNames = () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-names-"))
  const file = join(folder, "names.json")
  const module = join(folder, "answers.mjs")
  const known: Record<string, ReadonlyArray<string>> = {}
  const write = () => writeFileSync(file, JSON.stringify(known))
  write()
  writeFileSync(module, answering(file))
  return {
    /** The engine's environment. */
    env: { NODE_OPTIONS: `--import=${module}` },
    /** Gives the name these addresses from now on. */
    means: (name: string, ...addresses: ReadonlyArray<string>) =>
      Effect.sync(() => {
        known[name] = addresses
        write()
      })
  }
}
