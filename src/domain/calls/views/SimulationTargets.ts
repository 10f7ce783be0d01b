// Where a simulated call may send callbacks. They are signed as those of real calls, so a key that only places calls
// must not have one sent to a receiver of its own choice (docs/voice-actions.md, "Try it without a call").
import type { Routing } from "../../numbers/Routing.ts"

/** The callbacks of a number, as its routing names them. */
export const callbacksOf = ({
  voice_fallback_url,
  voice_url
}: Pick<Routing, "voice_url" | "voice_fallback_url">): ReadonlyArray<string> =>
  [voice_url, voice_fallback_url].filter((url) => url !== null)

/** The first URL of a request that the number does not have. */
export const unconfigured = (
  configured: ReadonlyArray<string>,
  {
    voice_callback_url,
    voice_fallback_url
  }: { readonly voice_callback_url?: string; readonly voice_fallback_url?: string }
): "voice_callback_url" | "voice_fallback_url" | undefined => {
  const has = (url: string | undefined) => url === undefined || configured.includes(url)
  if (!has(voice_callback_url)) return "voice_callback_url"
  return has(voice_fallback_url) ? undefined : "voice_fallback_url"
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined)

/** Whether a callback may go there: to the servers of the number's callbacks, as a `redirect` within them does. */
export const isOnConfiguredServer = (configured: ReadonlyArray<string>, url: string): boolean => {
  const origin = originOf(url)
  return origin !== undefined && configured.some((one) => originOf(one) === origin)
}
