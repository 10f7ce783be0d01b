// What Asterisk reports of the objects of its SIP stack.
import { Effect, Schema } from "effect"
import type { Ari, AriAway } from "./Ari.ts"

/** The settings of an object as Asterisk reports them. */
export type Fields = ReadonlyMap<string, string>

/** What the check of the configuration needs to know. */
export interface Reported {
  /** By name. */
  readonly endpoints: ReadonlyMap<string, Fields>
  /** The auth objects with which calls over the carrier are authenticated, by name. */
  readonly carrier_auths: ReadonlyMap<string, Fields>
  /** The URIs to which calls over the carrier go. */
  readonly carrier_contacts: ReadonlyArray<string>
  /** The addresses that the carrier is identified by. */
  readonly carrier_matches: ReadonlyArray<string>
  /** The addresses that the endpoint for SIP addresses is identified by. */
  readonly sip_uri_matches: ReadonlyArray<string>
  /** By name: those that trunks use, and the carrier's. */
  readonly transports: ReadonlyMap<string, Fields>
  /** Whether Asterisk transfers calls by REFER. */
  readonly transfers: boolean
}

/** The values of a setting that is a list. */
export const namesIn = (fields: Fields | undefined, name: string): ReadonlyArray<string> =>
  (fields?.get(name) ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")

/** Whether a setting is switched on. Endpoints have `true`, transports `Yes`. */
export const isOn = (fields: Fields, name: string): boolean => /^(?:yes|true)$/i.test(fields.get(name) ?? "")

const isFields = Schema.is(Schema.Array(Schema.Struct({ attribute: Schema.String, value: Schema.String })))

/** A setting that an object has several times is reported as its values with commas between them. */
export const readObject = (ari: Ari, type: string, id: string): Effect.Effect<Fields | undefined, AriAway> =>
  Effect.map(ari.request("GET", `/asterisk/config/dynamic/res_pjsip/${type}/${encodeURIComponent(id)}`), ({ body }) => {
    if (!isFields(body)) return undefined
    const fields = new Map<string, string>()
    for (const { attribute, value } of body) {
      const before = fields.get(attribute)
      fields.set(attribute, before === undefined ? value : `${before},${value}`)
    }
    return fields
  })

/** The objects that exist, by name. */
export const readObjects = (ari: Ari, type: string, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(ids, (id) => Effect.map(readObject(ari, type, id), (fields) => [id, fields] as const), {
      concurrency: 8
    }),
    (found) => new Map(found.flatMap(([id, fields]) => (fields === undefined ? [] : [[id, fields] as const])))
  )
