// One abusive tenant and one stranger without a key, who do as fast as they can what they may. A process of its own,
// controlled over IPC: AttackOrder begins it, "end" ends it, and Attack is its answer.
import { Agent, request } from "node:http"

export interface AttackOrder {
  readonly port: number
  /** Keys of the abusive tenant. */
  readonly keys: ReadonlyArray<string>
  /** A call of the tenant whose timeline is as large as it can be. */
  readonly call_id: string
  /** How many connections each of the two has. */
  readonly connections: number
}

/** Number of responses by path and status. */
export type Attack = Readonly<Record<string, number>>

interface Shot {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const json = { "content-type": "application/json" }
const random = (): string => Math.random().toString(36).slice(2)
const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")
/** Looks like a key of the engine, with a signature of the right length. */
const forged = (): string =>
  `${segment({ alg: "ES256", typ: "JWT" })}.${segment({ sub: random() })}.${Buffer.alloc(64, random()).toString("base64url")}`

/** More actions than a document may have, so that all of it is read in vain. */
const document = JSON.stringify({ actions: Array.from({ length: 101 }, () => ({ say: { text: "x".repeat(500) } })) })

/** What the tenant may do: the largest answers, changes, and requests that are refused. */
const tenantShots = (key: string, call_id: string): ReadonlyArray<Shot> => {
  const headers = { authorization: `Bearer ${key}` }
  return [
    { path: "/v1/calls?limit=200", headers },
    { path: `/v1/calls/${call_id}/timeline`, headers },
    { path: "/v1/calls/stats", headers },
    { path: "/v1/recordings?limit=200", headers },
    { path: "/v1/wallet/statements?limit=200", headers },
    { path: "/v1/numbers/available?country=KE&limit=200", headers },
    { method: "POST", path: "/v1/voice-actions/validate", headers: { ...headers, ...json }, body: document },
    { method: "POST", path: "/v1/calls/originate", headers: { ...headers, ...json }, body: '{"to":"+254711000001"}' }
  ]
}

/** What anybody may do. */
const strangerShots = (): ReadonlyArray<Shot> => [
  { path: "/v1/calls", headers: { authorization: `Bearer ${forged()}` } },
  { path: "/v1/calls", headers: { cookie: `session=${random()}` } },
  { path: "/v1/auth/session", headers: { cookie: `session=${random()}` } },
  { path: "/openapi.json" },
  { path: "/readyz" },
  { path: `/v1/cals/${random()}` },
  { method: "POST", path: "/v1/auth/magic-link/verify", headers: json, body: `{"token":"${random()}"}` },
  { method: "POST", path: "/v1/webhooks/pbx/events", headers: { ...json, authorization: "Bearer x" }, body: document }
]

const fire = (agent: Agent, port: number, shot: Shot): Promise<number> =>
  new Promise((resolve) => {
    const { body, headers = {}, method = "GET", path } = shot
    const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0))
    })
    sent.on("error", () => resolve(0))
    sent.end(body)
  })

const attack = ({ call_id, connections, keys, port }: AttackOrder) => {
  const counts: Record<string, number> = {}
  const state = { over: false }
  const lane = async (shots: (turn: number) => ReadonlyArray<Shot>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = 0; !state.over; turn++) {
      const shot = shots(turn)[turn % shots(turn).length]
      if (shot === undefined) continue
      const status = await fire(agent, port, shot)
      const name = `${shot.path.split("?")[0]?.replace(/(cals|calls)\/[^/]+/, "$1/x")} ${status}`
      counts[name] = (counts[name] ?? 0) + 1
      // A refused connection is tried again after a pause: connecting alone would take all of the processor.
      if (status === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    agent.destroy()
  }
  const lanes = Array.from({ length: connections }, (_, n) => [
    lane(() => tenantShots(keys[n % keys.length] ?? "", call_id)),
    lane(strangerShots)
  ]).flat()
  return async (): Promise<Attack> => {
    state.over = true
    await Promise.all(lanes)
    return counts
  }
}

let end: (() => Promise<Attack>) | undefined
process.on("message", (order: AttackOrder | "end") => {
  if (order !== "end") end = attack(order)
  else void end?.().then((counts) => process.send?.(counts))
})
