// `npm start -- --check`: what it prints and its exit code.
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const main = join(import.meta.dirname, "../../src/main.ts")

const complete = {
  DATABASE_URL: "postgres://u:p@127.0.0.1:1/trunkline",
  PBX_INGEST_SECRET: "0123456789abcdef",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  BASE_URL: "https://api.example.com",
  MAIL_URL: "smtp://mail.example.com"
}

/** The lines it prints, its exit code, and the files it leaves in its data folder. */
const check = (env: Readonly<Record<string, string>>) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "trunkline-check-"))
  try {
    const { status, stderr, stdout } = spawnSync(process.execPath, [main, "--check"], {
      env: { PATH: process.env["PATH"], DATA_DIR, ...env },
      encoding: "utf8",
      timeout: 60_000
    })
    return { status, stderr, lines: stdout.trim().split("\n"), files: readdirSync(DATA_DIR) }
  } finally {
    rmSync(DATA_DIR, { recursive: true })
  }
}

describe("npm start -- --check", () => {
  it("accepts a complete configuration, and starts nothing", () => {
    assert.deepStrictEqual(check(complete), {
      status: 0,
      stderr: "",
      lines: ["A production start accepts this configuration."],
      files: []
    })
  })

  it("names all refusals at once", () => {
    const { BASE_URL: _, ...others } = complete
    const { files, lines, status } = check({ ...others, CARD_PROVIDER: "simulator", PORT: "http" })
    assert.strictEqual(status, 1)
    assert.strictEqual(lines[0], "A production start refuses this configuration:")
    assert.deepStrictEqual(
      lines.slice(1).map((line) => line.trim().split(" ", 1)[0]),
      ["PORT", "CARD_PROVIDER=simulator", "BASE_URL"]
    )
    assert.deepStrictEqual(files, [])
  })
})
