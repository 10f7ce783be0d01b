// Which hosts that workspaces name are judged how, with what DNS and the database say.
import { AllowedTargets } from "../../../src/domain/ports/engine/AllowedTargets.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { PlatformHosts } from "../../../src/actors/pbx/PlatformHosts.ts"
import { SipTargets } from "../../../src/actors/pbx/SipTargets.ts"
import { HostResolver } from "../../../src/domain/ports/pbx/HostResolver.ts"
import { TrunkReads } from "../../../src/domain/ports/pbx/TrunkReads.ts"
import type { ServingPlace } from "../../../src/domain/trunks/ServingPlaces.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import { gatewayId, workspaceId } from "../../support/Ids.ts"

const mine = workspaceId("00000000-0000-8000-8000-0000000000e1")
const theirs = workspaceId("00000000-0000-8000-8000-0000000000e2")
const sandbox = workspaceId("7e577e57-0000-8000-8000-0000000000e3")

const directory = MemoryDirectory.layer({
  workspaces: [
    {
      id: mine,
      name: "Mine",
      status: "active",
      currency: "KES",
      tenant_pbx_id: "t1",
      gateway_id: gatewayId("g1"),
      voice_secret: "",
      numbers: [],
      calling_policy: { sip_allowlist: ["pbx.listed.example", "4.4.4.4", "*.wild.example"] }
    }
  ],
  rates: []
})

const place = (host: string, more: Partial<ServingPlace> = {}): ServingPlace => ({
  workspace_id: theirs,
  auth_mode: "ip",
  host,
  addresses: [],
  allowed_ips: [],
  ...more
})

/** What DNS and the database say, which a test may change. */
const makeWorld = () => {
  const names: Record<string, ReadonlyArray<string>> = {
    "sip.example.com": ["8.8.8.8", "2606:4700::1"],
    "inside.example.com": ["10.0.0.5"],
    "mixed.example.com": ["8.8.8.8", "127.0.0.1"],
    "metadata.example.com": ["169.254.169.254"],
    "carrier.example": ["9.9.9.9"],
    "provider.example": ["149.112.112.112"],
    "alias.example.com": ["9.9.9.9"]
  }
  const stored: { places: ReadonlyArray<ServingPlace> } = { places: [] }
  const resolver = Layer.succeed(HostResolver, {
    addresses: (host) => Effect.sync(() => (/^[\d.]+$/.test(host) ? [host] : (names[host] ?? []))),
    services: () => Effect.succeed([])
  })
  const reads = Layer.succeed(TrunkReads, {
    servingPlaces: Effect.sync(() => stored.places),
    providerHosts: Effect.succeed(["provider.example"]),
    standing: () => Effect.die("unused"),
    workspaceOf: () => Effect.die("unused")
  })
  const layer = (allow_private = false) =>
    SipTargets.layer.pipe(
      Layer.provide(Layer.succeed(AllowedTargets)({ allow_insecure: false, allow_private })),
      Layer.provide([reads, directory]),
      Layer.provideMerge(PlatformHosts.layer(["carrier.example"])),
      Layer.provide(resolver)
    )
  return { names, stored, layer }
}

const judged = (host: string, ranges: ReadonlyArray<string> = [], workspace_id = mine) =>
  Effect.flatMap(SipTargets, ({ judge }) => judge(workspace_id, { host, ranges }))
const verdict = (host: string, workspace_id = mine) => Effect.map(judged(host, [], workspace_id), ({ host }) => host)

describe("a host that a workspace names", () => {
  it.effect.each<[string, string, string]>([
    ["sip.example.com", "8.8.8.8 2606:4700::1", "8.8.8.8 2606:4700::1"],
    ["inside.example.com", "not_public", "10.0.0.5"],
    ["mixed.example.com", "not_public", "8.8.8.8 127.0.0.1"],
    ["metadata.example.com", "not_public", "not_public"],
    ["nowhere.example.com", "unknown", ""],
    ["10.0.0.5", "not_public", "10.0.0.5"],
    ["carrier.example", "of_platform", "of_platform"],
    ["alias.example.com", "of_platform", "of_platform"],
    ["9.9.9.9", "of_platform", "of_platform"],
    ["149.112.112.112", "of_platform", "of_platform"]
  ])("%s is %s, and %s where private hosts are allowed", ([host, strict, lenient]) =>
    Effect.gen(function* () {
      for (const [allow_private, expected] of [
        [false, strict],
        [true, lenient]
      ] as const) {
        const found = yield* Effect.provide(judged(host), makeWorld().layer(allow_private))
        assert.strictEqual(found.host === "allowed" ? found.addresses.join(" ") : found.host, expected)
      }
    })
  )

  it.effect("is the carrier's by every address that the carrier's name had within the hour", () => {
    const { layer, names } = makeWorld()
    return Effect.gen(function* () {
      assert.strictEqual(yield* verdict("9.9.9.9"), "of_platform")
      names["carrier.example"] = ["9.9.9.10"]
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([yield* verdict("9.9.9.9"), yield* verdict("9.9.9.10")], ["of_platform", "of_platform"])
      // No name server answers.
      names["carrier.example"] = []
      yield* TestClock.adjust("50 minutes")
      assert.deepStrictEqual([yield* verdict("9.9.9.9"), yield* verdict("9.9.9.10")], ["of_platform", "of_platform"])
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual([yield* verdict("9.9.9.9"), yield* verdict("9.9.9.10")], ["allowed", "allowed"])
    }).pipe(Effect.provide(layer()))
  })

  it.effect("is the platform's once its gateway has reported it, as are ranges that meet it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict("sip.example.com"), "allowed")
      yield* (yield* PlatformHosts).report("gateway", ["8.8.8.0/28"])
      const found = yield* judged("sip.example.com", ["8.8.0.0/16", "1.1.1.0/24"])
      assert.deepInclude(found, { host: "of_platform", ranges: ["of_platform", "allowed"] })
    }).pipe(Effect.provide(makeWorld().layer()))
  )

  it.effect("is another workspace's while a trunk that is known by its address carries calls there", () => {
    const { layer, stored } = makeWorld()
    return Effect.gen(function* () {
      const { refresh } = yield* SipTargets
      const now = Effect.andThen(refresh, verdict("sip.example.com"))
      assert.strictEqual(yield* now, "allowed")
      for (const [places, expected] of [
        [[place("sip.example.com")], "of_others"],
        [[place("pbx.example.net", { addresses: ["2606:4700:0::1"] })], "of_others"],
        [[place("pbx.example.net", { auth_mode: "signaling", allowed_ips: ["8.8.8.0/24"] })], "of_others"],
        [[place("sip.example.com", { auth_mode: "digest", addresses: ["8.8.8.8"] })], "allowed"],
        [[place("sip.example.com", { workspace_id: mine, addresses: ["8.8.8.8"] })], "allowed"],
        // Both have it: the workspace's own trunk does not stop because another joins it.
        [[place("sip.example.com", { workspace_id: mine, auth_mode: "digest" }), place("sip.example.com")], "allowed"]
      ] as const) {
        stored.places = places
        assert.strictEqual(yield* now, expected, JSON.stringify(places))
      }
    }).pipe(Effect.provide(layer()))
  })

  it.effect("stays in the allowlist that has it, by address and by name", () => {
    const { layer, names, stored } = makeWorld()
    names["pbx.listed.example"] = ["8.8.4.4"]
    names["a.wild.example"] = ["8.8.4.4"]
    stored.places = [place("pbx.listed.example", { addresses: ["8.8.4.4"], allowed_ips: ["4.4.4.0/24"] })]
    return Effect.gen(function* () {
      assert.strictEqual(yield* verdict("pbx.listed.example"), "allowed")
      assert.strictEqual(yield* verdict("4.4.4.4"), "allowed")
      assert.strictEqual(yield* verdict("4.4.4.5"), "of_others")
      assert.strictEqual(yield* verdict("a.wild.example"), "of_others")
      assert.strictEqual(yield* verdict("8.8.4.4"), "of_others")
    }).pipe(Effect.provide(layer()))
  })

  it.effect("is nobody's for a sandbox, but for the platform", () => {
    const { layer, stored } = makeWorld()
    stored.places = [place("sip.example.com")]
    return Effect.gen(function* () {
      assert.strictEqual(yield* verdict("sip.example.com", sandbox), "allowed")
      assert.strictEqual(yield* verdict("carrier.example", sandbox), "of_platform")
    }).pipe(Effect.provide(layer()))
  })

  it.effect("is judged by a list of trunks that is read again after five seconds, or when asked", () => {
    const { layer, stored } = makeWorld()
    return Effect.gen(function* () {
      assert.strictEqual(yield* verdict("sip.example.com"), "allowed")
      stored.places = [place("sip.example.com")]
      assert.strictEqual(yield* verdict("sip.example.com"), "allowed")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* verdict("sip.example.com"), "of_others")
      stored.places = []
      yield* (yield* SipTargets).refresh
      assert.strictEqual(yield* verdict("sip.example.com"), "allowed")
    }).pipe(Effect.provide(layer()))
  })
})
