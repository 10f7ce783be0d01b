// The heartbeats of the simulated PBX, which list its sessions. They run only while there are sessions, so that an idle
// PBX costs nothing.
import type { Timers } from "../../../actors/runtime/Timers.ts"
import type { SessionId } from "../../../domain/BrandedIds.ts"
import type { PbxEventData } from "../../../domain/pbx/PbxEvent.ts"
import type { Sessions } from "./Sessions.ts"

interface HeartbeatsOptions {
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly sessions: Sessions
  /** `seq` numbers the heartbeats. */
  readonly report: (tenant_pbx_id: string, seq: number, data: PbxEventData) => void
}

const interval_ms = 30_000
/** How many sessions one heartbeat lists, so that it fits into a frame. */
const sessionsMax = 10_000

export class Heartbeats {
  private readonly options: HeartbeatsOptions
  private beating = false
  private beats = 0

  constructor(options: HeartbeatsOptions) {
    this.options = options
  }

  /** There is a session. */
  start(): void {
    const { now, sessions, timers } = this.options
    if (this.beating) return
    this.beating = true
    timers.set(now() + interval_ms, () => {
      this.beating = false
      const byTenant = Map.groupBy(sessions.live.values(), (session) => session.tenant_pbx_id)
      for (const [tenant_pbx_id, sessions] of byTenant)
        this.beat(
          tenant_pbx_id,
          sessions.map(({ id }) => id)
        )
      if (byTenant.size > 0) this.start()
    })
  }

  private beat(tenant_pbx_id: string, session_ids: ReadonlyArray<SessionId>): void {
    for (let start = 0; start < session_ids.length; start += sessionsMax)
      this.options.report(tenant_pbx_id, ++this.beats, { live_sessions: session_ids.slice(start, start + sessionsMax) })
  }
}
