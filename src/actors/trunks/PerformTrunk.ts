// How the work of a trunk is done. Every piece can be done twice: its PBX commands have stable ids.
import { Data, Effect, Layer, Result } from "effect"
import { WorkspaceLockedToPlatformNumbers } from "../../domain/errors/TrunkErrors.ts"
import type { TenantAction, TenantCommand } from "../../domain/pbx/TenantCommand.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import type { TrunkWork } from "../../domain/trunks/PlanTrunk.ts"
import { placeFaults, targetOf } from "../../domain/trunks/TrunkFaults.ts"
import { pbxTrunkId, type Trunk, type TrunkState, type Version } from "../../domain/trunks/Trunk.ts"
import type { TrunkCommands } from "../../domain/trunks/TrunkCommand.ts"
import { trunkTarget } from "../../domain/trunks/TrunkTarget.ts"
import { WorkspaceCommands } from "../../domain/workspace/WorkspaceCommand.ts"
import { dispatchTenantCommand, dispatchTenantCommandNow, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { SipTargets } from "../pbx/SipTargets.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { TrunkActor } from "./TrunkActor.ts"
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

/** The trunk may not be on the PBX. Code of the fault of its host or ranges; undefined: its name has no address. */
class TrunkRefused extends Data.TaggedError("TrunkRefused")<{ readonly code: string | undefined }> {}

/** The PBX commands about a trunk. */
const makeTrunkCommands = Effect.gen(function* () {
  const directory = yield* Directory
  const targets = yield* SipTargets
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

  /** Judged each time: a name may mean another host by now. `fault`: the code of the first one. */
  const judged = Effect.fnUntraced(function* (self: TrunkSelf, { definition }: Version) {
    const { addresses, ...verdict } = yield* targets.judge(self.id, targetOf(definition))
    const fault = placeFaults(definition, verdict)[0]?.code
    return { addresses, fault, is_refused: fault !== undefined || verdict.host === "unknown" }
  })

  /** The addresses of its host, to which alone the PBX sends. */
  const place = Effect.fnUntraced(function* (self: TrunkSelf, version: Version) {
    const { addresses, fault, is_refused } = yield* judged(self, version)
    return is_refused ? yield* new TrunkRefused({ code: fault }) : addresses
  })

  return {
    refresh: targets.refresh,
    /** The code of the first fault of the version; undefined if it has none. */
    faultOf: (self: TrunkSelf, version: Version) => Effect.map(judged(self, version), ({ fault }) => fault),
    /** `occasion` tells apart repeated commands about the same version: the PBX may have lost its memory in between. */
    put: Effect.fnUntraced(function* (self: TrunkSelf, trunk: Trunk, version: Version, occasion: string) {
      const { password } = version.definition
      const trunk_id = pbxTrunkId(trunk, version)
      const opened = password === null ? null : (vault.open(password, trunkPasswordBound(trunk.id, self.id)) ?? null)
      const addresses = yield* place(self, version)
      const target = trunkTarget(version.definition, opened, addresses)
      const action = { kind: "trunk.put", trunk_id, target } as const
      // Stored first: nobody else may name a host from the moment that it carries calls.
      yield* self.tell({ _tag: "Locate", generation: version.generation, addresses })
      handed.set(trunk_id, keyOf(addresses))
      withdrawn.delete(trunk_id)
      return yield* addressed(self, `trunk.put:${trunk_id}:${occasion}`, `trunk:${trunk_id}`, action)
    }),
    /** Whether the host has other addresses now than the PBX was given, or the trunk was withdrawn. */
    hasMoved: (self: TrunkSelf, trunk: Trunk, version: Version) =>
      Effect.map(place(self, version), (addresses) => {
        const trunk_id = pbxTrunkId(trunk, version)
        return withdrawn.has(trunk_id) || keyOf(addresses) !== (handed.get(trunk_id) ?? "")
      }),
    probe: (self: TrunkSelf, { pbx_trunk_id: trunk_id, probe }: WorkOf<"Probe">) =>
      addressed(self, `trunk.probe:${trunk_id}:${probe}`, `probe:${trunk_id}`, { kind: "trunk.probe", trunk_id }),
    /**
     * Takes a trunk off the PBX whose host is not allowed any more: the PBX would go on calling it, and over TLS it
     * would resolve its name. Undefined if that was done. The next probe of a host that is allowed again puts it back.
     */
    withdraw: (self: TrunkSelf, trunk_id: PbxTrunkId, occasion: string) =>
      Effect.suspend(() => {
        if (withdrawn.has(trunk_id)) return Effect.succeed(undefined)
        handed.delete(trunk_id)
        withdrawn.add(trunk_id)
        const action = { kind: "trunk.delete", trunk_id } as const
        return addressed(self, `trunk.delete:${trunk_id}:${occasion}`, `trunk:${trunk_id}`, action)
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
    yield* commands.refresh
    const put = yield* commands.put(self, trunk, trunk.wanted, `set_up${tries}`).pipe(
      Effect.map(Result.succeed),
      Effect.catchTag("TrunkRefused", (refused) => Effect.succeed(Result.fail(refused)))
    )
    if (Result.isFailure(put)) {
      const { code } = put.failure
      yield* Effect.logWarning(`Setting up the trunk of workspace ${self.id} failed: its host was refused`, code)
      // A name without an address may get one within the next attempts.
      const final = code !== undefined
      return yield* self.tell({ _tag: "FailSetUp", generation, final, ...(final && { code }) })
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
    const { trunk } = self.state()
    // Another trunk may have become active since this one was set up.
    yield* commands.refresh
    const code = trunk === null ? undefined : yield* commands.faultOf(self, trunk.wanted)
    if (code !== undefined) return yield* self.tell({ _tag: "RefuseNumberMode", generation, code })
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
  /** A host that has moved is handed to the PBX first. One that is not allowed any more is not probed. */
  const probe = traced("PerformTrunk.probe")(function* (self: TrunkSelf, work: WorkOf<"Probe">) {
    const { trunk } = self.state()
    const { pbx_trunk_id } = work
    const version =
      trunk && [trunk.serving, trunk.wanted].find((each) => each !== null && pbxTrunkId(trunk, each) === pbx_trunk_id)
    if (trunk && version && (yield* commands.hasMoved(self, trunk, version)))
      yield* dispatch(yield* commands.put(self, trunk, version, `probe${work.probe}`))
    yield* dispatch(yield* commands.probe(self, work))
  })

  /** A name without an address may get one again, so its trunk stays on the PBX. */
  const refused = Effect.fnUntraced(function* (
    self: TrunkSelf,
    { pbx_trunk_id }: Pick<WorkOf<"Probe">, "pbx_trunk_id">,
    { code }: TrunkRefused,
    occasion: string
  ) {
    yield* Effect.logWarning(`The trunk of workspace ${self.id} is reported as down: its host was refused`, code)
    yield* self.tell({ _tag: "Refuse", pbx_trunk_id, code: code ?? null })
    const command = code === undefined ? undefined : yield* commands.withdraw(self, pbx_trunk_id, occasion)
    if (command !== undefined) yield* dispatch(command)
  })

  return {
    probe: (self: TrunkSelf, work: WorkOf<"Probe">) =>
      Effect.catchTag(probe(self, work), "TrunkRefused", (refusal) =>
        refused(self, work, refusal, `probe${work.probe}`)
      ),
    refused
  }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const commands = yield* makeTrunkCommands
    const { chooseNumberMode, setUp } = yield* makeActivation(commands)

    const dispatch = (addressed: Addressed) => dispatchAny(system, addressed)
    const { probe, refused } = makeProbe(commands, dispatch)

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
            // The PBX may still have the trunk: only the connection to it may have ended.
            Effect.catchTag("TrunkRefused", (refusal) =>
              refused(self, { pbx_trunk_id: pbxTrunkId(trunk, version) }, refusal, `e${epoch}`)
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
