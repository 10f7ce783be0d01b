// The secret of this machine, which signs what `listen` and `webhooks doctor` send.
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { configFolder } from "./ConfigFolder.ts"

/** It is made once and stays. */
export const listenSecret = (): string => {
  const path = join(configFolder(), "listen-secret")
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    const secret = `whsec_${randomBytes(32).toString("base64")}`
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${secret}\n`, { mode: 0o600 })
    return secret
  }
}
