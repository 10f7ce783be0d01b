// Invariants of phone numbers, and of the network that carries their calls.
import { firstSandboxId, lastSandboxId, sandboxGatewayId } from "../../../domain/kit/Sandbox.ts"
import { hasAlarm, type Invariant } from "./Invariant.ts"

/** A sandbox begins with a number of the platform, and chooses later which numbers it uses. */
const isFirstOfSandbox = `w.gateway_id = '${sandboxGatewayId}' AND n.source = 'platform' AND NOT EXISTS (
          SELECT FROM numbers other WHERE other.workspace_id = n.workspace_id AND other.source = 'platform'
            AND other.status IN ('active', 'past_due', 'suspended') AND other.id <> n.id)`

export const numbers: ReadonlyArray<Invariant> = [
  {
    name: "Sandboxes, and no other workspaces, are on the simulated network",
    breaches: `
      SELECT id, gateway_id FROM workspaces
      WHERE (gateway_id = '${sandboxGatewayId}') <> (id BETWEEN '${firstSandboxId}' AND '${lastSandboxId}')`
  },
  {
    name: "A workspace has only platform numbers or only its own numbers, as its number_mode says",
    breaches: `
      SELECT n.id, n.workspace_id, n.source, w.number_mode FROM numbers n JOIN workspaces w ON w.id = n.workspace_id
      WHERE n.status IN ('active', 'past_due', 'suspended')
        AND w.number_mode <> CASE n.source WHEN 'platform' THEN 'platform' ELSE 'byoc' END
        AND NOT (${isFirstOfSandbox})`
  },
  {
    name: "Every number that is reserved, rented, past due, suspended or released has an alarm",
    breaches: `
      SELECT id, status, renews_at FROM numbers n
      WHERE (reserved_for IS NOT NULL OR status IN ('past_due', 'suspended', 'released') OR status = 'active' AND renews_at IS NOT NULL)
        AND NOT ${hasAlarm("Number", "n.id")}`
  }
]
