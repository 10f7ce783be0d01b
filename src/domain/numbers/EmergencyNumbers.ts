// Numbers of the emergency services. They are answered by who is near the caller, which nobody is who calls through the
// internet from a number that is no place: such a call helps no one and keeps a line from those in need.
import { unpunctuated } from "./ReadNumber.ts"

interface Emergency {
  readonly calling_code: string
  readonly numbers: ReadonlyArray<string>
}

/** Understood by phones and networks wherever they are. */
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

/** `+`, the longest of the calling codes and the longest of the numbers. */
const longest = 9

const international = new Set(
  Object.values(countries).flatMap(({ calling_code, numbers }) =>
    [...everywhere, ...numbers].map((number) => `+${calling_code}${number}`)
  )
)

/** Whether `text`, dialled in `country`, asks for help, in whatever spelling a number is read. */
export const isEmergency = (text: string, country: string): boolean => {
  const digits = unpunctuated(text)
  if (digits.length > longest + 1) return false
  return (
    everywhere.includes(digits) ||
    countries[country]?.numbers.includes(digits) === true ||
    international.has(digits.replace(/^00/, "+"))
  )
}
