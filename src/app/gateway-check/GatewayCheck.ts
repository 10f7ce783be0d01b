// An engine's end that waits for a gateway and judges it: `trunkline gateway check`.
import { checks, judge, type Phones, type Verdict } from "./Checks.ts"
import { EngineEnd, type EndOptions } from "./EngineEnd.ts"

interface Wanted {
  readonly phones: Phones
  /** With the check that takes more than a minute: heartbeats. */
  readonly slow: boolean
  readonly recording: boolean
}

interface GatewayCheck {
  /** Where the gateway has to connect. */
  readonly url: string
  readonly judge: (wanted: Wanted, onVerdict: (verdict: Verdict) => void) => Promise<ReadonlyArray<Verdict>>
  readonly hasConnected: () => boolean
  /** Somebody tried to connect without the secret. */
  readonly wasRefused: () => boolean
  readonly close: () => void
}

/** Begins to listen. Rejects if the address is taken. */
export const gatewayCheck = async (options: EndOptions): Promise<GatewayCheck> => {
  const end = await EngineEnd.listen(options)
  return {
    url: end.url,
    judge: ({ phones, recording, slow }, onVerdict) => judge(end, phones, checks(slow, recording), onVerdict),
    hasConnected: () => end.hellos.length > 0,
    wasRefused: () => end.strangers > 0,
    close: () => end.close()
  }
}
