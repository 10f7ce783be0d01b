// The stored state of a number. Its id is the key of the row. Members that have a column of their own are read from the
// column (JournalTables.ts): inventory, seed and imports insert rows, and people mend them by hand.
import { Schema, Struct } from "effect"
import { toNumberId } from "../BrandedIds.ts"
import { optional, orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { NumberData, type PhoneNumber, unowned } from "./PhoneNumber.ts"
import { ForwardTo, Routing, routingOf } from "./Routing.ts"

/** A row that was inserted has only the members of the routing that somebody set. */
const StoredRouting = Schema.Struct({
  ...Struct.map(Routing.fields, Schema.optionalKey),
  /** The lengths were checked when the routing was set. */
  forward_to: optional(
    Schema.Struct({ ...ForwardTo.fields, value: orNull(Schema.Union([Schema.String, Schema.Array(Schema.String)])) })
  )
})

const StoredNumber = Schema.Struct({ ...NumberData.fields, routing: StoredRouting })

/** Members that an inserted row lacks: nobody has had the number. */
const added = { ...unowned, routing: {}, told: null, leaving: [], sequence: 0 }

export const numberState = storedState({ schema: StoredNumber, upgrades: [(stored) => ({ ...added, ...stored })] })

export const restoreNumber = numberState.restore((stored, _row, id): PhoneNumber => ({
  _tag: "Present",
  id: toNumberId(id),
  data: { ...stored, routing: routingOf(stored.routing) }
}))
