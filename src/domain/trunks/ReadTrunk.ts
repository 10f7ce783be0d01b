// Validates the request for a trunk. All faults are reported together.
import { Result } from "effect"
import type { Detail } from "../errors/Failure.ts"
import { TrunkInvalid } from "../errors/TrunkErrors.ts"
import { classify, parseIpv4, parseIpv6, type AddressClass } from "../targets/AddressClass.ts"
import { classOfRange, isAddressRange, prefixOf } from "../targets/AddressRange.ts"
import { authModes, codecs, type TrunkDefinition, type TrunkRequest } from "./TrunkRecord.ts"

/** A definition whose password is not sealed yet. */
export type GivenTrunk = TrunkDefinition

type Field = keyof TrunkRequest
/** The fields that hold this type of value, if they are present. */
type FieldOf<A> = { [F in Field]-?: NonNullable<TrunkRequest[F]> extends A ? F : never }[Field]

/** A host name does not end in a number: resolvers take 127.1 and 0x7f.0x1 for addresses. */
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i
const quotable = /^[\x21-\x7e]{1,64}$/
const passwordText = /^[\x20-\x7e]{1,128}$/
const realmText = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,128}$/
const email = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/

/** An address without a zone, which would mean an interface of the PBX. */
const isAddress = (text: string): boolean =>
  !text.includes("%") && (parseIpv4(text) !== undefined || parseIpv6(text) !== undefined)

/** The shortest prefixes of `allowed_ips`: wider ranges are not one customer's. An IPv6 site has a /48 (RFC 6177). */
export const widest_prefix = { 32: 16, 128: 48 } as const

const isTooWide = (range: string): boolean => {
  const prefix = prefixOf(range)
  return prefix !== undefined && prefix.length < widest_prefix[prefix.bits]
}

/** Reads fields and collects faults. */
class Reader {
  readonly faults: Array<Detail> = []
  private readonly request: TrunkRequest
  private readonly allow_private: boolean

  constructor(request: TrunkRequest, allow_private: boolean) {
    this.request = request
    this.allow_private = allow_private
  }

  fault(field: string, code: string, message: string): void {
    this.faults.push({ field: `/${field}`, code, message })
  }

  required<F extends Field>(field: F): void {
    if (this.request[field] === undefined) this.fault(field, "required", `${this.request.auth_mode} needs it.`)
  }

  oneOf<const T extends ReadonlyArray<string>>(field: FieldOf<string>, values: T, fallback: T[number]): T[number] {
    const value = this.request[field]
    if (value === undefined) return fallback
    const known = values.find((each) => each === value)
    if (known === undefined) this.fault(field, "invalid", `Expected one of ${values.join(", ")}.`)
    return known ?? fallback
  }

  int(field: FieldOf<number>, least: number, most: number, fallback: number, also?: number): number {
    const value = this.request[field] ?? fallback
    if (value !== also && (value < least || value > most))
      this.fault(field, "out_of_range", `Expected ${least} to ${most}.`)
    return value
  }

  /** Null is no limit. */
  limit(field: "max_channels" | "max_cps", most: number, fallback: number): number | null {
    return this.request[field] === null ? null : this.int(field, 1, most, fallback)
  }

  text(field: FieldOf<string>, pattern: RegExp, message: string): string | null {
    const value = this.request[field]
    if (value === undefined) return null
    if (!pattern.test(value)) this.fault(field, "invalid", message)
    return value
  }

  host(field: "host" | "registrar"): string {
    const value = this.request[field]
    if (value === undefined) return ""
    if (isAddress(value)) {
      if (!this.reachable(classify(value))) this.fault(field, "private_address", "Not a public address.")
    } else if (!hostName.test(value)) this.fault(field, "invalid", "Expected a host name or an address.")
    return value
  }

  addresses(): ReadonlyArray<string> {
    const { allowed_ips } = this.request
    if (allowed_ips === undefined) return []
    if (allowed_ips.length < 1 || allowed_ips.length > 16)
      this.fault("allowed_ips", "out_of_range", "Expected 1 to 16.")
    allowed_ips.slice(0, 16).forEach((range, index) => {
      const at = `allowed_ips/${index}`
      if (!isAddressRange(range)) this.fault(at, "invalid", "Expected an address, or a range such as 198.51.100.0/28.")
      else if (isTooWide(range))
        this.fault(
          at,
          "range_too_wide",
          `Expected a range of /${widest_prefix[32]} or narrower, of IPv6 /${widest_prefix[128]} or narrower.`
        )
      else if (!this.reachable(classOfRange(range))) this.fault(at, "private_address", "Not a public address.")
    })
    return [...new Set(allowed_ips)]
  }

  codecs(): ReadonlyArray<TrunkDefinition["codecs"][number]> {
    const given = this.request.codecs ?? ["PCMA", "PCMU"]
    const known = codecs.filter((codec) => given.includes(codec))
    if (given.length === 0) this.fault("codecs", "invalid", "Expected at least one.")
    given.forEach((codec, index) => {
      if (!known.some((each) => each === codec))
        this.fault(`codecs/${index}`, "invalid", `Expected one of ${codecs.join(", ")}.`)
    })
    return given
      .flatMap((codec) => known.find((each) => each === codec) ?? [])
      .filter((codec, at, all) => all.indexOf(codec) === at)
  }

  private reachable(of: AddressClass): boolean {
    return of === "public" || (of === "private" && this.allow_private)
  }
}

const needs = {
  ip: ["host", "allowed_ips"],
  digest: ["host", "username", "password"],
  registration: ["registrar", "username", "password"],
  signaling: ["host", "allowed_ips", "contact_email"]
} as const satisfies Record<string, ReadonlyArray<Field>>

/** Fields that the auth mode does not use are dropped. */
export const readTrunk = (request: TrunkRequest, allow_private: boolean): Result.Result<GivenTrunk, TrunkInvalid> => {
  const reader = new Reader(request, allow_private)
  const auth_mode = reader.oneOf("auth_mode", authModes, "ip")
  if (reader.faults.length > 0) return Result.fail(new TrunkInvalid({ details: reader.faults }))
  for (const field of needs[auth_mode]) reader.required(field)
  const transport = reader.oneOf("transport", ["udp", "tcp", "tls"], "udp")
  const registers = auth_mode === "registration"
  const authenticates = registers || auth_mode === "digest"
  const definition: GivenTrunk = {
    auth_mode,
    host: reader.host(registers ? "registrar" : "host"),
    port: reader.int("port", 1, 65_535, transport === "tls" ? 5061 : 5060),
    transport,
    allowed_ips: authenticates ? [] : reader.addresses(),
    username: authenticates
      ? reader.text("username", quotable, "Expected 1 to 64 printable ASCII characters without blanks.")
      : null,
    password: authenticates
      ? reader.text("password", passwordText, "Expected 1 to 128 printable ASCII characters.")
      : null,
    realm: authenticates
      ? reader.text("realm", realmText, "Expected 1 to 128 printable ASCII characters without quotes.")
      : null,
    expires_seconds: registers ? reader.int("expires_seconds", 300, 3600, 3600) : null,
    contact_email:
      auth_mode === "signaling" ? reader.text("contact_email", email, "Expected an e-mail address.") : null,
    label: reader.text("label", /^[^\p{Cc}]{0,64}$/u, "Expected up to 64 characters."),
    max_channels: reader.limit("max_channels", 10_000, 30),
    max_cps: reader.limit("max_cps", 1_000, 5),
    codecs: reader.codecs(),
    dtmf: reader.oneOf("dtmf", ["rfc4733", "info", "inband"], "rfc4733"),
    srtp: reader.oneOf("srtp", ["off", "optional", "required"], "off"),
    session_timer_seconds: reader.int("session_timer_seconds", 90, 7200, 1800, 0),
    caller_id_format: reader.oneOf("caller_id_format", ["e164", "digits", "national"], "e164")
  }
  return reader.faults.length > 0
    ? Result.fail(new TrunkInvalid({ details: reader.faults }))
    : Result.succeed(definition)
}
