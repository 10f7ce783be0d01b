// Numbers of the emergency services. The network routes them to the service near the caller. A call through this engine
// has no location, so it would reach the wrong service or none, and occupy a line.
import { unpunctuated } from "./ReadNumber.ts"

interface Emergency {
  readonly calling_code: string
  readonly numbers: ReadonlyArray<string>
}

/** Emergency numbers of GSM networks in every country (3GPP TS 22.101). */
const everywhere: ReadonlyArray<string> = ["112", "911"]

const countries: Readonly<Record<string, Emergency>> = {
  KE: { calling_code: "254", numbers: ["999"] },
  UG: { calling_code: "256", numbers: ["999"] },
  TZ: { calling_code: "255", numbers: ["110", "111", "114", "115"] },
  RW: { calling_code: "250", numbers: ["110", "111", "113", "912"] },
  ZA: { calling_code: "27", numbers: ["107", "10111", "10177"] },
  GH: { calling_code: "233", numbers: ["191", "192", "193", "999"] },
  NG: { calling_code: "234", numbers: ["199", "767"] }
}

/** Length of the longest international form: `+`, a calling code and a number. */
const maxLength = 9

const international = new Set(
  Object.values(countries).flatMap(({ calling_code, numbers }) =>
    [...everywhere, ...numbers].map((number) => `+${calling_code}${number}`)
  )
)

/** Whether `text`, dialled in `country` (ISO 3166-1 alpha-2), is an emergency number, in any spelling. */
export const isEmergency = (text: string, country: string): boolean => {
  const digits = unpunctuated(text)
  if (digits.length > maxLength + 1) return false
  return (
    everywhere.includes(digits) ||
    countries[country]?.numbers.includes(digits) === true ||
    international.has(digits.replace(/^00/, "+"))
  )
}
