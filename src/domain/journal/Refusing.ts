// What the engine refuses, and to whom, by the signals of overload and the backlog of the journal together. Pure.
import type { WorkspaceId } from "../BrandedIds.ts"
import { type Backlogs, isFull, isShed, shedAt, type Sheddable, shedFor, shedForEverybody } from "./Shedding.ts"
import { isSandbox } from "../kit/Sandbox.ts"
import { FairRate } from "../overload/FairRate.ts"
import { atRest, type Cause, type Level, limitsOf, look, rankOf, type Situation } from "../overload/Pressure.ts"

/** The rate of what is admitted keeps the signals at this share of their limits, so that refusals stay quick. */
const regulatedAt = 1 / 3

export interface OverloadOptions {
  /** Requests in work at once, beside those that end work. */
  readonly max_requests: number
  /** From how late an event loop on the engine is behind, in milliseconds. */
  readonly event_loop_ms: number
}

interface Report {
  readonly shedding: Level
  readonly because?: Cause
}

export interface Refusals {
  /** What is refused to those who cause it, and why. */
  readonly report: () => Report
  /** Whether a request of the kind is refused, whoever makes it. */
  readonly refusesAll: (kind: Sheddable) => boolean
  /** Whether a request of the kind is refused to any sandbox. */
  readonly refusesSandboxes: (kind: Sheddable) => boolean
  /** Whether a request of the workspace is refused. Tell `admitted` of one that is carried out. */
  readonly refuses: (workspace_id: WorkspaceId, kind: Sheddable) => boolean
  readonly admitted: (workspace_id: WorkspaceId, kind: Sheddable) => void
  /** Counts a request that was admitted and is done. */
  readonly finished: (workspace_id: WorkspaceId, kind: Sheddable) => void
  /** Whether any request may be refused. While it is false, nobody needs to ask further. */
  readonly isRefusing: () => boolean
  /** Whether every request is refused but those that end work. */
  readonly isFull: () => boolean
  /** Counts a request that is carried out, until it ends. */
  readonly began: () => void
  readonly ended: () => void
  /** Counts a request that was refused before it began. */
  readonly refused: () => void
}

const nobodyWaits: Backlogs = { all: { entries: 0, characters: 0 }, of: new Map() }

/** What a look has found, and what is admitted until the next one. */
export class Refusing implements Refusals {
  private situation: Situation = atRest
  private backlogs = nobodyWaits
  private came = 0
  private refusals = 0
  private inFlight = 0
  readonly rates: Readonly<Record<Sheddable, FairRate>>
  private readonly options: OverloadOptions
  private readonly now: () => number

  /** `now`: epoch milliseconds. */
  constructor(options: OverloadOptions, now: () => number) {
    this.options = options
    this.now = now
    const { requests } = limitsOf(options.event_loop_ms, options.max_requests)
    this.rates = { reads: new FairRate(requests), calls: new FairRate(requests) }
  }

  readonly report = (): Report => {
    const { cause, level } = this.situation
    const behind = shedAt(this.backlogs.all)
    if (rankOf(behind) > rankOf(level)) return { shedding: behind, because: "journal" }
    return { shedding: level, ...(cause !== undefined && { because: cause }) }
  }

  readonly refusesAll = (kind: Sheddable): boolean =>
    isShed(shedForEverybody(this.backlogs.all), kind) || (kind === "reads" && this.isAt("sandboxes"))

  readonly refusesSandboxes = (kind: Sheddable): boolean =>
    this.isAt("sandboxes") || rankOf(shedAt(this.backlogs.all)) >= rankOf("sandboxes") || this.refusesAll(kind)

  readonly refuses = (workspace_id: WorkspaceId, kind: Sheddable): boolean => {
    if (isShed(shedFor(this.backlogs, workspace_id), kind) || this.refusesAll(kind)) return true
    if (isSandbox(workspace_id) && this.isAt("sandboxes")) return true
    return this.rates[kind].refuses(workspace_id, this.now())
  }

  readonly admitted = (workspace_id: WorkspaceId, kind: Sheddable): void =>
    this.rates[kind].admit(workspace_id, this.now())

  readonly finished = (workspace_id: WorkspaceId, kind: Sheddable): void => this.rates[kind].finish(workspace_id)

  readonly isFull = (): boolean => this.inFlight >= this.options.max_requests || isFull(this.backlogs.all)

  readonly isRefusing = (): boolean =>
    this.situation.level !== "nothing" ||
    shedAt(this.backlogs.all) !== "nothing" ||
    this.rates.calls.isFull ||
    this.rates.reads.isFull ||
    this.isFull()

  readonly began = (): void => {
    this.came++
    this.inFlight++
  }

  readonly ended = (): void => {
    this.inFlight--
  }

  readonly refused = (): void => {
    this.came++
    this.refusals++
  }

  /** The requests that came since the last look, those of them that were refused at once, and those in work. */
  takeCounts(): { readonly came: number; readonly refusals: number; readonly in_flight: number } {
    const { came, inFlight: in_flight, refusals } = this
    this.came = 0
    this.refusals = 0
    return { came, refusals, in_flight }
  }

  learn(
    backlogs: Backlogs,
    found: Readonly<Record<Cause, number>>,
    { now, wait_ms }: { readonly now: number; readonly wait_ms: number }
  ): Situation {
    this.backlogs = backlogs
    const { calls, reads } = this.rates
    const refused =
      this.situation.level === "calls" ? calls.hasRefused : this.situation.level === "reads" && reads.hasRefused
    this.situation = look(this.situation, found, { now, refused })
    follow(reads, this.isAt("reads"))
    follow(calls, this.isAt("calls"))
    for (const rate of [reads, calls]) rate.look({ now, load: this.situation.pressure / regulatedAt, wait_ms })
    return this.situation
  }

  private isAt(level: Level): boolean {
    return rankOf(this.situation.level) >= rankOf(level)
  }
}

const follow = (rate: FairRate, limited: boolean): void => (limited ? rate.engage() : rate.release())
