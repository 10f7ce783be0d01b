import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { join } from "node:path"
import { defaultDailySpend_minor } from "../../src/domain/calls/policy/SpendCeiling.ts"
import { Currency } from "../../src/domain/wallet/Currency.ts"
import { productionRefusals, Settings } from "../../src/app/Settings.ts"
import { describeSettings } from "../../src/app/SettingsTable.ts"

const withEnvironment = (env: Record<string, string>) =>
  Settings.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

const read = (env: Record<string, string> = {}) =>
  Effect.provide(
    Effect.map(Settings, (settings) => settings),
    withEnvironment(env)
  )

const problems = (env: Record<string, string>) =>
  Effect.map(Effect.flip(read(env)), (error) => (error._tag === "SettingsInvalid" ? error.problems : [error.message]))

const production = {
  ENVIRONMENT: "production",
  DATABASE_URL: "postgres://u:p@db/trunkline",
  PBX_INGEST_SECRET: "0123456789abcdef",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  BASE_URL: "https://api.example.com",
  MAIL_URL: "smtps://user:hunter2@mail.example.com"
}

const stripe = { CARD_PROVIDER: "stripe", STRIPE_SECRET_KEY: "sk_live_51M", STRIPE_WEBHOOK_SECRET: "whsec_1" }
const daraja = {
  MOBILEMONEY_PROVIDER: "daraja",
  DARAJA_CONSUMER_KEY: "key",
  DARAJA_CONSUMER_SECRET: "secret",
  DARAJA_SHORTCODE: "600000",
  DARAJA_PASSKEY: "passkey"
}

const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(production).filter(([key]) => key !== name))

describe("Settings", () => {
  it.effect("trusts the named proxies if they are addresses", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* read({ TRUSTED_PROXIES: "10.0.0.0/8, ::1" })).trusted_proxies, [
        "10.0.0.0/8",
        "::1"
      ])
      for (const TRUSTED_PROXIES of ["proxy.example", "10.0.0.1/8", "10.0.0.0/33"]) {
        assert.match((yield* problems({ TRUSTED_PROXIES }))[0]!, /^TRUSTED_PROXIES is not valid/)
      }
    })
  )

  it.effect("limits the daily spend of new workspaces, and reads other amounts by currency", () =>
    Effect.gen(function* () {
      const { daily_spend_minor, max_daily_spend_minor } = yield* read({
        DEFAULT_DAILY_SPEND_MINOR: "KES=5000, UGX=0",
        MAX_DAILY_SPEND_MINOR: "KES=9000"
      })
      assert.deepStrictEqual([...max_daily_spend_minor], [["KES", 9_000]])
      assert.deepStrictEqual([daily_spend_minor.get("KES"), daily_spend_minor.get("UGX")], [5_000, 0])
      assert.strictEqual(daily_spend_minor.get("ZAR"), (yield* read()).daily_spend_minor.get("ZAR"))
      for (const DEFAULT_DAILY_SPEND_MINOR of ["5000", "EUR=5", "KES=-1", "KES=1.5", "KES=5;UGX=5"])
        assert.match((yield* problems({ DEFAULT_DAILY_SPEND_MINOR }))[0]!, /^DEFAULT_DAILY_SPEND_MINOR is not valid/)
    })
  )

  it.effect("limits what calls may cost in a day in production, in every currency, unless that is turned off", () =>
    Effect.gen(function* () {
      const ceilings = (env: Record<string, string>) =>
        Effect.map(read(env), (settings) => settings.max_daily_spend_minor)
      const MAX_DAILY_SPEND_MINOR = "KES=9000"
      const inProduction = yield* ceilings(production)
      for (const currency of Currency.literals)
        assert.isAbove(inProduction.get(currency) ?? 0, defaultDailySpend_minor.get(currency) ?? Infinity, currency)
      const named = yield* ceilings({ ...production, MAX_DAILY_SPEND_MINOR })
      assert.deepStrictEqual([named.get("KES"), named.get("UGX")], [9_000, inProduction.get("UGX")])
      assert.strictEqual((yield* ceilings({ ...production, MAX_DAILY_SPEND_MINOR: "none" })).size, 0)
      assert.strictEqual((yield* ceilings({})).size, 0)
      assert.deepStrictEqual([...(yield* ceilings({ MAX_DAILY_SPEND_MINOR }))], [["KES", 9_000]])
      for (const wrong of ["none,KES=5", "NONE", "KES=none"])
        assert.match((yield* problems({ MAX_DAILY_SPEND_MINOR: wrong }))[0]!, /^MAX_DAILY_SPEND_MINOR is not valid/)
    })
  )

  it.effect("gives new workspaces ceilings in production unless that is turned off", () =>
    Effect.gen(function* () {
      const isOn = (env: Record<string, string>) => Effect.map(read(env), (settings) => settings.new_workspace_ceilings)
      assert.deepStrictEqual(
        [
          yield* isOn({}),
          yield* isOn(production),
          yield* isOn({ ...production, NEW_WORKSPACE_CEILINGS: "off" }),
          yield* isOn({ NEW_WORKSPACE_CEILINGS: "on" })
        ],
        [false, true, false, true]
      )
    })
  )

  it.effect("lets card money age for two weeks unless another time is set", () =>
    Effect.gen(function* () {
      const days = (env: Record<string, string>) => Effect.map(read(env), ({ fresh_card_days }) => fresh_card_days)
      assert.deepStrictEqual([yield* days({}), yield* days({ FRESH_CARD_DAYS: "0" })], [14, 0])
      for (const FRESH_CARD_DAYS of ["-1", "366", "1.5", "two"])
        assert.match((yield* problems({ FRESH_CARD_DAYS }))[0]!, /^FRESH_CARD_DAYS is not valid/)
    })
  )

  it.effect("tells devices the port of the registrar unless it is the port of SIP", () =>
    Effect.gen(function* () {
      const registrar = (env: Record<string, string>) => Effect.map(read(env), (settings) => settings.sip_registrar)
      assert.strictEqual(yield* registrar({}), "127.0.0.1")
      assert.strictEqual(yield* registrar({ SIP_PORT: "15060" }), "127.0.0.1:15060")
      assert.strictEqual(yield* registrar({ SIP_DOMAIN: "sip.test", SIP_PORT: "5060" }), "sip.test")
      assert.strictEqual(yield* registrar({ SIP_DOMAIN: "sip.test", SIP_PORT: "5070" }), "sip.test:5070")
      assert.strictEqual(yield* registrar({ SIP_DOMAIN: "2001:db8::1", SIP_PORT: "5070" }), "[2001:db8::1]:5070")
    })
  )

  it.effect("uses defaults if no variable is set", () =>
    Effect.gen(function* () {
      const settings = yield* read()
      assert.strictEqual(settings.host, "127.0.0.1")
      assert.strictEqual(settings.port, 8080)
      assert.strictEqual(settings.base_url, "http://127.0.0.1:8080")
      assert.strictEqual(settings.environment, "development")
      assert.strictEqual(settings.database_url, undefined)
      assert.strictEqual(settings.data_dir, join(process.cwd(), ".data"))
      assert.strictEqual(settings.pbx_gateway, "simulator")
      assert.strictEqual(settings.allow_private_targets, true)
      assert.strictEqual(settings.rate_limits, true)
      assert.strictEqual(settings.cluster, false)
      assert.deepStrictEqual(settings.operator_emails, [])
      assert.strictEqual(settings.log_level, "Info")
    })
  )

  it.effect("reads gateway secrets by gateway name, and never prints a rejected one", () =>
    Effect.gen(function* () {
      const { pbx_gateways } = yield* read({ PBX_GATEWAYS: "nairobi-1=0123456789abcdef,kampala=fedcba9876543210==" })
      assert.deepStrictEqual(
        [...pbx_gateways].map(([name, secret]) => [name, Redacted.value(secret)]),
        [
          ["nairobi-1", "0123456789abcdef"],
          ["kampala", "fedcba9876543210=="]
        ]
      )
      assert.strictEqual((yield* read()).pbx_gateways.size, 0)
      for (const wrong of ["nairobi-1", "nairobi-1=short", "a b=0123456789abcdef", "a=0123456789abcdef,"]) {
        const [problem] = yield* problems({ PBX_GATEWAYS: wrong })
        assert.include(problem, "PBX_GATEWAYS")
        assert.notInclude(problem, wrong)
      }
      const [problem] = yield* problems({ PBX_GATEWAYS: "sandbox=0123456789abcdef" })
      assert.match(problem!, /^PBX_GATEWAYS names sandbox, which is the simulated network/)
    })
  )

  it.effect("reads every variable that is set", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        HOST: "::1",
        PORT: "8443",
        DATABASE_URL: "postgresql://u:p@db/x",
        DATA_DIR: "/srv/data",
        OPERATOR_EMAILS: "a@x.test, b@x.test,",
        RATE_LIMITS: "off",
        CLUSTER: "on",
        LOG_LEVEL: "debug",
        LOG_FORMAT: "json",
        ALLOW_PRIVATE_TARGETS: "false"
      })
      assert.strictEqual(settings.base_url, "http://[::1]:8443")
      assert.strictEqual(settings.data_dir, "/srv/data")
      assert.strictEqual(Redacted.value(settings.database_url!), "postgresql://u:p@db/x")
      assert.deepStrictEqual(settings.operator_emails, ["a@x.test", "b@x.test"])
      assert.strictEqual(settings.rate_limits, false)
      assert.strictEqual(settings.cluster, true)
      assert.strictEqual(settings.log_level, "Debug")
      assert.strictEqual(settings.log_format, "json")
      assert.strictEqual(settings.allow_private_targets, false)
    })
  )

  it.effect("uses a free port for PORT=0, and names it in the base URL", () =>
    Effect.gen(function* () {
      const { base_url, port } = yield* read({ PORT: "0" })
      assert.isAbove(port, 0)
      assert.strictEqual(base_url, `http://127.0.0.1:${port}`)
    })
  )

  it.effect("derives the browsers' WebSocket address from Asterisk's, unless one is set", () =>
    Effect.gen(function* () {
      const asterisk = {
        PBX_GATEWAY: "asterisk",
        ARI_USERNAME: "u",
        ARI_PASSWORD: "p",
        ARI_APP: "a",
        ARI_URL: "https://pbx.test:8089/tel/ari/"
      }
      assert.strictEqual((yield* read(asterisk)).pbx_sip_ws_url, "wss://pbx.test:8089/tel/ws")
      assert.strictEqual(
        (yield* read({ ...asterisk, PBX_SIP_WS_URL: "ws://10.0.0.5/ws" })).pbx_sip_ws_url,
        "ws://10.0.0.5/ws"
      )
      assert.isUndefined((yield* read({ ...asterisk, PBX_GATEWAY: "simulator" })).pbx_sip_ws_url)
    })
  )

  it.effect("treats an empty variable as absent, and drops the last slash of a base URL", () =>
    Effect.gen(function* () {
      const settings = yield* read({ PORT: "", DATABASE_URL: "", BASE_URL: "https://api.test/" })
      assert.strictEqual(settings.port, 8080)
      assert.strictEqual(settings.database_url, undefined)
      assert.strictEqual(settings.base_url, "https://api.test")
    })
  )

  for (const [name, value, allowed] of [
    ["PORT", "http", "a port, 0 to 65535"],
    ["PORT", "70000", "a port, 0 to 65535"],
    ["ENVIRONMENT", "prod", "development, production"],
    ["DATABASE_URL", "mysql://hunter2@x", "a URL that begins with postgres://"],
    ["HOST", "a b", "a name or an address"],
    ["HOST", "1.2.3.4:80", "a name or an address"],
    ["BASE_URL", "api.test", "a URL that begins with http:// or https://"],
    ["BASE_URL", "http://a b", "a URL that begins with http:// or https://"],
    ["PBX_SIP_WS_URL", "ws://pbx:99999", "a URL that begins with ws:// or wss://"],
    ["PBX_GATEWAY", "freeswitch", "simulator, asterisk, none"],
    ["PBX_INGEST_SECRET", "hunter2", "16 or more printable characters"],
    ["METRICS_TOKEN", "hunter2", "16 or more printable characters"],
    ["MASTER_KEY", "aHVudGVyMg==", "32 bytes in base64"],
    ["CLUSTER", "yes", "on, off"],
    ["SIP_DOMAIN", "https://sip.test", "a name or an address"],
    ["RUNNER_HOST", "a b", "a name or an address"],
    ["GRAPH_SIP_HOST", "sip.test:5061", "a name or an address"],
    ["GRAPH_ACCOUNT_ID", "business", "a number"],
    ["DARAJA_SHORTCODE", "6000 00", "a number"],
    ["ARI_APP", "my app", "a name without blanks"],
    ["OIDC_CLIENT_ID", " ", "a name without blanks"],
    ["MAIL_FROM", "trunkline", "an address, or a name and <an address>"],
    ["MAIL_FROM", "Acme <a@b> x", "an address, or a name and <an address>"],
    ["ALLOW_PRIVATE_TARGETS", "perhaps", "true, false"],
    ["LOG_LEVEL", "loud", "trace, debug, info, warn, error, none"]
  ] as const) {
    it.effect(`refuses ${name}=${value} by its name, without repeating the value`, () =>
      Effect.gen(function* () {
        const environment = { [name]: value }
        assert.deepStrictEqual(yield* problems(environment), [`${name} is not valid. Allowed: ${allowed}.`])
        assert.notInclude((yield* Effect.flip(read(environment))).message, "hunter2")
      })
    )
  }

  for (const [name, value, wrong] of [
    ["OPERATOR_EMAILS", "boss@example.com, nobody", "nobody"],
    ["OPERATOR_EMAILS", "a@b", "a@b"],
    ["TURN_URLS", "relay.example.com:3478", "relay.example.com:3478"],
    ["DARAJA_SOURCES", "196.201.214.200,example.com", "example.com"],
    ["TRUSTED_PROXIES", "10.0.0.1/8", "10.0.0.1/8"]
  ] as const) {
    it.effect(`refuses ${name}=${value} for its entry ${wrong}`, () =>
      Effect.gen(function* () {
        const [problem, ...more] = yield* problems({ [name]: value })
        assert.isTrue(problem?.startsWith(`${name} is not valid: "${wrong}". Allowed: `), problem)
        assert.deepStrictEqual(more, [])
      })
    )
  }

  it.effect("names all invalid variables at once", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* problems({ PORT: "x", LOG_FORMAT: "xml", CLUSTER: "2" }), 3)
    })
  )

  it.effect("requires the database and all secrets in production, and refuses private targets there", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read(production)).allow_private_targets, false)
      for (const name of ["DATABASE_URL", "PBX_INGEST_SECRET", "MASTER_KEY", "BASE_URL", "MAIL_URL"]) {
        const [problem, ...others] = yield* problems(without(name))
        assert.isTrue(problem?.startsWith(`${name} is missing: ENVIRONMENT=production requires it`), problem)
        assert.deepStrictEqual(others, [])
      }
    })
  )

  const providers = ["pbx_gateway", "mobilemoney_provider", "card_provider", "chatapp_provider"] as const

  it.effect("simulates in development only, unless a provider is chosen", () =>
    Effect.gen(function* () {
      const chosen = (env: Record<string, string>) =>
        Effect.map(read(env), (settings) => providers.map((key) => settings[key]))
      assert.deepStrictEqual(yield* chosen({}), ["simulator", "simulator", "simulator", "simulator"])
      assert.deepStrictEqual(yield* chosen(production), ["none", "none", "none", "none"])
    })
  )

  for (const [change, beginning] of [
    [{ PBX_GATEWAY: "simulator" }, "PBX_GATEWAY=simulator is refused"],
    [{ MOBILEMONEY_PROVIDER: "simulator" }, "MOBILEMONEY_PROVIDER=simulator is refused"],
    [{ CARD_PROVIDER: "simulator" }, "CARD_PROVIDER=simulator is refused"],
    [{ CHATAPP_PROVIDER: "simulator" }, "CHATAPP_PROVIDER=simulator is refused"],
    [{ ALLOW_PRIVATE_TARGETS: "true" }, "ALLOW_PRIVATE_TARGETS=true is refused"],
    [{ BASE_URL: "http://api.example.com" }, "BASE_URL without https is refused"],
    [{ CLUSTER: "on", RUNNER_HOST: "0.0.0.0" }, "RUNNER_HOST=0.0.0.0 with CLUSTER=on is refused"],
    [{ CLUSTER: "on", RUNNER_HOST: "::" }, "RUNNER_HOST=:: with CLUSTER=on is refused"],
    ...[
      { STRIPE_SECRET_KEY: "sk_test_51M" },
      { STRIPE_SECRET_KEY: "rk_test_51M" },
      { STRIPE_SECRET_KEY: "sk_org_test_51M" }
    ].map((change) => [{ ...stripe, ...change }, "STRIPE_SECRET_KEY with a test key is refused"] as const),
    [{ ...stripe, STRIPE_URL: "http://api.stripe.com" }, "STRIPE_URL without https is refused"],
    [{ ...stripe, STRIPE_URL: "https://stripe-sandbox.example.com" }, "STRIPE_URL of a sandbox is refused"],
    [{ ...daraja, DARAJA_URL: "http://api.safaricom.co.ke" }, "DARAJA_URL without https is refused"],
    [{ ...daraja, DARAJA_URL: "https://sandbox.safaricom.co.ke" }, "DARAJA_URL of a sandbox is refused"],
    [{ ...daraja, DARAJA_URL: "https://SandBox.Safaricom.co.ke.:443/" }, "DARAJA_URL of a sandbox is refused"]
  ] as const) {
    it.effect(`does not start in production, but in development, with ${JSON.stringify(change)}`, () =>
      Effect.gen(function* () {
        const [problem, ...others] = yield* problems({ ...production, ...change })
        assert.isTrue(problem?.startsWith(`${beginning}: ENVIRONMENT=production does not allow it. `), problem)
        assert.deepStrictEqual(others, [])
        yield* read(change)
      })
    )
  }

  it.effect("starts in production with live payments, whatever a provider that is not chosen has", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* productionRefusals({ ...production, ...stripe, ...daraja }), [])
      const unused = { STRIPE_SECRET_KEY: "sk_test_51M", DARAJA_URL: "https://sandbox.safaricom.co.ke" }
      assert.deepStrictEqual(yield* productionRefusals({ ...production, ...unused }), [])
      const refusals = yield* productionRefusals({ ...production, ...stripe, STRIPE_SECRET_KEY: "sk_test_hunter2" })
      assert.notInclude(refusals.join(), "hunter2")
    })
  )

  it.effect("starts in production with a cluster on any address, because its connections are encrypted", () =>
    Effect.gen(function* () {
      for (const RUNNER_HOST of ["127.0.0.1", "10.1.2.3", "fd12::1", "runner-1.internal", "41.90.0.1", "2a00:1450::1"])
        assert.isTrue((yield* read({ ...production, CLUSTER: "on", RUNNER_HOST })).cluster)
    })
  )

  it.effect("says all that a production start would refuse, whatever the environment is", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* productionRefusals(production), [])
      assert.deepStrictEqual(yield* productionRefusals({ ...production, ENVIRONMENT: "development" }), [])
      const refusals = yield* productionRefusals({ PORT: "http", MASTER_KEY: "hunter2", PBX_GATEWAY: "asterisk" })
      const named = refusals.map((refusal) => refusal.split(" ", 1)[0])
      assert.deepStrictEqual(
        named.toSorted(),
        [
          ["ARI_APP", "ARI_PASSWORD", "ARI_URL", "ARI_USERNAME"],
          ["BASE_URL", "DATABASE_URL", "MAIL_URL", "MASTER_KEY", "PBX_INGEST_SECRET", "PORT"]
        ].flat()
      )
      assert.notInclude(refusals.join(), "hunter2")
    })
  )

  it.effect("requires the variables that a chosen provider needs", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* problems({ PBX_GATEWAY: "asterisk" }), 4)
      for (const MAIL_FROM of ["calls@example.com", "Acme Calls <calls@example.com>", "no-reply@localhost"])
        assert.strictEqual((yield* read({ MAIL_FROM })).mail_from, MAIL_FROM)
      assert.lengthOf(yield* problems({ OIDC_ISSUER: "https://id.test" }), 2)
    })
  )

  it.effect("shows no secret when it is printed", () =>
    Effect.gen(function* () {
      const shown = JSON.stringify(yield* read(production)) + String(yield* read(production))
      for (const name of ["DATABASE_URL", "PBX_INGEST_SECRET", "MASTER_KEY"] as const) {
        assert.notInclude(shown, production[name])
      }
    })
  )

  it("describes every variable with its default", () => {
    const help = describeSettings()
    assert.match(help, /^ {2}HOST .*default: 127\.0\.0\.1/m)
    assert.match(help, /^ {2}MASTER_KEY .*32 bytes in base64; default: generated into DATA_DIR/m)
    assert.match(help, /^ {2}LOG_FORMAT /m)
  })
})
