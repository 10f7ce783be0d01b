// The legs of the simulated PBX.
import type { Timer } from "../../../actors/runtime/TimerHeap.ts"
import type { PbxEvent } from "../../../domain/pbx/PbxEvent.ts"
import type { Caller, Phone } from "./Phones.ts"
import type { Recorder } from "./Recorders.ts"

export interface Session {
  readonly id: string
  readonly tenant_pbx_id: string
  readonly phone: Phone
  /** When the PBX gives up ringing, epoch milliseconds. */
  readonly ring_until: number
  /** The commands carried out, so that none is carried out twice: a handful. */
  readonly carried_out: Array<string>
  /** Who called, where the PBX was called. */
  readonly caller: Caller | undefined
  seq: number
  answered_at: number | undefined
  /** The next step of the phone's script. */
  step: number
  timer: Timer | undefined
  /** How long it may talk; undefined: nobody said. And what ends it then. */
  talk_limit_seconds: number | undefined
  limit_timer: Timer | undefined
  /** What records it, or will once it is answered. */
  readonly recorders: Array<Recorder>
  /** Whom it is connected with. */
  readonly peers: Set<Session>
  /** Whether the engine wants to know who has answered. */
  readonly detects: boolean
  muted: boolean
  held: boolean
  /** When what is being said has been said. */
  quiet_at: number
  /** The timers of what is being said or taken down, by command. */
  readonly under_way: Map<string, Array<Timer>>
  /** Events that an erratic PBX reports too late. */
  withheld: ReadonlyArray<PbxEvent>
}

const endedMin = 20_000

/** The live sessions, and which ended lately: their originate, told again, must not ring a second time. */
export class Sessions {
  readonly live = new Map<string, Session>()
  private young = new Set<string>()
  private old = new Set<string>()

  /** Set up by a command, or by a caller. */
  open({
    command_id,
    session_id,
    talk_limit_seconds,
    tenant_pbx_id,
    ...how
  }: Pick<Session, "phone" | "ring_until" | "detects" | "caller" | "tenant_pbx_id"> & {
    readonly session_id: string
    readonly command_id?: string
    readonly talk_limit_seconds?: number | undefined
  }): Session {
    const session: Session = {
      ...how,
      id: session_id,
      tenant_pbx_id,
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
      this.young = new Set()
    }
    this.young.add(session.id)
  }

  hasEnded(session_id: string): boolean {
    return this.young.has(session_id) || this.old.has(session_id)
  }
}
