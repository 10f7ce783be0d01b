// The promises about the VoiceAction document, judged without a call.
import { type Area, expected, type Kept, notStatus, promise } from "../Kept.ts"

const number = "+99900000001"

const judge = (sentence: string, document: object, pointer?: string): Kept =>
  promise(sentence, async ({ ask }) => {
    const answer = await ask("POST", "/v1/voice-actions/validate", { body: document })
    const fault = notStatus(answer, 200)
    if (fault !== undefined) return fault
    const { errors, valid } = answer.body
    if (pointer === undefined) return expected(valid === true, `${JSON.stringify(errors)} came`)
    return expected(
      valid === false && Array.isArray(errors) && errors[0]?.pointer === pointer,
      `${JSON.stringify(answer.body)} came`
    )
  })

const takes = (sentence: string, action: object): Kept => judge(sentence, { actions: [action] })
const refuses = (sentence: string, action: object, pointer: string): Kept =>
  judge(sentence, { actions: [action] }, `/actions/0${pointer}`)

const documents: ReadonlyArray<Kept> = [
  judge("A document without an `actions` array is refused.", {}, "/actions"),
  judge("A document whose `actions` is no array is refused.", { actions: {} }, "/actions"),
  judge("Several actions follow each other.", { actions: [{ say: { text: "One." } }, { hangup: {} }] }),
  refuses("An action that does not exist is refused.", { fly: {} }, "/fly"),
  refuses("An element with two actions is refused.", { say: { text: "One." }, hangup: {} }, ""),
  refuses("An element without an action is refused.", {}, ""),
  takes("`say` speaks a text.", { say: { text: "Hello." } }),
  takes("`say` takes a voice.", { say: { text: "Hello.", voice: "alice" } }),
  takes("`say` takes a language.", { say: { text: "Hello.", language: "sw-KE" } }),
  refuses("`say` needs a text.", { say: {} }, "/say/text"),
  refuses("The text of `say` is a text.", { say: { text: 7 } }, "/say/text"),
  refuses("The voice of `say` is a text.", { say: { text: "Hello.", voice: 7 } }, "/say/voice"),
  refuses("The language of `say` is a text.", { say: { text: "Hello.", language: 7 } }, "/say/language"),
  takes("`hangup` is an empty object.", { hangup: {} }),
  refuses("`hangup` takes no member.", { hangup: { now: true } }, "/hangup/now")
]

const dials: ReadonlyArray<Kept> = [
  takes("`dial` takes one number.", { dial: { number } }),
  takes("`dial` takes a list of numbers.", { dial: { numbers: [number, "+99900000002"] } }),
  takes("`dial` takes a SIP URI.", { dial: { sip: "sip:ann@example.com" } }),
  refuses("`dial` needs a destination.", { dial: {} }, "/dial/number"),
  refuses("`number` and `numbers` exclude each other.", { dial: { number, numbers: [number] } }, "/dial/numbers"),
  refuses("`number` and `sip` exclude each other.", { dial: { number, sip: "sip:ann@example.com" } }, "/dial/sip"),
  refuses(
    "`numbers` and `sip` exclude each other.",
    { dial: { numbers: [number], sip: "sip:ann@example.com" } },
    "/dial/sip"
  ),
  refuses("`number` is in E.164.", { dial: { number: "0722" } }, "/dial/number"),
  refuses("`numbers` are in E.164.", { dial: { numbers: [number, "0722"] } }, "/dial/numbers/1"),
  refuses("`sip` is a SIP URI.", { dial: { sip: "ann" } }, "/dial/sip"),
  takes("`callerId` is the number that the callee sees.", { dial: { number, callerId: "+254207900001" } }),
  refuses("`callerId` is a number.", { dial: { number, callerId: "nobody" } }, "/dial/callerId"),
  takes("`timeout` is a number of seconds.", { dial: { number, timeout: 20 } }),
  refuses("`timeout` is no text.", { dial: { number, timeout: "20" } }, "/dial/timeout"),
  takes("`record` may be `record-from-answer`.", { dial: { number, record: "record-from-answer" } }),
  takes("`record` may be `record-from-ringing`.", { dial: { number, record: "record-from-ringing" } }),
  refuses("`record` has no other values.", { dial: { number, record: "always" } }, "/dial/record"),
  takes("`sequential` may be true.", { dial: { numbers: [number], sequential: true } }),
  takes("`sequential` may be false.", { dial: { numbers: [number], sequential: false } }),
  refuses("`sequential` is a boolean.", { dial: { numbers: [number], sequential: "yes" } }, "/dial/sequential"),
  takes("`first_answer_wins` may be true.", { dial: { numbers: [number], first_answer_wins: true } }),
  refuses(
    "`first_answer_wins` is a boolean.",
    { dial: { numbers: [number], first_answer_wins: 1 } },
    "/dial/first_answer_wins"
  ),
  refuses("`dial` has no other members.", { dial: { number, colour: "red" } }, "/dial/colour")
]

export const actions: Area = { name: "actions", promises: documents }
export const dial: Area = { name: "dial", promises: dials }
