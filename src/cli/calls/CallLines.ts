// What happens in a call, in words: its actions, its requests to callbacks, and why a callback failed.
import type { SimulatedCall, Trunkline } from "../../client/Client.ts"

export type Entry = SimulatedCall["entries"][number]
export type Detail = Readonly<Record<string, unknown>>

export const detailOf = ({ detail }: Entry): Detail => (detail ?? {}) as Detail

const quoted = (text: unknown): string => JSON.stringify(String(text))

const promptOf = (action: Detail): string => {
  const prompt = (action["prompt"] ?? {}) as { readonly say?: { readonly text: string }; readonly play?: Detail }
  if (prompt.say !== undefined) return `${quoted(prompt.say.text)}: `
  return prompt.play === undefined ? "" : `${String(prompt.play["url"])}: `
}

const gathered = ({ digits, speech, status }: Detail): string => {
  if (typeof speech === "string" && speech !== "") return quoted(speech)
  return digits === undefined || digits === "" ? String(status) : String(digits)
}

interface Attempt {
  readonly to: string
  readonly status: string
}

const wholeSeconds = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 1000)

const dialled = (result: Detail, legs: SimulatedCall["legs"]): string => {
  const attempts = (result["attempts"] ?? []) as ReadonlyArray<Attempt>
  if (attempts.length === 0) {
    const open = legs.filter(({ ended_at }) => ended_at === null)
    return open.map(({ status, to }) => `${to}: ${status}`).join(", ")
  }
  return attempts
    .map(({ status, to }) => {
      const leg = legs.find((each) => each.to === to)
      if (leg === undefined || leg.ended_at === null) return `${to}: ${status}`
      const did =
        leg.answered_at === null
          ? `rang for ${wholeSeconds(leg.created_at, leg.ended_at)} s`
          : `talked for ${leg.duration_seconds ?? 0} s`
      return `${to} ${did}: ${status}`
    })
    .join(", ")
}

export const actionText = (verb: string, action: Detail, result: Detail, legs: SimulatedCall["legs"]): string => {
  switch (verb) {
    case "say":
      return quoted(action["text"])
    case "gather":
      return `${promptOf(action)}${gathered(result)}`
    case "dial":
      return dialled(result, legs)
    case "play":
    case "redirect":
      return String(action["url"])
    case "pause":
      return `${String(action["seconds"])} s`
    case "record":
      return `${String(result["duration_seconds"] ?? 0)} s: ${String(result["status"])}`
    default:
      return Object.keys(action).length === 0 ? "" : JSON.stringify(action)
  }
}

export const asked = ({ duration_ms, error, http_status, reason }: Detail): string => {
  const answer = http_status === null ? "no answer" : String(http_status)
  const fault = error === null || error === undefined ? "" : `  ${String(error)}`
  return `${String(reason)} → ${answer} after ${String(duration_ms)} ms${fault}`
}

const callbackFailures = new Set(["callback_failed", "callback_timeout", "voice_action_invalid"])

/** Why a callback ended the call. Its URL is named where it is not at hand anyway. Undefined: no callback did. */
export const callbackFault = (
  { hangup_cause }: Pick<SimulatedCall["call"], "hangup_cause">,
  entries: ReadonlyArray<Entry>,
  namesUrl = true
): string | undefined => {
  if (hangup_cause === null || !callbackFailures.has(hangup_cause)) return undefined
  const last = entries.findLast(({ kind }) => kind === "callback.attempt")
  const { duration_ms, error, http_status, url } = last === undefined ? ({} as Detail) : detailOf(last)
  const told = entries.findLast(({ kind }) => kind === "call.callback_failed")
  const { detail, pointer } = told === undefined ? ({} as Detail) : detailOf(told)
  const who = namesUrl && typeof url === "string" ? `The callback ${url}` : "The callback"
  if (typeof http_status === "number" && (http_status < 200 || http_status > 299))
    return `${who} answered ${http_status} after ${String(duration_ms)} ms`
  const why = [pointer, detail ?? error ?? hangup_cause].filter((part) => part !== null && part !== undefined)
  return `${who} failed: ${why.map(String).join(" ").replace(/\.$/, "")}`
}

/** As many entries of a timeline are read at most. */
const entries_max = 2_000

/** What happened in a call, from its first entry on. */
export const timelineOf = async (client: Trunkline, id: string): Promise<ReadonlyArray<Entry>> => {
  const entries: Array<Entry> = []
  for (let cursor: string | undefined; entries.length < entries_max;) {
    const page = await client.calls.timeline(id, { limit: 200, ...(cursor !== undefined && { cursor }) })
    entries.push(...page.entries)
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  return entries
}
