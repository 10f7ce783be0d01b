// Workspaces, for HTTP and the library: creating, renaming, suspending and closing them.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import {
  type CallingPolicyChange,
  type CallingPolicyRecord,
  policyOf
} from "../../domain/calls/policy/CallingPolicy.ts"
import {
  ceilingsOfNewWorkspace,
  type PolicyCeilings,
  type PolicyCeilingsChange
} from "../../domain/calls/policy/PolicyCeilings.ts"
import { policyOfNewWorkspace, type SpendCeilings } from "../../domain/calls/policy/SpendCeiling.ts"
import type { Refusal } from "../../domain/Command.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { CurrencyUnsupported } from "../../domain/errors/WalletErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { SignIns } from "../../domain/ports/access/SignIns.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { WorkspaceReads } from "../../domain/ports/access/WorkspaceReads.ts"
import { isCurrency } from "../../domain/wallet/Currency.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { voiceSecretBound, type VoiceSecretRotation } from "../../domain/workspace/VoiceSecret.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import {
  createdRecord,
  type WorkspacePatch,
  type WorkspaceRecord,
  type WorkspaceRequest
} from "../../domain/workspace/WorkspaceRecord.ts"
import { makePolicyCallerIds } from "./PolicyCallerIds.ts"
import { SipTargets, unavailable } from "../pbx/SipTargets.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { makeSeenAfterwards } from "../shared/SeenAfterwards.ts"
import { type GatewayId, toWorkspaceId, type UserId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** How many workspaces a person may be in before they can create no more. */
const maxWorkspacesPerPerson = 20
/** Amounts are by currency, in minor units. */
export class WorkspaceSettings extends Context.Service<
  WorkspaceSettings,
  {
    /** The gateway that carries the calls of a new workspace. */
    readonly default_gateway: GatewayId
    /** What the calls of a new workspace may cost in a day, until an admin changes it. */
    readonly daily_spend_minor: SpendCeilings
    /** The most that any workspace may set. */
    readonly max_daily_spend_minor: SpendCeilings
    /** Whether a new workspace begins with ceilings that only an operator lifts. */
    readonly new_workspace_ceilings: boolean
  }
>()("trunkline/actors/WorkspaceSettings") {}

type Spend = Parameters<typeof policyOfNewWorkspace>[1] & {
  readonly new_workspace_ceilings: boolean
  /** The gateway that carries the calls of a new workspace. */
  readonly default_gateway: GatewayId
}

type Refused<T extends keyof WorkspaceCommands> = Refusal<WorkspaceCommands, T> | NotCommitted

export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Creates a workspace and its wallet. Returns once the wallet is open. */
    readonly onboard: (
      owner: { readonly user_id: UserId; readonly email: string },
      request: WorkspaceRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<WorkspaceRecord, CurrencyUnsupported | BadRequest | NotCommitted | ReadFailed>
    readonly get: (workspace_id: WorkspaceId) => Effect.Effect<WorkspaceRecord, NotFound | ReadFailed>
    readonly change: (
      workspace_id: WorkspaceId,
      patch: WorkspacePatch
    ) => Effect.Effect<WorkspaceRecord, NotFound | NotCommitted | ReadFailed>
    /** The calling policy; undefined if the workspace does not exist. */
    readonly policy: (workspace_id: WorkspaceId) => Effect.Effect<CallingPolicyRecord | undefined, NotCommitted>
    /**
     * Changes the members of the calling policy that are present. Returns the whole policy. Refuses hosts of others.
     */
    readonly changePolicy: (
      workspace_id: WorkspaceId,
      policy: CallingPolicyChange,
      origin: Origin
    ) => Effect.Effect<CallingPolicyRecord, BadRequest | Refused<"ChangePolicy">>
    /** Changes how far admins may raise the limits of the policy. Returns all ceilings. */
    readonly changeCeilings: (
      workspace_id: WorkspaceId,
      ceilings: PolicyCeilingsChange,
      origin: Origin
    ) => Effect.Effect<PolicyCeilings, Refused<"ChangeCeilings">>
    /** Creates a new secret for voice callbacks. The previous one signs too for `previous_valid_seconds`. */
    readonly rotateVoiceSecret: (
      workspace_id: WorkspaceId,
      previous_valid_seconds: number,
      context: RequestContext
    ) => Effect.Effect<
      { readonly rotation: VoiceSecretRotation; readonly secret: string },
      Refused<"RotateVoiceSecret">
    >
    readonly close: (workspace_id: WorkspaceId, origin: Origin) => Effect.Effect<WorkspaceRecord, Refused<"Close">>
    /** Lets another gateway carry the calls that begin from now on. */
    readonly assignGateway: (
      workspace_id: WorkspaceId,
      gateway_id: GatewayId,
      origin: Origin
    ) => Effect.Effect<WorkspaceRecord, Refused<"AssignGateway">>
    readonly suspend: (
      workspace_id: WorkspaceId,
      reason: string | null,
      origin: Origin
    ) => Effect.Effect<WorkspaceRecord, Refused<"Suspend">>
    readonly reinstate: (
      workspace_id: WorkspaceId,
      origin: Origin
    ) => Effect.Effect<WorkspaceRecord, Refused<"Reinstate">>
  }
>()("trunkline/actors/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.flatMap(WorkspaceSettings, ({ max_daily_spend_minor: ceilings, ...settings }) =>
      make({ ...settings, ceilings })
    )
  )
}

const makeOnboard = Effect.fnUntraced(function* (spend: Spend) {
  const ids = yield* Ids
  const people = yield* SignIns
  const system = yield* ActorSystem
  const vault = yield* Vault
  return traced("Workspaces.onboard")(function* (
    owner: { readonly user_id: UserId; readonly email: string },
    { currency, name }: WorkspaceRequest,
    idempotency?: IdempotentRequest
  ) {
    if (!isCurrency(currency)) return yield* new CurrencyUnsupported()
    if ((yield* people.workspacesOf(owner.user_id)).length >= maxWorkspacesPerPerson) {
      return yield* new BadRequest({
        message: `You are in ${maxWorkspacesPerPerson} workspaces. Leave one before you create another.`,
        reason: "too_many"
      })
    }
    const id = toWorkspaceId(ids.uuid())
    const calling_policy = policyOfNewWorkspace(currency, spend)
    const created = yield* system.ask(WorkspaceCommands.Onboard, id, {
      name: name.trim(),
      currency,
      tenant_pbx_id: id,
      gateway_id: spend.default_gateway,
      voice_secret: vault.seal(vault.newSecret(), voiceSecretBound(id)),
      calling_policy,
      ...(spend.new_workspace_ceilings && { policy_ceilings: ceilingsOfNewWorkspace(policyOf(calling_policy)) }),
      owner,
      ...(idempotency && { idempotency })
    })
    // The actor's plan opens the wallet, too. Doing it here lets the caller use the wallet at once.
    yield* system.ask(WalletCommands.Open, id, { currency })
    yield* Effect.catchTag(system.ask(WorkspaceCommands.WalletOpened, id, {}), "not_found", Effect.die)
    return createdRecord(created)
  })
})

/**
 * Refuses hosts that may not be called now. Names under a wildcard, and names without an address, are judged when
 * they are called.
 */
const makeRefuseHosts = (targets: SipTargets["Service"]) =>
  Effect.fnUntraced(function* (workspace_id: WorkspaceId, allowlist: ReadonlyArray<string>) {
    const named = allowlist.map((host, index) => ({ host, index })).filter(({ host }) => !host.startsWith("*."))
    if (named.length === 0) return
    const judged = yield* targets.refresh.pipe(
      Effect.andThen(Effect.forEach(named, ({ host }) => targets.judge(workspace_id, { host }), { concurrency: 8 })),
      Effect.catch(unavailable)
    )
    const details = named.flatMap(({ host, index }, at) => {
      const verdict = judged[at]?.host
      if (verdict === undefined || verdict === "allowed" || verdict === "unknown") return []
      const code = verdict === "not_public" ? verdict : "of_others"
      return [{ field: `/sip_allowlist/${index}`, code, message: `${host} may not be called.` }]
    })
    if (details.length > 0)
      return yield* new BadRequest({ message: "sip_allowlist names a host that may not be called.", details })
  })

const make = Effect.fnUntraced(function* (spend: Spend) {
  const onboard = yield* makeOnboard(spend)
  const max_daily_spend_minor = Object.fromEntries(spend.ceilings)
  const reads = yield* WorkspaceReads
  const system = yield* ActorSystem
  const vault = yield* Vault
  const seenAfterwards = yield* makeSeenAfterwards

  const refuseHosts = makeRefuseHosts(yield* SipTargets)
  const directory = yield* Directory
  const { refuseUnproved, withUnproved } = makePolicyCallerIds(system, directory)
  const get = traced("Workspaces.get")(function* (workspace_id: WorkspaceId) {
    const found = yield* reads.find(workspace_id)
    return found?.record ?? (yield* new NotFound({ message: "There is no such workspace." }))
  })

  return Workspaces.of({
    onboard,
    get,
    change: traced("Workspaces.change")(function* (workspace_id, { name, retention_days }) {
      if (name !== undefined) yield* system.ask(WorkspaceCommands.Rename, workspace_id, { name: name.trim() })
      return retention_days === undefined
        ? yield* get(workspace_id)
        : yield* seenAfterwards(system.ask(WorkspaceCommands.SetRetention, workspace_id, { retention_days }))
    }),
    policy: traced("Workspaces.policy")(function* (workspace_id) {
      const workspace = yield* directory.workspace(workspace_id)
      return workspace && (yield* withUnproved(workspace_id, workspace.calling_policy))
    }),
    changePolicy: traced("Workspaces.changePolicy")(function* (workspace_id, policy, origin) {
      yield* refuseHosts(workspace_id, policy.sip_allowlist ?? [])
      yield* refuseUnproved(workspace_id, policy.allowed_caller_ids ?? [])
      const change = { policy, max_daily_spend_minor, origin }
      const changed = yield* seenAfterwards(system.ask(WorkspaceCommands.ChangePolicy, workspace_id, change))
      return yield* withUnproved(workspace_id, changed)
    }),
    changeCeilings: traced("Workspaces.changeCeilings")((workspace_id, ceilings, origin) =>
      seenAfterwards(system.ask(WorkspaceCommands.ChangeCeilings, workspace_id, { ceilings, origin }))
    ),
    rotateVoiceSecret: traced("Workspaces.rotateVoiceSecret")(
      function* (workspace_id, previous_valid_seconds, context) {
        const secret = vault.newSecret()
        const voice_secret = vault.seal(secret, voiceSecretBound(workspace_id))
        const change = { voice_secret, previous_valid_seconds, ...context }
        const rotation = yield* seenAfterwards(system.ask(WorkspaceCommands.RotateVoiceSecret, workspace_id, change))
        return { rotation, secret }
      }
    ),
    close: traced("Workspaces.close")((workspace_id, origin) =>
      seenAfterwards(system.ask(WorkspaceCommands.Close, workspace_id, { origin }))
    ),
    assignGateway: traced("Workspaces.assignGateway")((workspace_id, gateway_id, origin) =>
      seenAfterwards(system.ask(WorkspaceCommands.AssignGateway, workspace_id, { gateway_id, origin }))
    ),
    suspend: traced("Workspaces.suspend")((workspace_id, reason, origin) =>
      seenAfterwards(system.ask(WorkspaceCommands.Suspend, workspace_id, { reason, origin }))
    ),
    reinstate: traced("Workspaces.reinstate")((workspace_id, origin) =>
      seenAfterwards(system.ask(WorkspaceCommands.Reinstate, workspace_id, { origin }))
    )
  })
})
