// Checks that an Asterisk is configured so that nobody becomes the carrier, or gets its password (docs/asterisk.md).
import { Effect, Schema } from "effect"
import type { Ari, AriAway } from "./Ari.ts"
import type { Reach } from "./CheckFirewall.ts"
import { identifyMatches, prefixLength } from "./IdentifyMatches.ts"
import type { OutboundEndpoints } from "./Originate.ts"
import { isTrunkEndpoint } from "./TrunkObjects.ts"

/** The settings of an object as Asterisk reports them. */
export type Fields = ReadonlyMap<string, string>

/** What the check needs to know. */
export interface Reported {
  /** By name. */
  readonly endpoints: ReadonlyMap<string, Fields>
  /** The auth objects with which calls over the carrier are authenticated, by name. */
  readonly carrier_auths: ReadonlyMap<string, Fields>
  /** The addresses that the endpoint for SIP addresses is identified by. */
  readonly sip_uri_matches: ReadonlyArray<string>
}

const namesIn = (fields: Fields | undefined, name: string): ReadonlyArray<string> =>
  (fields?.get(name) ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")

/** Anybody can write a name into a call. An endpoint that is identified by it needs a password. */
const identityFaults = (endpoints: Reported["endpoints"]): ReadonlyArray<string> =>
  [...endpoints].flatMap(([name, fields]) => {
    const methods = namesIn(fields, "identify_by").filter((method) => method !== "ip")
    return methods.length === 0 || namesIn(fields, "auth").length > 0
      ? []
      : [`The endpoint ${name} has no auth and is identified by ${methods.join(" and ")}. Set identify_by = ip.`]
  })

const realmFaults = (auths: Reported["carrier_auths"]): ReadonlyArray<string> =>
  [...auths].flatMap(([name, fields]) =>
    ["", "*"].includes(fields.get("realm") ?? "")
      ? [`The auth object ${name} of the carrier names no realm, so its password answers any challenge. Set realm.`]
      : []
  )

const sipUriFaults = (
  { endpoints, sip_uri_matches }: Reported,
  { carrier, sip_uris }: OutboundEndpoints
): ReadonlyArray<string> => {
  if (sip_uris === undefined) return []
  if (sip_uris === carrier) return ["ARI_URI_ENDPOINT names the carrier's endpoint. Use an endpoint of its own."]
  const fields = endpoints.get(sip_uris)
  if (fields === undefined) return [`There is no endpoint ${sip_uris}, which ARI_URI_ENDPOINT names.`]
  const identity = ["outbound_auth", "from_user", "from_domain"].filter((name) => (fields.get(name) ?? "") !== "")
  return [
    ...identity.map((name) => `The endpoint ${sip_uris} must not have ${name}: it calls hosts that workspaces name.`),
    ...(["yes", "true"].includes(fields.get("rewrite_contact") ?? "")
      ? []
      : [
          `The endpoint ${sip_uris} needs rewrite_contact = yes. Without it, a called host directs requests elsewhere.`
        ]),
    ...(sip_uri_matches.length > 0 ? [`The endpoint ${sip_uris} must have no identify: nobody calls in over it.`] : [])
  ]
}

/** What makes the configuration unsafe. */
export const deviationsOf = (reported: Reported, outbound: OutboundEndpoints): ReadonlyArray<string> => [
  ...identityFaults(reported.endpoints),
  ...realmFaults(reported.carrier_auths),
  ...sipUriFaults(reported, outbound)
]

const isFields = Schema.is(Schema.Array(Schema.Struct({ attribute: Schema.String, value: Schema.String })))
const isEndpoints = Schema.is(Schema.Array(Schema.Struct({ resource: Schema.String })))

/** A setting that an object has several times is reported as its values with commas between them. */
const read = (ari: Ari, type: string, id: string): Effect.Effect<Fields | undefined, AriAway> =>
  Effect.map(ari.request("GET", `/asterisk/config/dynamic/res_pjsip/${type}/${encodeURIComponent(id)}`), ({ body }) => {
    if (!isFields(body)) return undefined
    const fields = new Map<string, string>()
    for (const { attribute, value } of body) {
      const before = fields.get(attribute)
      fields.set(attribute, before === undefined ? value : `${before},${value}`)
    }
    return fields
  })

const readAll = (ari: Ari, type: string, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(ids, (id) => Effect.map(read(ari, type, id), (fields) => [id, fields] as const), { concurrency: 8 }),
    (found) => new Map(found.flatMap(([id, fields]) => (fields === undefined ? [] : [[id, fields] as const])))
  )

/** `sip:203.0.113.7:5060;transport=tcp` */
const hostOfUri = (uri: string): string => /^sips?:(?:[^@]*@)?(\[[^\]]+\]|[^:;>]+)/i.exec(uri)?.[1] ?? ""
/** `203.0.113.0:5060/255.255.255.0` as `203.0.113.0/24` */
const rangeOfMatch = (match: string): string => {
  const [base = "", mask] = match.replace(/^!/, "").split("/")
  const host = (/^([^:]+):\d+$/.exec(base)?.[1] ?? base).replaceAll(/[[\]]/g, "")
  return mask === undefined ? host : `${host}/${prefixLength(mask)}`
}

export interface Examined {
  readonly deviations: ReadonlyArray<string>
  /** The hosts of the carrier and of Asterisk itself. Nobody may call them as SIP addresses. */
  readonly hosts: ReadonlyArray<string>
  readonly reach: Reach
}

const transportNames = ["udp", "tcp", "tls", "udp6", "tcp6", "tls6"] as const

/** A host of an object, without brackets. */
const bare = (host: string): string => host.replaceAll(/[[\]]/g, "")
/** `[::]:5060` and `192.0.2.1:5060` without the port */
const bindOf = (bind: string): string => bare(/^(.*):\d+$/.exec(bind)?.[1] ?? bind)

/**
 * Reads the configuration. Trunks are left out: the engine itself makes them, and makes them again after it has
 * connected.
 */
export const examine = (ari: Ari, outbound: OutboundEndpoints): Effect.Effect<Examined, AriAway> =>
  Effect.gen(function* () {
    const { carrier, sip_uris } = outbound
    const { body } = yield* ari.request("GET", "/endpoints/PJSIP")
    if (!isEndpoints(body))
      return { deviations: [], hosts: [], reach: { endpoint: sip_uris ?? carrier, binds: [], allowed: [] } }
    const names = body.map(({ resource }) => resource).filter((name) => !isTrunkEndpoint(name))
    const endpoints = yield* readAll(ari, "endpoint", names)
    const carrier_auths = yield* readAll(ari, "auth", namesIn(endpoints.get(carrier), "outbound_auth"))
    const sip_uri_matches = sip_uris === undefined ? [] : yield* identifyMatches(ari, sip_uris)
    const aors = yield* readAll(ari, "aor", namesIn(endpoints.get(carrier), "aors"))
    const contacts = [...aors.values()].flatMap((fields) => namesIn(fields, "contact").map(hostOfUri))
    const transports = yield* readAll(ari, "transport", transportNames)
    const ofTransports = (...names: ReadonlyArray<string>) =>
      [...transports.values()].flatMap((fields) => names.flatMap((name) => namesIn(fields, name)))
    const binds = ofTransports("bind").map(bindOf)
    const own = [...binds, ...ofTransports("external_signaling_address", "external_media_address")]
    const matches = yield* identifyMatches(ari, carrier)
    const hosts = [...new Set([...contacts, ...own, ...matches.map(rangeOfMatch)].map(bare))]
    return {
      deviations: deviationsOf({ endpoints, carrier_auths, sip_uri_matches }, outbound),
      hosts: hosts.filter((host) => host !== ""),
      reach: {
        endpoint: sip_uris ?? carrier,
        binds: [...new Set(binds)],
        allowed: [...ofTransports("local_net"), ...contacts, ...matches].map(rangeOfMatch)
      }
    }
  })
