// What a production start refuses, although development accepts it: whatever simulates payments or calls, weakens
// what customers rely on, or exposes the engine.
import { keysOf } from "../domain/KeysOf.ts"
import type { Refusal } from "../layers/settings/Vendor.ts"

/** The settings that are judged, as the environment gives them: undefined where a variable is absent. */
export interface JudgedSettings {
  readonly pbx_gateway: string | undefined
  readonly mobilemoney_provider: string | undefined
  readonly card_provider: string | undefined
  readonly chatapp_provider: string | undefined
  readonly allow_private_targets: boolean | undefined
  readonly base_url: string | undefined
  readonly mail_url: unknown
  readonly cluster: "on" | "off"
  readonly runner_host: string
}

/** The values that simulate, with what they would do to customers and what to set instead. */
const simulators = {
  pbx_gateway: {
    name: "PBX_GATEWAY",
    harm: "simulated phones would answer the calls of customers, who would be charged",
    instead: "asterisk, or none for gateways that connect from outside"
  },
  mobilemoney_provider: {
    name: "MOBILEMONEY_PROVIDER",
    harm: "customers would top up without paying",
    instead: "a provider, or none"
  },
  card_provider: {
    name: "CARD_PROVIDER",
    harm: "customers would top up without paying",
    instead: "a provider, or none"
  },
  chatapp_provider: {
    name: "CHATAPP_PROVIDER",
    harm: "numbers would seem connected, and no call would reach the chat app",
    instead: "graph, or none"
  }
} as const

const refused = (assignment: string, why: string): string =>
  `${assignment} is refused: ENVIRONMENT=production does not allow it. ${why}`

const simulated = (settings: JudgedSettings): ReadonlyArray<string> =>
  keysOf(simulators)
    .filter((key) => settings[key] === "simulator")
    .map((key) => {
      const { harm, instead, name } = simulators[key]
      return refused(`${name}=simulator`, `With it, ${harm}. Use ${instead}.`)
    })

const ofBaseUrl = (base_url: string | undefined): ReadonlyArray<string> => {
  if (base_url === undefined)
    return [
      "BASE_URL is missing: ENVIRONMENT=production requires it, with https, because links and signatures name it."
    ]
  return base_url.startsWith("https://")
    ? []
    : [refused("BASE_URL without https", "Sessions, API keys and webhooks from providers would travel unencrypted.")]
}

/** Each process tells the others its RUNNER_HOST. This one stands for every address of a machine, and so for none. */
const everyAddress = new Set(["0.0.0.0", "::"])

const ofCluster = ({ cluster, runner_host }: JudgedSettings): ReadonlyArray<string> =>
  cluster === "on" && everyAddress.has(runner_host)
    ? [
        refused(
          `RUNNER_HOST=${runner_host} with CLUSTER=on`,
          "The other processes reach this one at RUNNER_HOST, so it must be one address or name of this machine."
        )
      ]
    : []

/** `ofVendors`: what the chosen vendors refuse. Each problem names its variable, says why it is one, and what to do. */
export const productionProblems = (
  settings: JudgedSettings,
  ofVendors: ReadonlyArray<Refusal>
): ReadonlyArray<string> => [
  ...simulated(settings),
  ...ofVendors.map(({ setting, why }) => refused(setting, why)),
  ...(settings.allow_private_targets === true
    ? [
        refused(
          "ALLOW_PRIVATE_TARGETS=true",
          "Customers could send requests into your network through callbacks and webhooks."
        )
      ]
    : []),
  ...ofBaseUrl(settings.base_url),
  ...(settings.mail_url === undefined
    ? [
        "MAIL_URL is missing: ENVIRONMENT=production requires it, because links for sign-in and invitations are sent by mail."
      ]
    : []),
  ...ofCluster(settings)
]
