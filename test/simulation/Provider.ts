// A mobile-money provider and its payers. It loses requests and answers, and announces payments twice, late or never.
import { Effect } from "effect"
import { PaymentNotices } from "../../src/actors/ingest/PaymentNotices.ts"
import { type MobileMoneyProvider, ProviderUnanswered } from "../../src/domain/ports/money/PaymentProvider.ts"
import type { PaymentNotice } from "../../src/domain/topups/PaymentNotice.ts"
import type { ListedPayment, PushRequest, Standing } from "../../src/domain/topups/ProviderPayment.ts"
import type { Engines } from "./Engines.ts"
import type { Kernel } from "./Kernel.ts"
import type { Net } from "./Net.ts"
import { Process } from "./Process.ts"
import { Rng } from "./Rng.ts"
import type { Faults } from "./Scenario.ts"

const failed = { _tag: "Failed", code: "cancelled_by_user", message: "Cancelled" } as const

export class Provider {
  readonly process: Process
  /** By receipt. */
  readonly payments = new Map<string, ListedPayment>()
  /** How often each top-up prompted its payer. */
  readonly prompts = new Map<string, number>()
  faults: Faults
  engines: Engines | undefined
  private readonly kernel: Kernel
  private readonly net: Net
  private readonly rng: Rng
  private readonly payers: Rng
  private readonly standings = new Map<string, Standing>()

  constructor(kernel: Kernel, net: Net, faults: Faults) {
    this.kernel = kernel
    this.net = net
    this.faults = faults
    this.process = new Process(kernel, "provider", 2048)
    this.rng = new Rng(kernel.seed, "payment_bad")
    this.payers = new Rng(kernel.seed, "payers")
  }

  readonly service: MobileMoneyProvider = {
    currency: "KES",
    unit_minor: 100,
    push: (request) =>
      this.over(() => {
        this.prompts.set(request.topup_id, (this.prompts.get(request.topup_id) ?? 0) + 1)
        this.standings.set(request.topup_id, { _tag: "Pending" })
        const answers_after_ms = this.payers.tail(1_000, 90_000)
        this.kernel.after(this.process, answers_after_ms, () => this.end(request))
        return { _tag: "Accepted" as const, request_id: `ws_CO_${request.topup_id}` }
      }),
    query: ({ topup_id }) => this.over(() => this.standings.get(topup_id) ?? { _tag: "Pending" as const }),
    payments: (from, to) =>
      this.over(() => [...this.payments.values()].filter(({ paid_at }) => paid_at >= from && paid_at <= to))
  }

  /** The request, or its answer, may be lost. */
  private over<A>(serve: () => A): Effect.Effect<A, ProviderUnanswered> {
    return Effect.suspend(() => {
      const { faults, rng } = this
      const lost = Effect.fail(new ProviderUnanswered({ cause: "simulated" }))
      const isLost = rng.chance(faults.payment_bad / 2)
      const isAnswerLost = rng.chance(faults.payment_bad / 2)
      const served = Effect.suspend(() => {
        if (isLost) return lost
        const answer = serve()
        return isAnswerLost ? lost : Effect.succeed(answer)
      })
      return Effect.andThen(Effect.sleep(rng.tail(5, 4_000)), served)
    })
  }

  /** The payer has decided. */
  private end({ account_ref, amount_minor, currency, topup_id }: PushRequest): void {
    if (this.payers.chance(0.2)) {
      this.standings.set(topup_id, failed)
      return this.announce({ _tag: "PromptEnded", topup_id, result: failed })
    }
    const receipt = `S${String(this.payments.size + 1).padStart(9, "0")}`
    const paid_at = this.kernel.wall
    const payment: ListedPayment = { receipt, amount_minor, currency, account_ref, paid_at }
    this.payments.set(receipt, payment)
    this.kernel.note(`paid ${receipt} for ${topup_id}`)
    this.standings.set(topup_id, { _tag: "Paid", receipt, amount_minor })
    this.announce({ _tag: "PromptEnded", topup_id, result: { _tag: "Paid", receipt, amount_minor, currency, paid_at } })
    this.announce({ _tag: "PaidIn", payment })
  }

  private announce(notice: PaymentNotice): void {
    const { faults, kernel, process, rng } = this
    if (rng.chance(faults.payment_bad / 2)) return
    const times = rng.chance(faults.payment_bad) ? 2 : 1
    for (let time = 0; time < times; time++)
      kernel.after(process, rng.tail(1, rng.chance(faults.payment_bad) ? 600_000 : 2_000), () => this.tell(notice))
  }

  private tell(notice: PaymentNotice): void {
    const member = this.engines?.live
    if (member === undefined) return
    const { context, process } = member
    const taken = Effect.ignore(Effect.flatMap(PaymentNotices, ({ take }) => take(notice)))
    this.net.send(this.process, process, () => void process.fork(Effect.provideContext(taken, context)))
  }
}
