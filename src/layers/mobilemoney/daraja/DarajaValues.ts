// Times and amounts as Safaricom writes them: East Africa Time (UTC+3 all year), shillings with or without cents.
import type { Currency } from "../../../domain/wallet/Currency.ts"

/** M-Pesa accounts are in Kenyan shillings. */
export const currency: Currency = "KES"
/** M-Pesa moves whole shillings. */
export const unit_minor = 100

const eastAfricaOffset_ms = 3 * 3_600_000

/** `2019-12-19 10:21:15` of an instant in epoch milliseconds. */
export const eastAfrican = (at: number): string =>
  new Date(at + eastAfricaOffset_ms).toISOString().slice(0, 19).replace("T", " ")

/** `20191219102115` of an instant in epoch milliseconds. */
export const stamp = (at: number): string => eastAfrican(at).replaceAll(/\D/g, "")

/** Epoch milliseconds of either form, or of RFC 3339. A text without a zone is East Africa Time. */
export const instantOf = (text: string): number | undefined => {
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  const [, year, month, day, hour, minute, second] = digits ?? []
  const iso = digits === null ? text.trim().replace(" ", "T") : `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const at = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/i.test(iso) ? iso : `${iso}+03:00`)
  return Number.isNaN(at) ? undefined : at
}

/** How far the provider's clock may be ahead of ours. */
const clockTolerance_ms = 300_000

/**
 * The instant of a payment that was made before `latest`. The list of payments is queried in East Africa Time and shows
 * its times with a `Z`. Whether they are UTC is not documented: Safaricom's page "Pull Transactions" has only a sample
 * (`2020-08-05T10:13:00Z`), and public clients of the API pass `trxDate` on as text. A time in the future is therefore
 * read as East Africa Time; one of the past may be three hours off. Then a payment whose notice was lost too does not
 * find its prompt and counts as paid by hand; the same wallet is credited, once.
 */
export const pastInstantOf = (text: string, latest: number): number | undefined => {
  const at = instantOf(text)
  return at !== undefined && at > latest + clockTolerance_ms ? at - eastAfricaOffset_ms : at
}

/** Minor units of `10`, `10.5`, `10.00` or `1,000.00`. Undefined for any other text. */
export const minorOf = (text: string): number | undefined => {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text.trim().replaceAll(",", ""))
  return match === null ? undefined : Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"))
}
