// The tenant and parties of an inbound channel, from the arguments of Asterisk's dialplan:
// `inbound,carrier,<number>,<address>,<To>` for calls from outside, `inbound,user,<dialled>,<endpoint>` for calls of
// devices.
import { Effect, Schema } from "effect"
import type { ServiceUnavailable } from "../../../domain/errors/GeneralErrors.ts"
import { isWithin } from "../../../domain/targets/AddressRange.ts"
import type { Ari } from "./Ari.ts"
import type { AriChannel, AriEvent } from "./AriEvent.ts"
import type { Trunks } from "./Trunks.ts"
import { deviceOf } from "./UserObjects.ts"

export interface Incoming {
  readonly tenant_pbx_id: string
  readonly direction: "inbound" | "outbound"
  readonly from: string
  readonly to: string
  readonly transport?: string
}

export interface IncomingOptions {
  readonly ari: Ari
  readonly carrier: string
  readonly tenantOf: (number: string) => Effect.Effect<string | undefined, ServiceUnavailable>
  readonly trunks: Pick<Trunks, "admits">
}

/** The possible called numbers. A registrar calls the registered contact and has the number in the To header. */
export const numbersIn = (called: string, to: string): ReadonlyArray<string> =>
  [called, /sips?:(\+?\d+)@/i.exec(to)?.[1] ?? ""].filter((text) => /^\+?\d+$/.test(text))

/** The endpoint of a channel, from its name such as `PJSIP/trunk-1.2-0000002a`. */
const endpointOf = ({ name = "" }: AriChannel): string => name.replace(/^PJSIP\//, "").replace(/-[0-9a-f]+$/, "")

const isMatches = Schema.is(Schema.Array(Schema.Struct({ attribute: Schema.String, value: Schema.String })))

/**
 * Whether the address matches `198.51.100.0/255.255.255.0`, as Asterisk writes it; there may be a port before the
 * slash.
 */
const covers = (match: string, address: string, port: string): boolean => {
  const [, range = "", only, mask = ""] =
    /^(.+?)(?::(\d+))?(?:\/([^/]+))?$/.exec(match.includes(".") ? match : "") ?? []
  const bits = mask.includes(".")
    ? mask.split(".").reduce((sum, part) => sum + Number(part).toString(2).replaceAll("0", "").length, 0)
    : Number(mask || 32)
  return (only === undefined || only === port) && isWithin([`${range}/${bits}`], address)
}

/** Whether the address is one of the platform's carrier. A tenant may have listed the same address for its trunk. */
const isCarrier = ({ ari, carrier }: IncomingOptions, address: string, port: string): Effect.Effect<boolean> =>
  ari.request("GET", `/asterisk/config/dynamic/res_pjsip/identify/${encodeURIComponent(carrier)}`).pipe(
    Effect.map(
      ({ body }) =>
        isMatches(body) &&
        body.some(
          ({ attribute, value }) =>
            attribute === "match" && value.split(",").some((match) => covers(match.trim(), address, port))
        )
    ),
    Effect.catch(() => Effect.succeed(false))
  )

/** A trunk reaches only the numbers of its own tenant; the carrier reaches the numbers of all tenants. */
const mayReach = (
  options: IncomingOptions,
  channel: AriChannel,
  tenant_pbx_id: string,
  remote: string
): Effect.Effect<boolean> => {
  if (!channel.accountcode || channel.accountcode === tenant_pbx_id) return Effect.succeed(true)
  const [, address = "", port = ""] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(remote) ?? []
  return options.trunks.admits(tenant_pbx_id, { endpoint: endpointOf(channel), address })
    ? Effect.succeed(true)
    : isCarrier(options, address, port)
}

/** Undefined: no tenant has the number, or it may not be reached this way. */
export const identifyCaller = (
  options: IncomingOptions,
  { args: [, by, called = "", source = "", ...rest], channel }: Extract<AriEvent, { type: "StasisStart" }>
): Effect.Effect<Incoming | undefined, ServiceUnavailable> =>
  Effect.gen(function* () {
    if (by === "user" && source !== "") {
      const { is_browser, username } = deviceOf(source)
      if (!channel.accountcode) return undefined
      return {
        tenant_pbx_id: channel.accountcode,
        direction: "outbound",
        from: username,
        to: called,
        ...(is_browser && { transport: "ws" })
      }
    }
    for (const to of numbersIn(called, rest.join(","))) {
      const tenant_pbx_id = yield* options.tenantOf(to)
      if (tenant_pbx_id === undefined || !(yield* mayReach(options, channel, tenant_pbx_id, source))) continue
      return { tenant_pbx_id, direction: "inbound", from: channel.caller?.number || "anonymous", to }
    }
    return undefined
  })
