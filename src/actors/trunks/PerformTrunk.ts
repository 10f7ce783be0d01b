// How the work of a trunk is done. Every piece can be done twice: its PBX commands have stable ids.
import { Clock, Effect, Layer, Result } from "effect"
import { WorkspaceLockedToPlatformNumbers } from "../../domain/errors/TrunkErrors.ts"
import type { TenantAction, TenantCommand } from "../../domain/pbx/TenantCommand.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import type { TrunkWork } from "../../domain/trunks/PlanTrunk.ts"
import { pbxTrunkId, type Trunk, type TrunkState, type Version } from "../../domain/trunks/Trunk.ts"
import type { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { trunkTarget } from "../../domain/trunks/TrunkTarget.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { dispatchTenantCommand, dispatchTenantCommandNow, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { TrunkActor } from "./TrunkActor.ts"
import { type TrunkHostRefused, TrunkHosts } from "./TrunkHosts.ts"
import { trunkPasswordBound } from "./TrunkPassword.ts"
import { traced } from "../../domain/Traced.ts"
import type { GatewayId, PbxTrunkId } from "../../domain/BrandedIds.ts"

/** The pause before an approved trunk is set up again. */
const nextAttempt = "1 second"

type TrunkSelf = Self<TrunkState, TrunkCommands>
type WorkOf<T extends TrunkWork["_tag"]> = Extract<TrunkWork, { readonly _tag: T }>

/** A command and the gateway of the workspace, which carries it out. */
interface Addressed {
  readonly gateway_id: GatewayId
  readonly command: TenantCommand
}

/** The PBX commands about a trunk. */
const makeTrunkCommands = Effect.gen(function* () {
  const directory = yield* Directory
  const hosts = yield* TrunkHosts
  const vault = yield* Vault
  /** The addresses that the PBX was last given, by the trunk's id on the PBX. */
  const handed = new Map<string, string>()
  /** The trunks that were taken off the PBX because their hosts are not allowed any more, by id on the PBX. */
  const withdrawn = new Set<string>()
  const keyOf = (addresses: ReadonlyArray<string>) => addresses.toSorted().join(" ")

  const addressed = (self: TrunkSelf, id: string, about: string, action: TenantAction): Effect.Effect<Addressed> =>
    Effect.flatMap(directory.workspace(self.id), (workspace) =>
      workspace === undefined
        ? Effect.die(new Error(`Workspace ${self.id} has a trunk but is not in the directory.`))
        : Effect.succeed({
            gateway_id: workspace.gateway_id,
            command: { id, tenant_pbx_id: workspace.tenant_pbx_id, about, action }
          })
    )

  return {
    /** `occasion` tells apart repeated commands about the same version: the PBX may have lost its memory in between. */
    put: Effect.fnUntraced(function* (self: TrunkSelf, trunk: Trunk, version: Version, occasion: string) {
      const { host, password } = version.definition
      const trunk_id = pbxTrunkId(trunk, version)
      const opened = password === null ? null : (vault.open(password, trunkPasswordBound(trunk.id, self.id)) ?? null)
      const addresses = yield* hosts.resolve(host)
      const target = trunkTarget(version.definition, opened, addresses)
      const action = { kind: "trunk.put", trunk_id, target } as const
      // Stored first: nobody else may call a host by SIP from the moment that it carries calls.
      yield* self.tell({ _tag: "Locate", generation: version.generation, addresses })
      handed.set(trunk_id, keyOf(addresses))
      withdrawn.delete(trunk_id)
      return yield* addressed(self, `trunk.put:${trunk_id}:${occasion}`, `trunk:${trunk_id}`, action)
    }),
    /** Whether the host has other addresses now than the PBX was given, or the trunk was withdrawn. */
    hasMoved: (trunk: Trunk, version: Version) =>
      Effect.map(hosts.resolve(version.definition.host), (addresses) => {
        const trunk_id = pbxTrunkId(trunk, version)
        return withdrawn.has(trunk_id) || keyOf(addresses) !== (handed.get(trunk_id) ?? "")
      }),
    probe: (self: TrunkSelf, { pbx_trunk_id: trunk_id, probe }: WorkOf<"Probe">) =>
      addressed(self, `trunk.probe:${trunk_id}:${probe}`, `probe:${trunk_id}`, { kind: "trunk.probe", trunk_id }),
    /**
     * Takes a trunk off the PBX whose host is not allowed any more: the PBX would go on calling it, and over TLS it
     * would resolve its name. Undefined if that was done. The next probe of a host that is allowed again puts it back.
     */
    withdraw: (self: TrunkSelf, { pbx_trunk_id: trunk_id, probe }: WorkOf<"Probe">) =>
      Effect.suspend(() => {
        if (withdrawn.has(trunk_id)) return Effect.succeed(undefined)
        handed.delete(trunk_id)
        withdrawn.add(trunk_id)
        const action = { kind: "trunk.delete", trunk_id } as const
        return addressed(self, `trunk.delete:${trunk_id}:probe${probe}`, `trunk:${trunk_id}`, action)
      }),
    remove: (self: TrunkSelf, trunk_id: PbxTrunkId) =>
      Effect.suspend(() => {
        handed.delete(trunk_id)
        withdrawn.delete(trunk_id)
        return addressed(self, `trunk.delete:${trunk_id}`, `trunk:${trunk_id}`, { kind: "trunk.delete", trunk_id })
      })
  }
})

/** The work that takes a new definition to its next stage. */
const makeActivation = Effect.fnUntraced(function* (commands: Effect.Success<typeof makeTrunkCommands>) {
  const system = yield* ActorSystem
  /**
   * A self-service trunk waits for its gateway, however long that takes. For a peering trunk an operator is waiting, so
   * its set-up fails fast and is tried a few times.
   */
  const setUp = traced("PerformTrunk.setUp")(function* (
    self: TrunkSelf,
    trunk: Trunk,
    { generation, tries }: WorkOf<"SetUp">
  ) {
    const failsFast = trunk.wanted.definition.auth_mode === "signaling"
    if (tries > 0) yield* Effect.sleep(nextAttempt)
    const put = yield* commands.put(self, trunk, trunk.wanted, `set_up${tries}`).pipe(
      Effect.map(Result.succeed),
      Effect.catchTag("TrunkHostRefused", (refused) => Effect.succeed(Result.fail(refused)))
    )
    if (Result.isFailure(put)) {
      const { reason } = put.failure
      yield* Effect.logWarning(`Setting up the trunk of workspace ${self.id} failed: its host was refused`, reason)
      // A name without an address may get one within the next attempts.
      return yield* self.tell({ _tag: "FailSetUp", generation, final: reason === "not_public" })
    }
    const { command, gateway_id } = put.success
    yield* (failsFast ? dispatchTenantCommandNow : dispatchTenantCommand)(system, gateway_id, command).pipe(
      Effect.andThen(self.tell({ _tag: "ConfirmSetUp", generation })),
      Effect.catch((error) =>
        error instanceof TenantCommandFailed
          ? self.tell({ _tag: "FailSetUp", generation, final: !failsFast })
          : Effect.fail(error)
      )
    )
  })

  const chooseNumberMode = traced("PerformTrunk.chooseNumberMode")(function* (
    self: TrunkSelf,
    { generation }: WorkOf<"ChooseNumberMode">
  ) {
    yield* system.ask(WorkspaceCommands.ChooseNumberMode, self.id, { mode: "byoc" }).pipe(
      Effect.andThen(self.tell({ _tag: "ConfirmNumberMode", generation })),
      Effect.catch((error) =>
        error instanceof WorkspaceLockedToPlatformNumbers
          ? self.tell({ _tag: "RefuseNumberMode", generation, code: error._tag })
          : Effect.fail(error)
      )
    )
  })

  return { chooseNumberMode, setUp }
})

/** Dispatches a command whose refusal changes nothing. */
const dispatchAny = (system: ActorSystem["Service"], { command, gateway_id }: Addressed) =>
  Effect.catchTag(dispatchTenantCommand(system, gateway_id, command), "TenantCommandFailed", () => Effect.void)

const makeProbe = (
  commands: Effect.Success<typeof makeTrunkCommands>,
  dispatch: (addressed: Addressed) => ReturnType<typeof dispatchAny>
) => {
  /** A host that has moved is handed to the PBX first. One that has become private is not probed. */
  const probe = traced("PerformTrunk.probe")(function* (self: TrunkSelf, work: WorkOf<"Probe">) {
    const { trunk } = self.state()
    const { pbx_trunk_id } = work
    const version =
      trunk && [trunk.serving, trunk.wanted].find((each) => each !== null && pbxTrunkId(trunk, each) === pbx_trunk_id)
    if (trunk && version && (yield* commands.hasMoved(trunk, version)))
      yield* dispatch(yield* commands.put(self, trunk, version, `probe${work.probe}`))
    yield* dispatch(yield* commands.probe(self, work))
  })

  /** A name without an address may get one again, so its trunk stays on the PBX. */
  const refused = Effect.fnUntraced(function* (self: TrunkSelf, work: WorkOf<"Probe">, { reason }: TrunkHostRefused) {
    const { pbx_trunk_id } = work
    yield* Effect.logWarning(`The trunk of workspace ${self.id} is reported as down: its host was refused`, reason)
    const at = yield* Clock.currentTimeMillis
    yield* self.tell({ _tag: "Report", pbx_trunk_id, reachable: false, sip_code: null, registered_until: null, at })
    const command = reason === "not_public" ? yield* commands.withdraw(self, work) : undefined
    if (command !== undefined) yield* dispatch(command)
  })

  return (self: TrunkSelf, work: WorkOf<"Probe">) =>
    Effect.catchTag(probe(self, work), "TrunkHostRefused", (refusal) => refused(self, work, refusal))
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const commands = yield* makeTrunkCommands
    const { chooseNumberMode, setUp } = yield* makeActivation(commands)

    const dispatch = (addressed: Addressed) => dispatchAny(system, addressed)
    const probe = makeProbe(commands, dispatch)

    const remove = traced("PerformTrunk.remove")(function* (self: TrunkSelf, { pbx_trunk_id }: WorkOf<"Remove">) {
      yield* dispatch(yield* commands.remove(self, pbx_trunk_id))
      yield* self.tell({ _tag: "ConfirmRemoval", pbx_trunk_id })
    })

    const resync = traced("PerformTrunk.resync")(function* (self: TrunkSelf, { epoch }: WorkOf<"Resync">) {
      const { trunk } = self.state()
      if (trunk !== null) {
        const isSetUp = trunk.stage === "probing" || trunk.stage === "choosing"
        const versions = [trunk.serving, isSetUp ? trunk.wanted : null].filter((version) => version !== null)
        for (const version of versions)
          yield* commands.put(self, trunk, version, `e${epoch}`).pipe(
            Effect.flatMap(dispatch),
            // The trunk is down until a probe finds its host allowed again.
            Effect.catchTag("TrunkHostRefused", ({ reason }) =>
              Effect.logWarning(
                `The trunk of workspace ${self.id} was not sent to the PBX again: its host was refused`,
                reason
              )
            )
          )
      }
      yield* self.tell({ _tag: "FinishResync", epoch })
    })

    const attempt = (work: TrunkWork, self: TrunkSelf) => {
      switch (work._tag) {
        case "SetUp": {
          const { trunk } = self.state()
          return trunk === null ? Effect.void : setUp(self, trunk, work)
        }
        case "Probe":
          return probe(self, work)
        case "ChooseNumberMode":
          return chooseNumberMode(self, work)
        case "Remove":
          return remove(self, work)
        case "Resync":
          return resync(self, work)
      }
    }

    const perform: Perform<TrunkState, TrunkCommands, TrunkWork> = (work, self) =>
      retryWithBackoff(Effect.asVoid<void, unknown, never>(attempt(work, self)))

    yield* system.register(TrunkActor, perform)
  })
)
