// The schema of the first release. The versions before it made it in 35 steps, up to number 110.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { audit } from "./schema/Audit.ts"
import { calls } from "./schema/Calls.ts"
import { events } from "./schema/Events.ts"
import { journal } from "./schema/Journal.ts"
import { money } from "./schema/Money.ts"
import { notices } from "./schema/Notices.ts"
import { numbers } from "./schema/Numbers.ts"
import { payments } from "./schema/Payments.ts"
import { people } from "./schema/People.ts"
import { sip } from "./schema/Sip.ts"
import { workspaces } from "./schema/Workspaces.ts"

const parts = [workspaces, numbers, sip, money, payments, calls, events, journal, audit, people, notices]

export const schema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of parts.flat()) yield* sql.unsafe(statement)
})
