// Normalises a recorded conversation: replaces values that differ in each run, and removes what no gateway reads.
import type { Line } from "../../support/AriReplay.ts"

const start = Date.parse("2026-11-20T12:00:00Z")
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\+0000$/
const own_id = /^\d{10}\.\d+$/
const left_out = new Set([
  "ChannelVarset",
  "ChannelDialplan",
  "ChannelCallerId",
  "ChannelConnectedLine",
  "ApplicationReplaced",
  "ContactStatusChange",
  "PeerStatusChange"
])
/** Requests that every call makes, or whose order may vary. */
const isCommon = (request: string): boolean =>
  !/^[A-Z]+ \/(channels|bridges)\b.+/.test(request) || request.endsWith("/variable")

const isKept = (line: Line): boolean =>
  "request" in line ? !isCommon(line.request) : !("event" in line) || !left_out.has(String(line.event["type"]))

const creates = (line: Line): boolean => "request" in line && line.request === "POST /channels/create"

/** Puts the creation of a channel before the events about it, which may arrive before the response. */
const created = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> =>
  lines.reduce<ReadonlyArray<Line>>((before, line) => {
    const at = creates(line) ? before.findLastIndex((each) => !("event" in each)) + 1 : before.length
    return before.toSpliced(at, 0, line)
  }, [])

export const fixtureOf = (lines: ReadonlyArray<Line>): string => {
  const kept = created(lines.filter(isKept))
  const first = kept.find((line) => "event" in line)
  const shift =
    first === undefined
      ? 0
      : start - Date.parse(String((first as { event: { timestamp: string } }).event.timestamp).replace("+0000", "Z"))
  const names = new Map<string, string>()
  const nameOf = (id: string) => names.get(id) ?? names.set(id, `1795341600.${names.size + 1}`).get(id)!
  const tidy = (value: unknown, key = ""): unknown => {
    if (key === "asterisk_id") return "00:00:00:00:00:00"
    if (key === "protocol_id") return "call-id"
    if (Array.isArray(value)) return value.map((each) => tidy(each))
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tidy(each, key)]))
    if (typeof value !== "string") return value
    if (own_id.test(value)) return nameOf(value)
    const at = stamp.exec(value)?.[1]
    return at === undefined ? value : new Date(Date.parse(`${at}Z`) + shift).toISOString().replace("Z", "+0000")
  }
  const tidied = kept.map((line) =>
    "request" in line ? { ...line, request: line.request.replace(/\d{10}\.\d+/, nameOf) } : tidy(line)
  )
  return `${tidied.map((line) => JSON.stringify(line)).join("\n")}\n`
}
