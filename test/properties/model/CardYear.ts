// A year of card payments at random, some of them automatic: paid, late, doubled, refunded, disputed, out of order,
// with an engine that is killed and a provider that does not answer. The provider here is the truth that the books are
// compared with.
import { Clock, Effect, Exit, Fiber, Layer, Scope } from "effect"
import type { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { CardPaymentNotices } from "../../../src/actors/ingest/CardPaymentNotices.ts"
import { TopUps } from "../../../src/actors/topups/TopUps.ts"
import { AutoTopUps } from "../../../src/actors/wallet/AutoTopUps.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { TopUpId } from "../../../src/domain/BrandedIds.ts"
import { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import { CardPayments, type CardProvider, ProviderUnanswered } from "../../../src/domain/ports/money/PaymentProvider.ts"
import { pass, settled } from "../../support/Payments.ts"
import { workspaceId } from "../../support/Ids.ts"
import type { Choices } from "./Choices.ts"

export const workspace_id = workspaceId("0190f5fe-7c00-7a00-8000-00000000000a")

const amounts = [10_000, 50_000, 123_400] as const
const pageLifetime_ms = 3_600_000

/** A payment page, as the provider knows it. */
export interface Page {
  readonly topup_id: TopUpId
  readonly request_id: string
  readonly amount_minor: number
  readonly expires_at: number
  payment: string | null
  refunded_minor: number
  dispute: "none" | "open" | "won" | "lost"
  by_hand: boolean
  /** Whether the payer saves the card. */
  readonly saves: boolean
  /** The charge of a saved card; the others are paid on a page. */
  readonly automatic: boolean
  readonly created_at: number
}

/** A top-up starts while less than 60,000 are available, and in a month at most five. */
export const autoTopUps = {
  enabled: true,
  threshold_minor: 60_000,
  amount_minor: 10_000,
  monthly_ceiling_minor: 50_000
} as const

const card = { reference: "cus_1 pm_1", brand: "visa", last4: "4242" } as const

/** What the provider has given back to the payer. */
const takenBack_minor = ({ amount_minor, dispute, refunded_minor }: Page): number =>
  dispute === "open" || dispute === "lost" ? amount_minor : refunded_minor

/** What the wallet must have of a page in the end. */
export const owed_minor = (page: Page): number =>
  page.payment === null || page.by_hand ? 0 : page.amount_minor - takenBack_minor(page)

/** Runs what waits for an answer of the provider, which may come late. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* pass(12, 3)
    return yield* Fiber.await(fiber)
  })

export class CardWorld {
  readonly pages = new Map<TopUpId, Page>()
  /** Every notice that was ever sent; the undelivered ones are repeated until they are taken. */
  readonly sent: Array<{ readonly topup_id: TopUpId; readonly request_id: string; delivered: boolean }> = []
  kills = 0
  /** Top-ups for which the bank declined the saved card. */
  readonly declined = new Set<TopUpId>()
  private readonly choices: Choices
  private payments = 0

  constructor(choices: Choices) {
    this.choices = choices
  }

  private readonly maybe = <A>(answer: () => A): Effect.Effect<A, ProviderUnanswered> =>
    Effect.suspend(() => {
      // The request was carried out, and its answer may be lost.
      const done = answer()
      return this.choices.oneIn(5) ? Effect.fail(new ProviderUnanswered({ cause: "lost" })) : Effect.succeed(done)
    })

  private readonly provider: CardProvider = {
    // The answer to a repeated charge is the first one.
    charge: ({ amount_minor, created_at, topup_id }) =>
      this.maybe(() => {
        const request_id = `pi_${topup_id}`
        if (!this.declined.has(topup_id) && !this.pages.has(topup_id)) {
          const answer = this.choices.of(["paid", "paid", "paid", "declined", "processing"] as const)
          if (answer === "declined") this.declined.add(topup_id)
          else {
            const page: Page = {
              topup_id,
              request_id,
              amount_minor,
              expires_at: Infinity,
              payment: answer === "paid" ? `pi_3Off${String(++this.payments)}` : null,
              refunded_minor: 0,
              dispute: "none",
              by_hand: false,
              saves: false,
              automatic: true,
              created_at
            }
            this.pages.set(topup_id, page)
            this.send(page)
          }
        }
        return this.declined.has(topup_id)
          ? ({ _tag: "Refused", code: "card_declined", message: "" } as const)
          : ({ _tag: "Accepted", request_id } as const)
      }),
    push: ({ amount_minor, created_at, save_card = false, topup_id }) =>
      this.maybe(() => {
        const page = this.pages.get(topup_id) ?? {
          topup_id,
          request_id: `cs_${topup_id}`,
          amount_minor,
          expires_at: created_at + pageLifetime_ms,
          payment: null,
          refunded_minor: 0,
          dispute: "none" as const,
          by_hand: false,
          saves: save_card,
          automatic: false,
          created_at
        }
        this.pages.set(topup_id, page)
        const { expires_at, request_id } = page
        return { _tag: "Accepted", request_id, page: { url: `https://pay.test/${request_id}`, expires_at } } as const
      }),
    query: ({ topup_id }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        this.maybe(() => {
          const page = this.pages.get(topup_id)
          if (page?.payment)
            return {
              _tag: "Paid",
              receipt: page.payment,
              amount_minor: page.amount_minor,
              currency: "KES",
              taken_back_minor: takenBack_minor(page),
              ...(page.saves && { card })
            } as const
          return page !== undefined && now >= page.expires_at
            ? ({ _tag: "Failed", code: "expired", message: "" } as const)
            : ({ _tag: "Pending" } as const)
        })
      )
  }

  readonly layer = Layer.succeed(CardPayments)({ provider: this.provider })

  private send({ request_id, topup_id }: Page): void {
    this.sent.push({ topup_id, request_id, delivered: false })
  }

  private some(pages: ReadonlyArray<Page>): Page | undefined {
    return pages.length === 0 ? undefined : pages[this.choices.below(pages.length)]
  }

  private paid(): ReadonlyArray<Page> {
    return [...this.pages.values()].filter(({ payment }) => payment !== null)
  }

  /** Something happens to a payment, and the provider sends a notice of it. */
  private change(page: Page | undefined, change: (page: Page) => void): void {
    if (page === undefined) return
    change(page)
    this.send(page)
  }

  /** Delivers a notice: any of those that were ever sent, the same one again or an older one too. */
  private readonly deliver = (notice: CardWorld["sent"][number] | undefined) =>
    Effect.gen(function* () {
      if (notice === undefined) return
      const { request_id, topup_id } = notice
      yield* (yield* CardPaymentNotices).take({ _tag: "Changed", topup_id, request_id })
      notice.delivered = true
    })

  readonly step = Effect.gen({ self: this }, function* () {
    const { choices } = this
    const now = yield* Clock.currentTimeMillis
    switch (
      choices.of([
        "spend",
        "spend",
        "auto",
        "pass",
        "start",
        "pay",
        "notify",
        "notify",
        "refund",
        "dispute",
        "decide",
        "fail",
        "hand"
      ] as const)
    ) {
      case "start":
        return yield* whileTimePasses(
          (yield* TopUps).start({
            workspace_id,
            origin: systemOrigin,
            request: {
              provider: "card",
              amount_minor: choices.of(amounts),
              currency: "KES",
              save_card: choices.oneIn(2)
            }
          })
        )
      case "spend":
        return yield* whileTimePasses(
          (yield* Wallets).debit(workspace_id, {
            entry_id: (yield* Ids).uuid(),
            kind: "number_rental",
            amount_minor: choices.of([5_000, 40_000]),
            may_overdraw: false,
            reference_type: "number",
            reference_id: "n",
            description: "",
            origin: systemOrigin
          })
        )
      case "auto":
        return yield* whileTimePasses((yield* AutoTopUps).set(workspace_id, autoTopUps, systemOrigin))
      case "pay": {
        const open = [...this.pages.values()].filter(({ expires_at, payment }) => payment === null && now < expires_at)
        return this.change(this.some(open), (page) => (page.payment = `pi_3Mtw${String(++this.payments)}`))
      }
      case "notify":
        return yield* this.deliver(this.sent[choices.below(Math.max(1, this.sent.length))])
      case "refund":
        return this.change(this.some(this.paid()), (page) => {
          page.refunded_minor = Math.min(page.amount_minor, page.refunded_minor + choices.of([100, 5_000, 200_000]))
        })
      case "fail":
        return this.change(this.some(this.paid()), (page) => (page.refunded_minor = 0))
      case "dispute":
        return this.change(this.some(this.paid()), (page) => (page.dispute = "open"))
      case "decide":
        return this.change(this.some(this.paid().filter(({ dispute }) => dispute === "open")), (page) => {
          page.dispute = choices.of(["won", "lost"])
        })
      case "hand": {
        const page = choices.oneIn(6) ? this.some(this.paid()) : undefined
        if (page === undefined) return undefined
        const reversed = yield* whileTimePasses((yield* TopUps).reverse(page.topup_id, "Charged back", systemOrigin))
        // A payment that is not credited yet cannot be reversed.
        page.by_hand = Exit.isSuccess(reversed)
        return undefined
      }
      case "pass":
        return yield* pass(choices.of([1, 31, 600, 3_700]), 600)
    }
  })

  /** Everything that was sent and not taken is sent again, as providers do for days. */
  readonly deliverAll = Effect.suspend(() =>
    Effect.forEach(
      this.sent.filter(({ delivered }) => !delivered),
      (notice) => Effect.retry(this.deliver(notice), { times: 5 }),
      { discard: true }
    )
  )
}

interface Life<E, R> {
  /** An engine on what is stored. */
  readonly engine: () => Layer.Layer<ActorSystem | AutoTopUps | Ids | TopUps | Wallets | CardPaymentNotices, E, R>
  /** Loses what is not stored. */
  readonly crash: Effect.Effect<void>
  readonly lives: number
  readonly steps: number
  /** How much time passes in a life beside that of its steps, in seconds. */
  readonly idle_s: number
}

/** Plays the lives of an engine, each but the last ended by a kill in the middle of its work. */
export const playCardYear = <E, R>(world: CardWorld, choices: Choices, life: Life<E, R>) =>
  Effect.gen(function* () {
    const { crash, engine, idle_s, lives, steps } = life
    for (let n = 0; n < lives; n++) {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Layer.fresh(engine()), scope)
      yield* Effect.provideContext(
        Effect.gen(function* () {
          yield* Effect.ignore((yield* Wallets).open(workspace_id, "KES"))
          for (let step = 0; step < steps; step++) yield* Effect.ignore(world.step)
          yield* pass(idle_s, Math.max(1, Math.floor(idle_s / 20)))
          for (let step = 0; step < 4; step++) yield* Effect.ignore(world.step)
          // It is killed at any moment.
          yield* Effect.repeat(Effect.yieldNow, { times: choices.below(40) })
        }),
        context
      )
      yield* crash
      world.kills++
      yield* Scope.close(scope, Exit.void)
    }
    yield* Effect.scoped(
      Effect.gen(function* () {
        const context = yield* Layer.build(Layer.fresh(engine()))
        yield* Effect.provideContext(
          Effect.gen(function* () {
            yield* Effect.ignore((yield* AutoTopUps).set(workspace_id, { ...autoTopUps, enabled: false }, systemOrigin))
            yield* world.deliverAll
            yield* settled
            yield* pass(7_200, 60)
            // Until then the engine asks for charges that the provider has not decided.
            yield* pass(20 * 3_600, 600)
          }),
          context
        )
      })
    )
  })
