// Random histories of prompts and payments: announced late, twice, in any order or not at all, with crashes between.
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { TopUps } from "../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { paidIn, pass, payments, promptEnded, ScriptedProvider, settled } from "../support/Payments.ts"
import { bytesOf, Choices } from "./model/Choices.ts"
import { workspaceId } from "../support/Ids.ts"
import type { TopUpId } from "../../src/domain/BrandedIds.ts"

const workspace_id = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")
const amount_minor = 50_000

/** One payment as the world knows it: of a prompt, or by hand. */
interface Payment {
  readonly receipt: string
  readonly topup_id: TopUpId | undefined
  readonly account_ref: string
  readonly paid_at: number
}

const play = Effect.fnUntraced(function* (choices: Choices) {
  const journal = yield* MemoryJournal.make
  const provider = new ScriptedProvider()
  const prompts: Array<{ readonly topup_id: TopUpId; readonly account_ref: string }> = []
  const paid: Array<Payment> = []
  let phones = 0

  const announce = ({ account_ref, paid_at, receipt, topup_id }: Payment) =>
    choices.oneIn(2) || topup_id === undefined
      ? paidIn({ receipt, amount_minor, account_ref, paid_at })
      : promptEnded(topup_id, { _tag: "Paid", receipt, amount_minor, paid_at })

  const step = Effect.gen(function* () {
    const topups = yield* TopUps
    const now = yield* Clock.currentTimeMillis
    const receipt = `R${String(paid.length).padStart(9, "0")}`
    switch (choices.of(["start", "pay", "announce", "pass", "by hand", "fail", "list", "lose"] as const)) {
      case "start": {
        const phone_e164 = `+2547000${String(++phones).padStart(5, "0")}`
        const { mobilemoney_account_ref: account_ref, topup_id } = yield* topups.start({
          workspace_id,
          origin: systemOrigin,
          request: { provider: "mobilemoney", amount_minor, currency: "KES", phone_e164 }
        })
        return void prompts.push({ topup_id, account_ref })
      }
      case "pay": {
        const prompt = prompts.find(({ topup_id }) => !paid.some((payment) => payment.topup_id === topup_id))
        return prompt === undefined ? undefined : void paid.push({ ...prompt, receipt, paid_at: now })
      }
      case "by hand":
        return prompts[0] === undefined
          ? undefined
          : void paid.push({ receipt, topup_id: undefined, account_ref: prompts[0].account_ref, paid_at: now })
      case "announce":
        return paid.length === 0 ? undefined : yield* announce(paid[choices.below(paid.length)]!)
      case "fail":
        return prompts.length === 0
          ? undefined
          : yield* promptEnded(prompts[choices.below(prompts.length)]!.topup_id, {
              _tag: "Failed",
              code: "payer_unreachable",
              message: ""
            })
      case "list":
        return void provider.listed.push(...paid.map((payment) => ({ ...payment, amount_minor })))
      case "lose":
        return journal.failNext()
      case "pass":
        return yield* pass(choices.of([1, 16, 25]))
    }
  })

  /** An engine until it crashes; what is stored is all that the next one knows. */
  const life = (steps: number) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(payments(journal, provider.layer), scope)
      yield* Effect.provideContext(
        Effect.gen(function* () {
          yield* (yield* Wallets).open(workspace_id, "KES")
          for (let n = 0; n < steps; n++) yield* Effect.ignore(step)
          yield* settled
        }),
        context
      )
      return { context, scope }
    })

  for (let lives = 0; lives < 3; lives++) {
    const { scope } = yield* life(10)
    journal.crash()
    yield* Scope.close(scope, Exit.void)
  }
  // What was never announced is in the provider's list, which is read every ten minutes.
  provider.listed.push(...paid.map((payment) => ({ ...payment, amount_minor })))
  const { context, scope } = yield* life(0)
  yield* Effect.provideContext(pass(660, 30), context)
  yield* Scope.close(scope, Exit.void)

  const { ledger } = journal.tables
  const credited = ledger.map(
    ({ metadata }) => (JSON.parse(metadata) as { readonly provider_reference: string }).provider_reference
  )
  assert.sameMembers(
    credited,
    paid.map(({ receipt }) => receipt),
    "each payment is credited, once"
  )
  assert.isTrue(ledger.every((entry) => entry.kind === "topup" && entry.amount_minor === amount_minor))
  assert.strictEqual(
    Number(journal.tables.snapshot("Wallet", workspace_id)?.columns["balance_minor"]),
    paid.length * amount_minor
  )
  const topups = [...journal.tables.snapshots.values()].filter(({ actor_type }) => actor_type === "TopUp")
  const succeeded = topups
    .filter(({ columns }) => columns["status"] === "succeeded")
    .map(({ columns }) => String(columns["provider_reference"]))
  assert.sameMembers(succeeded, credited, "each credit has its top-up, and each succeeded top-up its credit")
  assert.isTrue(
    topups.every(({ columns }) => columns["status"] !== "pending"),
    "nothing stays open"
  )
  return paid.length
})

it.effect(
  "credit each payment once, however often it is announced and whenever the engine is killed",
  () =>
    Effect.gen(function* () {
      let paid = 0
      for (let seed = 0; seed < 12; seed++) {
        paid += yield* play(new Choices(bytesOf(seed, 200))).pipe(
          Effect.catchDefect((defect) => Effect.die(new Error(`Seed ${seed}: ${String(defect)}`)))
        )
      }
      assert.isAbove(paid, 24)
    }),
  60_000
)
