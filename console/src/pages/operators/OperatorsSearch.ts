// Which part of the platform is looked at, as the address has it.
const tabs = ["rates", "numbers", "payins", "gateways"] as const

export interface OperatorsSearch {
  /** Absent: the workspaces. */
  readonly tab?: (typeof tabs)[number]
  /** The id of the workspace whose caller ids are looked at. */
  readonly workspace?: string
}

export const readOperatorsSearch = (search: Readonly<Record<string, unknown>>): OperatorsSearch => {
  const tab = tabs.find((each) => each === search["tab"])
  if (tab !== undefined) return { tab }
  const workspace = search["workspace"]
  return typeof workspace === "string" && /^[0-9a-f-]{36}$/.test(workspace) ? { workspace } : {}
}
