// The customer's own servers: the voice callback, and the receiver of webhooks. Both fail, hang and forget to answer.
import { Clock, Effect } from "effect"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { CallbackFailure, type VoiceCallback } from "../../src/domain/ports/calls/VoiceCallback.ts"
import type { WebhookSender } from "../../src/domain/ports/webhooks/WebhookSender.ts"
import { scripts } from "./Customer.ts"
import type { Kernel } from "./Kernel.ts"
import { Rng } from "./Rng.ts"
import type { Faults } from "./Scenario.ts"

/** After so many questions the callback ends the call. */
const questionsMax = 5

export class Receivers {
  /** Every delivery that was heard. */
  readonly heard: Array<{ readonly delivery_id: string; readonly event_id: string }> = []
  faults: Faults
  private readonly kernel: Kernel
  private readonly answers = new Map<string, ReadonlyArray<VoiceAction>>()
  private readonly scripts: Rng
  private readonly callbacks: Rng
  private readonly webhooks: Rng

  constructor(kernel: Kernel, faults: Faults) {
    this.kernel = kernel
    this.faults = faults
    this.scripts = new Rng(kernel.seed, "scripts")
    this.callbacks = new Rng(kernel.seed, "callback_bad")
    this.webhooks = new Rng(kernel.seed, "webhook_bad")
  }

  readonly ask: VoiceCallback["Service"]["ask"] = ({ deadline_at, idempotency_key }) =>
    Effect.suspend(() => {
      const { callbacks } = this
      const isBad = callbacks.chance(this.faults.callback_bad)
      const hangs = isBad && callbacks.chance(0.3)
      const answer = this.answerTo(idempotency_key)
      if (hangs)
        return Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.andThen(
            Effect.sleep(Math.max(0, deadline_at - now)),
            Effect.fail(new CallbackFailure({ cause: "callback_timeout", detail: "" }))
          )
        )
      const answered = isBad
        ? Effect.fail(new CallbackFailure({ cause: "callback_failed", http_status: 500, detail: "" }))
        : Effect.succeed(answer)
      return Effect.andThen(Effect.sleep(callbacks.tail(5, 4_000)), answered)
    })

  readonly send: WebhookSender["Service"]["send"] = ({ body, delivery_id }) =>
    Effect.gen({ self: this }, function* () {
      const { webhooks } = this
      const at = yield* Clock.currentTimeMillis
      const isBad = webhooks.chance(this.faults.webhook_bad)
      yield* Effect.sleep(isBad && webhooks.chance(0.3) ? 10_000 : webhooks.tail(1, 500))
      if (!isBad || webhooks.chance(0.5)) {
        const { id } = JSON.parse(body) as { readonly id: string }
        this.heard.push({ delivery_id, event_id: id })
        this.kernel.note(`webhook ${delivery_id}`)
      }
      const duration_ms = (yield* Clock.currentTimeMillis) - at
      const ended = { at, duration_ms, response_excerpt: null, retry_after_ms: null }
      return isBad
        ? { ...ended, http_status: webhooks.chance(0.5) ? 500 : null, error: "timeout" }
        : { ...ended, http_status: 200, error: null }
    })

  /** The same for every repetition of a question. */
  private answerTo(idempotency_key: string): ReadonlyArray<VoiceAction> {
    const step = Number(idempotency_key.split(":")[1])
    const answer = this.answers.get(idempotency_key) ?? (step > questionsMax ? [] : this.scripts.of(scripts))
    this.answers.set(idempotency_key, answer)
    return answer
  }
}
