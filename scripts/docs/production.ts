// Writes what a production start says to each single mistake in its configuration into docs/operations.md:
// `node scripts/docs/production.ts`. The messages are those of `npm start -- --check`.
import { Effect } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { productionRefusals } from "../../src/app/Settings.ts"

type Environment = Readonly<Record<string, string>>

/** A production that starts: an Asterisk, M-Pesa, Stripe, a chat app, relays, sign-in by a provider, and a cluster. */
export const complete: Environment = {
  DATABASE_URL: "postgres://engine:secret@db.internal/trunkline",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  PBX_INGEST_SECRET: "0123456789abcdef",
  BASE_URL: "https://api.example.com",
  MAIL_URL: "smtps://user:secret@mail.example.com",
  PBX_GATEWAY: "asterisk",
  ARI_URL: "http://pbx.internal:8088/ari",
  ARI_USERNAME: "trunkline",
  ARI_PASSWORD: "secret",
  ARI_APP: "trunkline",
  MOBILEMONEY_PROVIDER: "daraja",
  DARAJA_CONSUMER_KEY: "key",
  DARAJA_CONSUMER_SECRET: "secret",
  DARAJA_SHORTCODE: "600000",
  DARAJA_PASSKEY: "passkey",
  CARD_PROVIDER: "stripe",
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  CHATAPP_PROVIDER: "graph",
  GRAPH_TOKEN: "token",
  GRAPH_ACCOUNT_ID: "100000000000000",
  GRAPH_SIP_HOST: "sip.example.com",
  TURN_URLS: "turn:relay.example.com",
  TURN_SECRET: "secret",
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "client",
  OIDC_CLIENT_SECRET: "secret",
  CLUSTER: "on",
  RUNNER_HOST: "10.0.0.5"
}

/** Variables that choose something: without them nothing is missing, only less is offered. */
const choices = ["PBX_GATEWAY", "MOBILEMONEY_PROVIDER", "CARD_PROVIDER", "CHATAPP_PROVIDER", "CLUSTER", "RUNNER_HOST"]
const optional = new Set([...choices, "TURN_URLS", "OIDC_ISSUER"])

/** The variables whose absence alone stops a start. */
export const required = Object.keys(complete).filter((name) => !optional.has(name))

const wrong: ReadonlyArray<readonly [name: string, value: string]> = [
  ["BASE_URL", "http://api.example.com"],
  ["PBX_GATEWAY", "simulator"],
  ["MOBILEMONEY_PROVIDER", "simulator"],
  ["CARD_PROVIDER", "simulator"],
  ["CHATAPP_PROVIDER", "simulator"],
  ["STRIPE_SECRET_KEY", "sk_test_1"],
  ["STRIPE_URL", "http://api.stripe.com"],
  ["DARAJA_URL", "https://sandbox.safaricom.co.ke"],
  ["ALLOW_PRIVATE_TARGETS", "true"],
  ["RUNNER_HOST", "0.0.0.0"],
  ["DEFAULT_GATEWAY", "sandbox"]
]

/** Each single mistake, with what the environment is then. */
export const mistakes: ReadonlyArray<readonly [mistake: string, env: Environment]> = [
  ...required.map((name) => {
    const { [name]: _, ...env } = complete
    return [`without \`${name}\``, env] as const
  }),
  ...wrong.map(([name, value]) => [`\`${name}=${value}\``, { ...complete, [name]: value }] as const)
]

const begin = "| Mistake | `npm start -- --check` says |\n|---|---|\n"

export const render = (): string =>
  begin +
  mistakes
    .map(([mistake, env]) => `| ${mistake} | ${Effect.runSync(productionRefusals(env)).join("<br>")} |\n`)
    .join("")

if (import.meta.main) {
  const page = new URL("../../docs/operations.md", import.meta.url)
  const [before = "", after = ""] = (await readFile(page, "utf8")).split(begin)
  await writeFile(page, before + render() + after.replace(/^(\|.*\n)*/, ""))
}
