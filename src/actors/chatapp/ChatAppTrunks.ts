// The trunks of the chat app's provider on the PBX. The provider's password is read when it is needed, and stored
// nowhere.
import { Data, Effect, Redacted } from "effect"
import { type ChatApp, chatAppTrunkId } from "../../domain/chatapp/ChatApp.ts"
import type { ChatAppCommands } from "../../domain/chatapp/ChatAppCommand.ts"
import type { ChatAppWork } from "../../domain/chatapp/PlanChatApp.ts"
import { GatewayCommands } from "../../domain/pbx/GatewayCommand.ts"
import type { TenantAction, TrunkTarget } from "../../domain/pbx/TenantCommand.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import type { SipAccount } from "../../domain/chatapp/SipAccount.ts"
import { ChatAppProvider } from "../../domain/ports/pbx/ChatAppProvider.ts"
import { traced } from "../../domain/Traced.ts"
import { dispatchTenantCommand, type TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

/** How long the provider and the PBX are retried before the trunk counts as failed. */
const setUpTimeout = "2 minutes"

type ChatAppSelf = Self<ChatApp, ChatAppCommands>
type WorkOf<T extends ChatAppWork["_tag"]> = Extract<ChatAppWork, { readonly _tag: T }>

/** The PBX does not have the trunk, and will not have it. */
class TrunkNotSetUp extends Data.TaggedError("TrunkNotSetUp")<{ readonly reason: string }> {}

/** The gateway of the workspace is away. It is tried again. */
class GatewayAway extends Data.TaggedError("GatewayAway")<object> {}

/** The provider takes no re-INVITE, so there are no session timers. */
const targetOf = ({ host, password, port, username }: SipAccount): TrunkTarget => ({
  auth_mode: "digest",
  host,
  port,
  transport: "tls",
  allowed_ips: [],
  username,
  password: Redacted.value(password),
  max_channels: null,
  max_cps: null,
  codecs: ["opus", "PCMA", "PCMU"],
  dtmf: "rfc4733",
  srtp: "required",
  session_timer_seconds: 0,
  caller_id_format: "e164"
})

const notSetUp = (reason: string) => new TrunkNotSetUp({ reason })

const refused = ({ detail }: TenantCommandFailed) =>
  notSetUp(detail === undefined ? "The gateway refused the trunk." : `The gateway refused the trunk: ${detail}`)

const makeCommands = Effect.gen(function* () {
  const directory = yield* Directory
  const system = yield* ActorSystem

  const workspaceOf = (workspace_id: WorkspaceId) =>
    Effect.flatMap(directory.workspace(workspace_id), (workspace) =>
      workspace === undefined
        ? Effect.die(new Error(`Workspace ${workspace_id} has a number but is not in the directory.`))
        : Effect.succeed(workspace)
    )

  const requireGateway = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    const { gateway_id } = yield* workspaceOf(workspace_id)
    const { connected } = yield* system.ask(GatewayCommands.GetPresence, gateway_id, {})
    if (!connected) return yield* new GatewayAway()
    const capabilities = yield* system.ask(GatewayCommands.GetCapabilities, gateway_id, {})
    if (!capabilities.includes("chatapp.v1")) return yield* notSetUp("The gateway cannot carry chat-app calls.")
  })

  const dispatch = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    id: string,
    about: string,
    action: TenantAction
  ) {
    const { gateway_id, tenant_pbx_id } = yield* workspaceOf(workspace_id)
    yield* dispatchTenantCommand(system, gateway_id, { id, tenant_pbx_id, about, action })
  })
  return { dispatch, requireGateway }
})

/** Puts the trunk on the PBX. Whatever may pass is retried. Succeeds with the reason if it was refused for good. */
const makePut = (
  { dispatch, requireGateway }: Effect.Success<typeof makeCommands>,
  provider: ChatAppProvider["Service"]
) => {
  const put = Effect.fnUntraced(function* (self: ChatAppSelf, occasion: string) {
    const { number, number_id, trunk, workspace_id } = self.state()
    if (trunk === null || workspace_id === null || trunk.sip_host === null) return
    yield* requireGateway(workspace_id)
    const account = yield* Effect.catch(provider.account(number), (fault) =>
      Effect.fail(fault.kind === "unavailable" ? fault : notSetUp(fault.message))
    )
    const trunk_id = chatAppTrunkId(number_id, trunk.generation)
    yield* dispatch(workspace_id, `trunk.put:${trunk_id}:${occasion}`, `trunk:${trunk_id}`, {
      kind: "trunk.put",
      trunk_id,
      target: targetOf(account),
      chatapp: { number, host: trunk.sip_host }
    }).pipe(Effect.catchTag("TenantCommandFailed", (failed) => refused(failed)))
  })

  return (self: ChatAppSelf, occasion: string) =>
    retryWithBackoff(
      Effect.as(put(self, occasion), undefined).pipe(
        Effect.catchTag("TrunkNotSetUp", ({ reason }) => Effect.succeed(reason))
      )
    )
}

export const makeChatAppTrunks = Effect.gen(function* () {
  const provider = yield* ChatAppProvider
  const commands = yield* makeCommands
  const { dispatch } = commands
  const putPatiently = makePut(commands, provider)

  const setUp = traced("ChatApp.setUp")(function* (self: ChatAppSelf, { generation }: WorkOf<"SetUpTrunk">) {
    const reason = yield* Effect.timeoutOrElse(putPatiently(self, "set_up"), {
      duration: setUpTimeout,
      orElse: () => Effect.succeed("The gateway could not set up the trunk within two minutes.")
    })
    yield* retryWithBackoff(
      reason === undefined
        ? self.tell({ _tag: "ConfirmSetUp", generation })
        : self.tell({ _tag: "FailSetUp", generation, reason })
    )
  })

  /** The PBX reports the result; the plan has a deadline for it. */
  const probe = traced("ChatApp.probe")(function* (self: ChatAppSelf, work: WorkOf<"ProbeTrunk">) {
    const { number_id, workspace_id } = self.state()
    if (workspace_id === null) return
    const trunk_id = chatAppTrunkId(number_id, work.generation)
    yield* retryWithBackoff(
      dispatch(workspace_id, `trunk.probe:${trunk_id}:${work.probe}`, `probe:${trunk_id}`, {
        kind: "trunk.probe",
        trunk_id
      }).pipe(Effect.catchTag("TenantCommandFailed", () => Effect.void))
    )
  })

  const remove = traced("ChatApp.remove")(function* (
    self: ChatAppSelf,
    { trunk_id, workspace_id }: WorkOf<"RemoveTrunk">
  ) {
    yield* retryWithBackoff(
      dispatch(workspace_id, `trunk.delete:${trunk_id}`, `trunk:${trunk_id}`, { kind: "trunk.delete", trunk_id }).pipe(
        Effect.catchTag("TenantCommandFailed", () => Effect.void)
      )
    )
    yield* retryWithBackoff(self.tell({ _tag: "ConfirmRemoval", trunk_id }))
  })

  const resync = traced("ChatApp.resync")(function* (self: ChatAppSelf, { epoch }: WorkOf<"Resync">) {
    const { trunk } = self.state()
    const isOnPbx = trunk !== null && (trunk.status === "active" || trunk.stage === "probing")
    const reason = isOnPbx ? yield* putPatiently(self, `e${epoch}`) : undefined
    if (reason !== undefined) yield* Effect.logWarning(`A chat-app trunk could not be set up again: ${reason}`)
    yield* retryWithBackoff(self.tell({ _tag: "FinishResync", epoch }))
  })

  return { setUp, probe, remove, resync }
})
