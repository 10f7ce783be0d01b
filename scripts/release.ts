// `npm run release -- VERSION`: makes a release of the checked-out commit: changelog, version, packages, a list of what
// is in them, checksums, commit and tag. Nothing leaves this machine. docs/releases.md has the steps.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { packages, packed } from "./bundles/Packed.ts"
import { breakingChanges } from "./release/BreakingChanges.ts"
import { cutChangelog, toldAsBreaking } from "./release/Changelog.ts"
import { currentDigest, digestFile, readDigest, releasedVersions, writeDigest } from "./release/Releases.ts"
import { setVersion, versionedFiles } from "./release/VersionedFiles.ts"
import { type Change, newest, nextVersion, partsOf, refusal } from "./release/Versions.ts"

const root = join(import.meta.dirname, "..")

const stop = (message: string): never => {
  console.error(`✗ ${message}`)
  return process.exit(1)
}

const run = (command: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 100_000_000 }).trim()

const show = (command: string, ...args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd: root, stdio: "inherit" })
}

const usage = "npm run release -- VERSION [--dry-run [--skip-check]]"
const options = {
  "dry-run": { type: "boolean", default: false },
  "skip-check": { type: "boolean", default: false }
} as const
const { positionals, values } = (() => {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop(`${(error as Error).message}
  ${usage}`)
  }
})()
const isDry = values["dry-run"]
if (values["skip-check"] && !isDry) stop("Only --dry-run may leave out the checks.")

const tagged = run("git", "tag", "--list", "v*")
  .split("\n")
  .map((tag) => tag.slice(1))
  .filter((version) => partsOf(version) !== undefined)
const released = [...new Set([...tagged, ...releasedVersions()])]
const last = newest(releasedVersions())

/** What has changed in the API since the last release. */
const digest = currentDigest()
const before = last === undefined ? undefined : readDigest(last)
const breaking = before === undefined ? [] : breakingChanges(before, digest)
const isSame = before === undefined || JSON.stringify(before) === JSON.stringify(digest)
const change: Change = breaking.length > 0 ? "breaking" : isSame ? "none" : "addition"
for (const { what, where } of breaking) console.log(`breaks  ${where}: ${what}`)

const [
  version = last === undefined
    ? stop(`There is no release yet, so name its version.\n  ${usage}`)
    : nextVersion(last, change)
] = positionals
const refused = refusal({ version, released, change })
if (refused !== undefined) stop(refused)
if (run("git", "status", "--porcelain") !== "") stop("The tree has changes. Commit them first.")

const changelogFile = join(root, "CHANGELOG.md")
const changelog = readFileSync(changelogFile, "utf8")
const told = toldAsBreaking(changelog)
const untold = [...new Set(breaking.map(({ where }) => where))].filter((where) => !told.has(where))
if (untold.length > 0) stop(`CHANGELOG.md does not name these under "Breaking": ${untold.join(", ")}`)
const day = new Date().toISOString().slice(0, 10)
const cut = ((): string => {
  try {
    return cutChangelog(changelog, version, day)
  } catch (error) {
    return stop((error as Error).message)
  }
})()

if (!values["skip-check"]) show("npm", "run", "check")
const summary = { breaking: "the API breaks clients", addition: "the API has new parts", none: "the same API" }[change]
console.log(`${version}, ${day}: ${last === undefined ? "the first release" : `${summary} since ${last}`}`)
if (isDry) {
  console.log(`It would write CHANGELOG.md, ${versionedFiles.map(({ file }) => file).join(", ")}`)
  console.log(`and test/fixtures/releases/${basename(digestFile(version))}, build, commit, and tag v${version}.`)
  process.exit(0)
}

const folder = join(root, "release", version)
const written = [...versionedFiles.map(({ file }) => file), "CHANGELOG.md"]

/** npm names the component after the folder. */
const writeBill = (name: string): string => {
  const options = ["--sbom-format", "cyclonedx", "--sbom-type", "application", "--omit", "dev", "--package-lock-only"]
  const bill = JSON.parse(run("npm", "sbom", ...options)) as { readonly metadata: { readonly component: object } }
  const { metadata } = bill
  const file = join(folder, `${name}-${version}.cdx.json`)
  const named = { ...bill, metadata: { ...metadata, component: { ...metadata.component, name } } }
  writeFileSync(file, `${JSON.stringify(named, undefined, 2)}\n`)
  return file
}

const outputs = (() => {
  try {
    writeFileSync(changelogFile, cut)
    setVersion(version)
    writeDigest(version, digest)
    show("npm", "run", "build")
    mkdirSync(folder, { recursive: true })
    const tarballs = packed(packages, folder).map(({ file }) => file)
    copyFileSync(join(root, "docs/openapi.json"), join(folder, "openapi.json"))
    return [...tarballs, writeBill("trunkline"), join(folder, "openapi.json")]
  } catch (error) {
    run("git", "checkout", "--", ...written)
    rmSync(digestFile(version), { force: true })
    rmSync(folder, { recursive: true, force: true })
    return stop(`Nothing was released: ${(error as Error).message}`)
  }
})()

const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

run("git", "add", "--", ...written, digestFile(version))
run("git", "commit", "--message", `chore(release): ${version}`)
run("git", "tag", "--annotate", `v${version}`, "--message", `trunkline ${version}`)

const provenance = {
  about:
    "What this release was made from, as the program that made it says. It is not a signed attestation: build the commit again to verify it.",
  version,
  commit: run("git", "rev-parse", "HEAD"),
  tree: run("git", "rev-parse", "HEAD^{tree}"),
  tag: `v${version}`,
  made_at: new Date().toISOString(),
  node: process.version,
  npm: run("npm", "--version"),
  system: `${process.platform} ${process.arch}`,
  checks: "npm run check passed before",
  outputs: outputs.map((file) => ({ file: basename(file), sha256: sha256(file), bytes: readFileSync(file).length }))
}
const provenanceFile = join(folder, "provenance.json")
writeFileSync(provenanceFile, `${JSON.stringify(provenance, undefined, 2)}\n`)
writeFileSync(
  join(folder, "SHA256SUMS"),
  [...outputs, provenanceFile].map((file) => `${sha256(file)}  ${basename(file)}\n`).join("")
)
console.log(`✓ v${version} is tagged. The files are in release/${version}; docs/releases.md says what to do with them.`)
