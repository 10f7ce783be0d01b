import { assert, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { versionedFiles, versionsIn } from "../../../scripts/release/VersionedFiles.ts"

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }

it("the version is the same wherever a release writes it", () => {
  for (const versioned of versionedFiles) {
    const found = versionsIn(versioned)
    assert.isAtLeast(found.length, versioned.file === "package-lock.json" ? 2 : 1, versioned.file)
    assert.deepStrictEqual([...new Set(found)], [version], versioned.file)
  }
})

it("no other page names the file of a release", () => {
  const pages = ["README.md", ...readdirSync("docs").map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith(".md")
  )
  const known = versionedFiles.map(({ file }) => file)
  assert.deepStrictEqual(
    pages.filter((page) => !known.includes(page) && /trunkline(?:-client)?-\d/.test(readFileSync(page, "utf8"))),
    []
  )
})
