/**
 * After a change of the master key: what is kept for good and was sealed with a key before it is sealed with the one in
 * use. Level-triggered: as long as there is a former key, the database is asked each hour what it sealed, so that it
 * does not matter what ended a pass, and what a process that still used the old key has sealed meanwhile is found the
 * next time.
 */
import { Effect, Layer, Schedule } from "effect"
import { providerPasswordBound } from "../../domain/numbers/Provider.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { type SealedKind, sealedKinds, type SealedRow, SealedRows } from "../../domain/ports/SealedRows.ts"
import { Vault } from "../../domain/ports/Vault.ts"
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
import { toWorkspaceId } from "../../domain/BrandedIds.ts"

const rows_at_once = 50
const pause = "1 hour"

const sealedText = /"([0-9a-f]{8}\.[A-Za-z0-9_-]{38,})"/g
const uuidText = /"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g

const textsOf = (row: string, pattern: RegExp): ReadonlyArray<string> => [
  ...new Set([...row.matchAll(pattern)].flatMap(([, text]) => text ?? []))
]

/** What the secrets of a row may be bound to: only the right one opens them. */
const boundsOf = (kind: SealedKind, { id, row }: SealedRow): ReadonlyArray<string> => {
  const within = textsOf(row, uuidText)
  switch (kind) {
    case "Workspace":
      return [voiceSecretBound(toWorkspaceId(id))]
    case "Subscription":
      return within.map((workspace_id) => sealContext(webhookSecret, id, toWorkspaceId(workspace_id)))
    case "SipCredentials":
      return within.map((credential_id) => sealContext(passwordPlace, credential_id, toWorkspaceId(id)))
    case "SipTrunk":
      return within.map((trunk_id) => trunkPasswordBound(trunk_id, toWorkspaceId(id)))
    case "Provider":
      return [providerPasswordBound(id)]
  }
}

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

  const anew = (kind: SealedKind, found: SealedRow): Readonly<Record<string, string>> => {
    const bounds = boundsOf(kind, found)
    const pairs = textsOf(found.row, sealedText)
      .filter((text) => !text.startsWith(`${rows.current}.`))
      .flatMap((text) => {
        for (const bound of bounds) {
          const opened = vault.open(text, bound)
          if (opened !== undefined) return [[text, vault.seal(opened, bound)] as const]
        }
        return []
      })
    return Object.fromEntries(pairs)
  }

  const put = (
    kind: SealedKind,
    id: string,
    replaced: Readonly<Record<string, string>>
  ): Effect.Effect<void, Failure | NotCommitted | ReadFailed> =>
    kind === "Provider"
      ? Effect.forEach(Object.entries(replaced), ([sealed, other]) => rows.replacePassword(id, sealed, other), {
          discard: true
        })
      : reseal(system, actorOf[kind], id, replaced)

  /** How many rows were sealed anew, and how many cannot be opened by any key that is here. */
  const pass = Effect.gen(function* () {
    const told = { sealed_anew: 0, not_opened: 0 }
    for (const kind of sealedKinds) {
      let after: string | undefined
      do {
        const found: ReadonlyArray<SealedRow> = yield* rows.others(kind, after, rows_at_once)
        for (const row of found) {
          const replaced = anew(kind, row)
          if (Object.keys(replaced).length === 0) told.not_opened++
          else
            yield* Effect.andThen(
              put(kind, row.id, replaced),
              Effect.sync(() => told.sealed_anew++)
            )
        }
        after = found.length < rows_at_once ? undefined : found.at(-1)?.id
      } while (after !== undefined)
    }
    return told
  })

  return Effect.matchEffect(pass, {
    onFailure: (error) =>
      Effect.logWarning("What former master keys sealed was not all sealed anew; it will be", error.message),
    onSuccess: (told) =>
      told.sealed_anew + told.not_opened === 0
        ? Effect.void
        : Effect.annotateLogs(Effect.logInfo("secrets of former master keys were sealed anew"), told)
  })
})

/** Seals anew in the background. Without a former key there is nothing to do. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { current } = yield* SealedRows
    if (current === undefined) return
    yield* Effect.forkScoped(Effect.repeat(yield* make, Schedule.spaced(pause)))
  })
)
