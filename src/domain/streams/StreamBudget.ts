// How much an application may send over a media stream, and all applications of a workspace together. Audio is limited
// by its bytes alone. What is stored, shown or carried out costs the threads that all workspaces share, so it is
// counted too.
import { Allowance, scaled } from "../limits/Allowance.ts"
import { budgets } from "../limits/Budgets.ts"
import type { ApplicationMessage } from "./StreamMessage.ts"

/** How many streams of one workspace the limits of a workspace are made for, and how many it has by default. */
export const tenantStreamsDefault: number = budgets.workspace_open_streams.limit

/** What a message is to the rest of the engine. `stored`: it is written. `pieces`: it is shown, and forgotten. */
type Cost = "stored" | "pieces" | undefined

const costOf = (message: ApplicationMessage): Cost => {
  if (message.event === "actions") return "stored"
  if (message.event !== "transcript") return undefined
  return message.final ? "stored" : "pieces"
}

type Figures = Readonly<
  Record<"bytes" | "text" | "stored" | "pieces", { readonly per_second: number; readonly burst: number }>
>

/** What one stream, or one workspace, has left. */
class Allowances {
  private readonly bytes: Allowance
  private readonly text: Allowance
  private readonly stored: Allowance
  private readonly pieces: Allowance
  private readonly all: ReadonlyArray<Allowance>

  constructor({ bytes, pieces, stored, text }: Figures, factor: number) {
    this.bytes = new Allowance(scaled(bytes, factor))
    this.text = new Allowance(scaled(text, factor))
    this.stored = new Allowance(scaled(stored, factor))
    this.pieces = new Allowance(scaled(pieces, factor))
    this.all = [this.bytes, this.text, this.stored, this.pieces]
  }

  spend(message: ApplicationMessage, bytes: number, now: number): void {
    const cost = costOf(message)
    this.bytes.spend(bytes, now)
    if (cost === undefined) return
    this.text.spend(bytes, now)
    this[cost].spend(1, now)
  }

  isSpent(now: number): boolean {
    return this.all.some((allowance) => allowance.isSpent(now))
  }

  isFull(now: number): boolean {
    return this.all.every((allowance) => allowance.isFull(now))
  }
}

/** What the streams of a workspace share. `streams`: how many it may have at once. */
export const workspaceAllowances = (streams = tenantStreamsDefault): Allowances =>
  new Allowances(
    {
      bytes: budgets.workspace_stream_bytes.limit,
      text: budgets.workspace_stream_text.limit,
      stored: budgets.workspace_stream_stored.limit,
      pieces: budgets.workspace_stream_pieces.limit
    },
    Math.max(1, streams / tenantStreamsDefault)
  )
export type { Allowances as WorkspaceAllowances }

const streamAllowances = (): Allowances =>
  new Allowances(
    {
      bytes: budgets.stream_bytes.limit,
      text: budgets.stream_text.limit,
      stored: budgets.stream_stored.limit,
      pieces: budgets.stream_pieces.limit
    },
    1
  )

/** The budget of one stream. */
export class StreamBudget {
  private readonly own = streamAllowances()
  private readonly shared: Allowances

  constructor(shared: Allowances) {
    this.shared = shared
  }

  /** Counts a message that is passed on now. `bytes`: of its text. */
  spend(message: ApplicationMessage, bytes: number, now: number): void {
    this.own.spend(message, bytes, now)
    this.shared.spend(message, bytes, now)
  }

  /** Whether the next message has to wait. */
  isSpent(now: number): boolean {
    return this.own.isSpent(now) || this.shared.isSpent(now)
  }
}
