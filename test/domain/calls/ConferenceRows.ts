// The rows of the table of events (CallEvent.test.ts) that are about conferences.
import { conferencePart, conferenceSettings, conferring, minute_at } from "./Fixtures.ts"

export const conferenceRows = {
  ConferenceChanged: [
    conferring,
    {
      at: minute_at,
      step: 0,
      conference_id: conferencePart.joined.conference_id,
      version: 2,
      settings: { ...conferenceSettings, muted: true },
      announcement: null
    },
    {
      conferences: [
        {
          ...conferencePart,
          joined: { ...conferencePart.joined, version: 2, settings: { ...conferenceSettings, muted: true } }
        }
      ]
    }
  ],
  ConferenceLeft: [
    conferring,
    { at: minute_at, step: 0, result: "removed", told: true },
    { conferences: [{ ...conferencePart, left: { at: minute_at, result: "removed" }, told: true }] }
  ],
  ConferenceTold: [conferring, { step: 0 }, { conferences: [{ ...conferencePart, told: true }] }]
} as const
