// How a closed workspace comes to an end: what it rents is given back, and what lets somebody in is revoked. Each step
// can be done again, and finds what came meanwhile. Calls that are under way end by themselves, and its webhooks tell
// of all of it.
import { Effect } from "effect"
import { ApiKeyCommands } from "../../domain/access/ApiKeyCommand.ts"
import { systemOrigin as origin } from "../../domain/access/Origin.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { ApiKeyReads } from "../../domain/ports/ApiKeyReads.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { free_tier_mb } from "../../domain/storage/Tiers.ts"
import { NumberCommands } from "../../domain/numbers/NumberCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { StorageActor } from "../storage/StorageActor.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

const together = 16
const keys_at_once = 200

export const makeCloseWorkspace = Effect.gen(function* () {
  const ids = yield* Ids
  const keys = yield* ApiKeyReads
  const numbers = yield* NumberReads
  const system = yield* ActorSystem

  /** Their SIP credentials end with them. A claim that the workspace was granted before it was closed is waited for. */
  const giveBack = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    const held = yield* numbers.held(workspace_id)
    yield* Effect.forEach(
      held.filter(({ claiming }) => !claiming),
      ({ id, source }) =>
        source === "byo"
          ? system.ask(NumberCommands.Remove, id, { workspace_id, origin })
          : Effect.asVoid(system.ask(NumberCommands.Release, id, { workspace_id, origin })),
      {
        concurrency: together,
        discard: true
      }
    )
    if (held.some(({ claiming }) => claiming)) return yield* new ServiceUnavailable()
  })

  const disconnect = (workspace_id: WorkspaceId) =>
    system
      .ask(TrunkCommands.Delete, workspace_id, { in_use: false, origin })
      .pipe(Effect.catchTag("sip_trunk.not_found", () => Effect.void))

  /** The month that is paid for is served; no other is paid for. */
  const letStorageEnd = Effect.fnUntraced(function* (workspace_id: WorkspaceId, currency: Currency) {
    yield* system.ask(StorageActor, workspace_id, {
      _tag: "Switch",
      tier_mb: free_tier_mb,
      price_minor: 0,
      currency,
      entry_id: ids.uuid(),
      origin
    })
  })

  const revokeKeys = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    let after: Parameters<typeof keys.list>[1]
    do {
      const page = yield* keys.list(workspace_id, after, keys_at_once)
      yield* Effect.forEach(
        page.filter(({ revoked }) => !revoked),
        ({ id, last_used_at }) =>
          Effect.catchTag(
            system.ask(ApiKeyCommands.Revoke, id, { origin, last_used_at }),
            "api_key.already_revoked",
            () => Effect.void
          ),
        { concurrency: together, discard: true }
      )
      const last = page.length < keys_at_once ? undefined : page.at(-1)
      after = last && { at: Date.parse(last.created_at), id: last.id }
    } while (after !== undefined)
  })

  return Effect.fnUntraced(function* (workspace_id: WorkspaceId, currency: Currency) {
    yield* revokeKeys(workspace_id)
    yield* giveBack(workspace_id)
    yield* disconnect(workspace_id)
    yield* letStorageEnd(workspace_id, currency)
  })
})
