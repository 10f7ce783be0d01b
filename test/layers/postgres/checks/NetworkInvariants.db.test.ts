import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants } from "../../../../src/layers/postgres/checks/Invariants.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const live = "de300000-0000-8000-8000-000000000001"
const sandbox = "7e577e57-0000-8000-8000-000000000001"

/** What is found when a workspace is on the network of this gateway. */
const found = (id: string, gateway_id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // The constraint refuses such rows. The check must find them even if somebody has removed it.
    yield* sql`ALTER TABLE workspaces DROP CONSTRAINT workspaces_network`
    yield* sql`INSERT INTO workspaces (id, name, tenant_pbx_id, gateway_id, voice_secret, created_at)
      VALUES (${id}, 'Acme', 'acme', ${gateway_id}, '', now())`
    return (yield* checkInvariants).flatMap(({ count, name }) => (count > 0 ? [name] : []))
  }).pipe(Effect.provide(TestDatabase.layer))

const breach = ["Sandboxes, and no other workspaces, are on the simulated network"]

describe("the network of a workspace", () => {
  for (const [what, id, gateway_id, breaches] of [
    ["a live workspace on its gateway", live, "default", []],
    ["a sandbox on the simulated network", sandbox, "sandbox", []],
    ["a live workspace on the simulated network", live, "sandbox", breach],
    ["a sandbox on the gateway of live workspaces", sandbox, "default", breach]
  ] as const) {
    it.effect(`${what} is ${breaches.length === 0 ? "sound" : "found"}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* found(id, gateway_id), [...breaches])
      })
    )
  }
})
