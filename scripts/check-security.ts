// `npm run check:security`: secrets in the tree, licences of the packages that are shipped, and their advisories where
// the registry gives any. Exit 0: nothing found. 1: something was found, and is printed.
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { advisoriesOf, type Lock, refusedLicences, secretsIn } from "./security/Scan.ts"

/** Larger files are recordings and lists, not places where somebody leaves a key. */
const textMax_bytes = 2 * 1024 * 1024

const texts = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8"
})
  .split("\0")
  .filter((path) => path !== "")
  .flatMap((path) => {
    const bytes = readFileSync(path)
    return bytes.length > textMax_bytes || bytes.includes(0) ? [] : [{ path, text: bytes.toString("utf8") }]
  })

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock
const audit = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 60_000 })
const advisories = advisoriesOf(audit.stdout ?? "")

const found = [
  ...texts.flatMap(secretsIn),
  ...refusedLicences(lock),
  ...(advisories._tag === "Known" ? advisories.serious : [])
]
for (const line of found) console.log(line)
console.log(`secrets: ${texts.length} files read; licences: ${Object.keys(lock.packages).length - 1} packages read`)
console.log(
  advisories._tag === "Known" ? "advisories: read" : `advisories: not checked, no failure. ${advisories.reason}`
)
process.exitCode = found.length === 0 ? 0 : 1
