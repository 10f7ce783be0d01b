// Which endpoint and which delivery are looked at, as the address has it.

export const deliveryStatuses = ["pending", "in_flight", "retrying", "succeeded", "dead_letter", "blocked"] as const

export interface WebhooksSearch {
  readonly tab?: "verify"
  readonly endpoint?: string
  readonly delivery?: string
  readonly status?: (typeof deliveryStatuses)[number]
}

const id = (value: unknown): string | undefined =>
  typeof value === "string" && /^[0-9a-zA-Z_-]{1,64}$/.test(value) ? value : undefined

/** Reads the choice of an address. What makes no sense is left out. */
export const readWebhooksSearch = (search: Readonly<Record<string, unknown>>): WebhooksSearch => {
  const [endpoint, delivery] = [id(search["endpoint"]), id(search["delivery"])]
  const status = deliveryStatuses.find((each) => each === search["status"])
  return {
    ...(search["tab"] === "verify" && { tab: "verify" as const }),
    ...(endpoint !== undefined && { endpoint }),
    ...(delivery !== undefined && { delivery }),
    ...(status !== undefined && { status })
  }
}
