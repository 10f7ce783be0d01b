// `trunkline/actions`: builds the documents that calls carry out, and answers voice callbacks. It depends on nothing.
import type { VoiceAction, VoiceActions, VoiceQuestion } from "./generated/Types.ts"
import { verified, type VerifyOptions, WebhookVerificationError } from "./WebhookVerification.ts"

export type { VoiceAction, VoiceActions, VoiceQuestion } from "./generated/Types.ts"
export { WebhookVerificationError } from "./WebhookVerification.ts"

type Verb = VoiceAction extends infer Action ? (Action extends unknown ? keyof Action : never) : never
type Only<Name extends Verb> = Extract<VoiceAction, Readonly<Record<Name, unknown>>>
type Payload<Name extends Verb> = Only<Name> extends Readonly<Record<Name, infer P>> ? P : never
type DialTarget = "number" | "numbers" | "sip"
type DialOptions = Omit<Extract<Payload<"dial">, { readonly number: string }>, DialTarget>

/** Speaks a text. */
export const say = (text: string, options: Omit<Payload<"say">, "text"> = {}): Only<"say"> => ({
  say: { text, ...options }
})

/** Plays a sound file, WAV or MP3. */
export const play = (url: string, options: Omit<Payload<"play">, "url"> = {}): Only<"play"> => ({
  play: { url, ...options }
})

export const pause = (seconds: number): Only<"pause"> => ({ pause: { seconds } })

/** Waits for keys or speech. */
export const gather = (options: Payload<"gather"> = {}): Only<"gather"> => ({ gather: options })

/** Records what the remote party says. */
export const record = (options: Payload<"record"> = {}): Only<"record"> => ({ record: options })

/** Calls a number, several numbers, or a SIP address (`sip:…`), and connects both. */
export const dial = (to: string | ReadonlyArray<string>, options: DialOptions = {}): Only<"dial"> => ({
  dial:
    typeof to !== "string"
      ? { numbers: to, ...options }
      : /^sips?:/i.test(to)
        ? { sip: to, ...options }
        : { number: to, ...options }
})

/** Connects the call with all calls of the workspace in the conference of this name. */
export const conference = (name: string, options: Omit<Payload<"conference">, "name"> = {}): Only<"conference"> => ({
  conference: { name, ...options }
})

/** Connects the audio of the call to an application. */
export const stream = (options: Payload<"stream">): Only<"stream"> => ({ stream: options })

/** Ends streams of audio: the one with this name, or all. */
export const stopStream = (options: Payload<"stop_stream"> = {}): Only<"stop_stream"> => ({ stop_stream: options })

export const sendDigits = (digits: string): Only<"send_digits"> => ({ send_digits: { digits } })

/** Merges values over those of the call. */
export const tag = (metadata: Payload<"tag">["metadata"]): Only<"tag"> => ({ tag: { metadata } })

/** Asks this URL for new actions, which replace the remaining ones. */
export const redirect = (url: string): Only<"redirect"> => ({ redirect: { url } })

/** Refuses an inbound call before it is answered. */
export const reject = (reason?: Payload<"reject">["reason"]): Only<"reject"> => ({
  reject: reason === undefined ? {} : { reason }
})

export const hangup = (reason?: Payload<"hangup">["reason"]): Only<"hangup"> => ({
  hangup: reason === undefined ? {} : { reason }
})

/** The document: the answer of a callback, or members of an originate request. At most 100 actions. */
export const actions = (...all: ReadonlyArray<VoiceAction>): VoiceActions => {
  if (all.length > 100) throw new RangeError(`/actions has ${all.length} actions; 100 is the maximum`)
  for (const [index, action] of all.entries())
    if (Object.keys(action).length !== 1) throw new TypeError(`/actions/${index} must be one action`)
  return { actions: all }
}

export type Question = VoiceQuestion & {
  /** Ends after 9 seconds; the engine waits for 10. */
  readonly signal: AbortSignal
}

export interface VoiceCallbackOptions extends VerifyOptions {
  /** The voice secret of the workspace; while it is replaced, both. */
  readonly secrets: string | ReadonlyArray<string>
  /** What relative URLs in the answer are relative to. Default: the URL of the request. Set it behind a proxy. */
  readonly baseUrl?: string
}

const withMember = <T extends object>(payload: T, name: string, base: string): T => {
  const url: unknown = Reflect.get(payload, name)
  return typeof url === "string" ? { ...payload, [name]: new URL(url, base).href } : payload
}

/** The same action with absolute URLs. */
const absolute = (action: VoiceAction, base: string): VoiceAction => {
  const [[verb, payload] = ["", {}]] = Object.entries(action) as ReadonlyArray<[string, object]>
  const named = ["action_url", "ringback_url", ...(verb === "play" || verb === "redirect" ? ["url"] : [])]
  return { [verb]: named.reduce((sum, name) => withMember(sum, name, base), payload) } as VoiceAction
}

/** A handler for servers of the fetch API: verifies the question, and answers with the actions. */
export const voiceCallback =
  (
    { baseUrl, secrets, ...options }: VoiceCallbackOptions,
    answer: (question: Question) => VoiceActions | Promise<VoiceActions>
  ): ((request: Request) => Promise<Response>) =>
  async (request) => {
    let question: VoiceQuestion
    try {
      question = (await verified(request, secrets, options)) as VoiceQuestion
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.check, { status: 400 })
      throw error
    }
    const { actions: all } = await answer({ ...question, signal: AbortSignal.timeout(9_000) })
    return Response.json({ actions: all.map((action) => absolute(action, baseUrl ?? request.url)) })
  }
