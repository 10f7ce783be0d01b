// Which hosts of trunks the PBX is given, and at which addresses.
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TrunkHosts } from "../../../src/actors/trunks/TrunkHosts.ts"
import { HostResolver } from "../../../src/domain/ports/HostResolver.ts"

const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "sip.example.com": ["8.8.8.8", "2606:4700::1"],
  "inside.example.com": ["10.0.0.5"],
  "mixed.example.com": ["8.8.8.8", "127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"]
}
const dns = Layer.succeed(HostResolver, {
  addresses: (host) => Effect.succeed(/^[\d.]+$/.test(host) ? [host] : (names[host] ?? [])),
  services: () => Effect.succeed([])
})

const resolved = (host: string, allow_private: boolean) =>
  Effect.flatMap(TrunkHosts, ({ resolve }) =>
    Effect.match(resolve(host), { onFailure: ({ reason }) => reason, onSuccess: (addresses) => addresses.join(" ") })
  ).pipe(Effect.provide(TrunkHosts.layer({ allow_insecure: false, allow_private }).pipe(Layer.provide(dns))))

it.effect.each<[string, string, string]>([
  ["sip.example.com", "8.8.8.8 2606:4700::1", "8.8.8.8 2606:4700::1"],
  ["inside.example.com", "not_public", "10.0.0.5"],
  ["mixed.example.com", "not_public", "8.8.8.8 127.0.0.1"],
  ["metadata.example.com", "not_public", "not_public"],
  ["nowhere.example.com", "unknown", ""],
  ["10.0.0.5", "not_public", "10.0.0.5"]
])("%s is %s, and %s where private hosts are allowed", ([host, strict, lenient]) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* resolved(host, false), strict)
    assert.strictEqual(yield* resolved(host, true), lenient)
  })
)
