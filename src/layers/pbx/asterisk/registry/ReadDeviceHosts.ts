// Where an Asterisk may call devices by UDP, as far as its configuration says it.
import { Effect } from "effect"
import type { DeviceHosts, PlatformRange } from "../../../../domain/credentials/DeviceContact.ts"
import type { TargetPolicy } from "../../../../domain/targets/TargetUrl.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import { namesIn, readObject } from "../ari/AsteriskObjects.ts"
import { readCarrierObjects } from "../ari/CarrierObjects.ts"
import { readMatch } from "../ari/IdentifyMatches.ts"

/** `sip:203.0.113.7:5060;transport=tcp` */
const hostOf = (uri: string): string => /^sips?:(?:[^@]*@)?(\[[^\]]+\](?::\d+)?|[^;>?]+)/i.exec(uri)?.[1] ?? ""
const isExcluded = (match: string): boolean => match.startsWith("!")

export interface ReadHostsOptions {
  readonly ari: Ari
  /** The name of the carrier's endpoint. */
  readonly carrier: string
  readonly policy: TargetPolicy
}

const readDeviceHosts = ({ ari, carrier, policy }: ReadHostsOptions): Effect.Effect<DeviceHosts, AriAway> =>
  Effect.gen(function* () {
    const endpoint = yield* readObject(ari, "endpoint", carrier)
    const { contacts, matches, transports } = yield* readCarrierObjects(ari, carrier, endpoint)
    const found = [...transports.values()]
    const own = found.flatMap((fields) =>
      ["bind", "external_signaling_address", "external_media_address"].flatMap((name) => namesIn(fields, name))
    )
    const hosts = [...contacts.map(hostOf), ...matches, ...own]
    return {
      policy,
      local: found
        .flatMap((fields) => namesIn(fields, "local_net"))
        .filter((each) => !isExcluded(each))
        .map((each) => readMatch(each).range),
      platform: hosts.filter((each) => !isExcluded(each)).map((each): PlatformRange => readMatch(each))
    }
  })

/** How long what was read is used. */
const used_ms = 60_000

/** What `readDeviceHosts` returns, read again after a minute. */
export const makeDeviceHosts = (
  options: ReadHostsOptions & { readonly now: () => number }
): Effect.Effect<DeviceHosts, AriAway> => {
  let last: { readonly hosts: DeviceHosts; readonly at: number } | undefined
  return Effect.suspend(() =>
    last !== undefined && options.now() < last.at + used_ms
      ? Effect.succeed(last.hosts)
      : Effect.tap(readDeviceHosts(options), (hosts) => Effect.sync(() => (last = { hosts, at: options.now() })))
  )
}
