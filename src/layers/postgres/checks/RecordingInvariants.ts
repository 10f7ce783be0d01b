// Invariants of recordings and of their storage.
import { hasAlarm, type Invariant } from "./Invariant.ts"

/** SQL: storage size of the workspace, in bytes. A workspace that bought no storage has the free tier of 100 MB. */
const storageSize_bytes = `coalesce((
  SELECT (s.state ->> 'tier_mb')::int8 FROM actors s WHERE s.actor_type = 'Storage' AND s.actor_id = r.workspace_id::text
), 100) * 1048576`

export const recordings: ReadonlyArray<Invariant> = [
  {
    name: "A recording belongs to a call of the same workspace",
    breaches: `
      SELECT r.id, r.workspace_id, r.call_id FROM recordings r LEFT JOIN calls c ON c.id = r.call_id
      WHERE c.workspace_id IS DISTINCT FROM r.workspace_id`
  },
  {
    name: "Every recording that is processing or available has an alarm",
    breaches: `
      SELECT id, status FROM recordings r WHERE status IN ('processing', 'available') AND NOT ${hasAlarm("Recording", "r.id")}`
  },
  {
    name: "Recordings fit into the storage, or an alarm will delete the oldest",
    breaches: `
      SELECT r.workspace_id, sum(r.size_bytes)::int8 AS used_bytes FROM recordings r WHERE r.status = 'available'
      GROUP BY r.workspace_id
      HAVING sum(r.size_bytes) > ${storageSize_bytes} AND NOT ${hasAlarm("Storage", "r.workspace_id")}
        AND NOT EXISTS (
          SELECT FROM recordings o JOIN alarms a ON a.actor_type = 'Recording' AND a.actor_id = o.id::text AND a.due_at <= now()
          WHERE o.workspace_id = r.workspace_id
        )`
  },
  {
    name: "Every paid storage has an alarm for its renewal",
    breaches: `
      SELECT actor_id AS workspace_id, state ->> 'renews_at' AS renews_at FROM actors s
      WHERE actor_type = 'Storage' AND (state ->> 'renews_at' IS NOT NULL OR state ->> 'charge' IS NOT NULL)
        AND NOT ${hasAlarm("Storage", "s.actor_id")}`
  }
]
