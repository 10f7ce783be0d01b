// Which part of the settings is looked at, as the address has it.
const tabs = ["policy", "audit", "sessions"] as const

export interface SettingsSearch {
  /** Absent: the members. */
  readonly tab?: (typeof tabs)[number]
}

export const readSettingsSearch = (search: Readonly<Record<string, unknown>>): SettingsSearch => {
  const tab = tabs.find((each) => each === search["tab"])
  return tab === undefined ? {} : { tab }
}
