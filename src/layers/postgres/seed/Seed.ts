/**
 * Two workspaces to try the engine with, in development only. A second run changes nothing, and one that comes after
 * a crash finishes what the first began: rows have fixed ids, the money has a fixed ledger entry, and keys that still
 * work are kept.
 */
import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../../actors/access/ApiKeys.ts"
import { ActorSystem } from "../../../actors/runtime/ActorSystem.ts"
import { WalletActor } from "../../../actors/wallet/WalletActor.ts"
import { systemContext } from "../../../actors/shared/RequestContext.ts"
import { Scope } from "../../../domain/access/Scope.ts"
import { Keyring } from "../../../domain/ports/Keyring.ts"
import { type Demo, readDemo, writeDemo } from "./SeedFile.ts"
import { demoOperator, demoOwner, insertPeople, sessionFor } from "./SeedPeople.ts"
import { credits, demoWorkspace, insertRows, otherWorkspace } from "./SeedRows.ts"

const key_life_ms = 365 * 86_400_000

/** The entry's id is a primary key: whoever comes second finds it there, or is refused and finds it then. */
const fillWallet = Effect.fnUntraced(
  function* ({ amount_minor, currency, entry_id, workspace_id }: (typeof credits)[number]) {
    const sql = yield* SqlClient.SqlClient
    const system = yield* ActorSystem
    yield* system.ask(WalletActor, workspace_id, { _tag: "Open", currency })
    const booked = yield* sql`SELECT FROM ledger_entries WHERE id = ${entry_id}`
    if (booked.length > 0) return
    yield* system.ask(WalletActor, workspace_id, {
      _tag: "Credit",
      entry_id,
      kind: "manual_credit",
      amount_minor,
      reference_type: "adjustment",
      reference_id: entry_id,
      description: "Money to try the engine with",
      ...systemContext
    })
  },
  Effect.retry({ times: 10, while: (error) => error._tag === "NotCommitted" })
)

interface WantedKey {
  readonly label: string
  readonly workspace_id: string
  readonly scopes: ReadonlyArray<Scope>
}

/** Whether the token is still what is wanted: genuine, unexpired, of that workspace, without limits, listed and not revoked. */
const works = Effect.fnUntraced(function* (token: string, { workspace_id }: WantedKey) {
  const sql = yield* SqlClient.SqlClient
  const keyring = yield* Keyring
  const claims = yield* Effect.option(keyring.verify(Redacted.make(token)))
  if (claims._tag === "None" || claims.value.workspace_id !== workspace_id || !claims.value.unlimited) return false
  const listed = yield* sql`
    SELECT FROM api_keys WHERE id = ${claims.value.sub} AND workspace_id = ${workspace_id} AND revoked_at IS NULL`
  return listed.length > 0
})

const keyFor = Effect.fnUntraced(function* (kept: string | undefined, wanted: WantedKey) {
  if (kept !== undefined && (yield* works(kept, wanted))) return kept
  const { workspace_id, ...wish } = wanted
  const expires_at = (yield* Clock.currentTimeMillis) + key_life_ms
  const { key } = yield* (yield* ApiKeys).createUnlimited(
    workspace_id,
    { ...wish, env: "live", allowed_ips: [], expires_at },
    systemContext
  )
  return key
})

/** Needs the actors to be started, and no other engine on the same data folder. */
export const seed = Effect.fnUntraced(function* (options: { readonly data_dir: string; readonly base_url: string }) {
  yield* insertRows
  yield* insertPeople
  yield* Effect.forEach(credits, fillWallet, { discard: true })
  const { id: workspace_id, number, tenant_pbx_id } = demoWorkspace
  const other_id = otherWorkspace.id
  const kept = yield* readDemo(options.data_dir)
  const demo: Demo = {
    base_url: options.base_url,
    workspace_id,
    tenant_pbx_id,
    api_key: yield* keyFor(kept?.api_key, { label: "Demo", workspace_id, scopes: Scope.literals }),
    read_only_api_key: yield* keyFor(kept?.read_only_api_key, {
      label: "Demo, reads calls",
      workspace_id,
      scopes: ["calls.read"]
    }),
    number,
    webhook: null,
    owner_session: yield* sessionFor(demoOwner, kept?.owner_session),
    operator_session: yield* sessionFor(demoOperator, kept?.operator_session),
    other_workspace: {
      workspace_id: other_id,
      api_key: yield* keyFor(kept?.other_workspace?.api_key, {
        label: "Other",
        workspace_id: other_id,
        scopes: Scope.literals
      }),
      number: otherWorkspace.number
    }
  }
  if (JSON.stringify(demo) !== JSON.stringify(kept)) yield* writeDemo(options.data_dir, demo)
  return demo
})
