/**
 * After a change of the master key, encrypts the stored secrets anew with the current key. While a previous key is
 * configured, it searches the database every hour for secrets that another key sealed. So a pass that was interrupted
 * is made up for, and secrets that another process has sealed with the old key meanwhile are found too.
 */
import { Effect, Layer, Schedule } from "effect"
import { providerPasswordBound } from "../../domain/numbers/Provider.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SealedRows } from "../../domain/ports/engine/SealedRows.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { voiceSecretBound } from "../../domain/workspace/VoiceSecret.ts"
import { CredentialsActor } from "../credentials/CredentialsActor.ts"
import { passwordPlace } from "../credentials/CredentialSecrets.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { reseal } from "../runtime/Resealable.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { SubscriptionActor } from "../webhooks/SubscriptionActor.ts"
import { TrunkActor } from "../trunks/TrunkActor.ts"
import { trunkPasswordBound } from "../trunks/TrunkPassword.ts"
import { webhookSecret } from "../webhooks/WebhookResponses.ts"
import { WorkspaceActor } from "../workspace/WorkspaceActor.ts"
import { toTrunkId, toWorkspaceId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { keysOf } from "../../domain/KeysOf.ts"
import { type SealedKind, sealedMembers, type SealedRow, secretsOf } from "../../domain/state/SealedRow.ts"

const rowsPerPage = 50
const pause = "1 hour"

/** What a secret is bound to, by the `id` beside it. */
const contextOf = {
  Workspace: (id) => voiceSecretBound(toWorkspaceId(id)),
  Subscription: (id, workspace_id) => sealContext(webhookSecret, id, workspace_id),
  SipCredentials: (id, workspace_id) => sealContext(passwordPlace, id, workspace_id),
  SipTrunk: (id, workspace_id) => trunkPasswordBound(toTrunkId(id), workspace_id),
  Provider: providerPasswordBound
} satisfies Record<SealedKind, (id: string, workspace_id: WorkspaceId) => string>

const actorOf = {
  Workspace: WorkspaceActor,
  Subscription: SubscriptionActor,
  SipCredentials: CredentialsActor,
  SipTrunk: TrunkActor
}

const make = Effect.gen(function* () {
  const rows = yield* SealedRows
  const system = yield* ActorSystem
  const vault = yield* Vault

  /** Replacements of the secrets that a previous key sealed. */
  const resealedTexts = (kind: SealedKind, found: SealedRow): Readonly<Record<string, string>> => {
    const workspace_id = toWorkspaceId(String(found.row["workspace_id"]))
    const pairs = secretsOf(kind, found)
      .filter(({ sealed }) => !sealed.startsWith(`${rows.current}.`))
      .flatMap(({ id, sealed }) => {
        const context = contextOf[kind](id, workspace_id)
        const opened = vault.open(sealed, context)
        return opened === undefined ? [] : [[sealed, vault.seal(opened, context)] as const]
      })
    return Object.fromEntries(pairs)
  }

  const store = (
    kind: SealedKind,
    id: string,
    replaced: Readonly<Record<string, string>>
  ): Effect.Effect<void, Failure | NotCommitted | ReadFailed> =>
    kind === "Provider"
      ? Effect.forEach(Object.entries(replaced), ([sealed, other]) => rows.replacePassword(id, sealed, other), {
          discard: true
        })
      : reseal(system, actorOf[kind], id, replaced)

  /** Seals all rows anew. Returns how many it resealed, and how many no configured key can decrypt. */
  const pass = Effect.gen(function* () {
    const counts = { resealed: 0, not_decrypted: 0 }
    for (const kind of keysOf(sealedMembers)) {
      let after: string | undefined
      do {
        const found: ReadonlyArray<SealedRow> = yield* rows.others(kind, after, rowsPerPage)
        for (const row of found) {
          const replaced = resealedTexts(kind, row)
          if (Object.keys(replaced).length === 0) counts.not_decrypted++
          else
            yield* Effect.andThen(
              store(kind, row.id, replaced),
              Effect.sync(() => counts.resealed++)
            )
        }
        after = found.length < rowsPerPage ? undefined : found.at(-1)?.id
      } while (after !== undefined)
    }
    return counts
  })

  return Effect.matchEffect(pass, {
    onFailure: (error) =>
      Effect.logWarning("Resealing secrets with the current master key failed; retrying in an hour", error.message),
    onSuccess: (counts) =>
      counts.resealed + counts.not_decrypted === 0
        ? Effect.void
        : Effect.annotateLogs(Effect.logInfo("Resealed secrets with the current master key"), counts)
  })
})

/** Reseals in the background. Without a previous key there is nothing to do. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { current } = yield* SealedRows
    if (current === undefined) return
    yield* Effect.forkScoped(Effect.repeat(yield* make, Schedule.spaced(pause)))
  })
)
