// The sandbox of a workspace is made once, whatever dies meanwhile and however many need it first.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as PerformWallet from "../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../src/actors/wallet/WalletOwner.ts"
import { Sandboxes } from "../../../src/actors/workspace/Sandboxes.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { toWorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { default_policy } from "../../../src/domain/calls/policy/CallingPolicy.ts"
import { Charges } from "../../../src/domain/ports/calls/Charges.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { isSandbox, sandboxGatewayId, sandboxIdOf } from "../../../src/domain/kit/Sandbox.ts"
import { factsOfState } from "../../../src/domain/workspace/StoredWorkspace.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { AesVault } from "../../../src/layers/keyring/AesVault.ts"
import { diesAfter } from "../../support/DiesAfter.ts"
import { workspaceId } from "../../support/Ids.ts"
import * as WorkspaceActors from "../../support/WorkspaceActors.ts"

const id = workspaceId("0199a000-0000-7000-8000-0000000000a1")
const sandbox_id = sandboxIdOf(SystemIds.named, id)

const factsOf = ({ tables }: MemoryJournal, workspace_id: string) => {
  const state = tables.snapshot("Workspace", workspace_id)?.state
  return state === undefined ? undefined : factsOfState(state)
}

/** The directory as the database shows it at once. */
const directory = (journal: MemoryJournal) =>
  Layer.mock(Directory)({
    workspace: (workspace_id) =>
      Effect.sync(() => {
        const facts = factsOf(journal, workspace_id)
        return facts && { ...facts, id: workspace_id, calling_policy: default_policy }
      })
  })

const noCharges = Layer.succeed(Charges)({
  ofCall: () => Effect.succeed(undefined),
  orphanedHolds: () => Effect.succeed([])
})

const engine = (journal: MemoryJournal) =>
  Layer.fresh(
    Layer.mergeAll(
      Sandboxes.layer,
      Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(
        Layer.provide(Layer.merge(PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)), WorkspaceActors.layer))
      )
    ).pipe(
      Layer.provideMerge(LocalSystem.layer),
      Layer.provide([
        noCharges,
        SystemIds.layer,
        directory(journal),
        journal.layer,
        AesVault(new Uint8Array(32).fill(9))
      ])
    )
  )

const pass = (seconds: number) =>
  Effect.gen(function* () {
    const { drain } = yield* ActorSystem
    for (let second = 0; second < seconds; second++) {
      yield* drain
      yield* TestClock.adjust("1 second")
    }
    yield* drain
  })

const onboard = Effect.gen(function* () {
  const { ask, drain } = yield* ActorSystem
  yield* ask(WorkspaceCommands.Onboard, id, WorkspaceActors.onboarding)
  yield* drain
})

const use = Effect.flatMap(Sandboxes, (sandboxes) => sandboxes.of(id))

/** The ids of the actors of a type that belong to sandboxes. */
const sandboxed = ({ tables }: MemoryJournal, type: string) =>
  [...tables.snapshots.values()]
    .filter(({ actor_id, actor_type }) => actor_type === type && isSandbox(actor_id))
    .map(({ actor_id }) => actor_id)

/** One twin, which is open, and one wallet. */
const assertOne = (journal: MemoryJournal) => {
  assert.deepStrictEqual(sandboxed(journal, "Workspace"), [sandbox_id])
  assert.deepStrictEqual(sandboxed(journal, "Wallet"), [sandbox_id])
  assert.deepInclude(factsOf(journal, sandbox_id), {
    status: "active",
    currency: "UGX",
    sandbox_of: id,
    gateway_id: sandboxGatewayId
  })
  assert.deepInclude(journal.tables.snapshot("Wallet", sandbox_id)?.columns, { currency: "UGX", balance_minor: 0 })
  assert.strictEqual(factsOf(journal, id)?.sandbox?.status, "active")
}

describe("a sandbox", () => {
  it.effect("is made once, whichever commit of its making is the last of the engine", () =>
    Effect.gen(function* () {
      const dyingAfter = Effect.fnUntraced(function* (commits: number) {
        const journal = yield* MemoryJournal.make
        const died = yield* Effect.gen(function* () {
          yield* onboard
          const isDead = diesAfter(journal, journal.commits + commits)
          yield* Effect.forkDetach(Effect.ignore(use))
          // A dead engine never answers: nothing is waited for.
          for (let second = 0; second < 10 && !isDead(); second++) yield* TestClock.adjust("1 second")
          return isDead()
        }).pipe(Effect.provide(engine(journal)))
        yield* Effect.gen(function* () {
          yield* pass(5)
          // What was begun is finished by the plan, although nobody asks for it.
          if ((factsOf(journal, id)?.sandbox ?? null) !== null) assertOne(journal)
          assert.strictEqual(yield* use, sandbox_id)
          yield* pass(5)
          assertOne(journal)
        }).pipe(Effect.provide(engine(journal)))
        return died
      })
      let commits = 0
      while (yield* dyingAfter(commits)) commits++
      assert.isAbove(commits, 3)
    })
  )

  it.effect("is made once by many that need it first", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* onboard
        const ids = yield* Effect.all(
          Array.from({ length: 20 }, () => use),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(ids), new Set([sandbox_id]))
        const secret = factsOf(journal, sandbox_id)?.voice_secret
        yield* pass(2)
        assertOne(journal)
        assert.strictEqual(factsOf(journal, sandbox_id)?.voice_secret, secret)
      }).pipe(Effect.provide(engine(journal)))
    })
  )

  it.effect("is not used before its wallet is open", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* onboard
        const { ask } = yield* ActorSystem
        yield* ask(WorkspaceCommands.Onboard, sandbox_id, {
          name: "Acme",
          currency: "UGX",
          tenant_pbx_id: sandbox_id,
          gateway_id: sandboxGatewayId,
          voice_secret: "sealed",
          sandbox_of: id
        })
        assert.isUndefined(journal.tables.snapshot("Wallet", sandbox_id))
        yield* use
        assert.isDefined(journal.tables.snapshot("Wallet", sandbox_id))
      }).pipe(Effect.provide(engine(journal)))
    })
  )

  it.effect("takes over the name and the status of its workspace, across a crash", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* onboard
        yield* use
        yield* pass(2)
        const { ask } = yield* ActorSystem
        yield* ask(WorkspaceCommands.Rename, id, { name: "Bloom" })
        yield* pass(2)
        assert.strictEqual(factsOf(journal, sandbox_id)?.name, "Bloom")
        yield* ask(WorkspaceCommands.Rename, id, { name: "Carry" })
        yield* ask(WorkspaceCommands.Suspend, id, { reason: null, origin: systemOrigin })
        journal.crash()
      }).pipe(Effect.provide(engine(journal)))
      yield* Effect.provide(pass(5), engine(journal))
      assert.deepInclude(factsOf(journal, toWorkspaceId(sandbox_id)), { name: "Carry", status: "suspended" })
    })
  )
})
