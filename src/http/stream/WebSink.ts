// The way to a client that reads a `Response` of the web. What it does not read waits here, and nothing is added to it.
import type { Sink, Written } from "./Sink.ts"

type Result = IteratorResult<Uint8Array, undefined>

const over: Result = { done: true, value: undefined }
const encoder = new TextEncoder()

class WebSink implements Sink, AsyncIterator<Uint8Array, undefined> {
  private readonly body: Written
  private text = ""
  private isOver = false
  private error: Error | undefined
  /** The client reads, and there is nothing yet. */
  private reading: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void } | undefined

  constructor(body: Written) {
    this.body = body
    body.signal?.addEventListener("abort", this.abort, { once: true })
    body.attach(this)
    if (body.signal?.aborted) this.abort()
  }

  write(text: string): boolean {
    this.text += text
    this.hand()
    return this.text === ""
  }

  end(): void {
    this.isOver = true
    this.hand()
    this.close()
  }

  destroy(): void {
    this.fail(new TypeError("The server has cut the response off."))
  }

  next(): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.reading = { resolve, reject }
      this.hand()
    })
  }

  /** The client reads no further. */
  return(): Promise<Result> {
    this.isOver = true
    this.close()
    return Promise.resolve(over)
  }

  private readonly abort = (): void => {
    const reason: unknown = this.body.signal?.reason
    this.fail(reason instanceof Error ? reason : new Error("The request was aborted.", { cause: reason }))
  }

  private fail(error: Error): void {
    if (this.isOver) return
    this.error = error
    this.isOver = true
    this.hand()
    this.close()
  }

  private hand(): void {
    const { error, reading, text } = this
    if (reading === undefined || (text === "" && !this.isOver)) return
    this.reading = undefined
    if (error !== undefined) return reading.reject(error)
    if (text === "") return reading.resolve(over)
    this.text = ""
    reading.resolve({ done: false, value: encoder.encode(text) })
    this.body.drained()
  }

  private close(): void {
    this.body.signal?.removeEventListener("abort", this.abort)
    this.body.closed()
  }
}

export const webIterator = (body: Written): AsyncIterator<Uint8Array, undefined> => new WebSink(body)
