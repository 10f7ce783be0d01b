// The door to workspaces for HTTP and the library: how they begin, what they are called, and when they end.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { BadRequest, InternalError, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { CurrencyUnsupported } from "../../domain/errors/WalletErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SignIns } from "../../domain/ports/SignIns.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { WorkspaceReads } from "../../domain/ports/WorkspaceReads.ts"
import { Currency } from "../../domain/wallet/Currency.ts"
import { voiceSecretBound, type VoiceSecretRotation } from "../../domain/workspace/VoiceSecret.ts"
import type { WorkspaceCommand } from "../../domain/workspace/WorkspaceCommand.ts"
import {
  madeRecord,
  type WorkspacePatch,
  type WorkspaceRecord,
  type WorkspaceRequest
} from "../../domain/workspace/WorkspaceRecord.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { WalletActor } from "../wallet/WalletActor.ts"
import { WorkspaceActor } from "./WorkspaceActor.ts"

/** Workspaces that one person may be a member of before they can make no more. */
const own_max = 20
/** The gateway that carries a new workspace's calls. */
const gateway_id = "default"

type Unhappy = Failure | NotCommitted | ReadFailed

const isCurrency = (text: string): text is typeof Currency.Type =>
  (Currency.literals as ReadonlyArray<string>).includes(text)

export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Makes a workspace and its wallet; whoever asks is its owner. */
    readonly onboard: (
      owner: { readonly user_id: string; readonly email: string },
      request: WorkspaceRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<WorkspaceRecord, Unhappy>
    readonly get: (workspace_id: string) => Effect.Effect<WorkspaceRecord, Unhappy>
    readonly change: (workspace_id: string, patch: WorkspacePatch) => Effect.Effect<WorkspaceRecord, Unhappy>
    /** Makes a new secret for voice callbacks; that of until now signs beside it for so long. */
    readonly rotateVoiceSecret: (
      workspace_id: string,
      previous_valid_seconds: number,
      context: RequestContext
    ) => Effect.Effect<{ readonly rotation: VoiceSecretRotation; readonly secret: string }, Unhappy>
    readonly close: (workspace_id: string, origin: Origin) => Effect.Effect<WorkspaceRecord, Unhappy>
    readonly suspend: (
      workspace_id: string,
      reason: string | null,
      origin: Origin
    ) => Effect.Effect<WorkspaceRecord, Unhappy>
    readonly reinstate: (workspace_id: string, origin: Origin) => Effect.Effect<WorkspaceRecord, Unhappy>
  }
>()("trunkline/actors/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const ids = yield* Ids
  const people = yield* SignIns
  const reads = yield* WorkspaceReads
  const system = yield* ActorSystem
  const vault = yield* Vault

  const ask = Effect.fnUntraced(function* (workspace_id: string, command: WorkspaceCommand) {
    const reply = yield* system.ask(WorkspaceActor, workspace_id, command)
    return reply._tag === "Shown" ? reply.record : yield* new InternalError({ cause: reply })
  })

  const get = (workspace_id: string) =>
    Effect.flatMap(reads.find(workspace_id), (found): Effect.Effect<WorkspaceRecord, NotFound> =>
      found === undefined
        ? Effect.fail(new NotFound({ message: "There is no such workspace." }))
        : Effect.succeed(found.record)
    )

  return Workspaces.of({
    onboard: Effect.fnUntraced(function* (owner, { currency, name }, idempotency) {
      if (!isCurrency(currency)) return yield* new CurrencyUnsupported()
      if ((yield* people.workspacesOf(owner.user_id)).length >= own_max) {
        return yield* new BadRequest({
          message: `You are in ${own_max} workspaces: leave one first.`,
          reason: "too_many"
        })
      }
      const id = ids.uuid()
      const voice_secret = vault.seal(vault.newSecret(), voiceSecretBound(id))
      const founding = { name: name.trim(), currency, tenant_pbx_id: id, gateway_id, voice_secret, owner }
      const made = yield* ask(id, { _tag: "Onboard", ...founding, ...(idempotency && { idempotency }) })
      // Its own plan does the same; here it is waited for, so that who is answered can go on at once.
      yield* system.ask(WalletActor, id, { _tag: "Open", currency })
      yield* ask(id, { _tag: "WalletOpened" })
      return madeRecord(made)
    }),
    get,
    change: Effect.fnUntraced(function* (workspace_id, { name, retention_days }) {
      if (name !== undefined) yield* ask(workspace_id, { _tag: "Rename", name: name.trim() })
      if (retention_days !== undefined) return yield* ask(workspace_id, { _tag: "SetRetention", retention_days })
      return yield* get(workspace_id)
    }),
    rotateVoiceSecret: Effect.fnUntraced(function* (workspace_id, previous_valid_seconds, context) {
      const secret = vault.newSecret()
      const voice_secret = vault.seal(secret, voiceSecretBound(workspace_id))
      const reply = yield* system.ask(WorkspaceActor, workspace_id, {
        _tag: "RotateVoiceSecret",
        voice_secret,
        previous_valid_seconds,
        ...context
      })
      return reply._tag === "VoiceSecretRotated"
        ? { rotation: reply.rotation, secret }
        : yield* new InternalError({ cause: reply })
    }),
    close: (workspace_id, origin) => ask(workspace_id, { _tag: "Close", origin }),
    suspend: (workspace_id, reason, origin) => ask(workspace_id, { _tag: "Suspend", reason, origin }),
    reinstate: (workspace_id, origin) => ask(workspace_id, { _tag: "Reinstate", origin })
  })
})
