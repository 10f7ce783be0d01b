// Cleans up a closed workspace: revokes its API keys, releases its numbers, deletes its trunk, ends its paid storage
// and has its saved card forgotten. Each step can be repeated and then finds what was added meanwhile. Calls in
// progress continue to their end, and webhooks still report all of this.
import { Effect } from "effect"
import { ApiKeyCommands } from "../../domain/access/ApiKeyCommand.ts"
import { systemOrigin as origin } from "../../domain/access/Origin.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { ApiKeyReads } from "../../domain/ports/access/ApiKeyReads.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { free_tier_mb } from "../../domain/storage/Tiers.ts"
import { StorageCommands } from "../../domain/storage/StorageCommand.ts"
import { NumberCommands } from "../../domain/numbers/NumberCommand.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

const maxConcurrency = 16
const keysPerPage = 200

export const makeCloseWorkspace = Effect.gen(function* () {
  const ids = yield* Ids
  const keys = yield* ApiKeyReads
  const numbers = yield* NumberReads
  const system = yield* ActorSystem

  /**
   * Releases the numbers, which ends their SIP credentials. Fails while a claim from before the closing is still being
   * processed, so that the caller tries again.
   */
  const releaseNumbers = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    const held = yield* numbers.held(workspace_id)
    yield* Effect.forEach(
      held.filter(({ claiming }) => !claiming),
      ({ id, source }) =>
        source === "byo"
          ? system.ask(NumberCommands.Remove, id, { workspace_id, origin })
          : Effect.asVoid(system.ask(NumberCommands.Release, id, { workspace_id, origin })),
      {
        concurrency: maxConcurrency,
        discard: true
      }
    )
    if (held.some(({ claiming }) => claiming)) return yield* new ServiceUnavailable()
  })

  const deleteTrunk = (workspace_id: WorkspaceId) =>
    system
      .ask(TrunkCommands.Delete, workspace_id, { in_use: false, origin })
      .pipe(Effect.catchTag("sip_trunk.not_found", () => Effect.void))

  /** The storage that is paid for stays until the end of the month; it is not renewed. */
  const endPaidStorage = Effect.fnUntraced(function* (workspace_id: WorkspaceId, currency: Currency) {
    yield* system.ask(StorageCommands.Switch, workspace_id, {
      tier_mb: free_tier_mb,
      price_minor: 0,
      currency,
      entry_id: ids.uuid(),
      origin
    })
  })

  /** The card provider is asked to forget the card, too. */
  const removeCard = (workspace_id: WorkspaceId) =>
    system
      .ask(WalletCommands.RemoveCard, workspace_id, { origin })
      .pipe(Effect.catchTag("wallet.not_found", () => Effect.void))

  const revokeKeys = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    let after: Parameters<typeof keys.list>[1]
    do {
      const page = yield* keys.list(workspace_id, after, keysPerPage)
      yield* Effect.forEach(
        page.filter(({ revoked }) => !revoked),
        ({ id, last_used_at }) =>
          Effect.catchTag(
            system.ask(ApiKeyCommands.Revoke, id, { origin, last_used_at }),
            "api_key.already_revoked",
            () => Effect.void
          ),
        { concurrency: maxConcurrency, discard: true }
      )
      const last = page.length < keysPerPage ? undefined : page.at(-1)
      after = last && { at: Date.parse(last.created_at), id: last.id }
    } while (after !== undefined)
  })

  return Effect.fnUntraced(function* (workspace_id: WorkspaceId, currency: Currency) {
    yield* revokeKeys(workspace_id)
    yield* releaseNumbers(workspace_id)
    yield* deleteTrunk(workspace_id)
    yield* endPaidStorage(workspace_id, currency)
    yield* removeCard(workspace_id)
  })
})
