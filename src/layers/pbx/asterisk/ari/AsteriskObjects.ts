// What Asterisk reports of the objects of its SIP stack, for the check of its configuration.

/** The settings of an object as Asterisk reports them. */
export type Fields = ReadonlyMap<string, string>

/** What the check needs to know. */
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

/** Whether a setting is switched on. */
export const isOn = (fields: Fields, name: string): boolean => ["yes", "true"].includes(fields.get(name) ?? "")
