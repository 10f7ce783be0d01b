import { assert, describe, it } from "@effect/vitest"
import { checkOptions, type ClientOptions, dialledNumber, pressedKeys } from "../../src/web/ClientOptions.ts"

const now = 1_790_000_000_000
const seconds = now / 1000

const tokenOf = (claims: unknown): string => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part({ alg: "ES256" })}.${part(claims)}.c2lnbmF0dXJl`
}
const claims = {
  sub: "1001-3f2a9c0b71de",
  endpoint: "wss://api.example.com/v1/webrtc/sip",
  iat: seconds,
  exp: seconds + 900
}
const token = tokenOf(claims)
const check = (more: Partial<Record<keyof ClientOptions, unknown>> = {}, at = now) =>
  checkOptions({ token, ...more } as ClientOptions, at)

describe("the options of a browser client", () => {
  it("need a token alone, which names the endpoint", () => {
    const { claims, debug, endpoint, iceServers } = check()
    assert.deepStrictEqual([endpoint, debug, iceServers], ["wss://api.example.com/v1/webrtc/sip", "none", []])
    assert.deepStrictEqual(claims, {
      username: "1001-3f2a9c0b71de",
      endpoint: "wss://api.example.com/v1/webrtc/sip",
      expires_at: now + 900_000,
      incoming: true,
      outgoing: true
    })
  })

  it("may be the answer of the token's endpoint as it is", () => {
    const answer = {
      id: "0199",
      endpoint: "wss://calls.example.com/v1/webrtc/sip",
      protocol: "sip",
      turnServer: [{ urls: ["turn:relay.example.com"], username: "u", credential: "c" }],
      clientName: "1001",
      expiresIn: 900
    }
    const { endpoint, iceServers } = check(answer as never)
    assert.strictEqual(endpoint, answer.endpoint)
    assert.deepStrictEqual(iceServers, answer.turnServer)
  })

  it("take one ICE server by itself as a list of one", () => {
    const server = { urls: "turn:relay.example.com", username: "u", credential: "c" }
    assert.deepStrictEqual(check({ turnServer: server }).iceServers, [server])
    assert.deepStrictEqual(check({}).iceServers, [])
  })

  it("are refused with the name of what is wrong", () => {
    const refused: ReadonlyArray<readonly [Partial<Record<keyof ClientOptions, unknown>>, RegExp]> = [
      [{ token: undefined }, /token/],
      [{ token: "abc" }, /token/],
      [{ token: "a.b c.d" }, /token/],
      [{ token: "a.!!!.c" }, /token/],
      [{ token: tokenOf({ ...claims, sub: 'x"\r\nVia: y' }) }, /token/],
      [{ token: tokenOf({ ...claims, exp: "soon" }) }, /token/],
      [{ token: tokenOf(null) }, /token/],
      [{ token: tokenOf({ ...claims, endpoint: undefined }) }, /endpoint/],
      [{ endpoint: "not a URL" }, /endpoint/],
      [{ endpoint: "https://example.com" }, /endpoint/],
      [{ endpoint: 7 }, /endpoint/],
      [{ protocol: "janus" }, /protocol/],
      [{ turnServer: "turn:x" }, /turnServer/],
      [{ turnServer: {} }, /turnServer/],
      [{ turnServer: null }, /turnServer/],
      [{ turnServer: [{ urls: ["turn:x"] }, 7] }, /turnServer/],
      [{ turnServer: [{ urls: [] }] }, /turnServer/],
      [{ debug: "loud" }, /debug/]
    ]
    for (const [options, why] of refused) {
      assert.throws(() => check(options), TypeError, why)
    }
  })

  it("believe the token where this machine's clock is wrong", () => {
    const ends = (at: number) => check({}, at).claims.expires_at
    assert.strictEqual(ends(now + 600_000), now + 900_000)
    assert.strictEqual(ends(now - 30_000), now + 900_000)
    const late = now + 86_400_000
    assert.strictEqual(ends(late), late + 900_000)
    const early = now - 86_400_000
    assert.strictEqual(ends(early), early + 900_000)
  })
})

describe("what a user types", () => {
  it("is a number or an extension", () => {
    assert.strictEqual(dialledNumber(" +254 711 000 200 "), "+254711000200")
    assert.strictEqual(dialledNumber("*100#"), "*100#")
    for (const to of ["", "sip:1@example.com", "1;x=y", "a@b", "1\u0000", "1".repeat(65), undefined, 12])
      assert.isUndefined(dialledNumber(to))
  })
  it("is keys of a telephone", () => {
    assert.strictEqual(pressedKeys("12 3*#a"), "123*#A")
    for (const keys of ["", "E", "1,2", "1".repeat(65), undefined]) assert.isUndefined(pressedKeys(keys))
  })
})
