// Ways in which a deployment may be wrong. Each promise of the interface must notice one of them.
import type { Exchange, Flaw } from "./Replay.ts"

type Json = unknown

/** Changes each value of a JSON text. `name` is that of the member; undefined in arrays. Undefined drops it. */
const mapped = (text: string, change: (value: Json, name: string | undefined) => Json): string => {
  const walk = (value: Json, name: string | undefined): Json => {
    const changed = change(value, name)
    if (Array.isArray(changed)) return changed.map((each) => walk(each, undefined))
    if (typeof changed !== "object" || changed === null) return changed
    return Object.fromEntries(Object.entries(changed).map(([member, each]) => [member, walk(each, member)]))
  }
  try {
    return JSON.stringify(walk(JSON.parse(text), undefined)) ?? ""
  } catch {
    return text
  }
}

/** What names things, and what a flaw leaves alone, so that more than the set-up is judged. */
const names = new Set(["id", "topup_id", "inventory_id", "session_id", "number", "env", "secret", "download_url"])

const body = (change: (value: Json, name: string | undefined) => Json) => ({
  response: ({ text }: Exchange) => ({
    text: mapped(text, (value, name) => (name !== undefined && names.has(name) ? value : change(value, name)))
  })
})

const without = (headers: Headers, ...gone: ReadonlyArray<string>): Headers => {
  const left = new Headers(headers)
  for (const name of gone) left.delete(name)
  return left
}

const text = (change: (text: string) => string): Flaw => ({ response: ({ text: was }) => ({ text: change(was) }) })

const status = (isMeant: (status: number) => boolean, wrong: number): Flaw => ({
  response: (exchange) => (isMeant(exchange.status) ? { status: wrong } : {})
})

const waits = new Set(["ringing", "answered", "completed", "no_answer", "busy", "failed", "canceled"])

/** A flaw of one member: it is absent everywhere, and it is something else everywhere. */
export const flawsOf = (member: string): ReadonlyArray<Flaw> =>
  [undefined, { other: true }].map((wrong) => ({
    response: ({ text: was }: Exchange) => ({ text: mapped(was, (value, name) => (name === member ? wrong : value)) }),
    received: (request) => ({
      ...request,
      body: mapped(request.body, (value, name) => (name === member ? wrong : value))
    })
  }))

/** The names of all members of a text. */
export const membersOf = (json: string): ReadonlyArray<string> =>
  [...json.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name)

export const flaws: Readonly<Record<string, Flaw>> = {
  "answers every success with 203": status((was) => was < 300, 203),
  "answers every success with an empty object": { response: ({ status: was }) => (was < 300 ? { text: "{}" } : {}) },
  "refuses nothing": { response: ({ status: was }) => (was >= 400 ? { status: 200, text: "{}" } : {}) },
  "refuses everything with 418": status((was) => was >= 400, 418),
  "answers other codes": text((was) => was.replaceAll(/"code":"/g, '"code":"other.')),
  "gives no reasons": text((was) => was.replaceAll(/,"reason":"[^"]*"/g, "")),
  "points at nothing": text((was) => was.replaceAll(/"(field|pointer)":"[^"]*"/g, '"$1":"elsewhere"')),
  "adds 1 to every number": body((value) => (typeof value === "number" ? value + 1 : value)),
  "negates every number": body((value) => (typeof value === "number" ? -value - 0.5 : value)),
  "turns every truth round": body((value) => (typeof value === "boolean" ? !value : value)),
  "empties every list": body((value) => (Array.isArray(value) ? [] : value)),
  "reverses every list": body((value) => (Array.isArray(value) ? value.toReversed() : value)),
  "repeats every list": body((value) => (Array.isArray(value) ? [...value, ...value] : value)),
  "fills every null": body((value, name) => (value === null && name !== "error" ? "2026-01-01" : value)),
  "empties every text": body((value, name) =>
    typeof value === "string" && name !== "status" && name !== "api_version" ? "" : value
  ),
  "alters every text": body((value, name) => (typeof value === "string" && name !== "status" ? `~${value}` : value)),
  "alters every status": body((value, name) =>
    typeof value === "string" && name === "status" && !waits.has(value) ? `${value}_` : value
  ),
  "takes busy for canceled": text((was) =>
    was.replaceAll('"busy"', '"canceled"').replaceAll("call.busy", "call.failed")
  ),
  "takes every end for failed": text((was) =>
    was.replaceAll(/"status":"(completed|no_answer|canceled)"/g, '"status":"failed"')
  ),
  "takes failed for busy": text((was) => was.replaceAll('"status":"failed"', '"status":"busy"')),
  "gives all things one id": text((was) => was.replaceAll(/"id":"[^"]*"/g, '"id":"x"')),
  "gives ids that are no UUIDs": {
    response: ({ text: was }) => ({
      text: was.replaceAll(/"((?:topup_|inventory_|event_|delivery_|session_)?id)":"/g, '"$1":"no-uuid-')
    }),
    received: (request) => ({ ...request, body: request.body.replaceAll('"id":"', '"id":"no-uuid-') })
  },
  "takes ringing for answered": text((was) => was.replaceAll('"status":"ringing"', '"status":"answered"')),
  "leaves holds open": text((was) => was.replaceAll('"status":"captured"', '"status":"open"')),
  "calls back elsewhere": {
    received: (request) => ({ ...request, path: request.path.replace("/voice", "/elsewhere") })
  },
  "offers other numbers": text((was) => was.replaceAll('"number":"+', '"number":"0')),
  "lists what it has not": text((was) =>
    was.startsWith("[{") ? was.replaceAll(/"(id|call_id|number)":"/g, '"$1":"0') : was
  ),
  "reads nothing again": { response: ({ name }) => (name.startsWith("GET") ? { text: '{"other":true}' } : {}) },
  "makes nothing": {
    response: ({ name, status: was }) => (/^(POST|PUT) /.test(name) && was < 300 ? { text: '{"other":true}' } : {})
  },
  "accepts all it makes with 203": {
    response: ({ name }) => (/^(POST|PUT|DELETE) /.test(name) ? { status: 203 } : {})
  },
  "serves no sound": text((was) => was.replace(/^RIFF/, "JUNK")),
  "serves downloads with 404": { response: ({ name }) => (name.includes("/download") ? { status: 404 } : {}) },
  "gives each check a reason": text((was) => was.replace('{"to":', '{"reason":"none","to":')),
  "retries nothing": { response: ({ name }) => (name.includes("/retry") ? { status: 204 } : {}) },
  "sends webhooks whose members have other names": {
    received: (request) => ({
      ...request,
      body: request.body
        .replaceAll('"id":', '"ref":')
        .replaceAll('"payload":', '"load":')
        .replaceAll('"occurred_at":', '"when":')
        .replaceAll('"workspace_id":', '"workspace":')
        .replaceAll('"status":', '"state":')
    })
  },
  "sends webhooks of the wrong kind": {
    received: (request) => ({ ...request, body: request.body.replaceAll("call.", "cell.") })
  },
  "shows secrets": text((was) => was.replace(/^(\[?)\{/, '$1{"secret":"whsec_AAAA","password":"hunter2","key":"eyJ",')),
  "sends no headers": { response: ({ headers }) => ({ headers: without(headers, ...headers.keys()) }) },
  "sends other headers": {
    response: ({ headers }) => ({ headers: new Headers([...headers.keys()].map((name) => [name, "other"])) })
  },
  "sends everything as text": {
    response: ({ headers }) => ({
      headers: new Headers(
        [...headers, ["content-type", "text/html"]].filter(
          ([name], index, all) => name !== "content-type" || index === all.length - 1
        ) as Array<[string, string]>
      )
    })
  },
  "adds a member to every object": text((was) =>
    was.replaceAll(/\{"/g, '{"transcript":[],"duration_seconds":1,"more":1,"')
  ),
  "drops the streams": text((was) => (was.startsWith(":") ? "data: {}\n\n" : was)),
  "ends no stream": text((was) => (was.startsWith(":") ? was.replaceAll("event: end", "event: more") : was)),
  "tells of others in streams": text((was) =>
    was.startsWith(":")
      ? was.replaceAll(/"call_id":"[^"]*"/g, '"call_id":"x"').replaceAll('"kind":"', '"kind":"x')
      : was
  ),
  "lets every filter pass": text((was) =>
    was.startsWith("[{")
      ? was.replace(
          /\]$/,
          ',{"id":"x","status":"x","kind":"x","direction":"x","to":"x","from":"x","country":"XX","client_reference":"x","created_at":"1999","action_kind":"x","sequence":-1,"amount_minor":0}]'
        )
      : was
  ),
  "sends webhooks without headers": { received: (request) => ({ ...request, headers: new Headers() }) },
  "sends webhooks with other headers": {
    received: (request) => ({
      ...request,
      headers: new Headers([...request.headers.keys()].map((name) => [name, "other"]))
    })
  },
  "sends webhooks of other times": {
    received: (request) => {
      const headers = new Headers(request.headers)
      headers.set("x-service-signature", String(headers.get("x-service-signature")).replace(/t=\d+/, "t=1"))
      return { ...request, headers }
    }
  },
  "sends webhooks by PUT": { received: (request) => ({ ...request, method: "PUT" }) },
  "changes the body of webhooks": { received: (request) => ({ ...request, body: request.body.replace("{", "{ ") }) },
  "sends attempts that differ": {
    received: (request) => {
      const headers = new Headers(request.headers)
      headers.set("x-service-idempotency-key", crypto.randomUUID())
      return { ...request, headers, body: `${request.body} `.padEnd(Math.ceil(Math.random() * 9_999) + 1_000) }
    }
  },
  "sends webhooks without their members": {
    received: (request) => ({
      ...request,
      body: mapped(request.body, (value, name) =>
        name === undefined ? value : typeof value === "object" ? value : "~"
      )
    })
  },
  "sends webhooks without a payload": {
    received: (request) => ({
      ...request,
      body: mapped(request.body, (value, name) => (name === "payload" ? null : value))
    })
  },
  "calls back too soon": text((was) =>
    was.replaceAll(/"(ended_at|created_at|answered_at)":"[^"]*"/g, '"$1":"2026-01-01T00:00:00.000Z"')
  )
}
