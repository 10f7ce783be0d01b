// The menu itself: a pure function from a voice callback to the actions that answer it. It has no HTTP in it, so a test
// can call it directly, and so can an engine on a virtual clock (see ../engine-in-a-test).
import type { VoiceAction } from "trunkline"

/** The body of a voice callback, as far as this menu reads it. docs/voice-actions.md has every member. */
export interface VoiceCallback {
  readonly reason: string
  readonly from?: string
  readonly result: {
    readonly status?: string
    readonly digits?: string
    readonly recording_id?: string
    readonly duration_seconds?: number
  } | null
}

export interface Department {
  readonly name: string
  readonly number: string
}

/** The key that a caller presses, and who is called then. */
export type Departments = Readonly<Record<string, Department>>

const say = (text: string): VoiceAction => ({ say: { text, language: "en-GB" } })

/** `url` is asked with the result of the `gather` and of the `dial`. */
export const actionsFor = (
  { reason, result }: VoiceCallback,
  departments: Departments,
  url: string
): ReadonlyArray<VoiceAction> => {
  const choices = Object.entries(departments).map(([key, { name }]) => `For ${name}, press ${key}.`)
  const menu: VoiceAction = {
    gather: {
      prompt: { say: { text: choices.join(" "), language: "en-GB" } },
      num_digits: 1,
      timeout: 8,
      action_url: url
    }
  }
  switch (reason) {
    // "answered" is a call that we placed, "incoming" one that came in.
    case "answered":
    case "incoming":
      return [say("Welcome."), menu]
    case "gather_completed": {
      if (result?.status === "timeout") return [say("We did not hear a choice. Goodbye."), { hangup: {} }]
      const department = departments[result?.digits ?? ""]
      if (department === undefined) return [say("That is not one of the choices."), menu]
      return [
        say(`One moment, we connect you with ${department.name}.`),
        { dial: { number: department.number, timeout: 20, action_url: url } }
      ]
    }
    case "dial_completed":
      if (result?.status === "completed") return [{ hangup: {} }]
      return [
        say("Nobody is available now. Please leave a message after the tone, and press the hash key."),
        { record: { max_length: 120, action_url: url } }
      ]
    case "record_completed":
      return [say(result?.status === "recorded" ? "Thank you. We call you back." : "Goodbye."), { hangup: {} }]
    default:
      return [{ hangup: {} }]
  }
}
