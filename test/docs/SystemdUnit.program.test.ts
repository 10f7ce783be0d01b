// The systemd unit of the engine, judged by systemd itself.
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const unit = "deploy/systemd/trunkline.service"
const analyze = (...args: ReadonlyArray<string>) =>
  spawnSync("systemd-analyze", ["security", "--offline=true", ...args, unit], { encoding: "utf8" })

describe("the systemd unit", () => {
  it("restricts system calls, namespaces, clock, processes and the modes of files", () => {
    const settings = readFileSync(unit, "utf8").split("\n")
    for (const setting of [
      "SystemCallFilter=@system-service",
      "SystemCallFilter=~@privileged",
      "SystemCallArchitectures=native",
      "RestrictNamespaces=yes",
      "RestrictSUIDSGID=yes",
      "LockPersonality=yes",
      "ProtectClock=yes",
      "ProtectProc=invisible",
      "UMask=0077",
      "CapabilityBoundingSet=",
      "NoNewPrivileges=yes"
    ])
      assert.include(settings, setting)
  })

  it.skipIf(analyze().error !== undefined)("leaves an exposure of 2.0 at most, of 10", () => {
    const { status, stdout } = analyze("--threshold=20")
    assert.strictEqual(status, 0, stdout)
  })
})
