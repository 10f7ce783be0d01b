// The quality of a call, from the browser's statistics (WebRTC Statistics API), and when a page is warned.
import type { ClientEvents, QualityProblem } from "./ClientEvents.ts"

export interface Quality {
  /** For example `audio/opus`. */
  readonly codec?: string
  /** Round trip, in milliseconds. */
  readonly rtt_ms?: number
  readonly jitter_ms: number
  /** Packets since the call began. */
  readonly received: number
  readonly lost: number
  readonly sent: number
  /** The loudness of what is heard now, from 0 to 1. */
  readonly level: number
}

/** An entry of an RTCStatsReport. */
export type StatsEntry = Readonly<Record<string, unknown>>

export const measureEvery_ms = 2_000
/** The same problem is told at most so often. */
const repeatAfter_ms = 30_000

const limits = { loss: 0.05, jitter: 50, rtt: 400 } as const

const numberIn = (entry: StatsEntry | undefined, name: string): number | undefined => {
  const value = entry?.[name]
  return typeof value === "number" ? value : undefined
}

/** `entries` by id. Only audio is read. */
export const qualityOf = (entries: ReadonlyMap<string, StatsEntry>): Quality => {
  const all = [...entries.values()]
  const inbound = all.find(({ kind, type }) => type === "inbound-rtp" && kind === "audio")
  const outbound = all.find(({ kind, type }) => type === "outbound-rtp" && kind === "audio")
  const pair = all.find((entry) => entry["type"] === "candidate-pair" && entry["nominated"] === true)
  const codec = entries.get(String(inbound?.["codecId"] ?? outbound?.["codecId"]))?.["mimeType"]
  const rtt = numberIn(pair, "currentRoundTripTime")
  return {
    ...(typeof codec === "string" && { codec }),
    ...(rtt !== undefined && { rtt_ms: rtt * 1000 }),
    jitter_ms: (numberIn(inbound, "jitter") ?? 0) * 1000,
    received: numberIn(inbound, "packetsReceived") ?? 0,
    lost: numberIn(inbound, "packetsLost") ?? 0,
    sent: numberIn(outbound, "packetsSent") ?? 0,
    level: numberIn(inbound, "audioLevel") ?? 0
  }
}

type Warning = ClientEvents["quality_warning"]

/** What is wrong now. `before` is the measurement before this one of the same call. */
export const problemsOf = (now: Quality, before: Quality | undefined): ReadonlyArray<Warning> => {
  const received = now.received - (before?.received ?? 0)
  const lost = Math.max(0, now.lost - (before?.lost ?? 0))
  const loss = lost === 0 ? 0 : lost / (received + lost)
  const rtt = now.rtt_ms ?? 0
  return [
    ...(before !== undefined && received === 0 ? [{ kind: "no_audio", value: 0 } as const] : []),
    ...(loss > limits.loss ? [{ kind: "loss", value: loss } as const] : []),
    ...(now.jitter_ms > limits.jitter ? [{ kind: "jitter", value: now.jitter_ms } as const] : []),
    ...(rtt > limits.rtt ? [{ kind: "rtt", value: rtt } as const] : [])
  ]
}

/** When each problem was told last, in milliseconds of any clock. */
export type ToldProblems = ReadonlyMap<QualityProblem, number>

/** Leaves out what was told recently. */
export const problemsToTell = (
  problems: ReadonlyArray<Warning>,
  told: ToldProblems,
  now: number
): { readonly warnings: ReadonlyArray<Warning>; readonly told: ToldProblems } => {
  const warnings = problems.filter(({ kind }) => now - (told.get(kind) ?? -Infinity) >= repeatAfter_ms)
  return { warnings, told: new Map([...told, ...warnings.map(({ kind }) => [kind, now] as const)]) }
}
