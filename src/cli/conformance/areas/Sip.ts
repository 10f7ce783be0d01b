// The promises about SIP credentials, tokens for browsers, and a workspace's own trunk.
import {
  type Area,
  expected,
  is,
  isText,
  isUuid,
  type Kept,
  member,
  nobody,
  notError,
  notStatus,
  promise,
  refused
} from "../Kept.ts"
import type { Json, World } from "../World.ts"
import { SetUpFailed } from "../World.ts"

const path = ({ numberId }: World) => `/v1/numbers/${numberId}/sip-credentials`

/** Four digits, which another run rarely has. */
const anyExtension = ({ random }: World) => String(Math.floor(1_000 + random() * 9_000))

const lifecycle = (world: World) =>
  world.shared("a SIP credential", async () => {
    const { ask } = world
    let extension = anyExtension(world)
    let created = await ask("POST", path(world), { body: { extension } })
    for (let attempt = 0; attempt < 5 && created.body?.error?.code === "numbers.extension_taken"; attempt++) {
      extension = anyExtension(world)
      created = await ask("POST", path(world), { body: { extension } })
    }
    const id: Json = created.body?.id
    if (typeof id !== "string") throw new SetUpFailed(created.text.slice(0, 200))
    const taken = await ask("POST", path(world), { body: { extension } })
    const listed = await ask("GET", path(world))
    const token = await ask("POST", "/v1/webrtc/token", { body: { extension } })
    const short = await ask("POST", "/v1/webrtc/token", { body: { extension, ttl_seconds: 60 } })
    const empty = await ask("POST", "/v1/webrtc/token", { body: {} })
    const rotated = await ask("POST", `${path(world)}/${id}/rotate`)
    const revoked = await ask("POST", `${path(world)}/${id}/revoke`)
    const again = await ask("POST", `${path(world)}/${id}/revoke`)
    const late = await ask("POST", `${path(world)}/${id}/rotate`)
    const none = await ask("POST", "/v1/webrtc/token", { body: { extension } })
    return { extension, id, created, taken, listed, token, short, empty, rotated, revoked, again, late, none }
  })

const created = async (world: World): Promise<Json> => (await lifecycle(world)).created.body
const token = async (world: World): Promise<Json> => (await lifecycle(world)).token.body

const badExtension = (what: string, extension: unknown): Kept =>
  refused(`An extension ${what} is refused.`, ["POST", path], [422, "numbers.extension_invalid"], {
    body: { extension }
  })

const credentials: ReadonlyArray<Kept> = [
  promise("A SIP credential is made with 201.", async (world) => notStatus((await lifecycle(world)).created, 201)),
  member("A credential has a UUID.", created, "id", isUuid),
  promise("A credential has the extension that was wanted.", async (world) => {
    const { created: made, extension } = await lifecycle(world)
    return expected(made.body.extension === extension, `it is ${made.body.extension}`)
  }),
  member("A new credential is active.", created, "status", is("active")),
  member("The password of a credential is shown when it is made.", created, "password", isText),
  promise("The password is not shown again.", async (world) => {
    const { created: made, listed } = await lifecycle(world)
    return (
      notStatus(listed, 200) ??
      expected(!listed.text.includes('"password"') && !listed.text.includes(made.body.password), "it is listed")
    )
  }),
  promise("The credentials of a number are listed.", async (world) => {
    const { id, listed } = await lifecycle(world)
    return expected(Array.isArray(listed.body) && listed.body.some((each: Json) => each.id === id), "it is not there")
  }),
  promise("An extension belongs to one active credential of the workspace.", async (world) =>
    notError((await lifecycle(world)).taken, 409, "numbers.extension_taken")
  ),
  promise("A credential can be given a new password.", async (world) => {
    const { created: made, rotated } = await lifecycle(world)
    return (
      notStatus(rotated, 200) ??
      expected(
        isText(rotated.body.password) && rotated.body.password !== made.body.password,
        "it is the same, or absent"
      )
    )
  }),
  promise("A credential can be revoked.", async (world) => {
    const { revoked } = await lifecycle(world)
    return notStatus(revoked, 200) ?? expected(revoked.body.status === "revoked", `it is ${revoked.body.status}`)
  }),
  promise("A revoked credential cannot be revoked again.", async (world) =>
    notError((await lifecycle(world)).again, 409, "numbers.sip_credentials.already_revoked")
  ),
  promise("A revoked credential gets no new password.", async (world) =>
    notError((await lifecycle(world)).late, 409, "numbers.sip_credentials.already_revoked")
  ),
  badExtension("of three digits", "101"),
  badExtension("of five digits", "10101"),
  badExtension("with a letter", "10a1"),
  refused(
    "A credential that does not exist is not found.",
    ["POST", (world) => `${path(world)}/${nobody}/revoke`],
    [404, "numbers.sip_credentials.not_found"]
  ),
  refused(
    "The credentials of a number that does not exist are not found.",
    ["GET", `/v1/numbers/${nobody}/sip-credentials`],
    [404, "numbers.not_found"]
  )
]

/** The claims of a JWT; undefined if it is none. */
const claimsOf = (jwt: Json): Json => {
  const [, claims = ""] = typeof jwt === "string" ? jwt.split(".") : []
  try {
    return JSON.parse(Buffer.from(claims, "base64url").toString("utf8"))
  } catch {
    return undefined
  }
}

const tokens: ReadonlyArray<Kept> = [
  promise("A token is minted with 200.", async (world) => notStatus((await lifecycle(world)).token, 200)),
  promise("The body of a token's request may be an empty object.", async (world) =>
    notStatus((await lifecycle(world)).empty, 200)
  ),
  promise("A token is a JWT, signed by ES256.", async (world) => {
    const [header = ""] = String((await token(world))?.token).split(".")
    const { alg } = JSON.parse(Buffer.from(header, "base64url").toString("utf8") || "{}")
    return expected(alg === "ES256", `it is signed by ${alg}`)
  }),
  member("A token comes with the endpoint of a WebSocket.", token, "endpoint", (value) =>
    /^wss?:\/\//.test(String(value))
  ),
  member("A token comes with the protocol of the WebSocket.", token, "protocol", isText),
  member(
    "A token comes with ICE servers.",
    token,
    "turnServer",
    (value) => typeof value === "object" && value !== null
  ),
  member("A token comes with the name of its client.", token, "clientName", isText),
  member("A token comes with a SIP profile.", token, "sipProfile.uri", (value) => /^sips?:/.test(String(value))),
  promise("The profile of a token has the extension.", async (world) => {
    const { extension, token: minted } = await lifecycle(world)
    return expected(minted.body.sipProfile?.extension === extension, `it is ${minted.body.sipProfile?.extension}`)
  }),
  member("A token says for how many seconds it is valid.", token, "expiresIn", is(900)),
  promise("A token is valid as long as it says.", async (world) => {
    const claims = claimsOf((await token(world))?.token)
    return expected(
      claims?.exp - claims?.iat === (await token(world)).expiresIn,
      `exp is ${claims?.exp}, iat ${claims?.iat}`
    )
  }),
  promise("A token lives as long as its request wants.", async (world) => {
    const { short } = await lifecycle(world)
    return expected(short.body?.expiresIn === 60, `it is ${short.body?.expiresIn}`)
  }),
  promise("A token is for WebRTC alone.", async (world) => {
    const { aud } = claimsOf((await token(world))?.token) ?? {}
    return expected(aud === "webrtc", `its audience is ${aud}`)
  }),
  promise("A token opens no route of the API.", async (world) => {
    const { token: jwt } = await token(world)
    const answer = await world.ask("GET", "/v1/wallet/balance", { key: String(jwt) })
    return expected(answer.status === 401, `${answer.status} came`)
  }),
  promise("Without an active credential there is no token.", async (world) =>
    notError((await lifecycle(world)).none, 404, "numbers.sip_credentials.not_found")
  )
]

const trunkBody = { auth_mode: "ip", host: "sip.example.com", allowed_ips: ["198.41.0.4"] }

const trunks: ReadonlyArray<Kept> = [
  refused("A workspace without a trunk has none to read.", ["GET", "/v1/sip-trunk"], [404, "sip_trunk.not_found"]),
  refused("A workspace without a trunk has none to delete.", ["DELETE", "/v1/sip-trunk"], [404, "sip_trunk.not_found"]),
  refused("A trunk without what its mode needs is refused.", ["POST", "/v1/sip-trunk"], [422, "sip_trunk.invalid"], {
    body: { auth_mode: "ip" }
  }),
  promise("Who has claimed a number of the platform cannot connect a trunk.", async ({ ask }) => {
    const { body: workspace } = await ask("GET", "/v1/workspace")
    const answer = await ask("PUT", "/v1/sip-trunk", { body: trunkBody })
    return workspace?.number_mode === "unset"
      ? notError(answer, 404, "sip_trunk.not_found")
      : notError(answer, 409, "workspace.locked_to_platform_numbers")
  })
]

export const sipCredentials: Area = { name: "sip", promises: credentials }
export const webrtc: Area = { name: "webrtc", promises: tokens }
export const trunk: Area = { name: "trunk", promises: trunks }
