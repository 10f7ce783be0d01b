// Number reads over the memory journal. Every number has the same price, in the currency that is asked for.
import { Effect, Layer } from "effect"
import { type NumberId, toNumberId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import type { InventoryFilter, InventoryItem } from "../../domain/numbers/InventoryItem.ts"
import type { NumberFilter } from "../../domain/numbers/NumberRecord.ts"
import { numberView } from "../../domain/numbers/NumberView.ts"
import type { NumberData, NumberTerms } from "../../domain/numbers/PhoneNumber.ts"
import { routingOf } from "../../domain/numbers/Routing.ts"
import { numberState } from "../../domain/numbers/StoredNumber.ts"
import { isSandbox, isTestNumber } from "../../domain/kit/Sandbox.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { newestPage, rowsOf } from "./MemoryRows.ts"

export type NumberPrices = Omit<NumberTerms, "currency">

interface StoredNumber {
  readonly id: NumberId
  readonly data: NumberData
}

/** All numbers: those of workspaces, of the inventory, and removed ones. */
export const storedNumbers = (journal: MemoryJournal): ReadonlyArray<StoredNumber> =>
  rowsOf(journal, "Number").map(({ actor_id, state }) => {
    const data = numberState.view(state)
    return { id: toNumberId(actor_id), data: { ...data, routing: routingOf(data.routing) } }
  })

/** Whether the workspace has the number or had it last. */
export const isOf = ({ data }: StoredNumber, workspace_id: WorkspaceId): boolean =>
  data.workspace_id === workspace_id && data.status !== "available" && data.status !== "removed"

const serving: ReadonlySet<NumberData["status"]> = new Set(["active", "past_due", "suspended"])

/** Whether a workspace has the number now. */
export const isHeld = ({ data }: StoredNumber): boolean => serving.has(data.status)

const isChosen = ({ data }: StoredNumber, filter: InventoryFilter & NumberFilter): boolean => {
  const { capability, contains, country, source, status, type } = filter
  return (
    (capability === undefined || data.capabilities.includes(capability)) &&
    (contains === undefined || data.number.includes(contains)) &&
    (country === undefined || data.country === country) &&
    (source === undefined || data.source === source) &&
    (status === undefined || data.status === status) &&
    (type === undefined || data.type === type)
  )
}

const itemOf = ({ data, id }: StoredNumber, terms: NumberTerms): InventoryItem => ({
  inventory_id: id,
  number: data.number,
  country: data.country,
  type: data.type,
  locality: data.locality,
  capabilities: data.capabilities,
  setup_price_minor: 0,
  ...terms
})

const sortKey = ({ country, number }: Pick<InventoryItem, "country" | "number">): string => `${country} ${number}`

export const layer = (journal: MemoryJournal, prices: NumberPrices): Layer.Layer<NumberReads> => {
  const all = Effect.sync(() => storedNumbers(journal))
  return Layer.succeed(NumberReads)({
    find: (workspace_id, id) =>
      Effect.map(all, (numbers) => {
        const found = numbers.find((number) => number.id === id && isOf(number, workspace_id))
        return found && numberView(found.id, found.data)
      }),
    list: (workspace_id, filter, after, limit) =>
      Effect.map(all, (numbers) => {
        const own = numbers.filter((number) => isOf(number, workspace_id) && isChosen(number, filter))
        const page = newestPage(own, ({ data, id }) => ({ at: data.claimed_at ?? 0, id }), after, limit)
        return page.map(({ data, id }) => numberView(id, data))
      }),
    available: (workspace_id, currency, filter, limit, after) =>
      Effect.map(all, (numbers) =>
        numbers
          .filter(({ data }) => data.status === "available" && data.claim === null)
          .filter(({ data }) => isTestNumber(data.number) === isSandbox(workspace_id))
          .filter((number) => isChosen(number, filter))
          .map((number) => itemOf(number, { ...prices, currency }))
          .filter((item) => after === undefined || sortKey(item) > sortKey(after))
          .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
          .slice(0, limit)
      ),
    offer: (id, currency) =>
      Effect.map(all, (numbers) => {
        const data = numbers.find((number) => number.id === id && number.data.source === "platform")?.data
        return data && { status: data.status, number: data.number, terms: { ...prices, currency } }
      }),
    held: (workspace_id) =>
      Effect.map(all, (numbers) =>
        numbers
          .filter(
            (number) =>
              (number.data.workspace_id === workspace_id && isHeld(number)) ||
              number.data.claim?.workspace_id === workspace_id
          )
          .map(({ data, id }) => ({ id, source: data.source, claiming: data.status === "available" }))
      ),
    holder: (e164) =>
      Effect.map(all, (numbers) => numbers.find(({ data }) => data.number === e164 && data.status !== "removed")?.id)
  })
}
