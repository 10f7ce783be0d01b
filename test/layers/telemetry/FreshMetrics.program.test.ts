// What a process that has just started shows: Prometheus sees no increase in a counter that begins with 1.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { Families } from "../../../src/domain/errors/Catalog.ts"
import { eventKinds } from "../../../src/domain/events/EventTable.ts"
import { StatementKind } from "../../../src/domain/wallet/StatementEntry.ts"
import { makeProgram } from "../../support/Program.ts"
import { alertRules, metricsIn, samplesOf, selectorsIn, valuesOf } from "../../support/Promql.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const board = JSON.parse(readFileSync(new URL("../../../deploy/grafana/trunkline.json", import.meta.url), "utf8")) as {
  readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }>
}
const read = [...alertRules.values(), ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]

/** The values of each label, of which each has a counter from the start. */
const labelled: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
  ["trunkline_http_errors_total", "code", Families.flatMap(([, classes]) => classes.map(({ code }) => code))],
  ["trunkline_events_total", "kind", eventKinds],
  ["trunkline_ledger_entries_total", "kind", StatementKind.literals],
  ["trunkline_security_alerts_total", "kind", eventKinds.filter((kind) => kind.startsWith("security."))],
  ["trunkline_journal_failures_total", "reason", ["stale", "duplicate", "captured", "unavailable"]],
  ["trunkline_calls_ended_total", "status", ["completed", "no_answer", "busy", "failed", "canceled"]],
  ["trunkline_clock_leaps_total", "kind", ["set", "stood_still"]],
  ["trunkline_actor_work_restarts_total", "actor", ["Call", "Wallet", "Subscription"]],
  ["trunkline_http_connections_cut_total", "reason", ["stalled", "connection", "address", "total"]],
  ["trunkline_webhook_attempt_duration_seconds_count", "outcome", ["delivered", "refused", "unreachable"]],
  [
    "trunkline_callback_duration_seconds_count",
    "outcome",
    ["answered", "callback_failed", "callback_timeout", "voice_action_invalid", "interrupted"]
  ],
  ["trunkline_http_request_duration_seconds_count", "status", ["1xx", "2xx", "3xx", "4xx", "5xx"]]
]

/** Kept by the engine from the beginning of its first minute, with or without a fault. */
const busy = /trunkline_(journal_commit|http_request)_duration_seconds|trunkline_(events|ledger_entries)_total/

layer(TestDatabase.layer, { excludeTestServices: true })("a process that has just started", (it) => {
  it.effect(
    "shows every counter that an alert or the board reads, with all its labels, at 0",
    () =>
      Effect.gen(function* () {
        const program = yield* makeProgram({})
        yield* program.start
        const { text } = yield* program.ask("/metrics")
        for (const selector of new Set(read.flatMap(selectorsIn))) {
          if (!/_(total|count|sum|bucket)\b/.test(selector)) continue
          const values = valuesOf(selector, text, text)
          assert.isNotEmpty(values, selector)
          if (!busy.test(selector)) assert.deepStrictEqual([...new Set(values)], [0], selector)
        }
        const samples = samplesOf(text)
        for (const [name, label, values] of labelled) {
          const shown = samples.filter((sample) => sample.name === name).map(({ labels }) => labels[label])
          assert.deepStrictEqual(
            values.filter((value) => !shown.includes(value)),
            [],
            name
          )
        }
        for (const { name } of samples.filter((sample) => sample.name.endsWith("_total")))
          assert.isTrue(labelled.some(([known]) => known === name) || unlabelled.includes(name), `${name} has no row`)
        assert.isAbove(new Set(read.flatMap(metricsIn)).size, 20)
      }),
    120_000
  )
})

const unlabelled = [
  "trunkline_calls_started_late_total",
  "trunkline_webhook_deliveries_total",
  "trunkline_webrtc_tokens_refused_total"
]
