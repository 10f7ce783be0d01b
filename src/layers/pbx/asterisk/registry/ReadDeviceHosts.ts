// Where an Asterisk may call devices by UDP, as far as its configuration says it.
import { Effect, Schema } from "effect"
import type { DeviceHosts, PlatformRange } from "../../../../domain/credentials/DeviceContact.ts"
import type { TargetPolicy } from "../../../../domain/targets/TargetUrl.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import { transportNames } from "../checks/CheckAsterisk.ts"
import { identifyMatches, readMatch } from "../ari/IdentifyMatches.ts"

const isFields = Schema.is(Schema.Array(Schema.Struct({ attribute: Schema.String, value: Schema.String })))

/** The values of an object's field, which may be a list. */
type Values = (field: string) => ReadonlyArray<string>

const valuesOf = (ari: Ari, type: string, id: string): Effect.Effect<Values, AriAway> =>
  Effect.map(ari.request("GET", `/asterisk/config/dynamic/res_pjsip/${type}/${encodeURIComponent(id)}`), ({ body }) => {
    const fields = isFields(body) ? body : []
    return (field) =>
      fields
        .filter(({ attribute }) => attribute === field)
        .flatMap(({ value }) => value.split(","))
        .map((value) => value.trim())
        .filter((value) => value !== "")
  })

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
    const endpoint = yield* valuesOf(ari, "endpoint", carrier)
    const aors = yield* Effect.forEach(endpoint("aors"), (aor) => valuesOf(ari, "aor", aor))
    const names = new Set([...transportNames, ...endpoint("transport")])
    const found = yield* Effect.forEach(names, (name) => valuesOf(ari, "transport", name), { concurrency: 8 })
    const matches = yield* identifyMatches(ari, carrier)
    const own = found.flatMap((values) =>
      ["bind", "external_signaling_address", "external_media_address"].flatMap((field) => values(field))
    )
    const hosts = [...aors.flatMap((values) => values("contact").map(hostOf)), ...matches, ...own]
    return {
      policy,
      local: found
        .flatMap((values) => values("local_net"))
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
