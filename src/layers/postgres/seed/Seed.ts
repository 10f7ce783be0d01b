/**
 * Creates two demo workspaces, in development only. A second run changes nothing, and a run after a crash completes the
 * first: rows have fixed ids, the opening balance is a ledger entry with a fixed id, and keys that still work stay.
 */
import { WalletCommands } from "../../../domain/wallet/WalletCommand.ts"
import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../../actors/access/ApiKeys.ts"
import { ActorSystem } from "../../../actors/runtime/ActorSystem.ts"
import { systemContext } from "../../../actors/shared/RequestContext.ts"
import type { KeyEnvironment } from "../../../domain/access/ApiKeyClaims.ts"
import { Scope } from "../../../domain/access/Scope.ts"
import { Keyring } from "../../../domain/ports/engine/Keyring.ts"
import { Vault } from "../../../domain/ports/engine/Vault.ts"
import { voiceSecretBound } from "../../../domain/workspace/VoiceSecret.ts"
import { apiKeyFile, type Demo, type PbxGateway, readDemo, writeDemo } from "./SeedFile.ts"
import { demoOperator, demoOwner, insertPeople, sessionFor } from "./SeedPeople.ts"
import { credits, demoWorkspace, insertRows, otherWorkspace } from "./SeedRows.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import { existsSync } from "node:fs"

const keyLifetime_ms = 365 * 86_400_000

/** Credits the opening balance once. The entry id is a primary key, so a concurrent run is refused and retries. */
const fillWallet = Effect.fnUntraced(
  function* ({ amount_minor, currency, entry_id, workspace_id }: (typeof credits)[number]) {
    const sql = yield* SqlClient.SqlClient
    const system = yield* ActorSystem
    yield* system.ask(WalletCommands.Open, workspace_id, { currency })
    const booked = yield* sql`SELECT FROM ledger_entries WHERE id = ${entry_id}`
    if (booked.length > 0) return
    yield* system.ask(WalletCommands.Credit, workspace_id, {
      entry_id,
      kind: "manual_credit",
      amount_minor,
      reference_type: "adjustment",
      reference_id: entry_id,
      description: "Opening balance of the demo",
      ...systemContext
    })
  },
  Effect.retry({ times: 10, while: (error) => error._tag === "NotCommitted" })
)

interface DemoKey {
  readonly label: string
  readonly workspace_id: WorkspaceId
  readonly scopes: ReadonlyArray<Scope>
  /** Default: live. */
  readonly env?: KeyEnvironment
}

/** Whether the token is a genuine, unexpired, unlimited and unrevoked key of the workspace. */
const isUsable = Effect.fnUntraced(function* (token: string, { env = "live", workspace_id }: DemoKey) {
  const sql = yield* SqlClient.SqlClient
  const keyring = yield* Keyring
  const claims = yield* Effect.option(keyring.verify(Redacted.make(token)))
  if (claims._tag === "None" || claims.value.workspace_id !== workspace_id || claims.value.env !== env) return false
  if (!claims.value.unlimited) return false
  const listed = yield* sql`
    SELECT FROM api_keys WHERE id = ${claims.value.sub} AND workspace_id = ${workspace_id} AND revoked_at IS NULL`
  return listed.length > 0
})

const keyFor = Effect.fnUntraced(function* (previous: string | undefined, demoKey: DemoKey) {
  if (previous !== undefined && (yield* isUsable(previous, demoKey))) return previous
  const { env = "live", workspace_id, ...request } = demoKey
  const expires_at = (yield* Clock.currentTimeMillis) + keyLifetime_ms
  const { key } = yield* (yield* ApiKeys).createUnlimited(
    workspace_id,
    { ...request, env, allowed_ips: [], expires_at },
    systemContext
  )
  return key
})

/** The voice secret as it is now: somebody may have rotated it since an earlier start. Null: it cannot be unsealed. */
const voiceSecretOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const rows = yield* sql<{ readonly voice_secret: string }>`
    SELECT voice_secret FROM workspaces WHERE id = ${workspace_id}`
  return rows.map(({ voice_secret }) => vault.open(voice_secret, voiceSecretBound(workspace_id)))[0] ?? null
})

/**
 * Seeds the database and returns what `demo.json` says. Run it after the actors have started, in one engine at a time.
 */
export const seed = Effect.fnUntraced(function* (options: {
  readonly data_dir: string
  readonly base_url: string
  readonly pbx_gateway?: PbxGateway
  readonly default_gateway?: string
}) {
  yield* insertRows(options.default_gateway ?? "default")
  yield* insertPeople
  yield* Effect.forEach(credits, fillWallet, { discard: true })
  const { id: workspace_id, number, tenant_pbx_id } = demoWorkspace
  const other_id = otherWorkspace.id
  const previous = yield* readDemo(options.data_dir)
  const demo: Demo = {
    base_url: options.base_url,
    pbx_gateway: options.pbx_gateway ?? "simulator",
    workspace_id,
    tenant_pbx_id,
    mode: "live",
    voice_secret: yield* voiceSecretOf(workspace_id),
    api_key: yield* keyFor(previous?.api_key, { label: "Demo", workspace_id, scopes: Scope.literals }),
    test_api_key: yield* keyFor(previous?.test_api_key, {
      label: "Demo, test mode",
      workspace_id,
      scopes: Scope.literals,
      env: "test"
    }),
    read_only_api_key: yield* keyFor(previous?.read_only_api_key, {
      label: "Demo, reads calls",
      workspace_id,
      scopes: ["calls.read"]
    }),
    number,
    webhook: null,
    owner_session: yield* sessionFor(demoOwner, previous?.owner_session),
    operator_session: yield* sessionFor(demoOperator, previous?.operator_session),
    other_workspace: {
      workspace_id: other_id,
      api_key: yield* keyFor(previous?.other_workspace?.api_key, {
        label: "Other",
        workspace_id: other_id,
        scopes: Scope.literals
      }),
      number: otherWorkspace.number
    }
  }
  // The file for scripts is newer than some of these.
  if (JSON.stringify(demo) !== JSON.stringify(previous) || !existsSync(apiKeyFile(options.data_dir)))
    yield* writeDemo(options.data_dir, demo)
  return demo
})
