// The conferences of the simulated PBX: who is in which, and who hears whom.
import type { SessionId } from "../../../domain/BrandedIds.ts"
import type { ActionOf } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import type { Session, SessionView } from "./Sessions.ts"

type Join = ActionOf<"conference.join">

export class SimulatedConferences {
  private readonly joins = new Map<SessionId, Join>()
  private readonly report: (session: Session, type: PbxEventType, data: PbxEventData) => void

  constructor(report: (session: Session, type: PbxEventType, data: PbxEventData) => void) {
    this.report = report
  }

  join(session: Session, action: Join): void {
    const { conference_id } = action
    if (session.answered_at === undefined)
      return this.report(session, "conference.failed", { conference_id, error: "not_answered" })
    this.joins.set(session.id, action)
  }

  leave(session_id: SessionId, conference_id?: string): void {
    if (conference_id === undefined || this.joins.get(session_id)?.conference_id === conference_id)
      this.joins.delete(session_id)
  }

  view(session_id: SessionId): Pick<SessionView, "conference" | "hears"> {
    return { conference: this.joins.get(session_id), hears: this.heardBy(session_id) }
  }

  private heardBy(session_id: SessionId): ReadonlyArray<SessionId> {
    const own = this.joins.get(session_id)
    if (own === undefined || own.waiting || own.deaf || own.held) return []
    return [...this.joins].flatMap(([other, join]) => {
      const speaks = !join.muted && !join.held && !join.waiting && join.conference_id === own.conference_id
      const isForThis = join.coach_session_id === null || join.coach_session_id === session_id
      return other !== session_id && speaks && isForThis ? [other] : []
    })
  }
}
