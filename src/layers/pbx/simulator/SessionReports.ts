// The events of the simulated PBX: numbered within their session, and in the order that their phone wants.
import type { PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEvent, PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import { lastSeq } from "../../../domain/pbx/Session.ts"
import type { SessionId } from "../../../domain/BrandedIds.ts"
import type { Session } from "./Sessions.ts"

export interface SessionReportsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly uuid: () => string
  readonly report: (event: PbxEvent) => void
  /** Whether the end of the session was reported but is not acknowledged yet. Absent: never. */
  readonly owesEnd?: (session_id: SessionId) => boolean
}

export class SessionReports {
  private readonly options: SessionReportsOptions
  private now = Number.NaN
  private nowText = ""

  constructor(options: SessionReportsOptions) {
    this.options = options
  }

  report(
    session: Session,
    type: PbxEventType,
    data: PbxEventData,
    parties: Pick<PbxEvent, "direction" | "from" | "to"> = {}
  ): void {
    const of = { session_id: session.id, leg_id: session.id, ...parties }
    const event = this.event(session.tenant_pbx_id, type, ++session.seq, data, of)
    if (session.phone.erratic !== true) return this.options.report(event)
    if (type === "leg.ringing") {
      session.withheld = [event]
      return
    }
    const events = [event, ...session.withheld]
    session.withheld = []
    for (const each of [...events, ...events]) this.options.report(each)
  }

  /** An unacknowledged `leg.hangup` is repeated anyway, and says more than a snapshot of an absent session. */
  absent({ session_id, tenant_pbx_id }: PbxCommand): void {
    if (this.options.owesEnd?.(session_id) === true) return
    this.options.report(this.event(tenant_pbx_id, "session.snapshot", lastSeq, { state: "absent" }, { session_id }))
  }

  event(tenant_pbx_id: string, type: PbxEventType, seq: number, data: PbxEventData, more: Partial<PbxEvent>): PbxEvent {
    return { event_id: this.options.uuid(), tenant_pbx_id, type, seq, occurred_at: this.instant(), data, ...more }
  }

  /** Cached, because many events share a millisecond. */
  private instant(): string {
    const now = this.options.now()
    if (now !== this.now) {
      this.now = now
      this.nowText = new Date(now).toISOString()
    }
    return this.nowText
  }
}
