// Where calls to a number go, in words.
import { phoneText } from "../../ui/Format.ts"
import type { NumberRoutingView } from "../../api/Types.ts"

type Routing = Pick<NumberRoutingView, "voice_url" | "forward_to">

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** One line: the URL that is asked, or where the call is forwarded to. */
export const routeText = ({ forward_to, voice_url }: Routing): string => {
  if (voice_url !== null) return `asks ${hostOf(voice_url)}`
  const { type, value } = forward_to
  if (type === "none" || value === null) return "is not answered"
  const values = typeof value === "string" ? [value] : value
  if (type === "e164") return `rings ${values.map(phoneText).join(", ")}`
  if (type === "sip") return `rings ${values.join(", ")}`
  return `rings extension ${values.join(", ")}`
}
