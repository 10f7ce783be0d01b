// After an install, and before types are checked and tests run: writes the types and the routes of `trunkline/client`
// to src/client/generated, unless those that are there were made from the same sources. They are not committed.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { digestOf } from "./client/SourcesDigest.ts"

const root = join(import.meta.dirname, "..")
const folder = join(root, "src/client/generated")

/** What the contract is made of, and what makes the types from it. */
const sources = ["package.json", "src/domain", "src/http", "scripts/client"]

/** Replaces the file whole, because several programs may do this at once. */
const write = (name: string, text: string): void => {
  const passing = join(folder, `${name}.${process.pid}`)
  writeFileSync(passing, text)
  renameSync(passing, join(folder, name))
}

const digestName = "sources.sha256"
const digest = digestOf(sources)
const files = ["Types.ts", "Operations.ts", "Routes.ts", digestName].map((name) => join(folder, name))
if (!files.every((file) => existsSync(file)) || readFileSync(join(folder, digestName), "utf8") !== digest) {
  const { render } = await import("./client/ClientTypes.ts")
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(render())) write(name, text)
  write(digestName, digest)
  console.error("The types of the client are written, from the contract.")
}
