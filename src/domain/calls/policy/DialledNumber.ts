// Interprets what the user of a device dialled: an extension of the workspace, or a number as dialled in the country of
// the number that the call shows. Anything else stays unchanged and is refused like any other destination.
import type { Extensions } from "../../credentials/Extension.ts"
import type { NumberReading } from "../../numbers/ReadNumber.ts"

export interface Dialled {
  /** As the call shows it. */
  readonly to: string
  /** As a dial takes it. */
  readonly destination: string
  readonly country: string | null
}

/** Devices send user parts, SIP addresses or tel URIs. Only the number in them matters. */
const userPart = (dialled: string): string => /^(?:sips?|tel):([^@;]+)/i.exec(dialled)?.[1] ?? dialled

export const dialledNumber = (
  dialled: string,
  extensions: Pick<Extensions, "byDigits">,
  read: (text: string) => NumberReading
): Dialled => {
  const text = userPart(dialled)
  if (extensions.byDigits.has(text)) return { to: text, destination: `sip:${text}@extensions`, country: null }
  const reading = read(text)
  return reading.ok
    ? { to: reading.e164, destination: reading.e164, country: reading.country }
    : { to: text, destination: text, country: null }
}
