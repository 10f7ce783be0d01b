// What the engine prints when it is ready: its address, the demo's API key, and how to place a call with this PBX.
import type { Demo, PbxGateway } from "../layers/postgres/seed/SeedFile.ts"

export interface GreetingFacts {
  readonly base_url: string
  readonly pbx_gateway: PbxGateway
  readonly ari_url: string | undefined
  readonly ari_carrier: string
  /** Undefined where nothing is seeded. */
  readonly demo: Pick<Demo, "api_key" | "number"> | undefined
  /** Whether `npm run demo` is there: in the sources, not in the package. */
  readonly has_demo: boolean
  /** Where the key of the demo is for scripts: an absolute path. */
  readonly api_key_file: string
  readonly data_dir: string
}

const pbxOf = ({ ari_carrier, ari_url, pbx_gateway }: GreetingFacts): string =>
  ({
    simulator: "simulator: phones are simulated, no phone rings",
    asterisk: `Asterisk at ${ari_url ?? "-"}; numbers are called through its endpoint ${ari_carrier}`,
    none: "none: calls wait for an external gateway"
  })[pbx_gateway]

const curl = ({ api_key_file, base_url }: GreetingFacts, { number }: Pick<Demo, "number">, to: string): string => {
  const actions = [{ say: { text: "Hello from trunkline" } }, { hangup: {} }]
  const body = JSON.stringify({ to, from: number.number, actions })
  return `  curl -s ${base_url}/v1/calls/originate \\
    -H "Authorization: Bearer $(cat '${api_key_file}')" \\
    -H 'Content-Type: application/json' \\
    -d '${body}'`
}

const needsSimulator = (has_demo: boolean): string => (has_demo ? " npm run demo needs PBX_GATEWAY=simulator." : "")

/** To be replaced by the reader: no number is safe to ring that the engine could choose. */
const realNumber = "NUMBER"

const howToCall: Readonly<
  Record<PbxGateway, (call: (to: string) => string, facts: Pick<GreetingFacts, "base_url" | "has_demo">) => string>
> = {
  simulator: (call, { base_url, has_demo }) => `  Place a call to a simulated phone:

${call("+99900000001")}

  ${has_demo ? "Or watch one: npm run demo." : 'Or: trunkline call +99900000001 --say "Hello"'}
  Or talk, with a microphone: ${base_url}/softphone`,
  asterisk: (
    call,
    { has_demo }
  ) => `  Place a call. It rings a real phone: put a number for ${realNumber} that the carrier reaches,
  in full (+2547…), and that has a rate: GET /v1/calls/destination-check?to=… says so.

${call(realNumber)}

  Or ring a softphone: docs/asterisk.md.${needsSimulator(has_demo)}`,
  none: (call, { has_demo }) => `  Place a call once a gateway is connected (docs/pbx-protocol.md):

${call(realNumber)}${has_demo ? `\n\n ${needsSimulator(has_demo)}` : ""}`
}

export const greeting = (facts: GreetingFacts): string => {
  const { api_key_file, base_url, demo, pbx_gateway } = facts
  const links = `
  trunkline is ready   ${base_url}
  API reference        ${base_url}/docs
  PBX                  ${pbxOf(facts)}
  Data                 ${facts.data_dir}; Ctrl-C stops the engine`
  if (demo === undefined) return `${links}\n`
  return `${links}
  Workspace            Demo (development), ${demo.number.number}; the console at / signs in by one click
  API key              ${demo.api_key}
                       also in ${api_key_file}; for scripts: export TRUNKLINE_API_KEY_FILE='${api_key_file}'

${howToCall[pbx_gateway]((to) => curl(facts, demo, to), facts)}
`
}
