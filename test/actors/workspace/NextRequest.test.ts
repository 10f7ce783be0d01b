// What an operator or an admin changed holds for the next request, although notices of the database come late.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { SipTargets } from "../../../src/actors/pbx/SipTargets.ts"
import * as PerformWallet from "../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../src/actors/wallet/WalletOwner.ts"
import { Workspaces, WorkspaceSettings } from "../../../src/actors/workspace/Workspaces.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { Charges } from "../../../src/domain/ports/calls/Charges.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { SignIns } from "../../../src/domain/ports/access/SignIns.ts"
import { WorkspaceReads } from "../../../src/domain/ports/access/WorkspaceReads.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { factsOfState } from "../../../src/domain/workspace/StoredWorkspace.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../../src/layers/keyring/AesVault.ts"
import { gatewayId, workspaceId } from "../../support/Ids.ts"
import * as WorkspaceActors from "../../support/WorkspaceActors.ts"

const id = workspaceId("0199a000-0000-7000-8000-0000000000a2")

const factsOf = ({ tables }: MemoryJournal) => {
  const state = tables.snapshot("Workspace", id)?.state
  return state === undefined ? undefined : factsOfState(state)
}
type Facts = NonNullable<ReturnType<typeof factsOf>>

/** A directory that learns of changes only when it is asked to catch up. */
const makeLateDirectory = (journal: MemoryJournal) => {
  let known: Facts | undefined
  const catchUp = () => {
    known = factsOf(journal)
  }
  return {
    known: () => known,
    layer: Layer.mock(Directory)({ caughtUp: () => Effect.sync(catchUp) })
  }
}
type LateDirectory = ReturnType<typeof makeLateDirectory>

const engine = (journal: MemoryJournal, directory: LateDirectory) =>
  Layer.fresh(
    Layer.mergeAll(
      Workspaces.layer,
      Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(
        Layer.provide(Layer.merge(PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)), WorkspaceActors.layer))
      )
    ).pipe(
      Layer.provideMerge(LocalSystem.layer),
      Layer.provide(directory.layer),
      Layer.provide([
        Layer.mock(Charges)({ orphanedHolds: () => Effect.succeed([]) }),
        Layer.mock(SignIns)({}),
        Layer.mock(SipTargets)({}),
        Layer.mock(WorkspaceReads)({}),
        Layer.succeed(WorkspaceSettings)({
          default_gateway: gatewayId("default"),
          daily_spend_minor: new Map(),
          max_daily_spend_minor: new Map(),
          new_workspace_ceilings: false
        }),
        SystemIds.layer,
        journal.layer,
        AesVault(new Uint8Array(32).fill(9))
      ])
    )
  )

const changes: ReadonlyArray<
  readonly [string, (workspaces: Workspaces["Service"]) => Effect.Effect<unknown, unknown>, (facts: Facts) => unknown]
> = [
  ["another gateway", (to) => to.assignGateway(id, gatewayId("nairobi-1"), systemOrigin), (it) => it.gateway_id],
  ["a policy", (to) => to.changePolicy(id, { max_concurrent_calls: 3 }, systemOrigin), (it) => it.calling_policy],
  ["ceilings", (to) => to.changeCeilings(id, { max_concurrent_calls: 2 }, systemOrigin), (it) => it.policy_ceilings],
  ["a retention", (to) => to.change(id, { retention_days: 7 }), (it) => it.retention_days],
  ["a voice secret", (to) => to.rotateVoiceSecret(id, 60, { origin: systemOrigin }), (it) => it.voice_secret],
  ["a suspension", (to) => to.suspend(id, null, systemOrigin), (it) => it.status],
  ["its end", (to) => to.reinstate(id, systemOrigin), (it) => it.status],
  ["the closing", (to) => to.close(id, systemOrigin), (it) => it.status]
]

describe("the request after a change of a workspace", () => {
  it.effect("finds the change", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const directory = makeLateDirectory(journal)
      yield* Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const { ask, drain } = yield* ActorSystem
        yield* ask(WorkspaceCommands.Onboard, id, WorkspaceActors.onboarding)
        yield* drain
        for (const [name, change, member] of changes) {
          const before = member(factsOf(journal)!)
          yield* change(workspaces)
          const after = member(factsOf(journal)!)
          assert.notDeepEqual(after, before, name)
          assert.deepStrictEqual(directory.known() && member(directory.known()!), after, name)
        }
      }).pipe(Effect.provide(engine(journal, directory)))
    })
  )
})
