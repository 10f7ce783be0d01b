// The SIP trunk of a workspace as an actor: what is decided of it, and what the PBX is asked for its sake.
import { Effect, Layer, Schema } from "effect"
import { auditRow } from "../../domain/access/Origin.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { AuditRow, EventRow } from "../../domain/journal/Rows.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { decideTrunk } from "../../domain/trunks/DecideTrunk.ts"
import { planTrunk, type TrunkWork } from "../../domain/trunks/PlanTrunk.ts"
import {
  evolve,
  initial,
  pbxTrunkId,
  recordOf,
  type Trunk,
  type TrunkEvent,
  type TrunkState,
  type Version
} from "../../domain/trunks/Trunk.ts"
import { TrunkCommand, TrunkReply } from "../../domain/trunks/TrunkCommand.ts"
import { trunkTarget } from "../../domain/trunks/TrunkTarget.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { publishedEvent } from "../../domain/webhooks/PublishedEvent.ts"
import { resealable } from "../runtime/Resealable.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Change } from "../../domain/Decision.ts"
import type { Answer, Definition, Perform, Recorded, Self } from "../runtime/Definition.ts"
import { boundTo, type SecretPlace } from "../shared/SealedResponse.ts"
import { dispatchTenantCommand, dispatchTenantCommandNow, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"

const trunkPassword: SecretPlace = "sip_trunks/password"

/** What the sealed password of a trunk is bound to. */
export const trunkPasswordBound = (trunk_id: string, workspace_id: string): string =>
  boundTo(trunkPassword, trunk_id, workspace_id)

/** An approved trunk that the PBX did not take on is told to it again after so long. */
const nextTry = "1 second"

const kinds = {
  Activated: "sip_trunk.active",
  Failed: "sip_trunk.failed",
  Rejected: "sip_trunk.failed",
  UnreachableTold: "sip_trunk.unreachable",
  Recovered: "sip_trunk.recovered"
} as const

const eventsOf = ({
  after: { trunk, workspace_id },
  events,
  uuid
}: Change<TrunkState, TrunkEvent>): ReadonlyArray<EventRow> =>
  events.flatMap((event) => {
    if (!(event._tag in kinds) || trunk === null || !("at" in event)) return []
    const kind = kinds[event._tag as keyof typeof kinds]
    const { id, sequence, status, status_reason } = trunk
    const payload = { kind, workspace_id, trunk_id: id, status, status_reason, at: new Date(event.at).toISOString() }
    return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence, at: event.at, payload })]
  })

const audits = {
  Created: "sip_trunk.created",
  Changed: "sip_trunk.updated",
  Approved: "sip_trunk.approved",
  Rejected: "sip_trunk.rejected",
  Deleted: "sip_trunk.deleted"
} as const

const auditOf = ({ after, before, events }: Change<TrunkState, TrunkEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (!("origin" in event)) return []
    const id = after.trunk?.id ?? before.trunk!.id
    return [
      auditRow(event.origin, {
        workspace_id: after.workspace_id,
        action_kind: audits[event._tag],
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
    state: JSON.stringify(change.after),
    columns: {
      trunk_id: trunk?.id ?? null,
      status: trunk?.status ?? null,
      serving: trunk !== null && trunk.serving !== null
    },
    events: eventsOf(change),
    audit: auditOf(change)
  }
}

/** Only the answer of a creation is kept. */
const answer = (_: TrunkCommand, reply: TrunkReply): Answer => ({
  status: 201,
  body: reply._tag === "Shown" ? JSON.stringify(reply.record) : "{}",
  headers: { location: "/v1/sip-trunk" }
})

export const TrunkActor: Definition<TrunkState, TrunkCommand, TrunkEvent, TrunkReply, TrunkWork> = resealable({
  type: "SipTrunk",
  initial,
  restore: ({ state }) => JSON.parse(state) as TrunkState,
  decide: decideTrunk,
  evolve,
  plan: planTrunk,
  record,
  answer,
  wire: { command: TrunkCommand, reply: TrunkReply, notice: Schema.Never }
})

type Actor = Self<TrunkState, TrunkCommand, TrunkReply>
type WorkOf<Tag extends TrunkWork["_tag"]> = Extract<TrunkWork, { readonly _tag: Tag }>

/** What the PBX is asked to do, addressed to the gateway of the workspace. */
const makeCommands = Effect.gen(function* () {
  const directory = yield* Directory
  const vault = yield* Vault
  const to = (self: Actor, about: string, id: string, action: Parameters<typeof dispatchTenantCommand>[2]["action"]) =>
    Effect.map(directory.workspace(self.id), (workspace) => ({
      gateway_id: workspace!.gateway_id,
      command: { id, tenant_pbx_id: workspace!.tenant_pbx_id, about, action }
    }))
  return {
    put: (self: Actor, trunk: Trunk, version: Version, occasion: string) => {
      const { password } = version.definition
      const trunk_id = pbxTrunkId(trunk, version)
      const opened = password === null ? null : (vault.open(password, trunkPasswordBound(trunk.id, self.id)) ?? null)
      const target = trunkTarget(version.definition, opened)
      return to(self, `trunk:${trunk_id}`, `trunk.put:${trunk_id}:${occasion}`, { kind: "trunk.put", trunk_id, target })
    },
    probe: (self: Actor, { pbx_trunk_id, probe }: WorkOf<"Probe">) =>
      to(self, `probe:${pbx_trunk_id}`, `trunk.probe:${pbx_trunk_id}:${probe}`, {
        kind: "trunk.probe",
        trunk_id: pbx_trunk_id
      }),
    remove: (self: Actor, trunk_id: string) =>
      to(self, `trunk:${trunk_id}`, `trunk.delete:${trunk_id}`, { kind: "trunk.delete", trunk_id })
  }
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const commands = yield* makeCommands

    /** A new trunk waits for its gateway; an approved one, for which somebody waits, is tried a few times. */
    const setUp = (self: Actor, { generation, tries }: WorkOf<"SetUp">) =>
      Effect.gen(function* () {
        const trunk = self.state().trunk!
        const hasty = trunk.wanted.definition.auth_mode === "signaling"
        if (tries > 0) yield* Effect.sleep(nextTry)
        const { command, gateway_id } = yield* commands.put(self, trunk, trunk.wanted, `set_up${tries}`)
        yield* (hasty ? dispatchTenantCommandNow : dispatchTenantCommand)(system, gateway_id, command).pipe(
          Effect.andThen(self.tell({ _tag: "SetUp", generation })),
          Effect.catch((error) =>
            error instanceof TenantCommandFailed
              ? self.tell({ _tag: "SetUpFailed", generation, final: !hasty })
              : Effect.fail(error)
          )
        )
      })

    const choose = (self: Actor, { generation }: WorkOf<"Choose">) =>
      system.ask(WorkspaceCommands.ChooseNumberMode, self.id, { mode: "byoc" }).pipe(
        Effect.andThen(self.tell({ _tag: "Chosen", generation })),
        Effect.catch((error) =>
          error instanceof Failure && error._tag === "workspace.locked_to_platform_numbers"
            ? self.tell({ _tag: "ChoiceRefused", generation, code: error._tag })
            : Effect.fail(error)
        )
      )

    const ignoringRefusal = <A, E>(effect: Effect.Effect<A, E | TenantCommandFailed>) =>
      Effect.catch(effect, (error) => (error instanceof TenantCommandFailed ? Effect.void : Effect.fail(error)))

    const probe = (self: Actor, work: WorkOf<"Probe">) =>
      Effect.flatMap(commands.probe(self, work), ({ command, gateway_id }) =>
        ignoringRefusal(dispatchTenantCommand(system, gateway_id, command))
      )

    const remove = (self: Actor, { pbx_trunk_id }: WorkOf<"Remove">) =>
      Effect.gen(function* () {
        const { command, gateway_id } = yield* commands.remove(self, pbx_trunk_id)
        yield* ignoringRefusal(dispatchTenantCommand(system, gateway_id, command))
        yield* self.tell({ _tag: "Removed", pbx_trunk_id })
      })

    const restore = (self: Actor, { epoch }: WorkOf<"Restore">) =>
      Effect.gen(function* () {
        const { trunk } = self.state()
        const isSetUp = trunk?.stage === "probing" || trunk?.stage === "choosing"
        const versions =
          trunk === null ? [] : [trunk.serving, isSetUp ? trunk.wanted : null].filter((version) => version !== null)
        yield* Effect.forEach(
          versions,
          (version) =>
            Effect.flatMap(commands.put(self, trunk!, version, `e${epoch}`), ({ command, gateway_id }) =>
              ignoringRefusal(dispatchTenantCommand(system, gateway_id, command))
            ),
          { discard: true }
        )
        yield* self.tell({ _tag: "Restored", epoch })
      })

    const done = (work: TrunkWork, self: Actor) => {
      switch (work._tag) {
        case "SetUp":
          return setUp(self, work)
        case "Probe":
          return probe(self, work)
        case "Choose":
          return choose(self, work)
        case "Remove":
          return remove(self, work)
        case "Restore":
          return restore(self, work)
      }
    }

    const perform: Perform<TrunkState, TrunkCommand, TrunkReply, TrunkWork> = (work, self) =>
      Effect.asVoid(retryWithBackoff(done(work, self) as Effect.Effect<unknown, unknown>))

    yield* system.register(TrunkActor, perform)
  })
)
