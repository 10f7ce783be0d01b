// The registry of a fake Asterisk: it answers by a script and records its requests.
import { Effect } from "effect"
import { Readable } from "node:stream"
import { TestClock } from "effect/testing"
import { Timers } from "../../src/actors/runtime/Timers.ts"
import type { PbxEventData } from "../../src/domain/pbx/PbxEvent.ts"
import type { TenantAction } from "../../src/domain/pbx/TenantCommand.ts"
import type { Ari, AriResponse } from "../../src/layers/pbx/asterisk/ari/Ari.ts"
import type { AriEvent } from "../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import type { CertificateFault } from "../../src/domain/chatapp/CertificateFault.ts"
import { Registry } from "../../src/layers/pbx/asterisk/registry/Registry.ts"

interface Asked {
  readonly what: string
  readonly fields: Readonly<Record<string, string>> | undefined
}

const dynamic = "/asterisk/config/dynamic/res_pjsip/"

export const makeWorld = Effect.fnUntraced(function* (
  /** `value`: what a variable is set to; "undefined" if it is removed. */
  answer: (path: string, variable: string, value: string | undefined) => AriResponse = () => ({
    status: 200,
    body: {}
  }),
  /** The hosts of the platform. */
  platform: ReadonlyArray<string> = []
) {
  const asked: Array<Asked> = []
  const told: Array<readonly [string, string, PbxEventData]> = []
  const ari: Ari = {
    request: (method, path, query = {}, body) =>
      Effect.sync(() => {
        const given = body as
          | { readonly fields?: ReadonlyArray<{ readonly attribute: string; readonly value: string }> }
          | undefined
        asked.push({
          what: `${method} ${path.replace(dynamic, "")}`,
          fields: given?.fields && Object.fromEntries(given.fields.map(({ attribute, value }) => [attribute, value]))
        })
        return answer(path, String(query["variable"]), method === "POST" ? String(query["value"]) : undefined)
      }),
    download: () => Effect.succeed({ size_bytes: 0, bytes: Readable.from([Buffer.alloc(0)]) }),
    follow: () => Effect.never
  }
  yield* TestClock.setTime(1_000)
  const clock = yield* Effect.clockWith(Effect.succeed)
  const run = Effect.runForkWith(yield* Effect.context<never>())
  /** The state of registrations; undefined if Asterisk does not report it. */
  const registrations: {
    states: ReadonlyMap<string, string> | undefined
    left_s: ReadonlyMap<string, number>
    handled: ReadonlyMap<string, number>
  } = { states: new Map(), left_s: new Map(), handled: new Map() }
  /** What is wrong with the certificate of every host. */
  const certificate: { fault: CertificateFault | undefined } = { fault: undefined }
  const qualified: Array<string> = []
  const registered: Array<string> = []
  const manager = {
    register: (name: string) => Effect.sync(() => void registered.push(name)),
    registrations: Effect.sync(() => registrations.states),
    registrationsLeft_s: Effect.sync(() => registrations.left_s),
    registrationsHandled: Effect.sync(() => registrations.handled),
    readsSecurity: Effect.succeed(true),
    print: () => Effect.undefined,
    dialplan: Effect.undefined,
    beginEvents: Effect.void,
    waitEvents: Effect.never,
    setVariable: () => Effect.succeed(false),
    qualify: (endpoint: string) => Effect.sync(() => void qualified.push(endpoint))
  }
  const registry = new Registry({
    ari,
    app: "trunkline",
    carrier: "carrier",
    certificateFault: () => Effect.succeed(certificate.fault),
    policy: { allow_insecure: true, allow_private: true },
    manager,
    media_timeout: false,
    platform: Effect.succeed(platform),
    now: () => clock.currentTimeMillisUnsafe(),
    run,
    timers: new Timers(clock, run),
    uuid: () => "u",
    report: (tenant, type, data) => void told.push([tenant, type, data])
  })
  const carryOut = (action: TenantAction, tenant_pbx_id = "t1") =>
    Effect.orDie(registry.carryOut({ id: "c", about: "a", tenant_pbx_id, action }))
  return { asked, told, registry, carryOut, registrations, registered, qualified, certificate, ari }
})

/** What Asterisk says of its transport `udp`: the addresses of documentation are the operator's own network. */
export const transport: AriResponse = {
  status: 200,
  body: [{ attribute: "local_net", value: "192.0.2.0/255.255.255.0" }]
}

export const heard = (
  resource: string,
  contact_status: string
): Extract<AriEvent, { type: "ContactStatusChange" }> => ({
  type: "ContactStatusChange",
  timestamp: "2026-11-20T12:00:00.000+0000",
  endpoint: { resource },
  contact_info: { uri: `sip:${resource}@192.0.2.9:5060`, contact_status }
})
