// What the console says of callers' numbers that the network has checked.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { demoWorkspace } from "../../src/layers/postgres/seed/SeedRows.ts"
import { ConsoleBrowser, obstacle } from "./support/ConsoleBrowser.ts"

const pbx_secret = "a-secret-for-gateways"
const attestedCalls = ConsoleBrowser.layerWith({ env: { PBX_INGEST_SECRET: pbx_secret } })

/** A call to the demo number, as a gateway reports it. */
const comesIn = (attestation: string) =>
  Effect.gen(function* () {
    const { program } = yield* ConsoleBrowser
    const body = {
      event_id: randomUUID(),
      tenant_pbx_id: demoWorkspace.tenant_pbx_id,
      type: "session.created",
      session_id: `HD_in_${randomUUID()}`,
      seq: 1,
      occurred_at: new Date().toISOString(),
      direction: "inbound",
      from: "+254722000077",
      to: program.demo().number.number,
      data: { attestation }
    }
    const { status, text } = yield* program.ask("/v1/webhooks/pbx/events", { key: pbx_secret, body })
    assert.strictEqual(status, 202, text)
    return (yield* program.ask(`/v1/calls/${body.session_id}`)).json<CallRecord>()
  })

describe.skipIf(obstacle !== undefined)("the console", { timeout: 120_000 }, () => {
  layer(attestedCalls, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("says in words what the network knows of a caller's number, in the list and on the call's page", () =>
      Effect.gen(function* () {
        const { inspect, openAs } = yield* ConsoleBrowser
        const forged = yield* comesIn("failed")
        const verified = yield* comesIn("A")
        const { complaints, page } = yield* openAs("owner")
        yield* Effect.promise(async () => {
          await page.goto("/calls?direction=inbound")
          const tagged = (id: string, text: string) =>
            page
              .locator("tr", { has: page.locator(`a[href="/calls/${id}"]`) })
              .getByText(text, { exact: true })
              .waitFor()
          await tagged(forged.id, "verification failed")
          await tagged(verified.id, "verified")
          await page.goto(`/calls/${forged.id}`)
          await page.getByText("it is probably forged").waitFor()
          await page.getByText("STIR/SHAKEN: failed").waitFor()
        })
        assert.deepStrictEqual(complaints, [])
        yield* inspect("attested-calls", "/calls?direction=inbound", (page) =>
          page.locator("tbody a").first().waitFor()
        )
        yield* inspect("attested-call", `/calls/${verified.id}`, (page) => page.getByText("STIR/SHAKEN: A").waitFor())
      })
    )
  })
})
