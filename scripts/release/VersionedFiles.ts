// Where the version of the package is written.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

interface VersionedFile {
  readonly file: string
  /** The version follows each of these texts. */
  readonly before: ReadonlyArray<string>
}

const tarballs = ["trunkline-", "trunkline-client-"]

export const versionedFiles: ReadonlyArray<VersionedFile> = [
  { file: "package.json", before: ['  "version": "'] },
  {
    file: "package-lock.json",
    before: ['  "name": "trunkline",\n  "version": "', '      "name": "trunkline",\n      "version": "']
  },
  { file: "src/web/Version.ts", before: ['export const version = "'] },
  { file: "src/cli/Program.ts", before: ['export const version = "'] },
  ...["README.md", "docs/client.md", "docs/deployment.md", "docs/library.md", "docs/webrtc.md"].map((file) => ({
    file,
    before: tarballs
  }))
]

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const places = ({ before }: VersionedFile): RegExp =>
  new RegExp(`(${before.map(escaped).join("|")})(\\d+\\.\\d+\\.\\d+)`, "g")

/** The versions that stand in a file. */
export const versionsIn = (versioned: VersionedFile): ReadonlyArray<string> =>
  [...readFileSync(join(root, versioned.file), "utf8").matchAll(places(versioned))].map(([, , version = ""]) => version)

export const setVersion = (version: string): void => {
  for (const versioned of versionedFiles) {
    const file = join(root, versioned.file)
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(places(versioned), `$1${version}`))
  }
}
