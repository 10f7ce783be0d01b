// The promises about API keys, scopes, and what only people may do.
import {
  type Area,
  expected,
  is,
  isBoolean,
  isInstant,
  isText,
  isUuid,
  type Kept,
  member,
  nobody,
  notError,
  notStatus,
  oneOf,
  promise,
  refused
} from "../Kept.ts"
import type { Asked, Json, World } from "../World.ts"

const own = (world: World) => world.shared("the key", async () => (await world.ask("GET", "/v1/key")).body as Json)

/** A JSON part of the key: 0 is its header, 1 its claims. */
const partOf = ({ key }: World, index: number): Json => {
  try {
    return JSON.parse(Buffer.from(key.split(".")[index] ?? "", "base64url").toString("utf8"))
  } catch {
    return undefined
  }
}

const known =
  (name: string) =>
  async (world: World): Promise<Json> => ({ [name]: (await own(world))?.[name], of: await own(world) })

/** A key with another signature. */
const forged = ({ key }: World): Asked => {
  const end = key.slice(-12)
  return { key: `${key.slice(0, -12)}${end.startsWith("A") ? "B" : "A"}${end.slice(1)}` }
}

/** A key with other claims under the same signature. */
const altered = ({ key }: World): Asked => {
  const [header = "", claims = "", signature = ""] = key.split(".")
  const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString("utf8") || "{}"), workspace_id: nobody }
  return { key: [header, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".") }
}

/** A key that is signed by nobody. */
const unsigned = ({ key }: World): Asked => {
  const [, claims = ""] = key.split(".")
  return { key: `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${claims}.` }
}

const balance = ["GET", "/v1/wallet/balance"] as const
const invalid = [401, "api_key.invalid"] as const

const keyed: ReadonlyArray<Kept> = [
  refused("A request without a key is refused.", balance, [401, "api_key.missing"], { key: null }),
  refused("A malformed key is refused.", balance, invalid, { key: "nonsense" }),
  refused("A forged key is refused.", balance, invalid, forged),
  refused("A key whose claims were changed is refused.", balance, invalid, altered),
  refused("A key without a signature is refused.", balance, invalid, unsigned),
  refused("Another scheme than Bearer is no key.", balance, [401, "api_key.missing"], {
    key: null,
    headers: { authorization: "Basic abc" }
  }),
  promise("A key is a JWT that is signed by ES256.", async (world) => {
    const { body } = await world.ask("GET", "/v1/.well-known/jwks.json")
    const alg = partOf(world, 0)?.alg
    const isSigning =
      Array.isArray(body?.keys) &&
      body.keys.some((key: Json) => key.kid === partOf(world, 0)?.kid && key.alg === "ES256")
    return expected(alg === "ES256" && isSigning, `its algorithm is ${alg}, and the published keys do not have its kid`)
  }),
  promise("A key claims the scopes that it has.", async (world) => {
    const claimed: Json = partOf(world, 1)?.scopes
    const { scopes } = await own(world)
    return expected(
      Array.isArray(claimed) && Array.isArray(scopes) && claimed.toSorted().join() === scopes.toSorted().join(),
      "they differ"
    )
  }),
  member("A key has a UUID.", own, "id", isUuid),
  member("A key has a label.", own, "label", isText),
  member("A key says when it expires.", own, "expires_at", isInstant),
  member("A key says whether it is revoked.", own, "revoked", is(false)),
  member("A key is of live mode or of test mode.", known("env"), "env", oneOf("live", "test")),
  member(
    "A key says whether it is live.",
    own,
    "livemode",
    (value, { env }) => isBoolean(value) && value === (env === "live")
  ),
  member("A key names its workspace.", own, "workspace_id", isUuid),
  promise("The whole key is not shown again.", async (world) => {
    const { status, text } = await world.ask("GET", "/v1/key")
    return expected(status === 200 && !text.includes(world.key) && !/eyJ/.test(text), "it is shown")
  }),
  promise("The keys that sign are public.", async ({ ask }) => {
    const answer = await ask("GET", "/v1/.well-known/jwks.json", { key: null })
    const [first] = answer.body?.keys ?? []
    return (
      notStatus(answer, 200) ??
      expected(first?.kty === "EC" && first.crv === "P-256" && !("d" in first), "they are not, or are private, too")
    )
  })
]

const people = (what: string, method: string, path: string, body?: object): Kept =>
  refused(`No key ${what}: a member must be signed in.`, [method, path], [403, "api_key.scope_denied"], { body })

const peopleOnly: ReadonlyArray<Kept> = [
  people("makes keys", "POST", "/v1/api-keys", { label: "conformance", scopes: ["calls.read"] }),
  people("lists keys", "GET", "/v1/api-keys"),
  people("revokes keys", "POST", `/v1/api-keys/${nobody}/revoke`),
  people("lists members", "GET", "/v1/members"),
  people("removes members", "DELETE", `/v1/members/${nobody}`),
  people("invites", "POST", "/v1/invitations", { email: "ann@example.com", role: "member" }),
  people("lists invitations", "GET", "/v1/invitations"),
  people("closes a workspace", "POST", "/v1/workspace/close", {}),
  refused("A session is needed to read a session.", ["GET", "/v1/auth/session"], [401, "auth.session_invalid"], {
    key: null
  }),
  refused(
    "A session is needed for what operators do.",
    ["GET", "/v1/admin/workspaces"],
    [401, "auth.session_invalid"],
    { key: null }
  ),
  refused(
    "An invitation is accepted by a signed-in person only.",
    ["POST", "/v1/auth/invite/accept"],
    [401, "invite_requires_login"],
    { key: null, body: {} }
  ),
  refused(
    "A sign-in link that was not issued here is refused.",
    ["POST", "/v1/auth/magic-link/verify"],
    [401, "auth.token_invalid"],
    { key: null, body: { token: "nonsense" } }
  ),
  promise("Sign-in by an identity provider leads to it, or is not set up.", async ({ ask }) => {
    const answer = await ask("GET", "/v1/auth/idp/start", { key: null })
    return answer.status === 302 ? undefined : notError(answer, 503, "auth.idp_not_configured")
  }),
  promise("The events of a PBX need its own secret.", async ({ ask }) => {
    const answer = await ask("POST", "/v1/webhooks/pbx/events", { body: {} })
    return notError(answer, 401, "api_key.invalid")
  })
]

const workspace = (world: World) =>
  world.shared("the workspace", async () => (await world.ask("GET", "/v1/workspace")).body as Json)

const workspaces: ReadonlyArray<Kept> = [
  member("A workspace has a UUID.", workspace, "id", isUuid),
  member("A workspace that works is active.", workspace, "status", is("active")),
  member("A workspace has a name.", workspace, "name", isText),
  promise("The wallet, the key and the workspace are of one workspace.", async (world) => {
    const { body } = await world.ask("GET", "/v1/wallet/balance")
    const ids = [(await workspace(world))?.id, (await own(world))?.workspace_id, body?.workspace_id]
    return expected(new Set(ids).size === 1 && isUuid(ids[0]), ids.join(", "))
  })
]

const entries = (world: World) =>
  world.shared("the audit log", async (): Promise<ReadonlyArray<Json>> => {
    const { body } = await world.ask("GET", "/v1/audit?limit=20")
    return Array.isArray(body) ? body : []
  })
const entry = async (world: World): Promise<Json> => (await entries(world))[0]

const audited: ReadonlyArray<Kept> = [
  member("An entry of the audit log says what was done.", entry, "action_kind", isText),
  member("An entry of the audit log says who did it.", entry, "actor.type", oneOf("user", "api_key", "system", "ops")),
  member("An entry of the audit log says when.", entry, "created_at", isInstant),
  member("An entry of the audit log says to what.", entry, "target.type", isText),
  promise("Each entry of the audit log has the hash of the one before it.", async (world) => {
    const bySequence = new Map((await entries(world)).map((each) => [each.sequence, each]))
    const linked = [...bySequence.values()].filter(({ sequence }) => bySequence.has(sequence - 1))
    const broken = linked.find(({ prev_hash, sequence }) => prev_hash !== bySequence.get(sequence - 1).hash)
    return expected(linked.length > 0 && broken === undefined, `entry ${broken?.sequence} has another`)
  }),
  promise("The audit log can be filtered by what was done.", async (world) => {
    const kind: Json = (await entries(world))[0]?.action_kind
    const { body } = await world.ask("GET", `/v1/audit?action_kind=${kind}&limit=20`)
    return expected(
      Array.isArray(body) && body.length > 0 && body.every(({ action_kind }: Json) => action_kind === kind),
      "others came, or none"
    )
  }),
  refused(
    "An unknown kind in a filter of the audit log is refused.",
    ["GET", "/v1/audit?action_kind=nothing"],
    [422, "audit.invalid_action_kind"]
  )
]

export const keys: Area = { name: "keys", promises: keyed }
export const accounts: Area = { name: "accounts", promises: [...peopleOnly, ...workspaces] }
export const audit: Area = { name: "audit", promises: audited }
