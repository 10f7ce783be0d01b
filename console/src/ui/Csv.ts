// Tables as CSV files (RFC 4180) that a spreadsheet does not take for formulas.

/** A cell that begins so is a formula to a spreadsheet, unless it is a number or a phone number. */
const formula = /^[=+\-@\t\r]/
const figure = /^[+-]?\d+(\.\d+)?$/

const cellOf = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : String(value)
  const safe = formula.test(text) && !figure.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The first line names the columns. Lines end in CRLF. */
export const csvOf = <Row extends object>(columns: ReadonlyArray<keyof Row & string>, rows: Iterable<Row>): string => {
  const lines = [columns.join(",")]
  for (const row of rows) lines.push(columns.map((column) => cellOf(row[column])).join(","))
  return `${lines.join("\r\n")}\r\n`
}

/** Hands a text to the browser as a file to save. */
export const saveFile = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
