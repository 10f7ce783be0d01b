// Combines and hashes the files of recordings, in the thread that RecordingThread.ts starts.
import { createHash, type Hash } from "node:crypto"
import { type Download, recordedFile } from "../ari/RecordedFile.ts"
import type { CombineCommand, CombineReport, Side } from "./RecordingProtocol.ts"

export class DownloadFailed extends Error {}

/** A download whose pieces come by messages. */
class Incoming {
  private readonly ask: () => void
  private waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined

  constructor(ask: () => void) {
    this.ask = ask
  }

  take(bytes: Uint8Array | undefined): void {
    this.waiting?.resolve(bytes)
  }

  fail(): void {
    this.waiting?.reject(new DownloadFailed("A download failed."))
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.waiting = Promise.withResolvers()
      this.ask()
      const bytes = await this.waiting.promise
      if (bytes === undefined) return
      yield bytes
    }
  }
}

interface Job {
  readonly incoming: ReadonlyArray<Incoming>
  readonly pieces: AsyncIterator<Uint8Array>
  readonly hash: Hash
}

export class RecordingJobs {
  private readonly report: (report: CombineReport) => void
  private readonly jobs = new Map<number, Job>()

  constructor(report: (report: CombineReport) => void) {
    this.report = report
  }

  carryOut(command: CombineCommand): void {
    switch (command.kind) {
      case "open":
        return this.open(command.job, command.sizes)
      case "next":
        return void this.next(command.job)
      case "downloaded":
        return this.jobs.get(command.job)?.incoming[command.side]?.take(command.bytes)
      case "download_failed":
        return this.jobs.get(command.job)?.incoming[command.side]?.fail()
      case "close":
        this.jobs.delete(command.job)
    }
  }

  private open(job: number, sizes: ReadonlyArray<number>): void {
    const incoming: Array<Incoming> = []
    const [first, second] = sizes.map((size_bytes, side): Download => {
      const download = new Incoming(() => this.report({ kind: "more", job, side: side as Side }))
      incoming.push(download)
      return { size_bytes, bytes: download.bytes() }
    })
    if (first === undefined) return
    const pieces = recordedFile(first, second).bytes[Symbol.asyncIterator]()
    this.jobs.set(job, { incoming, pieces, hash: createHash("sha256") })
  }

  private async next(job: number): Promise<void> {
    const found = this.jobs.get(job)
    if (found === undefined) return
    try {
      const { done, value } = await found.pieces.next()
      if (done === true) {
        this.jobs.delete(job)
        return this.report({ kind: "done", job, sha256: found.hash.digest("hex") })
      }
      found.hash.update(value)
      this.report({ kind: "piece", job, bytes: value })
    } catch (cause) {
      this.jobs.delete(job)
      this.report({ kind: "failed", job, message: cause instanceof Error ? cause.message : String(cause) })
    }
  }
}
