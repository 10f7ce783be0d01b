// The objects with which the operator has configured the carrier and Asterisk's own addresses.
import { Effect } from "effect"
import type { Ari, AriAway } from "./Ari.ts"
import { type Fields, namesIn, readObjects } from "./AsteriskObjects.ts"
import { identifyMatches } from "./IdentifyMatches.ts"

export interface CarrierObjects {
  /** The URIs to which calls over the carrier go. */
  readonly contacts: ReadonlyArray<string>
  /** The addresses that the carrier is identified by. */
  readonly matches: ReadonlyArray<string>
  /** By name: those that trunks use, and the carrier's. */
  readonly transports: ReadonlyMap<string, Fields>
}

/** The transports that scripts/asterisk/configure may write, beside the one of the carrier. */
const transportNames = ["udp", "tcp", "tls", "udp6", "tcp6", "tls6"]

/** `endpoint`: the settings of the carrier's endpoint, whose name is `carrier`; undefined if there is none. */
export const readCarrierObjects = (
  ari: Ari,
  carrier: string,
  endpoint: Fields | undefined
): Effect.Effect<CarrierObjects, AriAway> =>
  Effect.gen(function* () {
    const aors = yield* readObjects(ari, "aor", namesIn(endpoint, "aors"))
    const names = new Set([...transportNames, ...namesIn(endpoint, "transport")])
    const transports = yield* readObjects(ari, "transport", [...names])
    const matches = yield* identifyMatches(ari, carrier)
    return { contacts: [...aors.values()].flatMap((fields) => namesIn(fields, "contact")), matches, transports }
  })
