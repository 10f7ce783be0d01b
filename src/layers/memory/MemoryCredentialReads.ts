// SIP credentials over the memory journal, and the devices that registered with them.
import { Clock, Effect, Layer } from "effect"
import type { CredentialId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { DeviceState, RegistrationReport } from "../../domain/credentials/CredentialRecord.ts"
import { credentialsState } from "../../domain/credentials/StoredCredentials.ts"
import { CredentialReads } from "../../domain/ports/pbx/CredentialReads.ts"
import { Registrations } from "../../domain/ports/pbx/Registrations.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { readRow } from "../state/UnreadableRows.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

interface Device extends RegistrationReport {
  readonly registered_at: number
  readonly gone_at: number
}

const stateOf = (devices: ReadonlyArray<Device>, now: number): DeviceState => {
  const newestFirst = devices.toSorted((a, b) => b.registered_at - a.registered_at)
  const [newest] = newestFirst
  return {
    registrations: newestFirst
      .filter(({ gone_at }) => gone_at > now)
      .map(({ contact, gone_at, transport, user_agent }) => ({
        contact,
        user_agent,
        transport,
        expires_at: isoInstant(gone_at)
      })),
    last_registered_at: newest === undefined ? null : isoInstant(newest.registered_at)
  }
}

/** Shared by all engines of a journal, as a table would be. */
const known = new WeakMap<MemoryJournal, Map<string, Device>>()

const devicesOf = (journal: MemoryJournal): Map<string, Device> => {
  const devices = known.get(journal) ?? new Map<string, Device>()
  known.set(journal, devices)
  return devices
}

const note = (devices: Map<string, Device>, report: RegistrationReport): void => {
  const { contact, credential_id, expires_at, occurred_at, workspace_id } = report
  const key = JSON.stringify([workspace_id, credential_id, contact])
  const before = devices.get(key)
  if (before !== undefined && before.registered_at > occurred_at) return
  if (expires_at !== null) {
    devices.set(key, { ...report, registered_at: occurred_at, gone_at: expires_at })
  } else devices.set(key, { registered_at: occurred_at, ...(before ?? report), gone_at: occurred_at })
}

export const layer = (journal: MemoryJournal): Layer.Layer<CredentialReads | Registrations> => {
  const all = devicesOf(journal)
  const list = (workspace_id: WorkspaceId) =>
    Effect.suspend(() => {
      const row = journal.tables.snapshot("SipCredentials", workspace_id)
      return row === undefined
        ? Effect.succeed([])
        : readRow(
            { type: "SipCredentials", id: workspace_id, workspace_id },
            () => credentialsState.view(row.state).credentials
          )
    })
  const devices = (workspace_id: WorkspaceId) =>
    Effect.map(Clock.currentTimeMillis, (now): ReadonlyMap<CredentialId, DeviceState> => {
      const own = [...all.values()].filter((device) => device.workspace_id === workspace_id)
      const byCredential = Map.groupBy(own, ({ credential_id }) => credential_id)
      return new Map([...byCredential].map(([id, of]) => [id, stateOf(of, now)]))
    })
  return Layer.merge(
    Layer.succeed(CredentialReads)({ list, devices }),
    Layer.succeed(Registrations)({ note: (report) => Effect.sync(() => note(all, report)) })
  )
}
