// A provider carries numbers of the platform over a SIP trunk.
import { Result, Schema } from "effect"
import { ProviderInvalidCredentials } from "../errors/NumberErrors.ts"

const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100))
const Transport = Schema.Literals(["udp", "tcp", "tls"])
const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const Channels = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))
const Rate = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const Credential = Schema.NullOr(Schema.String.check(Schema.isMaxLength(128)))
const Host = Schema.String.check(Schema.isMaxLength(253))

const Password = Credential.annotate({ description: "Stored encrypted and never shown." })

const SipRequest = Schema.Struct({
  host: Host,
  port: Schema.optionalKey(Port).annotate({ description: "Default 5060." }),
  transport: Schema.optionalKey(Transport).annotate({ description: "Default `udp`." }),
  username: Schema.optionalKey(Credential),
  password: Schema.optionalKey(Password)
})

export const ProviderRequest = Schema.Struct({
  name: Name.annotate({ description: "The name of the provider." }),
  sip: SipRequest,
  max_channels: Schema.optionalKey(Channels).annotate({ description: "Concurrent calls. Default 30." }),
  max_cps: Schema.optionalKey(Rate).annotate({ description: "New calls per second. Default 5." })
}).annotate({ identifier: "ProviderRequest" })
export type ProviderRequest = typeof ProviderRequest.Type

/** Absent members stay as they are. */
export const ProviderPatch = Schema.Struct({
  name: Schema.optionalKey(Name).annotate({ description: "The name of the provider." }),
  sip: Schema.optionalKey(Schema.Struct({ ...SipRequest.fields, host: Schema.optionalKey(Host) })),
  max_channels: Schema.optionalKey(Channels),
  max_cps: Schema.optionalKey(Rate)
}).annotate({ identifier: "ProviderPatch" })
export type ProviderPatch = typeof ProviderPatch.Type

export const ProviderRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the provider." }),
  name: Schema.String.annotate({ description: "The name of the provider." }),
  status: Schema.Literals(["active", "retired"]).annotate({ description: "The state of the provider." }),
  sip: Schema.Struct({
    host: Schema.String,
    port: Schema.Int,
    transport: Transport,
    username: Schema.NullOr(Schema.String),
    password_set: Schema.Boolean
  }),
  max_channels: Schema.Int,
  max_cps: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Provider" })
export type ProviderRecord = typeof ProviderRecord.Type

/** What is stored of a provider. `password` is plain text; undefined: the stored password stays. */
export interface ProviderFacts
  extends Pick<ProviderRecord, "name" | "max_channels" | "max_cps">, Omit<ProviderRecord["sip"], "password_set"> {
  readonly password: string | null | undefined
}

const host = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$|^\[[0-9a-f:.]+\]$/i
const visible = /^[\x21-\x7e]+$/

const invalid = (field: string, message: string) =>
  Result.fail(
    new ProviderInvalidCredentials({ message, details: [{ field: `/sip/${field}`, code: "invalid", message }] })
  )

/** Checks the SIP credentials: a user name needs a password and the other way round. */
const checked = (
  facts: ProviderFacts,
  has_password: boolean
): Result.Result<ProviderFacts, ProviderInvalidCredentials> => {
  if (!host.test(facts.host)) return invalid("host", "Expected a host name or an IP address.")
  if (facts.username !== null && !visible.test(facts.username))
    return invalid("username", "Expected visible ASCII characters.")
  if (typeof facts.password === "string" && !visible.test(facts.password))
    return invalid("password", "Expected visible ASCII characters.")
  if (facts.username !== null && !has_password) return invalid("password", "A user name needs a password.")
  if (facts.username === null && has_password) return invalid("username", "A password needs a user name.")
  return Result.succeed(facts)
}

/** Reads a request, with defaults. Fails with ProviderInvalidCredentials if a SIP member is invalid. */
export const providerOf = ({
  max_channels = 30,
  max_cps = 5,
  name,
  sip
}: ProviderRequest): Result.Result<ProviderFacts, ProviderInvalidCredentials> => {
  const { host, password = null, port = 5060, transport = "udp", username = null } = sip
  return checked({ name, host, port, transport, username, password, max_channels, max_cps }, password !== null)
}

/** The provider after a patch. */
export const providerAfter = (
  { max_channels, max_cps, name, sip: { password_set, ...sip } }: ProviderRecord,
  { sip: sipPatch, ...patch }: ProviderPatch
): Result.Result<ProviderFacts, ProviderInvalidCredentials> => {
  const password = sipPatch?.password
  const facts = { name, max_channels, max_cps, ...patch, ...sip, ...sipPatch, password }
  return checked(facts, password === undefined ? password_set : password !== null)
}

/** What binds a sealed password to the row of its provider. */
export const providerPasswordBound = (id: string): string => `number_providers/password/${id}`
