// The attestation of an inbound call, from the headers of its INVITE.
import { Effect } from "effect"
import { type Attestation, readAttestation } from "../../../../domain/pbx/Attestation.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import { isOn, readObject } from "../ari/AsteriskObjects.ts"
import { variableOf } from "../ari/ChannelVariable.ts"

interface Invite {
  readonly ari: Ari
  readonly channel_id: string
  /** The endpoint that Asterisk took for the sender. */
  readonly endpoint: string
}

/** The first header of this name; undefined if there is none, for which Asterisk responds with an error. */
const headerOf = ({ ari, channel_id }: Invite, name: string): Effect.Effect<string | undefined, AriAway> =>
  Effect.map(variableOf(ari, channel_id, `PJSIP_HEADER(read,${name},1)`), (value) => value || undefined)

/**
 * Whether the sender belongs to the trust domain of RFC 3325, whose members remove what callers themselves write. It
 * also decides whether Asterisk takes the caller from P-Asserted-Identity.
 */
const isTrusted = ({ ari, endpoint }: Invite): Effect.Effect<boolean, AriAway> =>
  Effect.map(
    readObject(ari, "endpoint", endpoint),
    (fields) => fields !== undefined && isOn(fields, "trust_id_inbound")
  )

const mayAttest = (header: string | undefined): boolean => header !== undefined && /verstat/i.test(header)

/** Only for calls that came over the carrier or a trunk: devices may write any header. */
export const attestationOf = (invite: Invite): Effect.Effect<Attestation | undefined, AriAway> =>
  Effect.gen(function* () {
    const [asserted, from] = yield* Effect.all([headerOf(invite, "P-Asserted-Identity"), headerOf(invite, "From")], {
      concurrency: "unbounded"
    })
    // Most networks attest nothing, so the other questions are not asked for most calls.
    if (!mayAttest(asserted) && !mayAttest(from)) return undefined
    if (!(yield* isTrusted(invite))) return undefined
    const stated = readAttestation({ asserted, from, indicator: undefined })
    if (stated !== "passed") return stated
    return readAttestation({ asserted, from, indicator: yield* headerOf(invite, "P-Attestation-Indicator") })
  })
