// What must be true of what is rented by the month: numbers and storage.
import type { WorkspaceId } from "../../src/domain/BrandedIds.ts"
import type { NumberData } from "../../src/domain/numbers/PhoneNumber.ts"
import { type Storage, storageState } from "../../src/domain/storage/Storage.ts"
import type { MemoryTables } from "../../src/layers/journal/MemoryTables.ts"
import { must } from "./Breach.ts"
import { workspace_id } from "./Customer.ts"
import { freeNumbers, rentedNumber } from "./Inventory.ts"

const dataOf = (tables: MemoryTables, id: string): NumberData =>
  JSON.parse(tables.snapshot("Number", id)?.state ?? "null") as NumberData

const storageOf = (tables: MemoryTables): Storage | undefined => {
  const row = tables.snapshot("Storage", workspace_id)
  return row === undefined ? undefined : storageState.read(row.state)
}

/** What is being paid for, or undefined. */
export const unpaid = (tables: MemoryTables): string | undefined => {
  const claimed = freeNumbers.find((id) => dataOf(tables, id).claim !== null)
  if (claimed !== undefined) return `a claim of number ${claimed}`
  const left = freeNumbers.find((id) => dataOf(tables, id).leaving.length > 0)
  if (left !== undefined) return `what belongs to number ${left}`
  return storageOf(tables)?.charge ? "a charge of the storage" : undefined
}

const judgeNumber = (tables: MemoryTables, id: string): void => {
  const events = tables.events.filter(({ subject_id }) => subject_id === id)
  const seen = events.map(({ kind, sequence, workspace_id }) => ({ kind, sequence, workspace_id }))
  let owner: WorkspaceId | null = id === rentedNumber ? workspace_id : null
  for (const [index, { kind, sequence, workspace_id: of }] of seen.entries()) {
    must(sequence === index + 1, "The events of a number are numbered without a gap", seen)
    if (kind === "number.claimed") {
      must(owner === null, "A number has one owner", seen)
      owner = of
    } else must(owner === of, "Only its owner is told of a number", seen)
    if (kind === "number.released") owner = null
  }
  const months = seen.filter(({ kind }) => kind === "number.claimed" || kind === "number.renewed")
  const paid = tables.ledger.filter(({ kind, reference_id }) => kind === "number_rental" && reference_id === id)
  const payers = (rows: ReadonlyArray<{ readonly workspace_id: WorkspaceId | null }>) =>
    rows.map((row) => row.workspace_id).join()
  must(payers(paid) === payers(months), "A month of a number is paid once, by its owner", { months, paid })
}

const judgeStorage = (tables: MemoryTables, due_at: number | undefined): void => {
  const paid = tables.ledger.filter(({ kind }) => kind === "storage_charge")
  const renewals = paid.filter(({ description }) => description.startsWith("A month"))
  const isRenewed = due_at !== undefined && (storageOf(tables)?.renews_at ?? 0) > due_at
  must(renewals.length === (isRenewed ? 1 : 0), "A month of storage is paid once", { renewals, isRenewed })
  const upgrades = tables.events
    .filter(({ kind }) => kind === "storage.tier_changed")
    .map(({ payload }) => JSON.parse(payload) as { readonly charge_minor: number; readonly reason: string })
    .filter(({ charge_minor, reason }) => reason === "customer" && charge_minor > 0)
  must(paid.length - renewals.length === upgrades.length, "A larger tier is paid once", { paid, upgrades })
}

/** `storage_due_at`: when the month of the storage was over, if it was paid. */
export const judgeRents = (tables: MemoryTables, storage_due_at: number | undefined): void => {
  for (const id of [rentedNumber, ...freeNumbers]) judgeNumber(tables, id)
  judgeStorage(tables, storage_due_at)
}
