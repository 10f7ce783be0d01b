// The thread that combines the files of a recording and hashes the result, so that no recording takes time of the
// thread of the actors. It is started with the first recording, and again after it has failed.
import { Effect, type Scope } from "effect"
import { Worker } from "node:worker_threads"
import { type Download, type RecordedFile, recordedSize } from "../ari/RecordedFile.ts"
import type { CombineCommand, CombineReport, Side } from "./RecordingProtocol.ts"

/** A recording as one WAV file. */
export interface CombinedFile extends RecordedFile {
  /** The SHA-256 of the bytes, in hexadecimal, once all of them have been read. */
  readonly sha256: () => string
}

/** Combines one mono file, or two as the channels of a stereo file. Reading `bytes` reads the downloads. */
export type Combine = (first: Download, second?: Download) => CombinedFile

export class RecordingFailed extends Error {}

const threadEnded = "The thread that combines recordings has ended."

/** The built package has the same file in JavaScript. */
const entry = new URL(`./RecordingWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

interface Job {
  readonly downloads: ReadonlyArray<AsyncIterator<Uint8Array>>
  waiting: PromiseWithResolvers<CombineReport>
  /** Why a download failed. */
  cause: unknown
}

export class RecordingThread {
  private readonly jobs = new Map<number, Job>()
  private worker: Worker | undefined
  private count = 0

  readonly combine: Combine = (first, second) => {
    let sha256: string | undefined
    const downloads = second === undefined ? [first] : [first, second]
    return {
      ...recordedSize(first, second),
      bytes: this.piecesOf(downloads, (hash) => (sha256 = hash)),
      sha256: () => {
        if (sha256 === undefined) throw new RecordingFailed("The recording was not read to its end.")
        return sha256
      }
    }
  }

  async end(): Promise<void> {
    await this.worker?.terminate()
  }

  private async *piecesOf(
    downloads: ReadonlyArray<Download>,
    done: (sha256: string) => void
  ): AsyncGenerator<Uint8Array> {
    const worker = this.started()
    const id = ++this.count
    const send = (command: CombineCommand) => worker.postMessage(command, [])
    const job: Job = {
      downloads: downloads.map(({ bytes }) => bytes[Symbol.asyncIterator]()),
      waiting: Promise.withResolvers(),
      cause: undefined
    }
    this.jobs.set(id, job)
    try {
      send({ kind: "open", job: id, sizes: downloads.map(({ size_bytes }) => size_bytes) })
      for (;;) {
        if (this.worker !== worker) throw new RecordingFailed(threadEnded)
        job.waiting = Promise.withResolvers()
        send({ kind: "next", job: id })
        const report = await job.waiting.promise
        if (report.kind === "done") return done(report.sha256)
        if (report.kind === "piece") yield report.bytes
        if (report.kind === "failed") throw new RecordingFailed(report.message, { cause: job.cause })
      }
    } finally {
      this.jobs.delete(id)
      send({ kind: "close", job: id })
      await Promise.allSettled(job.downloads.map((download) => download.return?.()))
    }
  }

  private started(): Worker {
    if (this.worker !== undefined) return this.worker
    const worker = new Worker(entry)
    this.worker = worker
    worker.on("message", (report: CombineReport) => {
      if (report.kind === "more") void this.feed(worker, report.job, report.side)
      else this.jobs.get(report.job)?.waiting.resolve(report)
    })
    // An error ends the thread, which `exit` reports too.
    worker.on("error", () => {})
    worker.on("exit", () => {
      this.worker = undefined
      for (const [job, { waiting }] of this.jobs) waiting.resolve({ kind: "failed", job, message: threadEnded })
    })
    return worker
  }

  /** Sends the next piece of a download to the thread. */
  private async feed(worker: Worker, job: number, side: Side): Promise<void> {
    const found = this.jobs.get(job)
    const download = found?.downloads[side]
    if (found === undefined || download === undefined) return
    try {
      const { done, value } = await download.next()
      if (done === true) return worker.postMessage({ kind: "downloaded", job, side, bytes: undefined }, [])
      // The piece may be part of a larger buffer that is still in use.
      const bytes = new Uint8Array(value)
      worker.postMessage({ kind: "downloaded", job, side, bytes }, [bytes.buffer])
    } catch (cause) {
      found.cause = cause
      worker.postMessage({ kind: "download_failed", job, side }, [])
    }
  }
}

/** A thread for the recordings of a gateway. It ends with the scope. */
export const makeRecordingThread: Effect.Effect<RecordingThread, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => new RecordingThread()),
  (thread) => Effect.promise(() => thread.end())
)
