// Checks by ARI that an Asterisk can send nothing to private, local and special addresses (docs/asterisk.md, firewall):
// it is asked to call such addresses, and the firewall must refuse that at once.
import { Effect, Option, Schema } from "effect"
import { isWithin } from "../../../../domain/targets/AddressRange.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import { timerVariable } from "../legs/MaxTalkTimes.ts"

/** What the check knows of an Asterisk. */
export interface Reach {
  /** The endpoint over which it calls. */
  readonly endpoint: string
  /** The addresses at which its SIP transports listen, without ports. */
  readonly binds: ReadonlyArray<string>
  /** Addresses and ranges to which it may send: local networks, and those of the carrier. */
  readonly allowed: ReadonlyArray<string>
}

/** Addresses of each kind; the first that is not allowed is tried. */
const kinds: ReadonlyArray<ReadonlyArray<string>> = [
  ["127.255.255.254", "127.128.0.1"],
  ["10.255.255.254", "10.128.0.1", "10.0.0.1"],
  ["172.31.255.254", "172.24.0.1", "172.16.0.1"],
  ["192.168.255.254", "192.168.128.1", "192.168.0.1"],
  ["100.127.255.254", "100.64.0.1"],
  ["169.254.169.254"],
  ["::1"],
  ["fdff:ffff:ffff::1", "fd80::1", "fc00::1"]
]

const isLoopback = (address: string): boolean => isWithin(["127.0.0.0/8", "::1/128"], address)
const isIpv6 = (address: string): boolean => address.includes(":")

/**
 * The addresses that are tried. A transport on loopback reaches nothing else, and its peers are there, so it is not
 * tried.
 */
export const addressesToTry = ({ allowed, binds }: Omit<Reach, "endpoint">): ReadonlyArray<string> => {
  const open = binds.filter((bind) => !isLoopback(bind))
  return kinds.flatMap((kind) => {
    const address = kind.find((each) => !isWithin(allowed, each))
    return address !== undefined && open.some((bind) => isIpv6(bind) === isIpv6(address)) ? [address] : []
  })
}

/** How long a call that is not refused rings at most: the firewall refuses within milliseconds. */
const patience = "4 seconds"
const pause = "50 millis"
/** Nothing listens at the port for discarded data (RFC 863). */
const discard = 9

/** Asterisk ends a channel itself if the engine ends during its check. */
const longest_seconds = 10

const isChannel = Schema.is(Schema.Struct({ id: Schema.String }))
const gone = 404
/** The channel has not entered the application yet. */
const early = 409

/** Whether Asterisk sends to the address; undefined if it creates no channel to try that. */
const sendsTo = (
  ari: Ari,
  { address, app, endpoint }: { readonly address: string; readonly app: string; readonly endpoint: string }
): Effect.Effect<boolean | undefined, AriAway> => {
  const host = isIpv6(address) ? `[${address}]` : address
  const uri = `PJSIP/${endpoint}/sip:firewall-check@${host}:${discard}`
  const repeated = (method: "GET" | "POST", what: string, until: (status: number) => boolean) =>
    ari.request(method, what).pipe(
      Effect.delay(pause),
      Effect.map(({ status }) => status),
      Effect.repeat({ until })
    )
  const dialled = (path: string) =>
    Effect.gen(function* () {
      if ((yield* repeated("POST", `${path}/dial`, (status) => status !== early)) === gone) return
      yield* repeated("GET", path, (status) => status === gone)
    })
  return Effect.gen(function* () {
    const variables = { [timerVariable]: String(longest_seconds) }
    const channel = { endpoint: uri, app, appArgs: "check", variables }
    const { body, status } = yield* ari.request("POST", "/channels/create", {}, channel)
    if (status >= 300 || !isChannel(body)) return undefined
    const path = `/channels/${encodeURIComponent(body.id)}`
    const refused = yield* Effect.timeoutOption(dialled(path), patience)
    yield* ari.request("DELETE", path)
    return Option.isNone(refused)
  })
}

/** Names the addresses to which Asterisk sends although nobody has allowed that. */
export const unguardedAddresses = (
  ari: Ari,
  app: string,
  reach: Reach
): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.gen(function* () {
    const addresses = addressesToTry(reach)
    const found = yield* Effect.forEach(
      addresses,
      (address) =>
        Effect.map(sendsTo(ari, { address, app, endpoint: reach.endpoint }), (sends) => ({ address, sends })),
      { concurrency: "unbounded" }
    )
    const reached = found.flatMap(({ address, sends }) => (sends === true ? [address] : []))
    return [
      ...(reached.length === 0
        ? []
        : [
            `Asterisk sends to ${reached.join(", ")}, so whoever it talks to can make it send there. ` +
              "Apply the firewall rules (RUN/etc/firewall.nft), or allow the network (LOCAL_NETWORKS)."
          ]),
      ...(found.some(({ sends }) => sends === undefined)
        ? [`It is not known whether Asterisk sends to private addresses: it calls nothing over ${reach.endpoint}.`]
        : [])
    ]
  })
