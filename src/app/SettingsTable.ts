// Every variable of the environment: one row each, with its kind, its meaning and its default.
import { usualLimits } from "../domain/overload/Pressure.ts"
import { budgets } from "../domain/limits/Budgets.ts"
import {
  addressRanges,
  amounts,
  amountsOrNone,
  count,
  country,
  days,
  delay,
  digits,
  e164Number,
  emails,
  flag,
  gatewayName,
  host,
  hosts,
  httpUrl,
  listenUrl,
  oneOf,
  optional,
  port,
  seconds,
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
import { cardVariables, cardVendorNames, mobileMoneyVariables, mobileMoneyVendorNames } from "./Vendors.ts"

/** The port of SIP (RFC 3261, section 19.1.2). */
export const defaultSipPort = 5060
const onOff = oneOf("on", "off")
const simulatorInDevelopment = "simulator in development, else none"
const base64Keys = /^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/
const base64Of32Bytes = /^[A-Za-z0-9+/]{43}=$/

/** In the order in which `--help` shows them. */
export const table = {
  host: variable("HOST", "address to listen on", host, "127.0.0.1"),
  port: variable("PORT", "port to listen on; 0 picks a free one", port, 8080),
  base_url: optional(
    "BASE_URL",
    "public address of the engine, used in links, tokens and signatures",
    httpUrl,
    "from HOST and PORT"
  ),
  sip_domain: optional("SIP_DOMAIN", "SIP domain of devices and browsers", host, "the host of BASE_URL"),
  sip_port: variable("SIP_PORT", "port of SIP_DOMAIN at which devices register", port, defaultSipPort),
  environment: variable(
    "ENVIRONMENT",
    "production requires DATABASE_URL, all secrets, MAIL_URL and a BASE_URL with https; it refuses simulators and callbacks over http, and seeds no demo",
    oneOf("development", "production"),
    "development"
  ),
  database_url: optional(
    "DATABASE_URL",
    "external PostgreSQL 14 or newer",
    secret("a URL that begins with postgres://", /^postgres(ql)?:\/\//),
    "embedded PostgreSQL"
  ),
  data_dir: variable(
    "DATA_DIR",
    "folder of the embedded database, recordings, unsent mail and keys",
    text("a folder"),
    "./.data"
  ),
  pbx_gateway: optional(
    "PBX_GATEWAY",
    "the built-in PBX gateway; none: only gateways that connect from outside",
    oneOf("simulator", "asterisk", "none"),
    simulatorInDevelopment
  ),
  ari_url: optional("ARI_URL", "for asterisk: the address of its ARI", httpUrl, "-"),
  ari_username: optional("ARI_USERNAME", "for asterisk: the ARI user", word, "-"),
  ari_password: optional("ARI_PASSWORD", "for asterisk: the password of ARI_USERNAME", secret("a password"), "-"),
  ari_app: optional("ARI_APP", "for asterisk: the name of the Stasis application", word, "-"),
  ari_listen: optional(
    "ARI_LISTEN",
    "for asterisk 22.5 or later: address on which the engine listens for it; it then buffers events while the engine is away",
    listenUrl,
    "none: the engine connects to ARI_URL"
  ),
  ari_carrier: variable("ARI_CARRIER", "for asterisk: the endpoint that carries calls to numbers", word, "carrier"),
  ari_carrier_country: optional(
    "ARI_CARRIER_COUNTRY",
    "for asterisk: the country of called numbers that the carrier writes in national form (07…)",
    country,
    "none: such calls are refused"
  ),
  ari_uri_endpoint: optional(
    "ARI_URI_ENDPOINT",
    "for asterisk: the endpoint for calls to SIP addresses. It must have no password and no identity of a carrier",
    word,
    "none: such calls are refused"
  ),
  platform_hosts: variable(
    "PLATFORM_HOSTS",
    "carriers and other hosts of the platform, which no workspace may call by SIP or name in its trunk",
    hosts,
    [],
    "none besides those that the engine knows"
  ),
  code_calls_from: optional(
    "CODE_CALLS_FROM",
    "a number (E.164) of an operator's workspace: calls from it speak the codes that prove caller ids, and that workspace pays them",
    e164Number,
    "none: in production operators approve caller ids; in development the code is 123456"
  ),
  sounds_max_mb: variable("SOUNDS_MAX_MB", "for asterisk: megabytes of stored prompts", count, 1_000),
  sounds_workspace_max_mb: variable(
    "SOUNDS_WORKSPACE_MAX_MB",
    "for asterisk: megabytes of stored prompts of one workspace",
    count,
    100
  ),
  media_timeout: variable(
    "MEDIA_TIMEOUT",
    "on: a call ends (media_timeout) when a party sends no audio for one minute, or for two while on hold",
    oneOf("off", "on"),
    "on"
  ),
  media_timeout_seconds: variable(
    "MEDIA_TIMEOUT_SECONDS",
    "for asterisk: seconds without audio that MEDIA_TIMEOUT allows; twice as many on hold, for browsers at most 30",
    seconds,
    60
  ),
  max_conferences_per_workspace: variable(
    "MAX_CONFERENCES_PER_WORKSPACE",
    "conferences of one workspace at once",
    count,
    20
  ),
  max_streams_per_workspace: variable(
    "MAX_STREAMS_PER_WORKSPACE",
    "media streams of one workspace at once",
    count,
    budgets.workspace_open_streams.limit
  ),
  waive_callback_failures: variable(
    "WAIVE_CALLBACK_FAILURES",
    "on: the charge of a call whose first voice callback fails is given back, as a fee_waiver; not of high-risk and premium calls",
    oneOf("off", "on"),
    "off"
  ),
  waived_calls_per_day: variable(
    "WAIVED_CALLS_PER_DAY",
    "with WAIVE_CALLBACK_FAILURES: how many calls a workspace is given back in a day (UTC); further ones are charged",
    count,
    20
  ),
  pbx_sip_ws_url: optional(
    "PBX_SIP_WS_URL",
    "address of the PBX's SIP over WebSocket; browsers reach it through the engine, so keep it private",
    wsUrl,
    "with asterisk derived from ARI_URL; otherwise none: no calls from browsers"
  ),
  webrtc_token_max_seconds: variable(
    "WEBRTC_TOKEN_MAX_SECONDS",
    "the longest life of a token for browsers; a longer ttl_seconds is shortened to it",
    count,
    3_600
  ),
  turn_urls: variable(
    "TURN_URLS",
    "TURN relays for the media of browsers, such as turn:host:port?transport=udp",
    turnUrls,
    [],
    "none"
  ),
  turn_secret: optional("TURN_SECRET", "secret shared with the relays of TURN_URLS", secret("a secret"), "none"),
  pbx_ingest_secret: optional(
    "PBX_INGEST_SECRET",
    "secret with which gateways and the PBX authenticate",
    secret("16 or more printable characters", /^[\x21-\x7e]{16,}$/),
    "generated into DATA_DIR"
  ),
  default_gateway: variable(
    "DEFAULT_GATEWAY",
    "the gateway id that carries new workspaces; the built-in PBX gateway connects under it",
    gatewayName,
    "default"
  ),
  pbx_gateways: variable(
    "PBX_GATEWAYS",
    "gateways that have their own secret; PBX_INGEST_SECRET is not accepted for them",
    secrets("name=secret pairs separated by commas; a secret has 16 or more printable characters, no comma"),
    new Map(),
    "none"
  ),
  master_key: optional(
    "MASTER_KEY",
    "key that encrypts secrets at rest",
    secret("32 bytes in base64", base64Of32Bytes),
    "generated into DATA_DIR"
  ),
  master_key_previous: optional(
    "MASTER_KEY_PREVIOUS",
    "keys that MASTER_KEY replaced; they still decrypt",
    secret("keys of 32 bytes in base64, separated by commas", base64Keys),
    "none"
  ),
  mobilemoney_provider: optional(
    "MOBILEMONEY_PROVIDER",
    "provider of mobile-money top-ups",
    oneOf(...mobileMoneyVendorNames, "none"),
    simulatorInDevelopment
  ),
  ...mobileMoneyVariables,
  card_provider: optional(
    "CARD_PROVIDER",
    "provider of card payments",
    oneOf(...cardVendorNames, "none"),
    simulatorInDevelopment
  ),
  ...cardVariables,
  chatapp_provider: optional(
    "CHATAPP_PROVIDER",
    "provider of chat-app calling",
    oneOf("simulator", "graph", "none"),
    simulatorInDevelopment
  ),
  graph_url: variable(
    "GRAPH_URL",
    "for graph: the URL of its API, with the version",
    httpUrl,
    "https://graph.facebook.com/v23.0"
  ),
  graph_token: optional("GRAPH_TOKEN", "for graph: the access token", secret("an access token"), "-"),
  graph_account_id: optional("GRAPH_ACCOUNT_ID", "for graph: the business account that owns the numbers", digits, "-"),
  graph_sip_host: optional("GRAPH_SIP_HOST", "for graph: the SIP host, with TLS, to which it sends calls", host, "-"),
  graph_sip_provider_host: variable(
    "GRAPH_SIP_PROVIDER_HOST",
    "for graph: its own SIP host, which is called by TLS",
    host,
    "wa.meta.vc"
  ),
  graph_sip_provider_port: variable("GRAPH_SIP_PROVIDER_PORT", "for graph: the port of that host", port, 5061),
  graph_app_secret: optional(
    "GRAPH_APP_SECRET",
    "for graph: verifies the signature of its notices to /v1/ingest/chatapp",
    secret("a secret"),
    "-: all notices are refused"
  ),
  graph_verify_token: optional(
    "GRAPH_VERIFY_TOKEN",
    "for graph: the token that it sends when it verifies that address",
    secret("a secret"),
    "-"
  ),
  mail_url: optional(
    "MAIL_URL",
    "SMTP server that sends mail",
    secret("a URL that begins with smtp:// or smtps://", /^smtps?:\/\//),
    "none: mails are files in DATA_DIR/mail"
  ),
  mail_from: optional("MAIL_FROM", "sender address of mails", sender, "no-reply@ the host of BASE_URL"),
  oidc_issuer: optional("OIDC_ISSUER", "issuer URL of the OpenID provider for sign-in", httpUrl, "none"),
  oidc_client_id: optional("OIDC_CLIENT_ID", "with OIDC_ISSUER: the client id", word, "none"),
  oidc_client_secret: optional("OIDC_CLIENT_SECRET", "with OIDC_ISSUER: the client secret", secret("a secret"), "none"),
  sign_up: variable(
    "SIGN_UP",
    "who may create an account: everybody, people with an open invitation, or nobody; operators always may",
    oneOf("open", "invited", "closed"),
    "open"
  ),
  operator_emails: variable("OPERATOR_EMAILS", "e-mail addresses of platform operators", emails, [], "none"),
  invoice_name: optional("INVOICE_NAME", "name of the operator on receipts and invoices", text("a name"), "none"),
  invoice_address: optional(
    "INVOICE_ADDRESS",
    "address of the operator on receipts and invoices; semicolons separate its lines",
    text("an address"),
    "none"
  ),
  invoice_tax_number: optional(
    "INVOICE_TAX_NUMBER",
    "tax number of the operator on receipts and invoices",
    text("a tax number"),
    "none"
  ),
  recordings_url: optional(
    "RECORDINGS_URL",
    "object store for recordings, such as s3://bucket?endpoint=…",
    secret("a URL that begins with s3://", /^s3:\/\//),
    "none: files in DATA_DIR"
  ),
  allow_private_targets: optional(
    "ALLOW_PRIVATE_TARGETS",
    "true: callbacks and webhooks may go to loopback and private addresses",
    flag,
    "true in development, else false"
  ),
  trusted_proxies: variable(
    "TRUSTED_PROXIES",
    "proxies in front of the engine; their X-Forwarded-For names the client",
    addressRanges,
    [],
    "none"
  ),
  daily_spend_minor: variable(
    "DEFAULT_DAILY_SPEND_MINOR",
    "what the calls of a new workspace may cost in a day, in minor units; a currency that is not named keeps its default",
    amounts,
    new Map(),
    "about 100 US dollars"
  ),
  max_daily_spend_minor: optional(
    "MAX_DAILY_SPEND_MINOR",
    "what the calls of any workspace may cost in a day, in minor units, whatever its policy says; a currency that is not named keeps its default; none turns it off",
    amountsOrNone,
    "about 1000 US dollars in production, else none"
  ),
  new_workspace_ceilings: optional(
    "NEW_WORKSPACE_CEILINGS",
    "on: the admins of a new workspace can raise the limits of its calling policy only so far; an operator lifts that",
    onOff,
    "on in production, else off"
  ),
  fresh_card_days: variable(
    "FRESH_CARD_DAYS",
    "for how many days money from a card buys no high-risk and premium calls; 0 turns it off",
    days,
    14
  ),
  request_timeout_s: variable(
    "REQUEST_TIMEOUT",
    "how long a request may take before it is answered with 503",
    seconds,
    15
  ),
  shutdown_delay_s: variable(
    "SHUTDOWN_DELAY",
    "how long after a stop signal /readyz is 503 while requests are still served; set it to what a load balancer takes to notice",
    delay,
    0
  ),
  max_requests: variable(
    "MAX_REQUESTS",
    "requests in work at once; more are refused with 503, except those that end calls and those of the PBX; from a quarter on the engine refuses some (limits.md)",
    count,
    usualLimits.max_requests
  ),
  max_event_loop_delay_ms: variable(
    "MAX_EVENT_LOOP_DELAY_MS",
    "from how late the event loop is, in milliseconds, the engine refuses requests, if it is busy with them; waits for the database may be twenty times as long (limits.md)",
    count,
    usualLimits.event_loop_ms
  ),
  rate_limits: variable("RATE_LIMITS", "limits of requests per client; off for load tests", onOff, "on"),
  cluster: variable("CLUSTER", "on: several processes share the actors", onOff, "off"),
  runner_host: variable(
    "RUNNER_HOST",
    "with CLUSTER: address at which the other processes reach this one",
    host,
    "127.0.0.1"
  ),
  runner_port: variable("RUNNER_PORT", "with CLUSTER: port at which the other processes reach this one", port, 34_431),
  metrics_token: optional(
    "METRICS_TOKEN",
    "token that a scraper of /metrics sends as Authorization: Bearer",
    secret("16 or more printable characters", /^[\x21-\x7e]{16,}$/),
    "none: whoever reaches the port reads the metrics"
  ),
  otlp_url: optional("OTLP_URL", "OTLP receiver of traces, metrics and logs", httpUrl, "none"),
  log_level: variable(
    "LOG_LEVEL",
    "minimum log level",
    oneOf("trace", "debug", "info", "warn", "error", "none"),
    "info"
  ),
  log_format: optional("LOG_FORMAT", "format of log lines", oneOf("pretty", "json"), "pretty on a terminal, else json")
}

/** The value of each variable. */
export type Read = { readonly [K in keyof typeof table]: (typeof table)[K] extends Variable<infer A> ? A : never }

/** Every variable with its default and meaning, for `--help`. */
export const describeSettings = (): string => {
  const rows = Object.values<Variable<unknown>>(table)
  const width = Math.max(...rows.map((row) => row.name.length))
  return rows
    .map((row) => `  ${row.name.padEnd(width)}  ${row.meaning} (${row.allowed}; default: ${row.fallback})`)
    .join("\n")
}
