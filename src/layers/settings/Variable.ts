// One environment variable: how it is read, its default, and its description for people.
import { Config, Redacted, Result, Schema } from "effect"
import { readEmail } from "../../domain/access/Email.ts"
import { Currency, isCurrency } from "../../domain/wallet/Currency.ts"
import { isAddressRange } from "../../domain/targets/AddressRange.ts"

export interface Variable<A> {
  readonly name: string
  readonly meaning: string
  /** The default, as text for people. */
  readonly fallback: string
  /** The values that are allowed, as text for people. */
  readonly allowed: string
  readonly config: Config.Config<A>
  /** The value if the variable is not set. */
  readonly absent: A
  /** The first invalid item of a list. It is shown in the error, so settings that hold secrets do not have this. */
  invalidItem?(value: A): string | undefined
}

interface Kind<A> {
  readonly allowed: string
  readonly read: (name: string) => Config.Config<A>
  invalidItem?(value: A): string | undefined
}

export const text = (allowed: string): Kind<string> => ({ allowed, read: Config.NonEmptyString })

/** Text that matches a pattern. */
const matching = (allowed: string, pattern: RegExp): Kind<string> => ({
  allowed,
  read: (name) => Config.schema(Schema.String.check(Schema.isPattern(pattern)), name)
})

export const word = matching("a name without blanks", /^[\x21-\x7e]{1,255}$/)

export const gatewayName = matching("1 to 64 letters, digits, _ . -", /^[A-Za-z0-9_.-]{1,64}$/)

/** ISO 3166-1 alpha-2. */
export const country = matching("a country code of two letters: KE", /^[A-Z]{2}$/)

export const e164Number = matching("a number with its country code: +254700000001", /^\+[1-9]\d{6,14}$/)

export const digits = matching("a number", /^\d{1,32}$/)

const mailbox = "[^\\s<>@]+@[^\\s<>@]+"
export const sender = matching(
  "an address, or a name and <an address>",
  new RegExp(`^(?:${mailbox}|[^<>\\p{Cc}]+<${mailbox}>)$`, "u")
)

const ports = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
export const port: Kind<number> = { allowed: "a port, 0 to 65535", read: (name) => Config.schema(ports, name) }

const sizes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/** How many of something. */
export const count: Kind<number> = {
  allowed: "a number, 1 to 1000000",
  read: (name) => Config.schema(sizes, name)
}

const shortTimes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))

export const seconds: Kind<number> = {
  allowed: "seconds, 1 to 300",
  read: (name) => Config.schema(shortTimes, name)
}

const delays = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }))

/** Like `seconds`, where 0 is allowed. */
export const delay: Kind<number> = {
  allowed: "seconds, 0 to 300",
  read: (name) => Config.schema(delays, name)
}

const spans = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 365 }))

export const days: Kind<number> = { allowed: "days, 0 to 365", read: (name) => Config.schema(spans, name) }

export const flag: Kind<boolean> = { allowed: "true, false", read: Config.Boolean }

export const oneOf = <const L extends ReadonlyArray<string>>(...options: L): Kind<L[number]> => ({
  allowed: options.join(", "),
  read: (name) => Config.Literals(options, name)
})

const items = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

/** A list separated by commas. An error names its first invalid item. */
const listOf = (allowed: string, isItem: (item: string) => boolean): Kind<ReadonlyArray<string>> => ({
  allowed: `${allowed}, separated by commas`,
  read: (name) => Config.map(Config.String(name), items),
  invalidItem: (values) => values.find((item) => !isItem(item))
})

export const addressRanges = listOf("addresses and CIDR ranges", isAddressRange)

/** Addresses and ranges; `any` stands for every address. */
export const sources = listOf("addresses and CIDR ranges, or any", (item) => item === "any" || isAddressRange(item))

export const emails = listOf("e-mail addresses", (item) => Result.isSuccess(readEmail(item)))

/** RFC 7065. */
export const turnUrls = listOf("URLs that begin with turn: or turns:", (item) =>
  /^turns?:[^\s/?]+(\?transport=(udp|tcp))?$/.test(item)
)

const amountPattern = new RegExp(`^(${Currency.literals.join("|")})=\\d{1,15}$`)

/** Money by currency, minor units: `KES=1000000,UGX=30000000`. */
export const amounts: Kind<ReadonlyMap<Currency, number>> = {
  allowed: "currencies and minor units, such as KES=1000000, separated by commas",
  read: (name) =>
    Config.map(
      Config.schema(
        Schema.String.check(
          Schema.makeFilter((value) => items(value).every((item) => amountPattern.test(item)) || "Expected amounts")
        ),
        name
      ),
      (value) =>
        new Map(
          items(value).flatMap((item): ReadonlyArray<[Currency, number]> => {
            const [currency = "", minor] = item.split("=")
            return isCurrency(currency) ? [[currency, Number(minor)]] : []
          })
        )
    )
}

/** Money by currency, or `none`. */
export const amountsOrNone: Kind<ReadonlyMap<Currency, number> | "none"> = {
  allowed: `none, or ${amounts.allowed}`,
  read: (name) => Config.orElse(Config.Literals(["none"], name), () => amounts.read(name))
}

const url = (allowed: string, begins: RegExp): Kind<string> => ({
  allowed,
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
  allowed: "a name or an address",
  read: (name) =>
    Config.schema(Schema.String.check(Schema.makeFilter((value) => isHost(value) || "Expected a host")), name)
}

/** Names, addresses and ranges. */
export const hosts = listOf("names, addresses and CIDR ranges", (item) => isHost(item) || isAddressRange(item))

export const listenUrl = url("a URL that begins with ws:// and has a port", /^ws:\/\/[^\s/]+:\d+(\/\S*)?$/)

/** The value is never shown, neither in an error nor in a log. */
export const secret = (allowed: string, pattern = /./): Kind<Redacted.Redacted> => ({
  allowed,
  read: (name) => Config.schema(Schema.Redacted(Schema.String.check(Schema.isPattern(pattern))), name)
})

const named = /^[A-Za-z0-9_.-]{1,64}=[\x21-\x2b\x2d-\x7e]{16,}(,[A-Za-z0-9_.-]{1,64}=[\x21-\x2b\x2d-\x7e]{16,})*$/

/** Several secrets, each with a name. */
export const secrets = (allowed: string): Kind<ReadonlyMap<string, Redacted.Redacted>> => ({
  allowed,
  read: (name) =>
    Config.map(
      secret(allowed, named).read(name),
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

/** A variable with a default. `shown` replaces the default in the help where it does not read well as text. */
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
  allowed: kind.allowed,
  config: Config.withDefault(kind.read(name), fallback),
  absent: fallback,
  ...(kind.invalidItem && { invalidItem: kind.invalidItem })
})

/** A variable that may be absent. `shown` says what applies then. */
export const optional = <A>(name: string, meaning: string, kind: Kind<A>, shown: string): Variable<A | undefined> => ({
  name,
  meaning,
  fallback: shown,
  allowed: kind.allowed,
  config: Config.withDefault(kind.read(name), undefined),
  absent: undefined
})
