// Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).

export interface ServerEvent {
  readonly event: string
  readonly data: string
  /** The last `id` when the event came. Null: none came yet. */
  readonly id: string | null
}

/** Takes the text of a stream as it comes, and returns the events that are complete. */
export class EventReader {
  /** The last `id`, also of a block without data. */
  lastEventId: string | null
  private text = ""
  private id: string | null = null
  private event = ""
  private data: Array<string> = []

  constructor(lastEventId: string | null) {
    this.lastEventId = lastEventId
  }

  push(part: string): ReadonlyArray<ServerEvent> {
    const events: Array<ServerEvent> = []
    this.text += part
    // A carriage return at the end may be half of a line break.
    const lines = this.text.split(/\r\n|\n|\r(?!$)/)
    this.text = lines.pop() ?? ""
    for (const line of lines) {
      const event = line === "" ? this.dispatch() : this.field(line)
      if (event !== undefined) events.push(event)
    }
    return events
  }

  private field(line: string): undefined {
    const colon = line.indexOf(":")
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (name === "id" && !value.includes("\0")) this.id = value
    else if (name === "event") this.event = value
    else if (name === "data") this.data.push(value)
  }

  private dispatch(): ServerEvent | undefined {
    const { data, event } = this
    if (this.id !== null) this.lastEventId = this.id
    this.data = []
    this.event = ""
    return data.length === 0
      ? undefined
      : { event: event === "" ? "message" : event, data: data.join("\n"), id: this.lastEventId }
  }
}
