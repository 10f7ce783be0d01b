// Ids of recordings are made of the call's, so that a recording that is asked for twice is one.

/**
 * Number 0 is the recording of the whole call; those that its actions ask for count from 1. They are UUIDs of version 8
 * (RFC 9562, section 5.8), and so no call's id.
 */
export const recordingId = (call_id: string, number: number): string => {
  const tail = BigInt(`0x${call_id.slice(-12)}`) ^ (BigInt(number) << 16n)
  return `${call_id.slice(0, 14)}8${call_id.slice(15, -12)}${tail.toString(16).padStart(12, "0")}`
}

/** Whether the id can only be of a recording of this call. */
export const isRecordingOf = (call_id: string, id: string): boolean =>
  id.length === call_id.length &&
  id[14] === "8" &&
  id.slice(0, 14) === call_id.slice(0, 14) &&
  id.slice(15, -12) === call_id.slice(15, -12) &&
  id.slice(-4) === call_id.slice(-4)
