// The code that a call speaks to prove a number. It follows from a secret of the deployment and the id of the call, so
// nothing of it is stored, and a call that is placed again after a crash speaks the same one.
import type { VoiceAction } from "../calls/verbs/VoiceAction.ts"

const digits = 6

/** No call is placed in test mode, so the code there is known. */
export const testCode = "123456"

/** What the secret signs for the code of a call. */
export const codePurpose = "caller_id_code"

/** Six digits of `hash`, a hash in hexadecimal digits. A remainder of 48 bits is even to one part in 2^28. */
export const codeOf = (hash: string): string =>
  String(Number.parseInt(hash.slice(0, 12), 16) % 10 ** digits).padStart(digits, "0")

/** What the call says: the digits one by one, twice, and who asked for them. */
export const spokenCode = (code: string): ReadonlyArray<VoiceAction> => {
  const spelled = [...code].join(", ")
  const text =
    "Somebody wants to show your telephone number on their calls. If this is not you, hang up and tell nobody this code. " +
    `Your code is: ${spelled}. Once more: ${spelled}.`
  return [{ say: { text, language: "en-US" } }, { hangup: {} }]
}
