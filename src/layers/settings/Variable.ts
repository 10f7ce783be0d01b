// One variable of the environment: how it is read, what holds without it, and what a person is told of it.
import { Config, Redacted, Result, Schema } from "effect"
import { readEmail } from "../../domain/access/Email.ts"
import { isAddressRange } from "../../domain/targets/AddressRange.ts"

export interface Variable<A> {
  readonly name: string
  readonly meaning: string
  /** What holds without it, as a person reads it. */
  readonly fallback: string
  /** Which values it may have, as a person reads it. */
  readonly may_be: string
  readonly config: Config.Config<A>
  /** What of a value that was read is not valid. No secrets have it: it is shown. */
  faulty?(value: A): string | undefined
}

interface Kind<A> {
  readonly may_be: string
  readonly read: (name: string) => Config.Config<A>
  faulty?(value: A): string | undefined
}

export const text = (may_be: string): Kind<string> => ({ may_be, read: Config.NonEmptyString })

/** What can be told from anything else by how it is written. */
const written = (may_be: string, pattern: RegExp): Kind<string> => ({
  may_be,
  read: (name) => Config.schema(Schema.String.check(Schema.isPattern(pattern)), name)
})

export const word = written("a name without blanks", /^[\x21-\x7e]{1,255}$/)

export const digits = written("a number", /^\d{1,32}$/)

const mailbox = "[^\\s<>@]+@[^\\s<>@]+"
export const sender = written(
  "an address, or a name and <an address>",
  new RegExp(`^(?:${mailbox}|[^<>\\p{Cc}]+<${mailbox}>)$`, "u")
)

const ports = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
export const port: Kind<number> = { may_be: "a port, 0 to 65535", read: (name) => Config.schema(ports, name) }

export const flag: Kind<boolean> = { may_be: "true, false", read: Config.Boolean }

export const oneOf = <const L extends ReadonlyArray<string>>(...options: L): Kind<L[number]> => ({
  may_be: options.join(", "),
  read: (name) => Config.Literals(options, name)
})

const items = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

/** A list of what is told apart: the first item that is none is shown. */
const listOf = (may_be: string, isItem: (item: string) => boolean): Kind<ReadonlyArray<string>> => ({
  may_be: `${may_be} with commas between them`,
  read: (name) => Config.map(Config.String(name), items),
  faulty: (given) => given.find((item) => !isItem(item))
})

export const addressRanges = listOf("addresses and CIDR ranges", isAddressRange)

/** Addresses and ranges, or `any`: whoever asks. */
export const sources = listOf("addresses and CIDR ranges, or any,", (item) => item === "any" || isAddressRange(item))

export const emails = listOf("e-mail addresses", (item) => Result.isSuccess(readEmail(item)))

/** RFC 7065. */
export const turnUrls = listOf("URLs that begin with turn: or turns:", (item) =>
  /^turns?:[^\s/?]+(\?transport=(udp|tcp))?$/.test(item)
)

const url = (may_be: string, begins: RegExp): Kind<string> => ({
  may_be,
  read: (name) =>
    Config.schema(
      Schema.String.check(
        Schema.makeFilter((value) => (begins.test(value) && URL.canParse(value)) || "Expected a URL")
      ),
      name
    )
})

export const httpUrl = url("a URL that begins with http:// or https://", /^https?:\/\/[^\s/]/)

export const wsUrl = url("a URL that begins with ws:// or wss://", /^wss?:\/\/[^\s/]/)

const isHost = (value: string): boolean =>
  /^[A-Za-z0-9.:_-]+$/.test(value) && URL.canParse(`http://${value.includes(":") ? `[${value}]` : value}`)

export const host: Kind<string> = {
  may_be: "a name or an address",
  read: (name) =>
    Config.schema(Schema.String.check(Schema.makeFilter((value) => isHost(value) || "Expected a host")), name)
}

export const listenUrl = url("a URL that begins with ws:// and has a port", /^ws:\/\/[^\s/]+:\d+(\/\S*)?$/)

/** Never shown: neither in an error nor in a log. */
export const secret = (may_be: string, pattern = /./): Kind<Redacted.Redacted> => ({
  may_be,
  read: (name) => Config.schema(Schema.Redacted(Schema.String.check(Schema.isPattern(pattern))), name)
})

const named = /^[A-Za-z0-9_.-]{1,64}=[\x21-\x2b\x2d-\x7e]{16,}(,[A-Za-z0-9_.-]{1,64}=[\x21-\x2b\x2d-\x7e]{16,})*$/

/** Several secrets, each by its name. */
export const secrets = (may_be: string): Kind<ReadonlyMap<string, Redacted.Redacted>> => ({
  may_be,
  read: (name) =>
    Config.map(
      secret(may_be, named).read(name),
      (value) =>
        new Map(
          Redacted.value(value)
            .split(",")
            .map((pair): [string, Redacted.Redacted] => {
              const end = pair.indexOf("=")
              return [pair.slice(0, end), Redacted.make(pair.slice(end + 1))]
            })
        )
    )
})

/** A variable with a default; `shown` where the default does not read well as text. */
export const variable = <A>(
  name: string,
  meaning: string,
  kind: Kind<A>,
  fallback: A,
  shown?: string
): Variable<A> => ({
  name,
  meaning,
  fallback: shown ?? String(fallback),
  may_be: kind.may_be,
  config: Config.withDefault(kind.read(name), fallback),
  ...(kind.faulty && { faulty: kind.faulty })
})

/** A variable that may be absent; `shown` says what happens then. */
export const optional = <A>(name: string, meaning: string, kind: Kind<A>, shown: string): Variable<A | undefined> => ({
  name,
  meaning,
  fallback: shown,
  may_be: kind.may_be,
  config: Config.withDefault(kind.read(name), undefined)
})
