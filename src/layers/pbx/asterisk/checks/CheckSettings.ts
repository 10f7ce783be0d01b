// Checks what only the manager interface tells of an Asterisk: its dialplan, where ARI and the manager interface
// listen, and how long a dead peer is waited for (docs/asterisk.md).
import { Effect } from "effect"
import { classify } from "../../../../domain/targets/AddressClass.ts"
import type { AriAway } from "../ari/Ari.ts"
import type { DialplanStep, Manager } from "../ari/Manager.ts"

export interface Contexts {
  /** The engine's application. */
  readonly app: string
  /** The contexts of calls from the carrier and from trunks. */
  readonly carriers: ReadonlyArray<string>
  /** The contexts of the devices' calls. */
  readonly devices: ReadonlyArray<string>
  /** Nobody may call in here: the context of the endpoint for SIP addresses. */
  readonly nobody: string | undefined
}

/** Applications that place calls without the engine, or run programs. */
const forbiddenApplications = new Set([
  "agi",
  "dial",
  "disa",
  "followme",
  "originate",
  "page",
  "queue",
  "system",
  "transfer",
  "trysystem"
])

const stasisFaults = ({ app, carriers, devices }: Contexts, step: DialplanStep): ReadonlyArray<string> => {
  const [name, ...given] = step.arguments.split(",").map((each) => each.trim())
  // Asterisk makes a context of its own for each application.
  if (step.application.toLowerCase() !== "stasis" || name !== app || step.context === `stasis-${app}`) return []
  const who = [
    ...(carriers.includes(step.context) ? ["carrier"] : []),
    ...(devices.includes(step.context) ? ["user"] : [])
  ]
  const wanted = (who.length > 0 ? who : ["carrier", "user"]).map((each) => `inbound,${each}`)
  return wanted.includes(given.join(","))
    ? []
    : [
        `The context ${step.context} has Stasis(${step.arguments}). Write Stasis(${app},${wanted[0]}), with no more arguments.`
      ]
}

/** What is wrong with the dialplan. */
export const dialplanFaults = (dialplan: ReadonlyArray<DialplanStep>, contexts: Contexts): ReadonlyArray<string> => {
  const reached = new Set([...contexts.carriers, ...contexts.devices])
  return [
    ...dialplan.flatMap((step) => stasisFaults(contexts, step)),
    ...dialplan
      .filter(
        ({ application, context }) => reached.has(context) && forbiddenApplications.has(application.toLowerCase())
      )
      .map(
        ({ application, context }) =>
          `The context ${context} has ${application}, which calls without the engine. Remove it.`
      ),
    ...(dialplan.some(({ context }) => context === contexts.nobody)
      ? [`The context ${contexts.nobody} of the endpoint for SIP addresses has extensions: nobody calls in over it.`]
      : [])
  ]
}

/** Loopback, or an address of a private network: not all addresses of the machine, and none that is public. */
const isInside = (address: string): boolean => classify(address.replaceAll(/[[\]]/g, "")) === "private"

/**
 * Where ARI and the manager interface listen without TLS, as far as that is too wide. Takes what `http show status` and
 * `manager show settings` print.
 */
export const bindFaults = (http: string, manager: string): ReadonlyArray<string> => {
  const of = [
    ["ARI", "http.conf", /^Server Enabled and Bound to (\S+):\d+$/m.exec(http.replaceAll(/ +$/gm, ""))?.[1]],
    ["The manager interface", "manager.conf", /TCP Bindaddress: +(\S+):\d+ *$/m.exec(manager)?.[1]]
  ] as const
  return of.flatMap(([what, file, address]) =>
    address === undefined || isInside(address)
      ? []
      : [`${what} listens at ${address} without TLS. Set bindaddr in ${file} to 127.0.0.1 or to a private address.`]
  )
}

/** Longest wait for a peer that does not respond, in milliseconds. Calls ring 30 s by default. */
const longestTimer_ms = 16_000

/** Whether a dead peer is waited for too long. Takes what `pjsip show settings` prints. */
export const timerFaults = (pjsip: string): ReadonlyArray<string> => {
  const timer_ms = /^ *timer_b +: (\d+) *$/m.exec(pjsip)?.[1]
  return timer_ms === undefined || Number(timer_ms) <= longestTimer_ms
    ? []
    : [
        `Asterisk waits ${Number(timer_ms) / 1_000} s for a peer that does not respond, which counts as ringing. ` +
          `Set timer_t1 = 250 and timer_b = ${longestTimer_ms} in a section of pjsip.conf with type = system.`
      ]
}

/** What is unsafe in these settings. What the manager's user may not read is not judged. */
export const settingsFaults = (
  manager: Pick<Manager, "dialplan" | "print">,
  contexts: Contexts
): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.gen(function* () {
    const printed = (command: string) => Effect.map(manager.print(command), (text = "") => text)
    const dialplan = (yield* manager.dialplan) ?? []
    const http = yield* printed("http show status")
    return [
      ...dialplanFaults(dialplan, contexts),
      ...bindFaults(http, yield* printed("manager show settings")),
      ...timerFaults(yield* printed("pjsip show settings"))
    ]
  })
