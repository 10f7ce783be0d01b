// Which hosts belong to providers and to the trunks of workspaces.
import { AllowedTargets } from "../../../../src/domain/ports/engine/AllowedTargets.ts"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CurrentTenant } from "../../../../src/domain/access/CurrentTenant.ts"
import { PlatformHosts } from "../../../../src/actors/pbx/PlatformHosts.ts"
import { SipTargets } from "../../../../src/actors/pbx/SipTargets.ts"
import { HostResolver } from "../../../../src/domain/ports/pbx/HostResolver.ts"
import * as MemoryDirectory from "../../../../src/layers/memory/MemoryDirectory.ts"
import { TrunkReads } from "../../../../src/domain/ports/pbx/TrunkReads.ts"
import * as PgTrunkReads from "../../../../src/layers/postgres/reads/TrunkReads.ts"
import { workspaceId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const own = workspaceId("00000000-0000-8000-8000-0000000000e1")
const other = workspaceId("00000000-0000-8000-8000-0000000000e2")
const sandbox = workspaceId("7e577e57-0000-8000-8000-0000000000e3")

interface Definition {
  readonly auth_mode: string
  readonly host: string
  readonly allowed_ips?: ReadonlyArray<string>
}

/** What DNS says. */
const resolved: Record<string, ReadonlyArray<string>> = {}
const resolver = Layer.succeed(HostResolver, {
  addresses: (host) => Effect.sync(() => resolved[host] ?? []),
  services: () => Effect.succeed([])
})

const workspaces = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  for (const id of [own, other, sandbox])
    yield* sql`INSERT INTO workspaces ${sql.insert({
      id,
      name: "A",
      tenant_pbx_id: id,
      gateway_id: id === sandbox ? "sandbox" : "default",
      voice_secret: "",
      created_at: new Date()
    })} ON CONFLICT DO NOTHING`
})

const stored = (
  sql: PgClient.PgClient,
  workspace_id: string,
  serving: boolean,
  definition: Definition,
  addresses?: ReadonlyArray<string>
) => {
  const version = { generation: 1, definition, ...(addresses && { addresses }) }
  const state = JSON.stringify({ trunk: { serving: serving ? version : null, wanted: version } })
  return sql`INSERT INTO sip_trunks (workspace_id, trunk_id, status, serving, version, state)
    VALUES (${workspace_id}, ${workspace_id}, 'active', ${serving}, 1, ${state})
    ON CONFLICT (workspace_id) DO UPDATE SET serving = excluded.serving, state = excluded.state`
}

const judging = SipTargets.layer.pipe(
  Layer.provide(Layer.succeed(AllowedTargets)({ allow_insecure: false, allow_private: false })),
  Layer.provideMerge(PgTrunkReads.layer),
  Layer.provide([resolver, PlatformHosts.none, MemoryDirectory.layer({ workspaces: [], rates: [] })])
)

layer(Layer.provideMerge(judging, TestDatabase.layer), { timeout: "60 seconds" })("the hosts of trunks", (it) => {
  it.effect("are hosts of others for other workspaces, by name and by address, while the trunk serves", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { judge, refresh } = yield* SipTargets
      yield* workspaces
      const asked = (host: string, ...addresses: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          resolved[host] = addresses
          yield* refresh
          const verdicts = yield* Effect.forEach([own, other], (id) => judge(id, { host }))
          return verdicts.map(({ host }) => host === "of_others")
        })
      const serves = (serving: boolean, host: string, addresses?: ReadonlyArray<string>) =>
        stored(sql, own, serving, { auth_mode: "ip", host }, addresses)
      yield* serves(true, "SIP.Provider.example")
      assert.deepStrictEqual(yield* asked("sip.provider.example", "9.9.9.9"), [false, true])
      assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9"), [false, false])
      yield* serves(true, "8.8.4.4")
      assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9", "8.8.4.4"), [false, true])
      assert.deepStrictEqual(yield* asked("8.8.4.4", "8.8.4.4"), [false, true])
      assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9"), [false, false])
      // Two names may mean the same host.
      yield* serves(true, "sip.provider.example", ["8.8.4.4", "2001:4860:4860::8844"])
      assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9", "8.8.4.4"), [false, true])
      assert.deepStrictEqual(yield* asked("alias.example", "2001:4860:4860::8844"), [false, true])
      assert.deepStrictEqual(yield* asked("alias.example", "2001:4860:4860:0::8844"), [false, true])
      assert.deepStrictEqual(yield* asked("alias.example", "9.9.9.9"), [false, false])
      yield* serves(false, "8.8.4.4", ["8.8.4.4"])
      assert.deepStrictEqual(yield* asked("alias.example", "8.8.4.4"), [false, false])
    })
  )

  it.effect("are listed while the trunk carries calls, with its mode, addresses and ranges", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* workspaces
      const { servingPlaces } = yield* TrunkReads
      const provider = "SIP.Provider.example"
      yield* stored(sql, own, true, { auth_mode: "ip", host: provider, allowed_ips: ["8.8.4.0/24"] }, ["8.8.4.4"])
      yield* stored(sql, other, true, { auth_mode: "digest", host: "8.8.8.8" })
      const listed = [
        { workspace_id: own, auth_mode: "ip", host: provider, addresses: ["8.8.4.4"], allowed_ips: ["8.8.4.0/24"] },
        { workspace_id: other, auth_mode: "digest", host: "8.8.8.8", addresses: [], allowed_ips: [] }
      ]
      const places = Effect.map(servingPlaces, (found) =>
        found.toSorted((one, next) => one.workspace_id.localeCompare(next.workspace_id))
      )
      assert.deepStrictEqual(yield* places, listed)
      // A request sees the rows of its own workspace alone, but is judged by those of all.
      assert.deepStrictEqual(yield* Effect.provideService(places, CurrentTenant, other), listed)
      yield* stored(sql, sandbox, true, { auth_mode: "ip", host: provider, allowed_ips: ["9.9.9.9"] })
      assert.deepStrictEqual(yield* places, listed)
      yield* stored(sql, own, false, { auth_mode: "ip", host: provider, allowed_ips: ["8.8.4.0/24"] })
      assert.deepStrictEqual(yield* places, listed.slice(1))
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
})
