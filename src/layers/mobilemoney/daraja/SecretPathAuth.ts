import { createHash, timingSafeEqual } from "node:crypto"
import { Layer, Redacted } from "effect"
import { MobileMoneyWebhookAuth } from "../../../domain/ports/MobileMoneyWebhookAuth.ts"
import { isWithin } from "../../../domain/targets/AddressRange.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Any of the secrets is good. `sources`: the provider's addresses and ranges; undefined admits every address, for a proxy that checks them itself. */
export const layer = (options: {
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly sources: ReadonlyArray<string> | undefined
}) => {
  const expected = options.secrets.map((secret) => digest(Redacted.value(secret)))
  return Layer.succeed(MobileMoneyWebhookAuth)({
    admits: (secret, address) =>
      expected.some((one) => timingSafeEqual(digest(secret), one)) &&
      (options.sources === undefined || isWithin(options.sources, address ?? ""))
  })
}
