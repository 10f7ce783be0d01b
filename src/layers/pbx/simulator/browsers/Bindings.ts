// Which browsers are registered, and as whom.
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { PbxEventData } from "../../../../domain/pbx/PbxEvent.ts"

export interface Binding<Line> {
  readonly username: string
  /** The URI to which calls are sent. */
  readonly target: string
  readonly line: Line
  readonly user_agent: string | undefined
}

interface Kept<Line> extends Binding<Line> {
  readonly timer: Timer
}

export interface BindingsOptions {
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Tells who is registered (`registration.changed`). */
  readonly report: (username: string, data: PbxEventData) => void
}

/** Browsers of one user that ring at once. The oldest registration makes way for a new one. */
const bindings_max = 10

export class Bindings<Line> {
  private readonly options: BindingsOptions
  private readonly byUser = new Map<string, ReadonlyArray<Kept<Line>>>()

  constructor(options: BindingsOptions) {
    this.options = options
  }

  of(username: string): ReadonlyArray<Binding<Line>> {
    return this.byUser.get(username) ?? []
  }

  put(binding: Binding<Line>, lifetime_seconds: number): void {
    const { now, timers } = this.options
    const { target, user_agent, username } = binding
    const expires_at = now() + lifetime_seconds * 1000
    const timer: Timer = timers.set(expires_at, () => this.drop(username, (each) => each.timer === timer))
    for (const kept of this.kept(username)) if (kept.target === target) timers.cancel(kept.timer)
    const others = this.kept(username).filter((each) => each.target !== target)
    this.byUser.set(username, [...others, { ...binding, timer }])
    this.options.report(username, {
      username,
      contact: target,
      registration: "registered",
      expires_at: new Date(expires_at).toISOString(),
      transport: "ws",
      ...(user_agent !== undefined && { user_agent })
    })
    const [oldest] = others
    if (others.length >= bindings_max) this.drop(username, (each) => each === oldest)
  }

  remove(username: string, target: string): void {
    this.drop(username, (each) => each.target === target)
  }

  /** The line is gone, and every registration that came by it. */
  removeLine(line: Line): void {
    for (const username of this.byUser.keys()) this.drop(username, (each) => each.line === line)
  }

  /** The credential was revoked. */
  removeUser(username: string): void {
    this.drop(username, () => true)
  }

  private kept(username: string): ReadonlyArray<Kept<Line>> {
    return this.byUser.get(username) ?? []
  }

  private drop(username: string, isOver: (each: Kept<Line>) => boolean): void {
    const kept = this.kept(username)
    const over = kept.filter(isOver)
    if (over.length === 0) return
    const rest = kept.filter((each) => !over.includes(each))
    if (rest.length === 0) this.byUser.delete(username)
    else this.byUser.set(username, rest)
    for (const { target, timer } of over) {
      this.options.timers.cancel(timer)
      this.options.report(username, { username, contact: target, registration: "unregistered" })
    }
  }
}
