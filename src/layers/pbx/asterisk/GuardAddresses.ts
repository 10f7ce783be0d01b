// Blocks addresses that guess passwords or flood, by an ACL of Asterisk's SIP stack (docs/asterisk.md), and reports
// whose passwords are guessed.
import { Effect, Metric, Schema } from "effect"
import { isWithin } from "../../../domain/targets/AddressRange.ts"
import { PasswordGuesses } from "../../../domain/credentials/PasswordGuesses.ts"
import { AddressGuard, type Attempt, type Blocked, isOfGate, networkOf } from "./AddressGuard.ts"
import type { Ari, AriAway } from "./Ari.ts"
import { identifyMatches, rangeOfMatch } from "./IdentifyMatches.ts"
import type { Manager } from "./Manager.ts"
import { isTrunkEndpoint } from "./TrunkObjects.ts"
import { securityEventsIn } from "./SecurityEvents.ts"
import { deviceOf } from "./UserObjects.ts"
import type { Users } from "./Users.ts"

const attempts = Metric.counter("trunkline_sip_attempts_total", {
  description: "SIP requests that were refused: wrong passwords (failed) and unknown senders (unknown).",
  incremental: true
})
const blockedNow = Metric.gauge("trunkline_sip_addresses_blocked", { description: "Addresses that SIP blocks now." })

/**
 * The list is written under these two names in turn: Asterisk can create and delete such an object, but not change it.
 */
const aclNames = ["trunkline-guard-a", "trunkline-guard-b"] as const
const aclPath = (name: string): string => `/asterisk/config/dynamic/res_pjsip/acl/${name}`
/** Between two reads of the events, so that a flood is read in batches. */
const pause = "250 millis"
/** After a failure, and between two looks at the addresses of carriers and trunks. */
const retry = "5 seconds"
const trustFor_ms = 60_000

const isEndpoints = Schema.is(Schema.Array(Schema.Struct({ resource: Schema.String })))

/** The addresses of the carrier and of tenants' trunks. They are never blocked: anybody can forge them. */
const trustedRanges = (ari: Ari, carrier: string): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.gen(function* () {
    const { body } = yield* ari.request("GET", "/endpoints/PJSIP")
    const names = isEndpoints(body) ? body.map(({ resource }) => resource).filter(isTrunkEndpoint) : []
    const matches = yield* Effect.forEach([carrier, ...names], (name) => identifyMatches(ari, name), { concurrency: 8 })
    return matches
      .flat()
      .filter((match) => !match.startsWith("!"))
      .map(rangeOfMatch)
  })

interface GuardOptions {
  readonly ari: Ari
  readonly manager: Manager
  readonly carrier: string
  readonly users: Pick<Users, "addresses" | "has" | "reportAttack">
  readonly now: () => number
}

/** Returns how to replace the list of blocked networks. Without any there is no list. */
const makeWriteAcl = (ari: Ari) => {
  let turn = 0
  return (networks: ReadonlyArray<string>): Effect.Effect<void, AriAway> =>
    Effect.gen(function* () {
      const [next, former] = turn++ % 2 === 0 ? aclNames : [...aclNames].reverse()
      if (next === undefined || former === undefined) return
      // Left by an engine before this one.
      yield* ari.request("DELETE", aclPath(next))
      if (networks.length > 0) {
        yield* ari.request(
          "PUT",
          aclPath(next),
          {},
          { fields: networks.map((value) => ({ attribute: "deny", value })) }
        )
        // Asterisk cannot print such an object, so it answers 500 after it has created it.
        const { status } = yield* ari.request("GET", aclPath(next))
        if (status === 404 || status === 400)
          yield* Effect.logWarning("Asterisk cannot block addresses: see docs/asterisk.md, your own configuration")
      }
      yield* ari.request("DELETE", aclPath(former))
    })
}

/** Follows Asterisk's security events and blocks addresses, until it is interrupted. */
export const guardAddresses = ({ ari, carrier, manager, now, users }: GuardOptions): Effect.Effect<never> => {
  const guard = new AddressGuard()
  const guesses = new PasswordGuesses()
  const writeAcl = makeWriteAcl(ari)
  let trusted: { readonly ranges: ReadonlyArray<string>; readonly at: number } | undefined

  const isTrusted = (network: string) =>
    Effect.gen(function* () {
      if (trusted === undefined || now() >= trusted.at + trustFor_ms)
        trusted = { ranges: yield* trustedRanges(ari, carrier), at: now() }
      return isWithin(trusted.ranges, network.replace(/\/\d+$/, ""))
    })

  const blockIf = (due: Blocked) =>
    Effect.gen(function* () {
      const isDevice = due.forgeable && users.addresses.some((address) => networkOf(address) === due.network)
      if (isDevice || (yield* isTrusted(due.network))) {
        guard.spare(due)
        return false
      }
      guard.block(due)
      yield* Effect.annotateLogs(Effect.logWarning("An address is blocked: too many refused SIP requests"), {
        network: due.network,
        until: new Date(due.until).toISOString()
      })
      return true
    })

  const reportAttacks = (event: Attempt): void => {
    const { address, endpoint, kind } = event
    if (kind !== "failed" || endpoint === undefined || isOfGate(event)) return
    const { username } = deviceOf(endpoint)
    if (!users.has(username)) return
    for (const attack of guesses.add({ credential: username, address }, now())) users.reportAttack(attack, now())
  }

  const take = (event: Attempt) =>
    Effect.gen(function* () {
      reportAttacks(event)
      if (event.kind !== "authenticated") yield* Metric.update(Metric.withAttributes(attempts, { kind: event.kind }), 1)
      const due = guard.add(event, now())
      return due !== undefined && (yield* blockIf(due))
    })

  const read = Effect.gen(function* () {
    const events = yield* manager.waitEvents
    let changed = guard.expire(now())
    for (const event of securityEventsIn(events ?? "")) if (yield* take(event)) changed = true
    if (changed) {
      yield* writeAcl(guard.blocked)
      yield* Metric.update(blockedNow, guard.blocked.length)
    }
    // Without access to the manager interface there is nothing to wait for.
    yield* Effect.sleep(events === undefined ? retry : pause)
  })

  // An Asterisk that was restarted has lost its list. One that was not may have that of an engine before this one.
  const rewrite = Effect.suspend(() => writeAcl(guard.blocked))
  return Effect.andThen(rewrite, Effect.forever(read)).pipe(
    Effect.catch((error) =>
      Effect.andThen(Effect.logDebug("Security events of Asterisk cannot be read", error), Effect.sleep(retry))
    ),
    Effect.forever
  )
}
