// The Directory over the memory journal: the workspaces, numbers, extensions and trunks that are stored there.
import { Effect, Layer } from "effect"
import { policyOf } from "../../domain/calls/policy/CallingPolicy.ts"
import { extensionsWith, noExtensions } from "../../domain/credentials/Extension.ts"
import { credentialsState } from "../../domain/credentials/StoredCredentials.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { toWorkspaceId } from "../../domain/BrandedIds.ts"
import type { NumberData } from "../../domain/numbers/PhoneNumber.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import type { Rate } from "../../domain/numbers/Rate.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { trunkState } from "../../domain/trunks/Trunk.ts"
import { servingTrunk } from "../../domain/trunks/Trunk.ts"
import { factsOfState } from "../../domain/workspace/StoredWorkspace.ts"
import { voiceSecretBound } from "../../domain/workspace/VoiceSecret.ts"
import type { Workspace, WorkspaceFacts } from "../../domain/workspace/Workspace.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { isHeld, isOf, storedNumbers } from "./MemoryNumberReads.ts"
import { rowsOf } from "./MemoryRows.ts"

/** Only numbers that a workspace has or had. */
const ownedNumber = (id: NumberId, data: NumberData): OwnedNumber => {
  const { country, inbound_per_min_minor, number, outbound_per_min_minor, routing, source, status } = data
  return {
    id,
    number,
    status: status as OwnedNumber["status"],
    source,
    country,
    outbound_per_min_minor,
    inbound_per_min_minor,
    routing
  }
}

/** Opens the voice secrets. A previous secret that no key opens is dropped. */
const workspaceOf = (vault: Vault["Service"], id: WorkspaceId, facts: WorkspaceFacts): Workspace => {
  const { currency, gateway_id, name, number_mode, previous_voice_secret: replaced, retention_days } = facts
  const { status, tenant_pbx_id } = facts
  const voice_secret = vault.open(facts.voice_secret, voiceSecretBound(id))
  if (voice_secret === undefined) throw new Error(`No key opens the voice secret of workspace ${id}.`)
  const previous = replaced && vault.open(replaced.secret, voiceSecretBound(id))
  return {
    id,
    name,
    status,
    currency,
    tenant_pbx_id,
    gateway_id,
    voice_secret,
    previous_voice_secret: replaced && previous ? { ...replaced, secret: previous } : null,
    calling_policy: policyOf(facts.calling_policy),
    retention_days,
    number_mode
  }
}

export const layer = (
  journal: MemoryJournal,
  rates: ReadonlyArray<Rate & { readonly currency: string }>
): Layer.Layer<Directory, never, Vault> =>
  Layer.effect(
    Directory,
    Effect.map(Vault, (vault) => {
      const { tables } = journal
      const longestFirst = rates.toSorted((a, b) => b.prefix.length - a.prefix.length)
      const find = (id: WorkspaceId): Workspace | undefined => {
        const row = tables.snapshot("Workspace", id)
        return row && workspaceOf(vault, id, factsOfState(row.state))
      }
      const heldBy = (workspace_id: WorkspaceId) =>
        storedNumbers(journal).filter((number) => number.data.workspace_id === workspace_id && isHeld(number))
      return Directory.of({
        caughtUp: () => Effect.void,
        workspace: (workspace_id) => Effect.sync(() => find(workspace_id)),
        workspaceOfPbx: (tenant_pbx_id) =>
          Effect.sync(() => {
            const row = rowsOf(journal, "Workspace").find(({ columns }) => columns["tenant_pbx_id"] === tenant_pbx_id)
            return row && find(toWorkspaceId(row.actor_id))
          }),
        number: (workspace_id, e164) =>
          Effect.sync(() => {
            const found = storedNumbers(journal).find(
              (number) => number.data.number === e164 && isOf(number, workspace_id)
            )
            return found && ownedNumber(found.id, found.data)
          }),
        numberOf: (e164) =>
          Effect.sync(() => {
            const found = storedNumbers(journal).find((number) => number.data.number === e164 && isHeld(number))
            if (found === undefined || found.data.workspace_id === null) return undefined
            return { ...ownedNumber(found.id, found.data), workspace_id: found.data.workspace_id }
          }),
        countries: (workspace_id) =>
          Effect.sync(() => [...new Set(heldBy(workspace_id).map(({ data }) => data.country))].sort()),
        extensions: (workspace_id) =>
          Effect.sync(() => {
            const row = tables.snapshot("SipCredentials", workspace_id)
            if (row === undefined) return noExtensions
            const held = new Set(heldBy(workspace_id).map(({ id }) => id))
            return extensionsWith(credentialsState.view(row.state).credentials, held)
          }),
        trunk: (workspace_id) =>
          Effect.sync(() => {
            const row = tables.snapshot("SipTrunk", workspace_id)
            return row && servingTrunk(trunkState.view(row.state))
          }),
        rate: (currency, _direction, digits, _at, source = "platform") =>
          Effect.succeed(
            longestFirst.find(
              (rate) =>
                rate.currency === currency &&
                digits.startsWith(rate.prefix) &&
                (rate.class === "byo") === (source === "byo")
            )
          )
      })
    })
  )
