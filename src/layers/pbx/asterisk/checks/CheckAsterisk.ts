// Checks that an Asterisk is configured so that nobody becomes the carrier, or gets its password (docs/asterisk.md).
import { Effect, Schema } from "effect"
import type { Ari, AriAway } from "../ari/Ari.ts"
import type { Reach } from "./CheckFirewall.ts"
import { isOn, namesIn, readObjects, type Reported } from "../ari/AsteriskObjects.ts"
import { readCarrierObjects } from "../ari/CarrierObjects.ts"
import { carrierFaults } from "./CheckCarrier.ts"
import { identifyMatches, rangeOfMatch } from "../ari/IdentifyMatches.ts"
import type { OutboundEndpoints } from "../legs/Originate.ts"
import { isTrunkEndpoint } from "../registry/TrunkObjects.ts"

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
    ...(isOn(fields, "rewrite_contact")
      ? []
      : [
          `The endpoint ${sip_uris} needs rewrite_contact = yes. Without it, a called host directs requests elsewhere.`
        ]),
    ...(isOn(fields, "direct_media")
      ? [`The endpoint ${sip_uris} needs direct_media = no. Otherwise sound passes by Asterisk.`]
      : []),
    ...(sip_uri_matches.length > 0 ? [`The endpoint ${sip_uris} must have no identify: nobody calls in over it.`] : [])
  ]
}

/** A device that authenticates may still not say who its caller is. */
const deviceFaults = (endpoints: Reported["endpoints"]): ReadonlyArray<string> =>
  [...endpoints].flatMap(([name, fields]) =>
    namesIn(fields, "auth").length > 0 && isOn(fields, "trust_id_inbound")
      ? [`The endpoint ${name} has a password and trust_id_inbound = yes: who has it names any caller. Set it to no.`]
      : []
  )

const transferFaults = ({ transfers }: Reported): ReadonlyArray<string> =>
  transfers ? ["The module res_pjsip_refer runs: a REFER would place calls without the engine. Do not load it."] : []

/** What makes the configuration unsafe. */
export const deviationsOf = (reported: Reported, outbound: OutboundEndpoints): ReadonlyArray<string> => [
  ...identityFaults(reported.endpoints),
  ...deviceFaults(reported.endpoints),
  ...carrierFaults(outbound.carrier, reported),
  ...transferFaults(reported),
  ...realmFaults(reported.carrier_auths),
  ...sipUriFaults(reported, outbound)
]

const isModule = Schema.is(Schema.Struct({ status: Schema.String }))
const isEndpoints = Schema.is(Schema.Array(Schema.Struct({ resource: Schema.String })))

/** `sip:203.0.113.7:5060;transport=tcp` */
const hostOfUri = (uri: string): string => /^sips?:(?:[^@]*@)?(\[[^\]]+\]|[^:;>]+)/i.exec(uri)?.[1] ?? ""

export interface Examined {
  readonly deviations: ReadonlyArray<string>
  /** The hosts of the carrier and of Asterisk itself. Nobody may call them as SIP addresses. */
  readonly hosts: ReadonlyArray<string>
  readonly reach: Reach
  /** The contexts of the carrier's endpoint and of the one for SIP addresses. */
  readonly contexts: { readonly carrier: string | undefined; readonly sip_uris: string | undefined }
}

const nothing = (endpoint: string): Examined => ({
  deviations: [],
  hosts: [],
  reach: { endpoint, binds: [], allowed: [] },
  contexts: { carrier: undefined, sip_uris: undefined }
})

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
    if (!isEndpoints(body)) return nothing(sip_uris ?? carrier)
    const names = body.map(({ resource }) => resource).filter((name) => !isTrunkEndpoint(name))
    const endpoints = yield* readObjects(ari, "endpoint", names)
    const carrier_auths = yield* readObjects(ari, "auth", namesIn(endpoints.get(carrier), "outbound_auth"))
    const sip_uri_matches = sip_uris === undefined ? [] : yield* identifyMatches(ari, sip_uris)
    const {
      contacts: carrier_contacts,
      matches: carrier_matches,
      transports
    } = yield* readCarrierObjects(ari, carrier, endpoints.get(carrier))
    const contacts = carrier_contacts.map(hostOfUri)
    const ofTransports = (...names: ReadonlyArray<string>) =>
      [...transports.values()].flatMap((fields) => names.flatMap((name) => namesIn(fields, name)))
    const binds = ofTransports("bind").map(bindOf)
    const own = [...binds, ...ofTransports("external_signaling_address", "external_media_address")]
    const refer = yield* ari.request("GET", "/asterisk/modules/res_pjsip_refer.so")
    const transfers = isModule(refer.body) && refer.body.status === "Running"
    const hosts = [...new Set([...contacts, ...own, ...carrier_matches.map(rangeOfMatch)].map(bare))]
    return {
      deviations: deviationsOf(
        { endpoints, carrier_auths, carrier_contacts, carrier_matches, sip_uri_matches, transports, transfers },
        outbound
      ),
      hosts: hosts.filter((host) => host !== ""),
      reach: {
        endpoint: sip_uris ?? carrier,
        binds: [...new Set(binds)],
        allowed: [...ofTransports("local_net"), ...contacts, ...carrier_matches].map(rangeOfMatch)
      },
      contexts: {
        carrier: endpoints.get(carrier)?.get("context"),
        sip_uris: sip_uris === undefined ? undefined : endpoints.get(sip_uris)?.get("context")
      }
    }
  })
