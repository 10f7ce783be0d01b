// All that can be under way on legs: made once for each gateway, and used together.
import { AnsweringMachineDetection } from "../legs/AnsweringMachineDetection.ts"
import { Bridges } from "../legs/Bridges.ts"
import type { LegContext } from "../legs/LegContext.ts"
import { MaxTalkTimes } from "../legs/MaxTalkTimes.ts"
import { RingTimers } from "../legs/RingTimers.ts"
import { Conferences } from "../media/Conferences.ts"
import { Media, type MediaOptions } from "../media/Media.ts"
import { Recorders, type RecordersOptions } from "../media/Recorders.ts"
import { Ringback } from "../media/Ringback.ts"
import { Streams, type StreamSources } from "../media/Streams.ts"

export interface LegServices extends LegContext {
  readonly bridges: Bridges
  readonly conferences: Conferences
  readonly limits: MaxTalkTimes
  readonly machines: AnsweringMachineDetection
  readonly media: Media
  readonly recorders: Recorders
  readonly ringback: Ringback
  readonly ring_timers: RingTimers
  readonly streams: Streams
}

/** What comes from outside of the gateway. */
export type LegSources = MediaOptions & RecordersOptions & StreamSources

export const makeLegServices = (options: LegSources): LegServices => {
  const bridges = new Bridges(options)
  const limits = new MaxTalkTimes(options)
  const media = new Media(options)
  const made = { ...options, bridges, limits, media }
  return {
    ...made,
    conferences: new Conferences(made),
    machines: new AnsweringMachineDetection(options),
    recorders: new Recorders(options),
    ringback: new Ringback(made),
    ring_timers: new RingTimers(made),
    streams: new Streams(made)
  }
}
