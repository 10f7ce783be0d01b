// Workspaces, numbers, trunks and rates, cached in memory. Every call reads them several times.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { credentialsState } from "../../../domain/credentials/StoredCredentials.ts"
import { extensionsWith, noExtensions } from "../../../domain/credentials/Extension.ts"
import { policyOf } from "../../../domain/calls/policy/CallingPolicy.ts"
import { ServiceUnavailable } from "../../../domain/errors/GeneralErrors.ts"
import { RateDeck, type RateRow } from "../../../domain/numbers/RateDeck.ts"
import { type Routing, routingOf } from "../../../domain/numbers/Routing.ts"
import { Directory } from "../../../domain/ports/access/Directory.ts"
import type { OwnedNumber } from "../../../domain/numbers/OwnedNumber.ts"
import type { Rate } from "../../../domain/numbers/Rate.ts"
import type { Workspace } from "../../../domain/workspace/Workspace.ts"
import { servingTrunk, trunkState } from "../../../domain/trunks/Trunk.ts"
import { Vault } from "../../../domain/ports/engine/Vault.ts"
import { ChangeFeed } from "./ChangeFeed.ts"
import { readThroughCache } from "./ReadThroughCache.ts"
import { voiceSecretBound } from "../../../domain/workspace/VoiceSecret.ts"
import type { NumberId, WorkspaceId } from "../../../domain/BrandedIds.ts"

interface WorkspaceRow extends Omit<Workspace, "calling_policy"> {
  readonly calling_policy: unknown
}

interface NumberRow extends Omit<OwnedNumber, "outbound_per_min_minor" | "inbound_per_min_minor" | "routing"> {
  readonly outbound_per_min_minor: bigint | null
  readonly inbound_per_min_minor: bigint | null
  readonly routing: Partial<Routing>
}

interface StoredRate {
  readonly id: string
  readonly currency: string
  readonly direction: string
  readonly prefix: string
  readonly per_min_minor: bigint
  readonly class: Rate["class"]
  readonly effective_from: Date
  readonly effective_to: Date | null
}

const minor = (amount: bigint | null): number | null => (amount === null ? null : Number(amount))

const numberOf = ({ inbound_per_min_minor, outbound_per_min_minor, routing, ...row }: NumberRow): OwnedNumber => ({
  ...row,
  outbound_per_min_minor: minor(outbound_per_min_minor),
  inbound_per_min_minor: minor(inbound_per_min_minor),
  routing: routingOf(routing)
})

const rateOf = ({ effective_from, effective_to, id: _, per_min_minor, ...row }: StoredRate): RateRow => ({
  ...row,
  per_min_minor: Number(per_min_minor),
  effective_from: effective_from.getTime(),
  effective_to: effective_to?.getTime() ?? null
})

/** A workspace that cannot be read cannot be served. The HTTP edge answers 503, which clients may retry. */
const orUnavailable = Effect.catch((cause: unknown) => Effect.die(new ServiceUnavailable({ cause })))

/** Two caches: numbers by workspace and E.164 text, and the workspace that owns each number. */
const cacheNumbers = (sql: PgClient.PgClient, listening: () => boolean) => {
  const numbers = readThroughCache(listening, (key) => {
    const end = key.indexOf(" ")
    const [workspace_id, number] = [key.slice(0, end), key.slice(end + 1)]
    return Effect.map(
      sql<NumberRow>`
        SELECT id, number, status, source, country, outbound_per_min_minor, inbound_per_min_minor, routing FROM numbers
        WHERE workspace_id = ${workspace_id} AND number = ${number} AND status NOT IN ('available', 'removed')`,
      ([row]) => row && numberOf(row)
    )
  })
  const owners = readThroughCache(listening, (number) =>
    Effect.map(
      sql<{ readonly workspace_id: WorkspaceId }>`
        SELECT workspace_id FROM numbers WHERE number = ${number} AND status IN ('active', 'past_due', 'suspended')`,
      ([row]) => row?.workspace_id
    )
  )
  return { numbers, owners }
}

const cacheExtensions = (sql: PgClient.PgClient, listening: () => boolean) =>
  readThroughCache(listening, (workspace_id) =>
    Effect.map(
      sql<{ readonly state: object; readonly number_ids: ReadonlyArray<NumberId> }>`
        SELECT state, ARRAY(
          SELECT id::text FROM numbers n WHERE n.workspace_id = c.workspace_id AND n.status IN ('active', 'past_due', 'suspended')
        ) AS number_ids
        FROM sip_credentials c WHERE workspace_id = ${workspace_id}`,
      ([row]) =>
        row === undefined
          ? noExtensions
          : extensionsWith(credentialsState.view(row.state).credentials, new Set(row.number_ids))
    )
  )

const cacheCountries = (sql: PgClient.PgClient, listening: () => boolean) =>
  readThroughCache(listening, (workspace_id) =>
    Effect.map(
      sql<{ readonly country: string }>`
        SELECT DISTINCT country FROM numbers
        WHERE workspace_id = ${workspace_id} AND status IN ('active', 'past_due', 'suspended') ORDER BY country`,
      (rows) => rows.map(({ country }) => country)
    )
  )

const cacheTrunks = (sql: PgClient.PgClient, listening: () => boolean) =>
  readThroughCache(listening, (workspace_id) =>
    Effect.map(
      sql<{
        readonly state: object
      }>`SELECT state FROM sip_trunks WHERE workspace_id = ${workspace_id} AND serving`,
      ([row]) => row && servingTrunk(trunkState.view(row.state))
    )
  )

/** Decrypts the voice secrets. A previous secret that cannot be decrypted any more is dropped. */
const decryptSecrets =
  (vault: Vault["Service"]) =>
  (row: WorkspaceRow): Workspace => {
    const bound = voiceSecretBound(row.id)
    const voice_secret = vault.open(row.voice_secret, bound)
    const replaced = row.previous_voice_secret
    const previous = replaced && vault.open(replaced.secret, bound)
    if (voice_secret === undefined)
      throw new Error(`The voice secret of workspace ${row.id} is sealed with another MASTER_KEY.`)
    const previous_voice_secret = replaced && previous ? { ...replaced, secret: previous } : null
    return { ...row, voice_secret, previous_voice_secret, calling_policy: policyOf(row.calling_policy) }
  }

const cacheWorkspaces = (sql: PgClient.PgClient, listening: () => boolean, vault: Vault["Service"]) => {
  const decrypt = decryptSecrets(vault)
  return readThroughCache(listening, (id) =>
    Effect.map(
      sql<WorkspaceRow>`
        SELECT id, name, status, currency, tenant_pbx_id, gateway_id, voice_secret, calling_policy, retention_days, number_mode,
          state->'previous_voice_secret' AS previous_voice_secret
        FROM workspaces
        WHERE id = ${id}`,
      ([row]) => row && decrypt(row)
    )
  )
}

/** The id of the workspace behind each tenant of the PBX. */
const cacheTenants = (sql: PgClient.PgClient, listening: () => boolean) =>
  readThroughCache(listening, (tenant_pbx_id) =>
    Effect.map(
      sql<{ readonly id: string }>`SELECT id FROM workspaces WHERE tenant_pbx_id = ${tenant_pbx_id}`,
      ([row]) => row?.id
    )
  )

const rates_at_once = 2_000

/** Reads the rates part by part: there may be so many that all at once would hold up everything else. */
const readDeck = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const deck = new RateDeck()
  let after = "00000000-0000-0000-0000-000000000000"
  for (;;) {
    const rows: ReadonlyArray<StoredRate> = yield* sql<StoredRate>`
      SELECT id, currency, direction, prefix, per_min_minor, class, effective_from, effective_to FROM rates
      WHERE id > ${after} ORDER BY id LIMIT ${rates_at_once}`
    deck.add(rows.map(rateOf))
    const last = rows.at(-1)
    if (last === undefined || rows.length < rates_at_once) return deck
    after = last.id
  }
})

const cacheRates = (sql: PgClient.PgClient, listening: () => boolean) =>
  readThroughCache(listening, () => readDeck(sql))

const makeCaches = (sql: PgClient.PgClient, listening: () => boolean, vault: Vault["Service"]) => ({
  ...cacheNumbers(sql, listening),
  workspaces: cacheWorkspaces(sql, listening, vault),
  tenants: cacheTenants(sql, listening),
  countries: cacheCountries(sql, listening),
  extensions: cacheExtensions(sql, listening),
  trunks: cacheTrunks(sql, listening),
  rates: cacheRates(sql, listening)
})

/** Forgets what a notice of the ChangeFeed names, and everything after a new connection, which may have missed some. */
const forgetChanges = (caches: ReturnType<typeof makeCaches>) => {
  const { countries, extensions, numbers, owners, rates, tenants, trunks, workspaces } = caches
  return {
    connected: Effect.sync(() => {
      for (const cache of Object.values(caches)) cache.forgetAll()
    }),
    changed: (what: string, ...of: ReadonlyArray<string>) => {
      if (what === "workspace") workspaces.forget(of.join(" "))
      else if (what === "pbx") tenants.forget(of.join(" "))
      else if (what === "number") {
        const [workspace_id = ""] = of
        numbers.forget(of.join(" "))
        owners.forget(of.slice(1).join(" "))
        countries.forget(workspace_id)
        extensions.forget(workspace_id)
      } else if (what === "extensions") extensions.forget(of.join(" "))
      else if (what === "trunk") trunks.forget(of.join(" "))
      else if (what === "rates") rates.forgetAll()
    }
  }
}

/** The Directory port. Caches follow changes made by any process within milliseconds, through ChangeFeed. */
export const layer = Layer.effect(
  Directory,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const vault = yield* Vault
    const changes = yield* ChangeFeed

    const caches = makeCaches(sql, changes.listening, vault)
    yield* orUnavailable(changes.subscribe(forgetChanges(caches)))

    const { countries, extensions, numbers, owners, rates, tenants, trunks, workspaces } = caches
    const workspace = (id: string) => orUnavailable(workspaces.get(id))
    const number = (workspace_id: WorkspaceId, e164: string) => orUnavailable(numbers.get(`${workspace_id} ${e164}`))
    return Directory.of({
      caughtUp: () => changes.caughtUp,
      workspace,
      workspaceOfPbx: (tenant_pbx_id) =>
        Effect.flatMap(orUnavailable(tenants.get(tenant_pbx_id)), (id) =>
          id === undefined ? Effect.succeed(undefined) : workspace(id)
        ),
      number,
      numberOf: Effect.fnUntraced(function* (e164) {
        const workspace_id = yield* orUnavailable(owners.get(e164))
        if (workspace_id === undefined) return undefined
        const found = yield* number(workspace_id, e164)
        return found && { ...found, workspace_id }
      }),
      countries: (workspace_id) => orUnavailable(countries.get(workspace_id)),
      extensions: (workspace_id) => orUnavailable(extensions.get(workspace_id)),
      trunk: (workspace_id) => orUnavailable(trunks.get(workspace_id)),
      rate: (currency, direction, digits, at, source) =>
        Effect.map(orUnavailable(rates.get("")), (deck) => deck.find(currency, direction, digits, at, source))
    })
  })
)
