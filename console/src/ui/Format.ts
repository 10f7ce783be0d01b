// Money, numbers and times as people read them: money with two decimals, times in the viewer's zone.

const amounts = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Minor units, without the currency and the sign: 100 minor units are 1.00 of every currency. */
export const amountText = (minor: number): string => amounts.format(Math.abs(minor) / 100)

export const minus = "\u2212"
const space = "\u00a0"

export const moneyText = (minor: number, currency: string): string =>
  `${currency}${space}${minor < 0 ? minus : ""}${amountText(minor)}`

/** A number in E.164 in groups; what is not one stays as it is. */
export const phoneText = (number: string): string => {
  const south = /^(\+27)(\d{2})(\d{3})(\d{4})$/.exec(number)
  const other = /^(\+\d{2,3})(\d{3})(\d{3})(\d{2,4})$/.exec(number)
  const parts = south ?? other
  return parts === null ? number : parts.slice(1).join(space)
}

/** 75 as `1:15`. */
export const clockText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const rest = String(whole % 60).padStart(2, "0")
  return whole < 3600
    ? `${Math.floor(whole / 60)}:${rest}`
    : `${Math.floor(whole / 3600)}:${String(Math.floor(whole / 60) % 60).padStart(2, "0")}:${rest}`
}

export const durationText = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? "" : ` ${whole % 60} s`}`
  return `${Math.floor(whole / 3600)} h${Math.floor(whole / 60) % 60 === 0 ? "" : ` ${Math.floor(whole / 60) % 60} min`}`
}

/** How long after the start of a call, in milliseconds: `158 ms`, `6.31 s`, `1:04.2`. */
export const offsetText = (ms: number): string => {
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)}:${((ms % 60_000) / 1000).toFixed(1).padStart(4, "0")}`
}

const formats = {
  minute: new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }),
  second: new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  }),
  day: new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" }),
  date: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" }),
  both: new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit"
  })
} as const

export type TimeFormat = keyof typeof formats | "millisecond"

export const timeText = (at: number, format: TimeFormat): string =>
  format === "millisecond"
    ? `${formats.second.format(at)}.${String(at % 1000).padStart(3, "0")}`
    : formats[format].format(at)

export const utcText = (at: number): string => new Date(at).toISOString().replace("T", " ").replace("Z", " UTC")

export const countText = (count: number): string => count.toLocaleString("en")

/** In units of 1,024, as the storage is sold: `4.2 MB`. */
export const bytesText = (bytes: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"]
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const amount = bytes / 1024 ** power
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)}${space}${units[power]}`
}

export const percentText = (share: number): string => `${(share * 100).toFixed(1)}${space}%`

/** `user_busy` as `User busy`. */
export const wordsOf = (code: string): string => {
  const words = code.replaceAll(/[_.]/g, " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
