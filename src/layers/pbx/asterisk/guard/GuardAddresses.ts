// Blocks addresses that guess passwords or flood, by an ACL of Asterisk's SIP stack (docs/asterisk.md), and reports
// whose passwords are guessed.
import { Effect, Metric } from "effect"
import { isWithin } from "../../../../domain/targets/AddressRange.ts"
import { PasswordGuesses } from "../../../../domain/pbx/PasswordGuesses.ts"
import { AddressGuard, type Attempt, type Blocked, isOfGate, networkOf } from "./AddressGuard.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import { identifyMatches, rangeOfMatch } from "../ari/IdentifyMatches.ts"
import type { Manager } from "../ari/Manager.ts"
import { type SecurityEvent, securityEventsIn } from "./SecurityEvents.ts"
import { deviceOf } from "../registry/UserObjects.ts"
import type { ChatAppTrunks } from "../registry/ChatAppTrunks.ts"
import type { Trunks } from "../registry/Trunks.ts"
import type { Users } from "../registry/Users.ts"

const attempts = Metric.counter("trunkline_sip_attempts_total", {
  description: "SIP requests that were refused: wrong passwords (failed) and unknown senders (unknown).",
  incremental: true
})
const attemptsOf = (kind: string) => Metric.withAttributes(attempts, { kind })
/** Prometheus sees no increase in what begins with 1. */
const countFromZero = Effect.forEach(["failed", "unknown"], (kind) => Metric.value(attemptsOf(kind)))

const blockedNow = Metric.gauge("trunkline_sip_addresses_blocked", { description: "Addresses that SIP blocks now." })

/**
 * The list is written under these two names in turn: Asterisk can create and delete such an object, but not change it.
 */
const aclNames = ["trunkline-guard-a", "trunkline-guard-b"] as const
const aclPath = (name: string): string => `/asterisk/config/dynamic/res_pjsip/acl/${name}`
/** Between two reads of the events, so that a flood is read in batches. */
const pause = "250 millis"
/** After a failure. Asterisk keeps the events meanwhile, unless it was restarted. */
const retry = "1 second"
/** Before the next attempt where the manager interface gives no access. */
const retryAccess = "5 seconds"
/** Between two looks at the addresses of the carrier. */
const trustFor_ms = 60_000

/** The addresses of the carrier. They are never blocked: anybody can forge them. */
const carrierRanges = (ari: Ari, carrier: string): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.map(identifyMatches(ari, carrier), (matches) =>
    matches.filter((match) => !match.startsWith("!")).map(rangeOfMatch)
  )

interface GuardOptions {
  readonly ari: Ari
  readonly manager: Manager
  readonly carrier: string
  readonly trunks: Pick<Trunks, "addresses">
  readonly chat_apps: Pick<ChatAppTrunks, "trunkOf">
  readonly users: Pick<Users, "addresses" | "authenticated" | "has" | "reportAttack">
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

/** Remembers from where a device, or the provider of a chat app, has authenticated. */
const noteKnown = ({ chat_apps, now, users }: GuardOptions, guard: AddressGuard, event: SecurityEvent): void => {
  const { address, endpoint, kind, port, transport } = event
  if (kind !== "authenticated" || endpoint === undefined) return
  if (transport === "UDP") users.authenticated({ endpoint, address, port })
  if (chat_apps.trunkOf(endpoint) !== undefined) guard.addProvider(event, now())
}

/** Follows Asterisk's security events and blocks addresses, until it is interrupted. */
export const guardAddresses = (options: GuardOptions): Effect.Effect<never> => {
  const { ari, carrier, manager, now, trunks, users } = options
  const guard = new AddressGuard()
  const guesses = new PasswordGuesses()
  const writeAcl = makeWriteAcl(ari)
  let trusted: { readonly ranges: ReadonlyArray<string>; readonly at: number } | undefined

  const isCarrier = (network: string) =>
    Effect.gen(function* () {
      if (trusted === undefined || now() >= trusted.at + trustFor_ms)
        trusted = { ranges: yield* carrierRanges(ari, carrier), at: now() }
      return isWithin(trusted.ranges, network.replace(/\/\d+$/, ""))
    })

  /** Whether a device or a trunk is there, which whoever forges its address must not shut out. */
  const isKnown = ({ network }: Blocked) =>
    [...users.addresses, ...trunks.addresses].some((address) => networkOf(address.replace(/\/\d+$/, "")) === network)

  const blockIf = (due: Blocked) =>
    Effect.gen(function* () {
      if ((due.forgeable && isKnown(due)) || (yield* isCarrier(due.network))) {
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

  const take = (event: SecurityEvent) =>
    Effect.gen(function* () {
      noteKnown(options, guard, event)
      reportAttacks(event)
      if (event.kind !== "authenticated") yield* Metric.update(attemptsOf(event.kind), 1)
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
    yield* Effect.sleep(events === undefined ? retryAccess : pause)
  })

  // An Asterisk that was restarted has lost its list. One that was not may have that of an engine before this one.
  const rewrite = Effect.suspend(() => writeAcl(guard.blocked))
  const follow = Effect.andThen(rewrite, Effect.forever(read)).pipe(
    Effect.catch((error) =>
      Effect.andThen(Effect.logDebug("Security events of Asterisk cannot be read", error), Effect.sleep(retry))
    ),
    Effect.forever
  )
  return Effect.andThen(countFromZero, follow)
}
