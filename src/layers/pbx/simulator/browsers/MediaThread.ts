// The thread that carries the sound of browsers. It is started with the first browser, and again after it has failed.
import { Worker } from "node:worker_threads"
import type { MediaCommand, MediaReport } from "./media/MediaProtocol.ts"
import type { MediaNotice, PhoneMedia } from "./PhoneMedia.ts"

/** The built package has the same file in JavaScript. */
const entry = new URL(`./media/MediaWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

export interface MediaThreadOptions {
  readonly told: (notice: MediaNotice) => void
  /** The thread ended by itself: its sound is lost, and every browser's call with it. */
  readonly failed: (cause: unknown) => void
}

type Commanded = MediaCommand extends infer Each ? (Each extends { readonly request: number } ? never : Each) : never
type Asked = MediaCommand extends infer Each
  ? Each extends { readonly request: number }
    ? Omit<Each, "request">
    : never
  : never

export class MediaThread implements PhoneMedia {
  private readonly options: MediaThreadOptions
  private readonly asked = new Map<number, (sdp: string | undefined) => void>()
  private worker: Worker | undefined
  private requests = 0

  constructor(options: MediaThreadOptions) {
    this.options = options
  }

  readonly answer: PhoneMedia["answer"] = (id, sdp, then) => this.ask({ kind: "answer", id, sdp }, then)
  readonly offer: PhoneMedia["offer"] = (id, then) => this.ask({ kind: "offer", id }, then)
  readonly accept: PhoneMedia["accept"] = (id, sdp, then) =>
    this.ask({ kind: "accept", id, sdp }, (done) => then(done !== undefined))
  readonly addPhone: PhoneMedia["addPhone"] = (id, voice) => this.send({ kind: "addPhone", id, voice })
  readonly remove: PhoneMedia["remove"] = (id) => this.send({ kind: "remove", id })
  readonly link: PhoneMedia["link"] = (id, other) => this.send({ kind: "link", id, other })
  readonly set: PhoneMedia["set"] = (id, { held, muted }) => this.send({ kind: "set", id, held, muted })
  readonly play: PhoneMedia["play"] = (id, play_id, sound, times) =>
    this.send({ kind: "play", id, play_id, sound, times })
  readonly stop: PhoneMedia["stop"] = (id, play_id) => this.send({ kind: "stop", id, play_id })

  /** Starts the thread, unless it runs. */
  start(): void {
    if (this.worker !== undefined) return
    const worker = new Worker(entry)
    this.worker = worker
    let cause: unknown
    worker.on("message", (report: MediaReport) => this.take(report))
    worker.on("error", (error) => (cause = error))
    worker.on("exit", () => {
      if (this.worker !== worker) return
      this.worker = undefined
      for (const then of this.asked.values()) then(undefined)
      this.asked.clear()
      this.options.failed(cause)
    })
  }

  async end(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    this.asked.clear()
    await worker?.terminate()
  }

  private take(report: MediaReport): void {
    if (report.kind !== "reply") return this.options.told(report)
    const then = this.asked.get(report.request)
    this.asked.delete(report.request)
    then?.(report.sdp)
  }

  private ask(command: Asked, then: (sdp: string | undefined) => void): void {
    this.start()
    const request = ++this.requests
    this.asked.set(request, then)
    this.worker?.postMessage({ ...command, request }, [])
  }

  /** Does nothing while the thread does not run. */
  private send(command: Commanded): void {
    this.worker?.postMessage(command, [])
  }
}
