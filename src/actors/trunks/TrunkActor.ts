import { auditRow } from "../../domain/access/Origin.ts"
import type { AuditRow, EventRow } from "../../domain/journal/Rows.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"
import { decideTrunk } from "../../domain/trunks/DecideTrunk.ts"
import { planTrunk, type TrunkWork } from "../../domain/trunks/PlanTrunk.ts"
import {
  evolveTrunk,
  initialTrunk,
  recordOf,
  restoreTrunk,
  type TrunkEvent,
  type TrunkState,
  trunkState
} from "../../domain/trunks/Trunk.ts"
import { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { publishedEvent } from "../../domain/journal/PublishedEvent.ts"
import type { Change } from "../../domain/Decision.ts"
import { actor, type Recorded } from "../runtime/Definition.ts"
import { resealable } from "../runtime/Resealable.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"

/** The webhook events of the trunk's events. */
const webhookKinds: { readonly [Tag in TrunkEvent["_tag"]]?: EventKind } = {
  Activated: "sip_trunk.active",
  Failed: "sip_trunk.failed",
  Rejected: "sip_trunk.failed",
  UnreachableNotified: "sip_trunk.unreachable",
  Withdrawn: "sip_trunk.unreachable",
  Recovered: "sip_trunk.recovered"
}

const eventsOf = ({
  after: { trunk, workspace_id },
  events,
  uuid
}: Change<TrunkState, TrunkEvent>): ReadonlyArray<EventRow> =>
  events.flatMap((event) => {
    const kind = webhookKinds[event._tag]
    if (kind === undefined || trunk === null || !("at" in event)) return []
    const { id, status, status_reason } = recordOf(trunk)
    const { sequence } = trunk
    const payload = { kind, workspace_id, trunk_id: id, status, status_reason, at: isoInstant(event.at) }
    return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence, at: event.at, payload })]
  })

/** The audit actions of what members and operators do. */
const auditKinds = {
  Created: "sip_trunk.created",
  Changed: "sip_trunk.updated",
  Approved: "sip_trunk.approved",
  Rejected: "sip_trunk.rejected",
  Deleted: "sip_trunk.deleted"
} as const

const auditOf = ({ after, before, events }: Change<TrunkState, TrunkEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (!("origin" in event)) return []
    const id = (after.trunk ?? before.trunk)?.id
    if (id === undefined) return []
    return [
      auditRow(event.origin, {
        workspace_id: after.workspace_id,
        action_kind: auditKinds[event._tag],
        target: { type: "sip_trunk", id },
        before: before.trunk && recordOf(before.trunk),
        after: after.trunk && recordOf(after.trunk),
        at: event.at
      })
    ]
  })

const record = (change: Change<TrunkState, TrunkEvent>): Recorded => {
  const { trunk, workspace_id } = change.after
  return {
    workspace_id,
    state: trunkState.write(change.after),
    columns: {
      trunk_id: trunk?.id ?? null,
      status: trunk?.status ?? null,
      serving: trunk !== null && trunk.serving !== null
    },
    events: eventsOf(change),
    audit: auditOf(change)
  }
}

/** The SIP trunk of a workspace. Its actor id is the workspace's id. */
export const TrunkActor = resealable(
  actor<TrunkState, TrunkCommands, TrunkEvent, TrunkWork>({
    type: "SipTrunk",
    commands: TrunkCommands,
    initial: initialTrunk,
    restore: restoreTrunk,
    decide: decideTrunk,
    evolve: evolveTrunk,
    plan: planTrunk,
    record,
    answers: {
      Create: ({ record }) => ({
        status: 201,
        body: JSON.stringify(record),
        headers: { location: "/v1/sip-trunk" }
      })
    }
  })
)
