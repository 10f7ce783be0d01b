// `npm run release` on a clone, as far as it goes without writing.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const parent = mkdtempSync(join(tmpdir(), "trunkline-release-"))
const clone = join(parent, "clone")

/** A repository of its own with the tree as it is, because a tag or a commit must not reach the one under test. */
beforeAll(() => {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8"
  })
  execFileSync("mkdir", [clone])
  execFileSync("cp", ["--parents", "--target-directory", clone, ...files.split("\0").filter(Boolean)])
  symlinkSync(join(process.cwd(), "node_modules"), join(clone, "node_modules"))
  git("init", "--quiet")
  git("config", "user.email", "release@example.com")
  git("config", "user.name", "Release")
  git("add", "--all")
  git("commit", "--quiet", "--message", "chore: begin")
}, 60_000)
afterAll(() => rmSync(parent, { recursive: true }))

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: clone, encoding: "utf8", stdio: "pipe" }).trim()

const release = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["scripts/release.ts", ...args], { cwd: clone, encoding: "utf8", timeout: 60_000 })

describe("npm run release", () => {
  it("says what it would write, and writes nothing", () => {
    writeFileSync(join(clone, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\n- New.\n")
    git("commit", "--quiet", "--all", "--message", "docs: say something")
    const { status, stderr, stdout } = release("9.0.0", "--dry-run", "--skip-check")
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^9\.0\.0, \d{4}-\d\d-\d\d: /m)
    assert.include(stdout, "tag v9.0.0")
    assert.deepStrictEqual([git("status", "--porcelain"), git("tag")], ["", ""])
  })

  it("refuses a version that exists, an unclean tree, and to leave out the checks of a release", () => {
    git("tag", "v9.0.1")
    assert.match(release("9.0.1", "--dry-run", "--skip-check").stderr, /^✗ 9\.0\.1 has been released\n$/)
    assert.match(release("9.1.0", "--skip-check").stderr, /^✗ Only --dry-run may leave out the checks\.\n$/)
    assert.match(release("9.1.0", "--fast").stderr, /^✗ Unknown option '--fast'/)
    const file = join(clone, "README.md")
    writeFileSync(file, `${readFileSync(file, "utf8")}\n`)
    const { status, stderr } = release("9.1.0", "--dry-run", "--skip-check")
    assert.deepStrictEqual([status, stderr], [1, "✗ The tree has changes. Commit them first.\n"])
  })
})
