// All configuration: the variables of the environment, and the rules between them.
import { ConfigProvider, Context, Data, Effect, Layer, type LogLevel, Redacted, Result } from "effect"
import { resolve } from "node:path"
import {
  defaultDailySpend_minor,
  defaultMaxDailySpend_minor,
  type SpendCeilings
} from "../domain/calls/policy/SpendCeiling.ts"
import { freePort } from "../layers/node/FreePort.ts"
import { s3Fault } from "../layers/recordings/S3Place.ts"
import type { Variable } from "../layers/settings/Variable.ts"
import type { Refusal } from "../layers/settings/Vendor.ts"
import { productionProblems } from "./ProductionRules.ts"
import { defaultSipPort, type Read, table } from "./SettingsTable.ts"
import { cardVendors, mobileMoneyVendors } from "./Vendors.ts"
import { sandboxGatewayId } from "../domain/kit/Sandbox.ts"

const logLevels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
} as const satisfies Record<Read["log_level"], LogLevel.LogLevel>

/**
 * The settings are not valid. Each problem names its variable and what is allowed. Of the values only entries of a list
 * are shown; no secret setting has a list that is shown.
 */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return this.problems.join("\n")
  }
}

const missing = (read: Read, condition: string, needed: ReadonlyArray<keyof Read>): ReadonlyArray<string> =>
  needed
    .filter((key) => read[key] === undefined)
    .map((key) => `${table[key].name} is missing: ${condition} requires it.`)

/** What the chosen vendors refuse in production. */
const refusedByVendors = (read: Read): ReadonlyArray<Refusal> => {
  const { card_provider: card = "none", mobilemoney_provider: mobileMoney = "none" } = read
  return [
    ...(card === "none" ? [] : cardVendors[card].refusedInProduction(read)),
    ...(mobileMoney === "none" ? [] : mobileMoneyVendors[mobileMoney].refusedInProduction(read))
  ]
}

const inProduction = (read: Read): ReadonlyArray<string> =>
  read.environment === "production"
    ? [
        ...missing(read, "ENVIRONMENT=production", ["database_url", "pbx_ingest_secret", "master_key"]),
        ...productionProblems(read, refusedByVendors(read))
      ]
    : []

/** The variables of a chosen vendor that are missing. */
const ofVendor = <Name extends string>(
  read: Read,
  variable: string,
  vendors: Readonly<Record<Name, { readonly required: ReadonlyArray<string> }>>,
  name: Name | "none" | undefined
): ReadonlyArray<string> =>
  name === undefined || name === "none"
    ? []
    : missing(read, `${variable}=${name}`, vendors[name].required as ReadonlyArray<keyof Read>)

const ofGateways = ({ default_gateway, pbx_gateways }: Read): ReadonlyArray<string> =>
  [
    ...(pbx_gateways.has(sandboxGatewayId) ? [table.pbx_gateways.name] : []),
    ...(default_gateway === sandboxGatewayId ? [table.default_gateway.name] : [])
  ].map((name) => `${name} names ${sandboxGatewayId}, which is the simulated network of test mode. Rename it.`)

const problemsOf = (read: Read): ReadonlyArray<string> => [
  ...inProduction(read),
  ...ofGateways(read),
  ...(read.pbx_gateway === "asterisk"
    ? missing(read, "PBX_GATEWAY=asterisk", ["ari_url", "ari_username", "ari_password", "ari_app"])
    : []),
  ...(read.chatapp_provider === "graph"
    ? missing(read, "CHATAPP_PROVIDER=graph", ["graph_token", "graph_account_id", "graph_sip_host"])
    : []),
  ...(read.recordings_url === undefined ? [] : s3Fault(Redacted.value(read.recordings_url))),
  ...ofVendor(read, "MOBILEMONEY_PROVIDER", mobileMoneyVendors, read.mobilemoney_provider),
  ...ofVendor(read, "CARD_PROVIDER", cardVendors, read.card_provider),
  ...(read.turn_urls.length === 0 ? [] : missing(read, "TURN_URLS", ["turn_secret"])),
  ...(read.oidc_issuer === undefined ? [] : missing(read, "OIDC_ISSUER", ["oidc_client_id", "oidc_client_secret"]))
]

/** Asterisk serves ARI and SIP over WebSocket on the same HTTP server. */
const sipUrlFromAri = ({ ari_url, pbx_gateway }: Read): string | undefined =>
  pbx_gateway === "asterisk" ? ari_url?.replace(/^http/, "ws").replace(/\/ari\/*$/, "/ws") : undefined

/** A domain with a port, if it is not the default one (RFC 3261, section 19.1.2). */
const registrarOf = (domain: string, port: number): string => {
  const host = domain.includes(":") && !domain.startsWith("[") ? `[${domain}]` : domain
  return port === defaultSipPort ? domain : `${host}:${port}`
}

const spendCeilings = ({ environment, max_daily_spend_minor: set = new Map() }: Read): SpendCeilings => {
  if (set === "none") return new Map()
  return new Map([...(environment === "production" ? defaultMaxDailySpend_minor : []), ...set])
}

const complete = (read: Read) => {
  const host = read.host.includes(":") ? `[${read.host}]` : read.host
  const base_url = (read.base_url ?? `http://${host}:${read.port}`).replace(/\/+$/, "")
  const sip_domain = read.sip_domain ?? new URL(base_url).hostname
  const provider = read.environment === "development" ? ("simulator" as const) : ("none" as const)
  return {
    ...read,
    pbx_gateway: read.pbx_gateway ?? provider,
    mobilemoney_provider: read.mobilemoney_provider ?? provider,
    card_provider: read.card_provider ?? provider,
    chatapp_provider: read.chatapp_provider ?? provider,
    base_url,
    pbx_sip_ws_url: read.pbx_sip_ws_url ?? sipUrlFromAri(read),
    sip_domain,
    /** Where devices register. */
    sip_registrar: registrarOf(sip_domain, read.sip_port),
    mail_from: read.mail_from ?? `trunkline <no-reply@${new URL(base_url).hostname}>`,
    operator_emails: read.operator_emails.map((email) => email.toLowerCase()),
    data_dir: resolve(read.data_dir),
    allow_private_targets: read.allow_private_targets ?? read.environment === "development",
    daily_spend_minor: new Map([...defaultDailySpend_minor, ...read.daily_spend_minor]),
    max_daily_spend_minor: spendCeilings(read),
    new_workspace_ceilings:
      (read.new_workspace_ceilings ?? (read.environment === "production" ? "on" : "off")) === "on",
    rate_limits: read.rate_limits === "on",
    cluster: read.cluster === "on",
    log_level: logLevels[read.log_level],
    log_format: read.log_format ?? (process.stdout.isTTY ? "pretty" : "json")
  }
}

const faultOf = (
  { invalidItem, allowed, name }: Variable<unknown>,
  result: Result.Result<unknown, unknown>
): ReadonlyArray<string> => {
  if (Result.isFailure(result)) return [`${name} is not valid. Allowed: ${allowed}.`]
  const item = invalidItem?.(result.success)
  return item === undefined ? [] : [`${name} is not valid: "${item}". Allowed: ${allowed}.`]
}

/** The settings as read, and all that is wrong with them. A variable that is not valid has its default. */
const examine = Effect.gen(function* () {
  const rows = yield* Effect.forEach(Object.entries<Variable<unknown>>(table), ([key, row]) =>
    Effect.map(Effect.result(row.config), (result) => {
      const faults = faultOf(row, result)
      const value = Result.isSuccess(result) && faults.length === 0 ? result.success : row.absent
      return { key, name: row.name, faults, value }
    })
  )
  // The table says the type of each value, which `entries` forgets.
  const read = Object.fromEntries(rows.map(({ key, value }) => [key, value])) as unknown as Read
  const invalid = rows.flatMap(({ faults, name }) => (faults.length === 0 ? [] : [`${name} is missing`]))
  const problems = problemsOf(read).filter((problem) => !invalid.some((beginning) => problem.startsWith(beginning)))
  return { read, problems: [...rows.flatMap(({ faults }) => faults), ...problems] }
})

const load = Effect.gen(function* () {
  const { problems, read } = yield* examine
  if (problems.length > 0) return yield* new SettingsInvalid({ problems })
  return complete(read.port === 0 ? { ...read, port: yield* freePort(read.host) } : read)
})

/** Why a production start with these variables would be refused; empty if it would not. It starts nothing. */
export const productionRefusals = (env: Readonly<Record<string, string>>): Effect.Effect<ReadonlyArray<string>> =>
  examine.pipe(
    Effect.map(({ problems }) => problems),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { ...env, ENVIRONMENT: "production" } })
    )
  )

export class Settings extends Context.Service<Settings, Effect.Success<typeof load>>()("trunkline/layers/Settings") {
  static readonly layer = Layer.effect(Settings, load)
}
