// Which part of the platform is looked at, as the address has it.
const tabs = ["rates", "numbers", "payins", "gateways"] as const

export interface OperatorsSearch {
  /** Absent: the workspaces. */
  readonly tab?: (typeof tabs)[number]
}

export const readOperatorsSearch = (search: Readonly<Record<string, unknown>>): OperatorsSearch => {
  const tab = tabs.find((each) => each === search["tab"])
  return tab === undefined ? {} : { tab }
}
