// Whether an Asterisk can send SIP to private and local addresses.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { addressesToTry, unguardedAddresses } from "../../../../../src/layers/pbx/asterisk/checks/CheckFirewall.ts"
import { makeWorld } from "../../../../support/AsteriskRegistry.ts"

const everywhere = { binds: ["0.0.0.0"], allowed: [] }

describe("addresses that are tried", () => {
  it.each<[string, Parameters<typeof addressesToTry>[0], ReadonlyArray<string>]>([
    [
      "one of each kind",
      everywhere,
      ["127.255.255.254", "10.255.255.254", "172.31.255.254", "192.168.255.254", "100.127.255.254", "169.254.169.254"]
    ],
    ["IPv6 where Asterisk has it", { binds: ["::"], allowed: [] }, ["::1", "fdff:ffff:ffff::1"]],
    ["none of an Asterisk on loopback", { binds: ["127.0.0.1", "::1"], allowed: [] }, []],
    [
      "none in networks that are allowed, but others of the same kind",
      {
        binds: ["203.0.113.7"],
        allowed: ["10.192.0.0/10", "192.168.0.0/16", "172.16.0.0/12", "100.64.0.0/10", "127.0.0.0/8"]
      },
      ["10.128.0.1", "169.254.169.254"]
    ]
  ])("%s", (_, reach, expected) => assert.deepStrictEqual(addressesToTry(reach), expected))
})

/** An Asterisk whose firewall refuses all addresses but these. */
const checked = (sends: (path: string) => boolean, { created = 200, early = 0 } = {}) =>
  Effect.gen(function* () {
    let waits = early
    let channels = 0
    const { ari, asked } = yield* makeWorld((path) => {
      if (path === "/channels/create") return { status: created, body: { id: `${channels++}` } }
      if (path.endsWith("/dial")) return { status: waits-- > 0 ? 409 : 204, body: undefined }
      return { status: sends(path) ? 200 : 404, body: {} }
    })
    const reach = { endpoint: "sip-uri", ...everywhere }
    const check = yield* Effect.forkChild(unguardedAddresses(ari, "app", reach))
    yield* TestClock.adjust("10 seconds")
    return { deviations: yield* Fiber.join(check), asked: asked.map(({ what }) => what) }
  })

describe("the check of the firewall", () => {
  it.effect("finds nothing where calls to such addresses end at once", () =>
    Effect.map(
      checked(() => false),
      ({ deviations }) => assert.deepStrictEqual(deviations, [])
    )
  )

  it.effect("waits until a channel can be dialled", () =>
    Effect.map(
      checked(() => false, { early: 20 }),
      ({ asked, deviations }) => {
        assert.deepStrictEqual(deviations, [])
        assert.lengthOf(
          asked.filter((what) => what.endsWith("/dial")),
          26
        )
      }
    )
  )

  it.effect("names the addresses to which calls go on, and hangs up", () =>
    Effect.map(
      checked((path) => ["/channels/1", "/channels/5"].includes(path)),
      ({ asked, deviations }) => {
        assert.lengthOf(deviations, 1)
        assert.match(deviations[0] ?? "", /sends to 10\.255\.255\.254, 169\.254\.169\.254, so/)
        assert.strictEqual(asked.at(-1), "DELETE /channels/5")
      }
    )
  )

  it.effect("says that it knows nothing where no call can be created", () =>
    Effect.map(
      checked(() => true, { created: 500 }),
      ({ deviations }) => {
        assert.lengthOf(deviations, 1)
        assert.match(deviations[0] ?? "", /not known .* over sip-uri/)
      }
    )
  )
})
