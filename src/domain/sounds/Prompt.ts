// What a party can be told or played: by an action of a call, as the prompt of a gather, and in a conference.
import { Schema } from "effect"
import { between, HttpUrl, Text } from "../kit/CallFields.ts"
import { optional } from "../kit/Fields.ts"

/** The languages of a text and of what is said in answer to it. */
export const Language = optional(Text(35)).annotate({ description: "The language, as in BCP 47." })

const loop = optional(between(1, 100)).annotate({ description: "How often. Default 1." })

export const Say = Schema.Struct({
  text: Text(3000).annotate({ description: "What to speak." }),
  voice: optional(Text(64)).annotate({ description: "The voice, if the PBX has several." }),
  language: Language,
  loop
}).annotate({ description: "Speaks a text." })
export type Say = typeof Say.Type

export const Play = Schema.Struct({
  url: HttpUrl.annotate({ description: "The sound file, WAV or MP3." }),
  loop
}).annotate({ description: "Plays a sound file." })
export type Play = typeof Play.Type
