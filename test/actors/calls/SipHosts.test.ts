// At which address a SIP URI is called, and which hosts are refused.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AllowedTargets } from "../../../src/domain/ports/engine/AllowedTargets.ts"
import { SipHosts, SipHostSettings } from "../../../src/actors/calls/SipHosts.ts"
import { PlatformHosts } from "../../../src/actors/pbx/PlatformHosts.ts"
import { SipTargets } from "../../../src/actors/pbx/SipTargets.ts"
import { readSipUri, type SipAddress } from "../../../src/domain/calls/policy/SipDestination.ts"
import { HostResolver } from "../../../src/domain/ports/pbx/HostResolver.ts"
import { TrunkReads } from "../../../src/domain/ports/pbx/TrunkReads.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import { workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("00000000-0000-8000-8000-0000000000e1")

/** What DNS says. `sip.rebinds.example` has another address whenever it is asked. */
const makeWorld = () => {
  const asked: Array<string> = []
  const rebinds = ["8.8.8.8", "10.0.0.5"]
  const names: Readonly<Record<string, ReadonlyArray<string>>> = {
    "sip.example.com": ["2606:4700::1", "8.8.8.8"],
    "six.example.com": ["2606:4700::1"],
    "edge.example.com": ["1.1.1.1"],
    "served.example.com": ["8.8.8.8"],
    "hidden.example.com": ["8.8.8.8"],
    "inside.example.com": ["10.0.0.5"],
    "alias.example.com": ["9.9.9.9"],
    "carrier.example": ["9.9.9.9"],
    "provider.example": ["149.112.112.112"],
    "alias2.example.com": ["149.112.112.112"],
    "trunk.example.com": ["4.2.2.2"],
    "reported.example.com": ["4.4.4.4"]
  }
  const resolver = Layer.succeed(HostResolver, {
    addresses: (host) =>
      Effect.sync(() => {
        asked.push(host)
        if (host === "sip.rebinds.example") return rebinds.splice(0, 1)
        return /^[\d.]+$/.test(host) ? [host] : (names[host] ?? [])
      }),
    services: (name) =>
      Effect.succeed(
        name === "_sip._udp.served.example.com"
          ? [{ host: "edge.example.com", port: 5080 }]
          : name === "_sip._udp.hidden.example.com"
            ? [{ host: "inside.example.com", port: 6379 }]
            : []
      )
  })
  const reads = Layer.succeed(TrunkReads, {
    servingPlaces: Effect.succeed([
      {
        workspace_id: workspaceId("00000000-0000-8000-8000-0000000000e2"),
        auth_mode: "ip",
        host: "pbx.other.example",
        addresses: ["4.2.2.2"],
        allowed_ips: []
      }
    ]),
    providerHosts: Effect.succeed(["provider.example"]),
    standing: () => Effect.die("unused"),
    workspaceOf: () => Effect.die("unused")
  })
  const directory = MemoryDirectory.layer({ workspaces: [], rates: [] })
  const platform = PlatformHosts.layer(["carrier.example"])
  const layer = (carries_sip_uris = true) =>
    SipHosts.layer.pipe(
      Layer.provide(Layer.succeed(SipHostSettings)({ carries_sip_uris })),
      Layer.provide(SipTargets.layer),
      Layer.provide(Layer.succeed(AllowedTargets)({ allow_insecure: false, allow_private: false })),
      Layer.provideMerge(Layer.mergeAll(reads, platform, directory)),
      Layer.provide(resolver)
    )
  return { asked, layer }
}

const locate = (text: string) =>
  Effect.gen(function* () {
    const { locate } = yield* SipHosts
    const uri = readSipUri(text)
    return uri === undefined
      ? yield* Effect.die(text)
      : yield* Effect.match(locate(workspace_id, uri), {
          onFailure: (reason) => reason,
          onSuccess: (address) => address
        })
  })

describe("the host of a SIP URI", () => {
  it.effect.each<[string, SipAddress | string]>([
    ["sip:a@sip.example.com", { ip: "8.8.8.8", port: 5060 }],
    ["sip:a@sip.example.com:5090", { ip: "8.8.8.8", port: 5090 }],
    ["sips:a@sip.example.com", { ip: "8.8.8.8", port: 5061 }],
    ["sip:a@six.example.com", { ip: "2606:4700::1", port: 5060 }],
    ["sip:a@served.example.com", { ip: "1.1.1.1", port: 5080 }],
    ["sip:a@served.example.com:5060", { ip: "8.8.8.8", port: 5060 }],
    ["sip:a@hidden.example.com", "sip_host_refused"],
    ["sip:a@inside.example.com", "sip_host_refused"],
    ["sip:a@10.0.0.5", "sip_host_refused"],
    ["sip:a@127.0.0.1", "sip_host_refused"],
    ["sip:a@carrier.example", "sip_host_refused"],
    ["sip:a@alias.example.com", "sip_host_refused"],
    ["sip:a@alias2.example.com", "sip_host_refused"],
    ["sip:a@trunk.example.com", "sip_host_refused"],
    ["sip:a@nowhere.example.com", "sip_host_unknown"]
  ])("%s: %j", ([uri, expected]) =>
    Effect.provide(
      Effect.map(locate(uri), (found) => assert.deepStrictEqual(found, expected)),
      makeWorld().layer()
    )
  )

  it.effect("is resolved once for a call, and again for the next one", () => {
    const { asked, layer } = makeWorld()
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* locate("sip:a@sip.rebinds.example:5060"), { ip: "8.8.8.8", port: 5060 })
      assert.lengthOf(
        asked.filter((host) => host === "sip.rebinds.example"),
        1
      )
      assert.strictEqual(yield* locate("sip:a@sip.rebinds.example:5060"), "sip_host_refused")
    }).pipe(Effect.provide(layer()))
  })

  it.effect("is refused once a gateway reports it as its own", () =>
    Effect.gen(function* () {
      assert.isObject(yield* locate("sip:a@reported.example.com"))
      yield* (yield* PlatformHosts).report("gateway", ["4.4.4.0/24"])
      assert.strictEqual(yield* locate("sip:a@reported.example.com"), "sip_host_refused")
      yield* (yield* PlatformHosts).report("gateway", [])
      assert.isObject(yield* locate("sip:a@reported.example.com"))
    }).pipe(Effect.provide(makeWorld().layer()))
  )

  it.effect("is not called without an endpoint for SIP URIs", () =>
    Effect.provide(
      Effect.map(locate("sip:a@sip.example.com"), (found) => assert.strictEqual(found, "sip_unavailable")),
      makeWorld().layer(false)
    )
  )
})
