// Speech, playbacks and gathers of a browser's session: what the person hears, and the keys that it presses.
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { ActionOf } from "../../../../domain/pbx/PbxCommand.ts"
import type { PbxEventData, PbxEventType } from "../../../../domain/pbx/PbxEvent.ts"
import type { Session } from "../Sessions.ts"
import { type Playback, playbackOf } from "../SoundCommands.ts"
import type { PhoneMedia } from "./PhoneMedia.ts"

export interface BrowserMediaOptions {
  readonly media: PhoneMedia
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly report: (session: Session, type: PbxEventType, data: PbxEventData) => void
}

/** One command at a time is carried out; the others wait in their order. */
interface Task {
  readonly command_id: string
  readonly begin: () => void
  /** A key was pressed. */
  readonly press?: (digit: string) => void
  /** The sound of this command, or of its prompt, was played to its end. */
  readonly played?: (duration_ms: number) => void
  /** Undoes what `begin` began. */
  readonly stop: () => void
}

interface Party {
  /** Names its media. */
  readonly id: string
  readonly session: Session
  readonly tasks: Array<Task>
}

export class BrowserMedia {
  private readonly options: BrowserMediaOptions
  private readonly parties = new Map<Session, Party>()

  constructor(options: BrowserMediaOptions) {
    this.options = options
  }

  /** The session's sound is that of the browser with this id. */
  add(session: Session, id: string): void {
    this.parties.set(session, { id, session, tasks: [] })
  }

  /** Plays it when what came before is over, and reports its end. */
  play(session: Session, command_id: string, { said, sound, times }: Playback): void {
    const { media, report } = this.options
    if (said !== undefined) session.said = said
    const party = this.parties.get(session)
    if (party === undefined || session.answered_at === undefined)
      return report(session, "playback.finished", { command_id, result: "failed", error: "not_answered" })
    this.enqueue(party, {
      command_id,
      begin: () => media.play(party.id, command_id, sound, times),
      played: (duration_ms) => {
        this.finish(party, command_id)
        report(session, "playback.finished", { command_id, result: "completed", duration_ms })
      },
      stop: () => media.stop(party.id, command_id)
    })
  }

  /** Says a text before the answer, then goes on. Without a text it goes on at once. */
  announce(session: Session, command_id: string, text: string | undefined, then: () => void): void {
    const party = this.parties.get(session)
    if (party === undefined || text === undefined) return then()
    session.said = text
    this.enqueue(party, {
      command_id,
      begin: () => this.options.media.play(party.id, command_id, { kind: "speech", text }, 1),
      played: () => {
        this.finish(party, command_id)
        then()
      },
      stop: () => this.options.media.stop(party.id, command_id)
    })
  }

  /** Waits for keys. The first one stops the prompt; the timeouts count from its end. */
  gather(session: Session, command_id: string, action: ActionOf<"gather">): void {
    const party = this.parties.get(session)
    if (party === undefined) return
    const { finish_on_key, input = ["dtmf"], inter_digit_timeout_ms, max_digits, prompt, timeout_ms } = action
    const { media, now, report, timers } = this.options
    const finish = (result: "complete" | "timeout" | "unavailable") => {
      this.finish(party, command_id)
      report(session, "gather.finished", { command_id, result, digits })
    }
    let digits = ""
    let timer: Timer | undefined
    const stop = () => {
      if (timer !== undefined) timers.cancel(timer)
      media.stop(party.id, command_id)
    }
    const wait = (ms: number) => {
      if (timer !== undefined) timers.cancel(timer)
      timer = timers.set(now() + ms, () => finish("timeout"))
    }
    /** Nothing here understands words. */
    const promptOver = () => (input.includes("dtmf") ? wait(timeout_ms) : finish("unavailable"))
    this.enqueue(party, {
      command_id,
      begin: () => {
        if (prompt === undefined) return promptOver()
        const { said, sound, times } = playbackOf(prompt)
        if (said !== undefined) session.said = said
        media.play(party.id, command_id, sound, times)
      },
      played: promptOver,
      press: (digit) => {
        if (!input.includes("dtmf")) return
        media.stop(party.id, command_id)
        if (digit === finish_on_key) return finish("complete")
        digits += digit
        if (digits.length >= max_digits) return finish("complete")
        wait(inter_digit_timeout_ms)
      },
      stop
    })
  }

  /** Reports the end of what is cut. */
  cut(session: Session, command_id: string): void {
    const party = this.parties.get(session)
    if (party === undefined || !party.tasks.some((task) => task.command_id === command_id)) return
    this.finish(party, command_id)
    this.options.report(session, "playback.finished", { command_id, result: "cut" })
  }

  end(session: Session): void {
    const party = this.parties.get(session)
    this.parties.delete(session)
    party?.tasks[0]?.stop()
  }

  /** The person pressed a key. */
  pressed(session: Session, digit: string, duration_ms: number): void {
    this.options.report(session, "dtmf", { digit, duration_ms })
    this.parties.get(session)?.tasks[0]?.press?.(digit)
  }

  /** A sound was played to its end to the browser with this id. */
  played(id: string, play_id: string, duration_ms: number): void {
    const party = [...this.parties.values()].find((each) => each.id === id)
    const [task] = party?.tasks ?? []
    if (task?.command_id === play_id) task.played?.(duration_ms)
  }

  private enqueue(party: Party, task: Task): void {
    party.tasks.push(task)
    if (party.tasks.length === 1) task.begin()
  }

  /** Takes the command out of the queue, and begins the next one if it was the first. */
  private finish(party: Party, command_id: string): void {
    const index = party.tasks.findIndex((task) => task.command_id === command_id)
    const [task] = index < 0 ? [] : party.tasks.splice(index, 1)
    if (task === undefined || index > 0) return
    task.stop()
    party.tasks[0]?.begin()
  }
}
