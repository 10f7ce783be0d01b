// `POST /v1/webhooks/{id}/doctor`: does the receiver answer, and does it check what it must (docs/webhooks.md)?
import { Schema } from "effect"
import { SubscriptionId } from "../BrandedIds.ts"

/** How old a signature is that a receiver must refuse: the tolerance is 300 seconds. */
const tooOld_ms = 600_000
/** A receiver whose clock is farther off refuses good deliveries. */
const tolerance_ms = 300_000

/**
 * The requests, in their order. All have the same form; what is wrong with the last two only a receiver notices that
 * checks the signature, and its time.
 */
const probes = {
  signed: { expects: "accepted", payload: { kind: "webhook.test", test: true } },
  repeated: { expects: "accepted", payload: { kind: "webhook.test", test: true } },
  odd_bytes: {
    expects: "accepted",
    payload: { kind: "webhook.test", test: true, note: "  é ✓ \u2028 </script> 1.0 " }
  },
  altered: { expects: "refused", payload: { kind: "webhook.test", test: true } },
  old: { expects: "refused", payload: { kind: "webhook.test", test: true } }
} as const

export type ProbeName = keyof typeof probes

export const probeNames = Object.keys(probes) as ReadonlyArray<ProbeName>

/** The payload of the event, as JSON text. */
export const probePayload = (name: ProbeName): string => JSON.stringify(probes[name].payload)

/** What is sent: the body may differ from the signed one, and the signature may be old. Epoch milliseconds. */
export const probeRequest = (name: ProbeName, body: string, now: number) => ({
  signed_body: body,
  body: name === "altered" ? body.replace('"test":true', '"test":false') : body,
  signed_at: name === "old" ? now - tooOld_ms : now
})

/** What came back. */
export interface ProbeAnswer {
  readonly http_status: number | null
  /** Why there was no response. */
  readonly error: string | null
  readonly duration_ms: number
  /** The time of the receiver's header `Date`, epoch milliseconds. */
  readonly receiver_at: number | null
}

const ProbeRecord = Schema.Struct({
  probe: Schema.Literals(["signed", "repeated", "odd_bytes", "altered", "old"]).annotate({
    description:
      "`signed`: as every delivery. `repeated`: the same once more. `odd_bytes`: letters that a parser may change. `altered`: the body was changed after it was signed. `old`: signed ten minutes ago."
  }),
  expects: Schema.Literals(["accepted", "refused"]).annotate({
    description: "Whether a right receiver answers 2xx."
  }),
  http_status: Schema.NullOr(Schema.Int).annotate({
    description: "Status of the receiver's response; null: no response."
  }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why there was no response: `dns_failed`, `connect_failed`, `tls_failed`, `timeout` …"
  }),
  duration_ms: Schema.Int,
  passed: Schema.Boolean.annotate({ description: "Whether the receiver did what is expected." })
}).annotate({ identifier: "WebhookProbe" })
type ProbeRecord = typeof ProbeRecord.Type

export const WebhookDiagnosis = Schema.Struct({
  subscription_id: SubscriptionId,
  url: Schema.String,
  healthy: Schema.Boolean.annotate({ description: "Whether every probe passed and the clock is right." }),
  clock_skew_ms: Schema.NullOr(Schema.Int).annotate({
    description:
      "By how much the receiver's clock is ahead of ours, by its header `Date`, which has whole seconds; null: it sends none. More than 300 seconds are a fault."
  }),
  probes: Schema.Array(ProbeRecord).annotate({
    description:
      "The requests that were sent, in their order. Each may take 5 seconds. After one without a response, or after 8 seconds together, nothing more is sent."
  })
}).annotate({ identifier: "WebhookDiagnosis" })
export type WebhookDiagnosis = typeof WebhookDiagnosis.Type

const accepts = ({ http_status }: ProbeAnswer): boolean =>
  http_status !== null && http_status >= 200 && http_status < 300

/** A probe without a response has failed, whatever was expected. */
export const probeRecord = (probe: ProbeName, answer: ProbeAnswer): ProbeRecord => {
  const { expects } = probes[probe]
  const { duration_ms, error, http_status } = answer
  const passed = http_status !== null && accepts(answer) === (expects === "accepted")
  return { probe, expects, http_status, error, duration_ms, passed }
}

/** By how much the receiver's clock is ahead, from an answer that came at `now`. */
export const clockSkew_ms = ({ duration_ms, receiver_at }: ProbeAnswer, now: number): number | null =>
  receiver_at === null ? null : receiver_at - (now - Math.round(duration_ms / 2))

export const diagnosis = (
  of: Pick<WebhookDiagnosis, "subscription_id" | "url" | "clock_skew_ms">,
  records: ReadonlyArray<ProbeRecord>
): WebhookDiagnosis => ({
  ...of,
  healthy: records.every(({ passed }) => passed) && Math.abs(of.clock_skew_ms ?? 0) <= tolerance_ms,
  probes: records
})
