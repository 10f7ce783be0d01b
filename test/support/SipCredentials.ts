// Requests about the SIP credentials of the demo workspace's number, and what the simulated PBX holds of them.
import { Context, Effect } from "effect"
import type { CredentialRecord } from "../../src/domain/credentials/CredentialRecord.ts"
import { PbxSimulator } from "../../src/layers/pbx/simulator/PbxSimulator.ts"
import { DemoFile } from "./Engine.ts"
import { ask } from "./HttpTester.ts"
import type { CredentialId } from "../../src/domain/BrandedIds.ts"
import { until } from "./Until.ts"

export type Shown = CredentialRecord & { readonly password: string }

export const pathOf = Effect.map(DemoFile, ({ number }) => `/v1/numbers/${number.id}/sip-credentials`)

export const create = (extension: string, more: object = {}, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { api_key: key } = yield* DemoFile
    return yield* ask({ path: yield* pathOf, key, body: { extension, ...more }, headers })
  })

export const change = (id: string, verb: string, body: object = {}, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { api_key: key } = yield* DemoFile
    return yield* ask({ path: `${yield* pathOf}/${id}/${verb}`, key, body, headers })
  })

export const list = Effect.gen(function* () {
  const { api_key: key } = yield* DemoFile
  return (yield* ask({ path: yield* pathOf, key })).body as Array<CredentialRecord>
})

/** Waits until there is a result, and returns it. */
export const eventually = <A, R>(what: string, look: Effect.Effect<A | undefined | false, never, R>) =>
  until(what, look, (it): it is Exclude<A, undefined | false> => it !== undefined && it !== false, { every_ms: 10 })

export const pbx = Effect.map(Effect.context<never>(), (context) => Context.getUnsafe(context, PbxSimulator))

export const passwordsOf = (id: CredentialId) => Effect.map(pbx, ({ registry }) => registry.users.get(id)?.passwords)
