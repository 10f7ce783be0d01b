import { type IncomingMessage, ServerResponse } from "node:http"
import { LiveBody } from "../http/stream/LiveBody.ts"

/**
 * A response of Node that can be kept open without its request: a `LiveBody` with which it is ended is handed the
 * response instead. The request ends there, and what it held is free.
 */
export class LiveResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override end(chunk?: unknown, encoding?: unknown, told?: unknown): this {
    if (!(chunk instanceof LiveBody)) return super.end(chunk, encoding as BufferEncoding, told as () => void)
    this.forgetRequest()
    this.on("drain", () => chunk.drained()).once("close", () => chunk.closed())
    chunk.attach(this)
    for (const callback of [encoding, told]) if (typeof callback === "function") callback()
    return this
  }

  /** A stream is open for hours. Neither the credential of its request nor the fiber is kept for as long. */
  private forgetRequest(): void {
    this.req.headers = {}
    this.req.rawHeaders = []
    // The server would interrupt the request when its client goes. Who else listens does so once, by a wrapper.
    for (const listener of this.rawListeners("close")) {
      if (!("listener" in listener)) this.off("close", listener as () => void)
    }
  }
}
