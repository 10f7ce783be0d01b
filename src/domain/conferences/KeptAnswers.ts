// The HTTP responses to requests that change conferences. The first response, and its copy stored for the
// Idempotency-Key, are made here, so that they have the same bytes.
import type { ConferenceRecord } from "./ConferenceRecord.ts"

/** 202: the participants hear the announcement as soon as the PBX plays it. */
export const announcedAnswer = { status: 202, body: "", headers: {} } as const

/** 200: the conference has ended. */
export const endedAnswer = (record: ConferenceRecord) => ({ status: 200, body: JSON.stringify(record), headers: {} })
