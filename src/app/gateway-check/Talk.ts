// Building blocks of the checks: place a call, wait for events, hang up.
import { randomUUID } from "node:crypto"
import type { PbxEvent, PbxEventType } from "../../domain/pbx/PbxEvent.ts"
import { sessionOfCall } from "../../domain/pbx/Session.ts"
import { type EngineEnd, Unmet } from "./EngineEnd.ts"
import { type SessionId, toCallId } from "../../domain/BrandedIds.ts"

/** Numbers of phones with a known behaviour. */
export interface Phones {
  /** Rings, answers within 5 s, and stays until it is hung up. */
  readonly answers: string
  readonly busy: string
  /** Rings and never answers. */
  readonly silent: string
  /** The caller id. */
  readonly from: string
}

export interface Check {
  readonly name: string
  readonly run: (end: EngineEnd, phones: Phones) => Promise<void>
}

export const must = (met: boolean, otherwise: string): void => {
  if (!met) throw new Unmet(otherwise)
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export const newSession = (): SessionId => sessionOfCall(toCallId(randomUUID()))

export const named = (end: EngineEnd, session_id: SessionId, type: PbxEventType) =>
  end.of(session_id).find((event) => event.type === type)

export const received = (
  end: EngineEnd,
  session_id: SessionId,
  type: PbxEventType,
  actionTimeout_ms?: number
): Promise<PbxEvent> => end.until(`${type} of ${session_id}`, () => named(end, session_id, type), actionTimeout_ms)

export const acknowledged = (end: EngineEnd, id: string): Promise<boolean> =>
  end.until(`the acknowledgement of command ${id}`, () => end.acknowledged.includes(id), 5_000)

export const originate = (
  end: EngineEnd,
  { from }: Phones,
  to: string,
  timeout_seconds = 30,
  more: { readonly talk_limit_seconds?: number; readonly not_after?: string } = {}
) => {
  const session_id = newSession()
  const id = end.command(session_id, 1, { kind: "originate", to, from, caller_id: from, timeout_seconds, ...more })
  return { session_id, id }
}

export const talking = async (end: EngineEnd, phones: Phones): Promise<SessionId> => {
  const { session_id } = originate(end, phones, phones.answers)
  await received(end, session_id, "leg.answered")
  return session_id
}

export const hangUp = async (end: EngineEnd, session_id: SessionId): Promise<PbxEvent> => {
  end.command(session_id, 1_000, { kind: "hangup", cause: "normal_clearing" })
  return received(end, session_id, "leg.hangup")
}

export const inOrder = (end: EngineEnd, session_id: SessionId): void => {
  const seqs = end.of(session_id).map(({ seq }) => seq)
  must(
    seqs.every((seq, index) => seq === index + 1),
    `the events of a session are numbered ${seqs.join(", ")} and not 1, 2, 3, …`
  )
}
