// Which part of the numbers is looked at, and the filters of what is available, as the address has them.

export const numberTypes = ["mobile", "local", "national", "toll_free"] as const
const tabs = ["available", "caller-ids", "trunk"] as const

export interface NumbersSearch {
  /** Absent: the workspace's own numbers. */
  readonly tab?: (typeof tabs)[number]
  readonly country?: string
  readonly type?: (typeof numberTypes)[number]
  /** Digits anywhere in the number. */
  readonly contains?: string
}

const matching = (value: unknown, pattern: RegExp): string | undefined => {
  // The router reads digits in an address as a number.
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && pattern.test(text) ? text : undefined
}

/** Reads the choice of an address. What makes no sense is left out. */
export const readNumbersSearch = (search: Readonly<Record<string, unknown>>): NumbersSearch => {
  const tab = tabs.find((each) => each === search["tab"])
  const type = numberTypes.find((each) => each === search["type"])
  const country = matching(search["country"], /^[A-Z]{2}$/)
  const contains = matching(search["contains"], /^\d{1,15}$/)
  return {
    ...(tab !== undefined && { tab }),
    ...(country !== undefined && { country }),
    ...(type !== undefined && { type }),
    ...(contains !== undefined && { contains })
  }
}
