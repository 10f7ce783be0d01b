import { createHash, timingSafeEqual } from "node:crypto"
import { Layer, Redacted } from "effect"
import { MobileMoneyDoor } from "../../domain/ports/MobileMoneyDoor.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** An IPv4 client of a socket that takes both families. */
const plain = (address: string | null): string => (address ?? "").replace(/^::ffff:/i, "")

/** Any of the secrets is good. `sources`: the provider's addresses; undefined admits every address, for a proxy that checks them itself. */
export const layer = (options: { readonly secrets: ReadonlyArray<Redacted.Redacted>; readonly sources: ReadonlySet<string> | undefined }) => {
  const expected = options.secrets.map((secret) => digest(Redacted.value(secret)))
  return Layer.succeed(MobileMoneyDoor)({
    admits: (secret, address) =>
      expected.some((one) => timingSafeEqual(digest(secret), one)) && (options.sources === undefined || options.sources.has(plain(address)))
  })
}
