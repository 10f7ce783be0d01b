// The HTTP responses to requests that change calls. The first response, and its copy stored for the Idempotency-Key,
// are made here, so that they have the same bytes.
import type { CallRecord } from "../state/CallRecord.ts"
import type { Termination } from "../state/CallCommand.ts"

/** 201: the call was placed. */
export const placedAnswer = (record: CallRecord) => ({
  status: 201,
  body: JSON.stringify(record),
  headers: { location: `/v1/calls/${record.id}` }
})

/** 200: the call ends, or had ended. */
export const terminatedAnswer = (record: CallRecord, termination: Termination) => ({
  status: 200,
  body: JSON.stringify({ ...record, termination }),
  headers: {}
})

/** 200: the call was changed. */
export const updatedAnswer = (record: CallRecord) => ({ status: 200, body: JSON.stringify(record), headers: {} })
