// The firewall rules of an Asterisk on loopback.
import { execFileSync } from "node:child_process"

/** Whether this process may make rules: in a network of its own, where they concern no other program. */
export const canMakeRules = (): boolean => {
  if (process.env["E2E_NETWORK"] !== "own") return false
  try {
    execFileSync("nft", ["list", "ruleset"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/**
 * Variables of Asterisk's scripts with which it sends to these addresses alone. Who is not root keeps the own group,
 * which the peers may have as well.
 */
export const onlyTo = (addresses: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  LOCAL_NETWORKS: addresses.join(","),
  ...(process.getuid?.() === 0 ? {} : { ASTERISK_GROUP: String(process.getgid?.()) })
})
