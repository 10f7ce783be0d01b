// Authenticates providers that do not sign what they post: by a secret in the path and by their source addresses.
import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"
import type { MobileMoneyNotices } from "../../domain/ports/money/MobileMoneyNotices.ts"
import { isWithin } from "../../domain/targets/AddressRange.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

export interface SecretPathOptions {
  /** Each of them is accepted. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /**
   * The provider's addresses and CIDR ranges. Undefined admits every address, for use behind a proxy that checks them.
   */
  readonly sources: ReadonlyArray<string> | undefined
}

export const secretPathAuth = ({ secrets, sources }: SecretPathOptions): MobileMoneyNotices["Service"]["admits"] => {
  const expected = secrets.map((secret) => digest(Redacted.value(secret)))
  return (secret, address) =>
    expected.some((one) => timingSafeEqual(digest(secret), one)) &&
    (sources === undefined || isWithin(sources, address ?? ""))
}
