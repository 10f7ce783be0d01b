// The shape of the tables that explain the members of requests and responses (MemberTable.ts).
import type { Json } from "../Json.ts"

/**
 * What a member means, a value for examples, or both. A member that its schema describes has no text here, and one
 * that is an object or a list of objects has no value: its members have.
 */
export type Member = string | { readonly example: Json } | readonly [text: string, example: Json]

/**
 * By the name of the member, or by the name of its schema or parent, a dot and its name, where it means something else
 * there.
 */
export type Members = Readonly<Record<string, Member>>

/** Ids of the examples. */
export const sample = {
  workspace: "01981d5e-0000-7000-8000-000000000001",
  number: "01981d5e-0000-7000-8000-000000000002",
  call: "01981d5e-0000-7000-8000-000000000003",
  session: "HD_01981d5e000070008000000000000003",
  user: "01981d5e-0000-7000-8000-000000000004",
  key: "01981d5e-0000-7000-8000-000000000005",
  webhook: "01981d5e-0000-7000-8000-000000000006",
  delivery: "01981d5e-0000-7000-8000-000000000007",
  event: "01981d5e-6d5e-7b43-9a51-0f4d3a4f2f7b",
  entry: "01981d5e-0000-7000-8000-000000000008",
  topup: "01981d5e-0000-7000-8000-000000000009",
  hold: "01981d5e-0000-7000-8000-00000000000a",
  recording: "01981d5e-0000-8000-8000-000000000003",
  series: "01981d5e-0000-7000-8000-00000000000b",
  provider: "01981d5e-0000-7000-8000-00000000000c",
  trunk: "01981d5e-0000-7000-8000-00000000000d",
  callerId: "01981d5e-0000-7000-8000-00000000000f",
  credential: "01981d5e-0000-7000-8000-00000000000e",
  request: "01981d5e-7a3c-7c2e-9f0a-6f1c2b3d4e5f",
  from: "+254700000001",
  to: "+254711000001",
  earlier: "2026-10-01T11:59:00.000Z",
  ringing: "2026-10-01T11:59:01.000Z",
  answered: "2026-10-01T11:59:05.000Z",
  at: "2026-10-01T12:00:00.000Z",
  later: "2026-11-01T00:00:00.000Z",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
} as const
