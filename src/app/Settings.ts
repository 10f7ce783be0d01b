// All configuration: one row for each variable of the environment, and the rules between them.
import { Context, Data, Effect, Layer, type LogLevel, Redacted, Result } from "effect"
import { resolve } from "node:path"
import { freePort } from "../layers/node/FreePort.ts"
import {
  addressRanges,
  digits,
  emails,
  flag,
  host,
  httpUrl,
  listenUrl,
  oneOf,
  optional,
  port,
  secret,
  secrets,
  sender,
  text,
  turnUrls,
  type Variable,
  variable,
  word,
  wsUrl
} from "../layers/settings/Variable.ts"
import { vendorNames, vendors, vendorVariables } from "./MobileMoneyVendors.ts"
import { s3Fault } from "../layers/recordings/S3Place.ts"

const onOff = oneOf("on", "off")
const base64Keys = /^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/
const base64Of32Bytes = /^[A-Za-z0-9+/]{43}=$/

/** In the order in which `--help` shows them. */
const table = {
  host: variable("HOST", "where to listen", host, "127.0.0.1"),
  port: variable("PORT", "where to listen; 0 takes a free one", port, 8080),
  base_url: optional("BASE_URL", "used in links, tokens and signatures", httpUrl, "from host and port"),
  sip_domain: optional("SIP_DOMAIN", "where devices register and browsers call", host, "the host of BASE_URL"),
  environment: variable(
    "ENVIRONMENT",
    "production demands DATABASE_URL and all secrets, refuses plain-http callbacks and the seeded demo",
    oneOf("development", "production"),
    "development"
  ),
  database_url: optional(
    "DATABASE_URL",
    "external PostgreSQL 14 or newer",
    secret("a URL that begins with postgres://", /^postgres(ql)?:\/\//),
    "embedded PostgreSQL"
  ),
  data_dir: variable("DATA_DIR", "embedded database, recordings, mail outbox, keys", text("a folder"), "./.data"),
  pbx_gateway: variable(
    "PBX_GATEWAY",
    "who dials; none: external gateways only",
    oneOf("simulator", "asterisk", "none"),
    "simulator"
  ),
  ari_url: optional("ARI_URL", "for asterisk", httpUrl, "-"),
  ari_username: optional("ARI_USERNAME", "for asterisk", word, "-"),
  ari_password: optional("ARI_PASSWORD", "for asterisk", secret("a password"), "-"),
  ari_app: optional("ARI_APP", "for asterisk", word, "-"),
  ari_listen: optional(
    "ARI_LISTEN",
    "for asterisk, 22.5 or later: where it connects to, so that it keeps what happens while the engine is away",
    listenUrl,
    "none: the engine connects to it"
  ),
  ari_carrier: variable("ARI_CARRIER", "for asterisk: the endpoint that carries calls to numbers", word, "carrier"),
  media_timeout: variable(
    "MEDIA_TIMEOUT",
    "on: a talk whose party sends nothing for a minute, or two on hold, is ended (media_timeout)",
    oneOf("off", "on"),
    "off"
  ),
  pbx_sip_ws_url: optional(
    "PBX_SIP_WS_URL",
    "the PBX's own SIP over WebSocket, which stays private: browsers reach it through the engine",
    wsUrl,
    "for asterisk: beside ARI_URL; else none: no calls from browsers"
  ),
  turn_urls: variable(
    "TURN_URLS",
    "relays for the media of browsers, as turn:host:port?transport=udp",
    turnUrls,
    [],
    "none"
  ),
  turn_secret: optional("TURN_SECRET", "shared with the relays of TURN_URLS", secret("a secret"), "none"),
  pbx_ingest_secret: optional(
    "PBX_INGEST_SECRET",
    "gateways and the PBX ingest authenticate with it",
    secret("16 or more printable characters", /^[\x21-\x7e]{16,}$/),
    "generated into DATA_DIR"
  ),
  pbx_gateways: variable(
    "PBX_GATEWAYS",
    "gateways with a secret of their own, for which PBX_INGEST_SECRET is then no good",
    secrets("name=secret with commas between them, the secrets of 16 or more printable characters but commas"),
    new Map(),
    "none"
  ),
  master_key: optional(
    "MASTER_KEY",
    "encrypts secrets at rest",
    secret("32 bytes in base64", base64Of32Bytes),
    "generated into DATA_DIR"
  ),
  master_key_previous: optional(
    "MASTER_KEY_PREVIOUS",
    "keys that MASTER_KEY replaced: what they sealed can still be opened",
    secret("keys of 32 bytes in base64 with commas between them", base64Keys),
    "none"
  ),
  mobilemoney_provider: variable(
    "MOBILEMONEY_PROVIDER",
    "who collects top-ups",
    oneOf(...vendorNames, "none"),
    "simulator"
  ),
  ...vendorVariables,
  card_provider: optional(
    "CARD_PROVIDER",
    "who takes cards",
    oneOf("simulator", "none"),
    "simulator in development, else none"
  ),
  chatapp_provider: variable(
    "CHATAPP_PROVIDER",
    "who carries calls of a chat app",
    oneOf("simulator", "graph", "none"),
    "simulator"
  ),
  graph_url: variable("GRAPH_URL", "for graph: its API, with the version", httpUrl, "https://graph.facebook.com/v23.0"),
  graph_token: optional("GRAPH_TOKEN", "for graph", secret("an access token"), "-"),
  graph_account_id: optional("GRAPH_ACCOUNT_ID", "for graph: the business account that has the numbers", digits, "-"),
  graph_sip_host: optional("GRAPH_SIP_HOST", "for graph: the SIP host, with TLS, that it sends calls to", host, "-"),
  graph_app_secret: optional(
    "GRAPH_APP_SECRET",
    "for graph: with it the provider signs what it announces to /v1/ingest/chatapp",
    secret("a secret"),
    "-: nothing is heard"
  ),
  graph_verify_token: optional(
    "GRAPH_VERIFY_TOKEN",
    "for graph: the token that it shows when that address is set up",
    secret("a secret"),
    "-"
  ),
  mail_url: optional(
    "MAIL_URL",
    "the server that sends mail",
    secret("a URL that begins with smtp:// or smtps://", /^smtps?:\/\//),
    "files in DATA_DIR/mail"
  ),
  mail_from: optional("MAIL_FROM", "the sender of mails", sender, "no-reply at the host of BASE_URL"),
  oidc_issuer: optional("OIDC_ISSUER", "sign-in through an identity provider", httpUrl, "none"),
  oidc_client_id: optional("OIDC_CLIENT_ID", "with OIDC_ISSUER", word, "none"),
  oidc_client_secret: optional("OIDC_CLIENT_SECRET", "with OIDC_ISSUER", secret("a secret"), "none"),
  operator_emails: variable("OPERATOR_EMAILS", "whose sessions bear the admin marker", emails, [], "none"),
  recordings_url: optional(
    "RECORDINGS_URL",
    "an object store, as s3://bucket?endpoint=…",
    secret("a URL that begins with s3://", /^s3:\/\//),
    "files in DATA_DIR"
  ),
  allow_private_targets: optional(
    "ALLOW_PRIVATE_TARGETS",
    "whether callbacks and webhooks may go to loopback and private addresses",
    flag,
    "true in development, else false"
  ),
  trusted_proxies: variable(
    "TRUSTED_PROXIES",
    "proxies before the engine, whose X-Forwarded-For says who asks",
    addressRanges,
    [],
    "none"
  ),
  rate_limits: variable("RATE_LIMITS", "off for load tests", onOff, "on"),
  cluster: variable("CLUSTER", "on: several processes share the actors", onOff, "off"),
  runner_host: variable("RUNNER_HOST", "where the cluster's other processes reach this one", host, "127.0.0.1"),
  runner_port: variable("RUNNER_PORT", "with RUNNER_HOST", port, 34_431),
  otlp_url: optional("OTLP_URL", "where traces, metrics and logs go by OTLP", httpUrl, "none"),
  log_level: variable(
    "LOG_LEVEL",
    "the least that is logged",
    oneOf("trace", "debug", "info", "warn", "error", "none"),
    "info"
  ),
  log_format: optional("LOG_FORMAT", "how it is written", oneOf("pretty", "json"), "pretty on a terminal, else json")
}

type Read = { readonly [K in keyof typeof table]: (typeof table)[K] extends Variable<infer A> ? A : never }

const logLevels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
} as const satisfies Record<Read["log_level"], LogLevel.LogLevel>

/** The start stops here; each problem names its variable and what it may be, and no value but an entry of a list, of which none is secret. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return this.problems.join("\n")
  }
}

const together = (read: Read, condition: string, needed: ReadonlyArray<keyof Read>): ReadonlyArray<string> =>
  needed.filter((key) => read[key] === undefined).map((key) => `${table[key].name} is missing: ${condition} needs it.`)

const problemsOf = (read: Read): ReadonlyArray<string> => [
  ...(read.environment === "production"
    ? together(read, "ENVIRONMENT=production", ["database_url", "pbx_ingest_secret", "master_key"])
    : []),
  ...(read.pbx_gateway === "asterisk"
    ? together(read, "PBX_GATEWAY=asterisk", ["ari_url", "ari_username", "ari_password", "ari_app"])
    : []),
  ...(read.chatapp_provider === "graph"
    ? together(read, "CHATAPP_PROVIDER=graph", ["graph_token", "graph_account_id", "graph_sip_host"])
    : []),
  ...(read.recordings_url === undefined ? [] : s3Fault(Redacted.value(read.recordings_url))),
  ...(read.mobilemoney_provider === "none"
    ? []
    : together(
        read,
        `MOBILEMONEY_PROVIDER=${read.mobilemoney_provider}`,
        vendors[read.mobilemoney_provider].required as ReadonlyArray<keyof typeof vendorVariables>
      )),
  ...(read.turn_urls.length === 0 ? [] : together(read, "TURN_URLS", ["turn_secret"])),
  ...(read.oidc_issuer === undefined ? [] : together(read, "OIDC_ISSUER", ["oidc_client_id", "oidc_client_secret"]))
]

/** An Asterisk serves both over its one HTTP server. */
const besideAri = ({ ari_url, pbx_gateway }: Read): string | undefined =>
  pbx_gateway === "asterisk" ? ari_url?.replace(/^http/, "ws").replace(/\/ari\/*$/, "/ws") : undefined

const complete = (read: Read) => {
  const host = read.host.includes(":") ? `[${read.host}]` : read.host
  const base_url = (read.base_url ?? `http://${host}:${read.port}`).replace(/\/+$/, "")
  return {
    ...read,
    base_url,
    pbx_sip_ws_url: read.pbx_sip_ws_url ?? besideAri(read),
    sip_domain: read.sip_domain ?? new URL(base_url).hostname,
    mail_from: read.mail_from ?? `trunkline <no-reply@${new URL(base_url).hostname}>`,
    operator_emails: read.operator_emails.map((email) => email.toLowerCase()),
    data_dir: resolve(read.data_dir),
    allow_private_targets: read.allow_private_targets ?? read.environment === "development",
    card_provider:
      read.card_provider ?? (read.environment === "development" ? ("simulator" as const) : ("none" as const)),
    rate_limits: read.rate_limits === "on",
    cluster: read.cluster === "on",
    log_level: logLevels[read.log_level],
    log_format: read.log_format ?? (process.stdout.isTTY ? "pretty" : "json")
  }
}

const faultOf = (
  { faulty, may_be, name: of }: Variable<unknown>,
  result: Result.Result<unknown, unknown>
): ReadonlyArray<string> => {
  if (Result.isFailure(result)) return [`${of} is not valid. It may be: ${may_be}.`]
  const item = faulty?.(result.success)
  return item === undefined ? [] : [`${of} is not valid: "${item}". It may be: ${may_be}.`]
}

const load = Effect.gen(function* () {
  const results = yield* Effect.all(
    Object.values<Variable<unknown>>(table).map(({ config }) => config),
    { mode: "result" }
  )
  const rows = Object.entries<Variable<unknown>>(table)
  const wrong = rows.flatMap(([, row], index) => faultOf(row, results[index]!))
  if (wrong.length > 0) return yield* new SettingsInvalid({ problems: wrong })
  const read = Object.fromEntries(
    rows.map(([key], index) => [key, Result.getOrThrow(results[index]!)])
  ) as unknown as Read
  const problems = problemsOf(read)
  if (problems.length > 0) return yield* new SettingsInvalid({ problems })
  return complete(read.port === 0 ? { ...read, port: yield* freePort(read.host) } : read)
})

export class Settings extends Context.Service<Settings, Effect.Success<typeof load>>()("trunkline/layers/Settings") {
  static readonly layer = Layer.effect(Settings, load)
}

/** Every variable with its default and meaning, for `--help`. */
export const describeSettings = (): string => {
  const rows = Object.values<Variable<unknown>>(table)
  const width = Math.max(...rows.map((row) => row.name.length))
  return rows
    .map((row) => `  ${row.name.padEnd(width)}  ${row.meaning} (${row.may_be}; default: ${row.fallback})`)
    .join("\n")
}
