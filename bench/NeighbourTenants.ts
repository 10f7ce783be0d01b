// Fifty tenants with a steady load, an abusive one beside them, and what the fifty notice of it.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Redacted } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { Scope as ApiScope } from "../src/domain/access/Scope.ts"
import { toApiKeyId, toWorkspaceId, type WorkspaceId } from "../src/domain/BrandedIds.ts"
import { Keyring } from "../src/domain/ports/engine/Keyring.ts"
import { voiceSecretBound } from "../src/domain/workspace/VoiceSecret.ts"
import { makeVault } from "../src/layers/keyring/AesVault.ts"
import { JoseKeyring } from "../src/layers/keyring/JoseKeyring.ts"
import type { Attack, AttackOrder } from "./NeighbourAttack.ts"
import { fillCalls } from "../test/support/ManyCalls.ts"
import { percentile } from "./Row.ts"

const tenants = 50
const abusive_keys = 10
/** Requests a second of each tenant: a fifth of what a key may read. */
const per_second = 4

export interface Town {
  readonly keys: ReadonlyArray<string>
  readonly attack: Pick<AttackOrder, "call_id" | "keys">
}

/** As many workspaces as are asked for, like the first one: a person may create only a few. */
const makeWorkspaces = Effect.fnUntraced(function* (count: number) {
  const sql = yield* PgClient.PgClient
  const made = yield* sql<{ readonly id: string }>`
    INSERT INTO workspaces (id, name, currency, tenant_pbx_id, gateway_id, voice_secret, calling_policy, created_at, state)
    SELECT gen_random_uuid(), 'Neighbour ' || n, w.currency, 'neighbour' || n, w.gateway_id, w.voice_secret, w.calling_policy, now(), w.state
    FROM workspaces w, generate_series(1, ${count}) n
    WHERE w.id = (SELECT id FROM workspaces ORDER BY created_at LIMIT 1) RETURNING id`
  return made.map(({ id }) => toWorkspaceId(id))
})

/** Gives each workspace a voice secret that the engine can open: it is sealed for its workspace alone. */
const sealSecrets = Effect.fnUntraced(function* (data_dir: string, workspaces: ReadonlyArray<WorkspaceId>) {
  const sql = yield* PgClient.PgClient
  const master = yield* Effect.promise(() => readFile(join(data_dir, "keys/master-key"), "utf8"))
  const { newSecret, seal } = makeVault([Buffer.from(master.trim(), "base64")])
  for (const id of workspaces)
    yield* sql`UPDATE workspaces SET voice_secret = ${seal(newSecret(), voiceSecretBound(id))} WHERE id = ${id}`
})

const keysOf = (data_dir: string, workspaces: ReadonlyArray<WorkspaceId>) =>
  Effect.gen(function* () {
    const current = JSON.parse(yield* Effect.promise(() => readFile(join(data_dir, "keys/signing-key.json"), "utf8")))
    const expires_at = (yield* Clock.currentTimeMillis) + 3_600_000
    return yield* Effect.gen(function* () {
      const { mint } = yield* Keyring
      return yield* Effect.forEach(workspaces, (workspace) =>
        Effect.map(
          mint({
            key_id: toApiKeyId(crypto.randomUUID()),
            workspace_id: workspace,
            scopes: ApiScope.literals,
            env: "live",
            expires_at
          }),
          Redacted.value
        )
      )
    }).pipe(Effect.provide(JoseKeyring({ issuer: "trunkline", audience: "trunkline:api", current })))
  })

/** A call of the workspace with as many events as a timeline shows, each as large as records are. */
const fillTimeline = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
  const sql = yield* PgClient.PgClient
  yield* fillCalls(workspace_id, { calls: 5_000, from: Date.now() - 86_400_000, step_ms: 1_000 })
  const [call] = yield* sql<{ readonly id: string }>`SELECT id FROM calls WHERE workspace_id = ${workspace_id} LIMIT 1`
  if (call === undefined) return ""
  yield* sql`
    INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, recorded_at, late, payload)
    SELECT gen_random_uuid(), ${workspace_id}, ${call.id}, n, 'call.progress', now(), now(), false,
      json_build_object('step', 'bridged', 'status', 'answered', 'hangup_cause', NULL, 'text', repeat('x', 2000))
    FROM generate_series(1, 2500) n`
  return call.id
})

/** Makes the workspaces, with keys that have the limits of any customer. */
export const settle = Effect.fnUntraced(function* (data_dir: string) {
  const workspaces = yield* makeWorkspaces(tenants + 1)
  yield* sealSecrets(data_dir, workspaces)
  const [abusive = toWorkspaceId(""), ...others] = workspaces
  const town: Town = {
    keys: yield* keysOf(data_dir, others),
    attack: {
      keys: yield* keysOf(
        data_dir,
        Array.from({ length: abusive_keys }, () => abusive)
      ),
      call_id: yield* fillTimeline(abusive)
    }
  }
  return town
})

export interface Noticed {
  readonly p50_ms: number
  readonly p99_ms: number
  readonly requests: number
  /** By status, of those that were not 200. */
  readonly refused: Readonly<Record<string, number>>
}

const paths = ["/v1/calls?limit=50", "/v1/wallet/statements", "/v1/numbers", "/v1/webhooks"]

/** Sends requests when they are due, whatever became of those before, and measures each from when it was due. */
export const tenantsFor = async (port: number, keys: ReadonlyArray<string>, duration_ms: number): Promise<Noticed> => {
  const waits: Array<number> = []
  const refused: Record<string, number> = {}
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const ask = (key: string, path: string, due: number) =>
    new Promise<void>((resolve) => {
      const end = (status: number) => {
        waits.push(performance.now() - due)
        if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
        resolve()
      }
      request({ agent, host: "127.0.0.1", port, path, headers: { authorization: `Bearer ${key}` } }, (response) => {
        response.resume().on("end", () => end(response.statusCode ?? 0))
      })
        .on("error", () => end(0))
        .end()
    })
  const asked: Array<Promise<void>> = []
  const start = performance.now()
  const total = Math.floor((duration_ms / 1_000) * per_second * keys.length)
  for (let n = 0; n < total; n++) {
    const due = start + (n * 1_000) / (per_second * keys.length)
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    asked.push(ask(keys[n % keys.length] ?? "", paths[Math.floor(n / keys.length) % paths.length] ?? "", due))
  }
  await Promise.all(asked)
  agent.destroy()
  return { p50_ms: percentile(waits, 0.5), p99_ms: percentile(waits, 0.99), requests: waits.length, refused }
}

export const attacker = Effect.acquireRelease(
  Effect.sync(() => fork(join(import.meta.dirname, "NeighbourAttack.ts"))),
  (child) => Effect.sync(() => child.kill())
)

/** Attacks until `meanwhile` has ended. */
export const underAttack = async <A>(
  child: ChildProcess,
  order: AttackOrder,
  meanwhile: () => Promise<A>
): Promise<{ readonly attack: Attack; readonly result: A }> => {
  child.send(order)
  const result = await meanwhile()
  child.send("end")
  const [attack] = (await once(child, "message")) as [Attack]
  return { attack, result }
}
