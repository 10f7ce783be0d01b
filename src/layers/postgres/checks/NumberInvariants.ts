// What is true of numbers whatever happens.
import { hasAlarm, type Invariant } from "./Invariant.ts"

export const numbers: ReadonlyArray<Invariant> = [
  {
    name: "A workspace has numbers of the platform or numbers of its own, as it has chosen",
    breaches: `
      SELECT n.id, n.workspace_id, n.source, w.number_mode FROM numbers n JOIN workspaces w ON w.id = n.workspace_id
      WHERE n.status IN ('active', 'past_due', 'suspended')
        AND w.number_mode <> CASE n.source WHEN 'platform' THEN 'platform' ELSE 'byoc' END`
  },
  {
    name: "Every number that is claimed, rented, owed for or kept from others has an alarm that will bring it on",
    breaches: `
      SELECT id, status, renews_at FROM numbers n
      WHERE (reserved_for IS NOT NULL OR status IN ('past_due', 'suspended', 'released') OR status = 'active' AND renews_at IS NOT NULL)
        AND NOT ${hasAlarm("Number", "n.id")}`
  }
]
