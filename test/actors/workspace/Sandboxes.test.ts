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
import * as MemoryNumberReads from "../../../src/layers/memory/MemoryNumberReads.ts"
import { storedNumbers } from "../../../src/layers/memory/MemoryNumberReads.ts"
import * as MemoryWalletReads from "../../../src/layers/memory/MemoryWalletReads.ts"
import { startingCredit_minor, testCountry, testPrices } from "../../../src/domain/numbers/TestNetwork.ts"
import { unclaimed } from "../../../src/domain/numbers/PhoneNumber.ts"
import { NumberCommands } from "../../../src/domain/numbers/NumberCommand.ts"
import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { Idempotency } from "../../../src/domain/ports/access/Idempotency.ts"
import { NumberReads } from "../../../src/domain/ports/numbers/NumberReads.ts"
import * as PerformNumber from "../../../src/actors/numbers/PerformNumber.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { Webhooks } from "../../../src/actors/webhooks/Webhooks.ts"
import { facts } from "../../domain/numbers/Fixtures.ts"
import { diesAfter } from "../../support/DiesAfter.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"
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

const price = testPrices.UGX
const prices = { ...price, outbound_per_min_minor: price.per_min_minor }
const noIdempotency = Layer.mock(Idempotency)({ fingerprint: (text) => text, find: () => Effect.undefined })

const credit = {
  entry_id: "0199a000-0000-7000-8000-0000000000c1",
  kind: "manual_credit",
  reference_type: "sandbox",
  reference_id: "0199a000-0000-7000-8000-0000000000c1",
  description: "",
  origin: systemOrigin
} as const

const testNumbers = ["+99910000001", "+99910000002", "+99910000003"]

/** Numbers that can be claimed in the journal. */
const stock = ({ tables }: MemoryJournal, ...numbers: ReadonlyArray<string>) => {
  for (const [index, number] of numbers.entries()) {
    const actor_id = numberId(`0199a000-0000-7000-8000-0000000000f${index}`)
    const data = unclaimed({ ...facts, number, country: testCountry })
    const { status } = data
    const row = { actor_type: "Number", actor_id, workspace_id: null, version: 1, columns: { number, status } }
    tables.snapshots.set(`Number/${actor_id}`, { ...row, state: JSON.stringify(data) })
  }
}

/** The numbers of the sandbox, and of which it is claiming. */
const numbersOf = (journal: MemoryJournal) =>
  storedNumbers(journal).flatMap(({ data }) =>
    data.workspace_id === sandbox_id || data.claim?.workspace_id === sandbox_id ? [data] : []
  )

const engine = (journal: MemoryJournal, numbers = MemoryNumberReads.layer(journal, prices)) => {
  const wallets = MemoryWalletReads.layer(journal)
  const ofNumbers = PerformNumber.layer.pipe(
    Layer.provide(Wallets.layer),
    Layer.provide([Layer.mock(Webhooks)({}), noIdempotency, wallets])
  )
  const actors = Layer.mergeAll(
    PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)),
    ofNumbers,
    WorkspaceActors.layerWith(numbers, wallets)
  )
  return Layer.fresh(
    Layer.mergeAll(
      Sandboxes.layer,
      Layer.effectDiscard(Effect.flatMap(ActorSystem, ({ start }) => start)).pipe(Layer.provide(actors))
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
}

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

/** Time passes meanwhile: the sandbox is waited for. */
const use = Effect.flatMap(Sandboxes, (sandboxes) => sandboxes.of(id)).pipe(
  Effect.raceFirst(Effect.forever(Effect.andThen(TestClock.adjust("20 millis"), Effect.yieldNow)))
)

/** The ids of the actors of a type that belong to sandboxes. */
const sandboxed = ({ tables }: MemoryJournal, type: string) =>
  [...tables.snapshots.values()]
    .filter(({ actor_id, actor_type }) => actor_type === type && isSandbox(actor_id))
    .map(({ actor_id }) => actor_id)

/** One twin, which is open, one wallet with its first money, and one number, of which a month is paid. */
const assertOne = (journal: MemoryJournal) => {
  assert.deepStrictEqual(sandboxed(journal, "Workspace"), [sandbox_id])
  assert.deepStrictEqual(sandboxed(journal, "Wallet"), [sandbox_id])
  assert.deepInclude(factsOf(journal, sandbox_id), {
    status: "active",
    currency: "UGX",
    sandbox_of: id,
    gateway_id: sandboxGatewayId
  })
  assert.deepInclude(journal.tables.snapshot("Wallet", sandbox_id)?.columns, {
    currency: "UGX",
    balance_minor: startingCredit_minor("UGX") - price.monthly_price_minor
  })
  assert.deepStrictEqual(
    journal.tables.ledger.filter(({ workspace_id }) => workspace_id === sandbox_id).map(({ kind }) => kind),
    ["manual_credit", "number_rental"]
  )
  assert.lengthOf(numbersOf(journal), 1)
  assert.deepInclude(numbersOf(journal)[0], { status: "active", workspace_id: sandbox_id })
  assert.strictEqual(factsOf(journal, sandbox_id)?.number_mode, "unset")
  assert.strictEqual(factsOf(journal, id)?.sandbox?.status, "active")
}

describe("a sandbox", () => {
  it.effect("is made once, whichever commit of its making is the last of the engine", () =>
    Effect.gen(function* () {
      const dyingAfter = Effect.fnUntraced(function* (commits: number) {
        const journal = yield* MemoryJournal.make
        stock(journal, ...testNumbers)
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
      assert.isAbove(commits, 6)
    })
  )

  it.effect("is made once by many that need it first", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      stock(journal, ...testNumbers)
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

  it.effect("begins with money alone if there is no number", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      stock(journal, "+254207900100")
      yield* Effect.gen(function* () {
        yield* onboard
        yield* use
      }).pipe(Effect.provide(engine(journal)))
      assert.deepStrictEqual(numbersOf(journal), [])
      assert.deepInclude(journal.tables.snapshot("Wallet", sandbox_id)?.columns, {
        balance_minor: startingCredit_minor("UGX")
      })
    })
  )

  it.effect("gets another number if the one that it wants is taken meanwhile", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      stock(journal, ...testNumbers)
      const [free] = storedNumbers(journal)
      const current = MemoryNumberReads.layer(journal, prices)
      // The first list is from before another sandbox took all numbers but one.
      const stale = Layer.effect(
        NumberReads,
        Effect.gen(function* () {
          const reads = yield* NumberReads
          let before = yield* reads.available(sandbox_id, "UGX", {}, 20)
          before = before.filter(({ inventory_id }) => inventory_id !== free?.id)
          return NumberReads.of({
            ...reads,
            available: (...asked) => {
              const shown = before.length > 0 ? Effect.succeed(before) : reads.available(...asked)
              before = []
              return shown
            }
          })
        })
      ).pipe(Layer.provide(current), Layer.orDie)
      yield* Effect.gen(function* () {
        const { ask, drain } = yield* ActorSystem
        const other = workspaceId("7e577e57-0000-7000-8000-0000000000b2")
        yield* ask(WalletCommands.Open, other, { currency: "UGX" })
        yield* ask(WalletCommands.Credit, other, { ...credit, amount_minor: price.monthly_price_minor * 10 })
        for (const { id: number } of storedNumbers(journal).filter(({ id: number }) => number !== free?.id)) {
          const claim = { workspace_id: other, terms: { ...prices, currency: "UGX" as const }, entry_id: number }
          yield* ask(NumberCommands.Claim, number, {
            ...claim,
            origin: systemOrigin,
            kept_under: null,
            starts_sandbox: true
          })
        }
        yield* drain
        yield* onboard
        yield* use
      }).pipe(Effect.provide(engine(journal, stale)))
      assert.deepStrictEqual(
        numbersOf(journal).map(({ number }) => number),
        [free?.data.number]
      )
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
