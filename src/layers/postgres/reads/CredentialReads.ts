import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { credentialsState } from "../../../domain/credentials/StoredCredentials.ts"
import { CredentialReads } from "../../../domain/ports/pbx/CredentialReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { Registrations } from "../../../domain/ports/pbx/Registrations.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import type { CredentialId } from "../../../domain/BrandedIds.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"
import type { DeviceState } from "../../../domain/credentials/CredentialRecord.ts"

interface DeviceRow {
  readonly credential_id: CredentialId
  readonly contact: string
  readonly user_agent: string | null
  readonly transport: string | null
  readonly registered_at: Date
  readonly expires_at: Date
}

const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))

/** Rows are sorted newest first. */
const statesOf = (rows: ReadonlyArray<DeviceRow>, now: number): ReadonlyMap<CredentialId, DeviceState> => {
  const states = new Map<CredentialId, DeviceState>()
  for (const [credential_id, own] of Map.groupBy(rows, (row) => row.credential_id)) {
    states.set(credential_id, {
      registrations: own
        .filter(({ expires_at }) => expires_at.getTime() > now)
        .map(({ contact, expires_at, transport, user_agent }) => ({
          contact,
          user_agent,
          transport,
          expires_at: expires_at.toISOString()
        })),
      last_registered_at: expectPresent(own[0], "The first row of a group").registered_at.toISOString()
    })
  }
  return states
}

const reads = Layer.effect(
  CredentialReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return CredentialReads.of({
      list: (workspace_id) =>
        sql<{
          readonly state: object
        }>`SELECT state FROM sip_credentials WHERE workspace_id = ${workspace_id}`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.succeed([])
              : readRow(
                  { type: "SipCredentials", id: workspace_id, workspace_id },
                  () => credentialsState.view(row.state).credentials
                )
          )
        ),
      devices: (workspace_id) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          sql<DeviceRow>`
          SELECT credential_id, contact, user_agent, transport, registered_at, expires_at FROM sip_registrations
          WHERE workspace_id = ${workspace_id} ORDER BY registered_at DESC, contact`.pipe(
            Effect.map((rows) => statesOf(rows, now)),
            failed
          )
        )
    })
  })
)

/** Only the newest expired contact of a credential stays; it says when a device was last seen. */
const registrations = Layer.effect(
  Registrations,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return Registrations.of({
      note: ({ contact, credential_id, expires_at, occurred_at, transport, user_agent, workspace_id }) => {
        const at = new Date(occurred_at)
        const registered = sql`
        INSERT INTO sip_registrations ${sql.insert({
          workspace_id,
          credential_id,
          contact,
          user_agent,
          transport,
          registered_at: at,
          expires_at: new Date(expires_at ?? occurred_at)
        })}
        ON CONFLICT (workspace_id, credential_id, contact) DO UPDATE SET
          user_agent = excluded.user_agent, transport = excluded.transport, registered_at = excluded.registered_at,
          expires_at = excluded.expires_at
        WHERE sip_registrations.registered_at <= excluded.registered_at`
        // Also of a contact that is not known yet: the report that it registered may come later than this one.
        const gone = sql`
        INSERT INTO sip_registrations ${sql.insert({
          workspace_id,
          credential_id,
          contact,
          user_agent,
          transport,
          registered_at: at,
          expires_at: at
        })}
        ON CONFLICT (workspace_id, credential_id, contact) DO UPDATE SET expires_at = excluded.expires_at
        WHERE sip_registrations.registered_at <= excluded.registered_at`
        const swept = sql`
        DELETE FROM sip_registrations
        WHERE workspace_id = ${workspace_id} AND credential_id = ${credential_id} AND contact <> ${contact}
          AND expires_at < ${at} AND registered_at < ${at}`
        return (expires_at === null ? gone : Effect.andThen(registered, swept)).pipe(Effect.asVoid, failed)
      }
    })
  })
)

export const layer = Layer.merge(reads, registrations)
