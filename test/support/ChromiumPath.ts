// Where the Chromium of tests is.
import { spawnSync } from "node:child_process"

const found = (name: string): string | undefined => {
  const { status, stdout } = spawnSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

/** The Chromium that tests use: that of CHROMIUM, or the system's. Undefined if there is none. */
export const chromiumPath = found(process.env["CHROMIUM"] ?? "chromium")

/** Why no browser can be tested here; undefined if one can. */
export const chromiumObstacle: string | undefined =
  chromiumPath === undefined ? "there is no Chromium: apt-get install chromium" : undefined
