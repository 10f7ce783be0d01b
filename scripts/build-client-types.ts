// `prepare`, and before types are checked and tests run: writes the types and the routes of `trunkline/client` to
// src/client/generated, unless those that are there were made from the same sources. They are not committed.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const folder = join(root, "src/client/generated")

/** What the contract is made of, and what makes the types from it. */
const sourceFolders = ["src/domain", "src/http", "scripts/client"]

/** Changes whenever a source or a package does. */
const digestOfSources = (): string => {
  const hash = createHash("sha256").update(readFileSync(join(root, "package.json")))
  for (const source of sourceFolders) {
    for (const name of readdirSync(join(root, source), { recursive: true, encoding: "utf8" }).sort()) {
      if (name.endsWith(".ts")) hash.update(`\n${source}/${name}\n`).update(readFileSync(join(root, source, name)))
    }
  }
  return hash.digest("hex")
}

/** Replaces the file whole, because several programs may do this at once. */
const write = (name: string, text: string): void => {
  const passing = join(folder, `${name}.${process.pid}`)
  writeFileSync(passing, text)
  renameSync(passing, join(folder, name))
}

const digestName = "sources.sha256"
const digest = digestOfSources()
const files = ["Types.ts", "Operations.ts", "Routes.ts", digestName].map((name) => join(folder, name))
if (!files.every((file) => existsSync(file)) || readFileSync(join(folder, digestName), "utf8") !== digest) {
  const { render } = await import("./client/ClientTypes.ts")
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(render())) write(name, text)
  write(digestName, digest)
  console.error("The types of the client are written, from the contract.")
}
