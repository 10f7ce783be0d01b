// Which hosts belong to providers and to the trunks of other workspaces.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TrunkReads } from "../../../../src/domain/ports/TrunkReads.ts"
import * as PgTrunkReads from "../../../../src/layers/postgres/reads/TrunkReads.ts"
import { workspaceId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const own = workspaceId("00000000-0000-8000-8000-0000000000e1")
const other = workspaceId("00000000-0000-8000-8000-0000000000e2")

layer(Layer.provideMerge(PgTrunkReads.layer, TestDatabase.layer), { timeout: "60 seconds" })(
  "the hosts of trunks",
  (it) => {
    it.effect("are hosts of others for other workspaces, by name and by address, while the trunk serves", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        for (const id of [own, other])
          yield* sql`INSERT INTO workspaces ${sql.insert({
            id,
            name: "A",
            tenant_pbx_id: id,
            gateway_id: "default",
            voice_secret: "",
            created_at: new Date()
          })}`
        const { isHostOfOthers } = yield* TrunkReads
        const stored = (workspace_id: string, serving: boolean, host: string, addresses?: ReadonlyArray<string>) => {
          const version = { generation: 1, definition: { host }, ...(addresses && { addresses }) }
          const state = JSON.stringify({ trunk: { serving: serving ? version : null } })
          return sql`INSERT INTO sip_trunks (workspace_id, trunk_id, status, serving, version, state)
          VALUES (${workspace_id}, ${workspace_id}, 'active', ${serving}, 1, ${state})
          ON CONFLICT (workspace_id) DO UPDATE SET serving = excluded.serving, state = excluded.state`
        }
        const asked = (host: string, ...addresses: ReadonlyArray<string>) =>
          Effect.all([isHostOfOthers(own, { host, addresses }), isHostOfOthers(other, { host, addresses })])
        yield* stored(own, true, "SIP.Provider.example")
        assert.deepStrictEqual(yield* asked("sip.provider.example", "9.9.9.9"), [false, true])
        assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9"), [false, false])
        yield* stored(own, true, "8.8.4.4")
        assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9", "8.8.4.4"), [false, true])
        assert.deepStrictEqual(yield* asked("8.8.4.4", "8.8.4.4"), [false, true])
        assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9"), [false, false])
        // Two names may mean the same host.
        yield* stored(own, true, "sip.provider.example", ["8.8.4.4", "2001:4860:4860::8844"])
        assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9", "8.8.4.4"), [false, true])
        assert.deepStrictEqual(yield* asked("alias.example", "2001:4860:4860::8844"), [false, true])
        assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9"), [false, false])
        yield* stored(own, false, "8.8.4.4", ["8.8.4.4"])
        assert.deepStrictEqual(yield* asked("alias.example", "8.8.4.4"), [false, false])
      })
    )

    it.effect("of active providers are listed", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const now = new Date()
        for (const status of ["active", "retired"])
          yield* sql`INSERT INTO number_providers ${sql.insert({
            id: `00000000-0000-8000-8000-00000000000${status.length}`,
            name: status,
            status,
            host: `${status}.example`,
            port: 5060,
            transport: "udp",
            max_channels: 1,
            max_cps: 1,
            created_at: now,
            updated_at: now
          })}`
        const hosts = yield* Effect.flatMap(TrunkReads, ({ providerHosts }) => providerHosts)
        assert.deepStrictEqual(hosts, ["active.example"])
      })
    )
  }
)
