// The legs of the simulated PBX.
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { ActionOf } from "../../../domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../../domain/pbx/PbxEvent.ts"
import type { Caller, Phone } from "./Phones.ts"
import type { SessionId } from "../../../domain/BrandedIds.ts"

export type RecordStart = ActionOf<"record.start">

export interface Recorder {
  readonly command_id: string
  readonly action: RecordStart
  /** Undefined before recording starts. Epoch milliseconds. */
  started_at: number | undefined
  /** Ends the recording at its limit. */
  timer: Timer | undefined
}

export interface Session {
  readonly id: SessionId
  readonly tenant_pbx_id: string
  readonly phone: Phone
  /** When ringing times out. Epoch milliseconds. */
  readonly ring_until: number
  /** The ids of commands that were carried out, so that none is carried out twice. */
  readonly carried_out: Array<string>
  /** The caller of an inbound session. */
  readonly caller: Caller | undefined
  /** The number that an outbound session shows and the one that it calls, and the network if it is the chat app. */
  readonly parties: { readonly from: string; readonly to: string; readonly network?: "chatapp" } | undefined
  /** The session that dialled this one. */
  readonly parent: SessionId | undefined
  seq: number
  answered_at: number | undefined
  /** The next step of the phone's script. */
  step: number
  timer: Timer | undefined
  /** The longest time that the talk may last (undefined: no limit), and the timer that ends it. */
  talk_limit_seconds: number | undefined
  limit_timer: Timer | undefined
  /** Its recordings, including those that start with the answer. */
  readonly recorders: Array<Recorder>
  /** The bridged sessions. */
  readonly peers: Set<Session>
  /** Whether answering machine detection was requested. */
  readonly detects: boolean
  muted: boolean
  held: boolean
  /** The text that was said last; undefined before the first. */
  said: string | undefined
  /** The gathers that its phone was asked to answer with keys. */
  gathers: number
  /** The gathers that it was asked to answer with words. */
  speeches: number
  /** When the queued speech and audio are over. Epoch milliseconds. */
  quiet_at: number
  /** The timers of playbacks and gathers, by command id. */
  readonly under_way: Map<string, Array<Timer>>
  /** Events that an erratic PBX reports late. */
  withheld: ReadonlyArray<PbxEvent>
}

/** What a test may see of a live session. */
export interface SessionView extends Pick<Session, "muted" | "held" | "talk_limit_seconds" | "said"> {
  readonly peers: ReadonlyArray<SessionId>
  /** How it takes part in a conference, and the sessions that it hears there. */
  readonly conference: ActionOf<"conference.join"> | undefined
  readonly hears: ReadonlyArray<SessionId>
}

const endedMin = 20_000

/** The live sessions, and the ids of recently ended ones, whose repeated originate must not ring again. */
export class Sessions {
  readonly live = new Map<SessionId, Session>()
  private young = new Set<SessionId>()
  private old = new Set<SessionId>()

  /** `command_id` is absent for an inbound session. */
  open({
    command_id,
    session_id,
    talk_limit_seconds,
    tenant_pbx_id,
    parent,
    parties,
    ...how
  }: Pick<Session, "phone" | "ring_until" | "detects" | "caller" | "tenant_pbx_id"> & {
    readonly session_id: SessionId
    readonly parent?: SessionId | undefined
    readonly parties?: Session["parties"]
    readonly command_id?: string
    readonly talk_limit_seconds?: number | undefined
  }): Session {
    const session: Session = {
      ...how,
      id: session_id,
      tenant_pbx_id,
      parent,
      parties,
      carried_out: command_id === undefined ? [] : [command_id],
      seq: 0,
      answered_at: undefined,
      step: 0,
      timer: undefined,
      talk_limit_seconds,
      limit_timer: undefined,
      recorders: [],
      peers: new Set(),
      muted: false,
      held: false,
      said: undefined,
      gathers: 0,
      speeches: 0,
      quiet_at: 0,
      under_way: new Map(),
      withheld: []
    }
    this.live.set(session.id, session)
    return session
  }

  close(session: Session): void {
    this.live.delete(session.id)
    if (this.young.size >= endedMin) {
      this.old = this.young
      this.young = new Set<SessionId>()
    }
    this.young.add(session.id)
  }

  hasEnded(session_id: SessionId): boolean {
    return this.young.has(session_id) || this.old.has(session_id)
  }
}
