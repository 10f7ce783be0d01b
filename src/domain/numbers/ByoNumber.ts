import { budgets } from "../limits/Budgets.ts"
import type { HeldNumber } from "./NumberRecord.ts"
import { type NumberId, toNumberId } from "../BrandedIds.ts"

/**
 * The id of a number that a workspace brings over its own trunk: its digits, as a UUID of version 8 (RFC 9562, section
 * 5.8). Two workspaces that register the same number reach the same actor, so only one can have it.
 */
export const byoNumberId = (e164: string): NumberId => {
  const digits = e164.slice(1).padStart(15, "0")
  return toNumberId(`00000000-0000-8000-8${digits.slice(0, 3)}-${digits.slice(3)}`)
}

/**
 * Whether a workspace that has these numbers may bring another one. Requests at the same moment see the same numbers,
 * so they can exceed the limit by as many numbers as the workspace has proved.
 */
export const mayBring = (held: ReadonlyArray<HeldNumber>): boolean =>
  held.filter(({ source }) => source === "byo").length < budgets.brought_numbers.limit
