/** Why a sound cannot be played: `error` of `playback.finished` (docs/voice-actions.md#sounds). */
export type SoundError =
  /** The server of the file did not send it: no connection, a status other than 200, too slow, a forbidden address. */
  | "sound_unreachable"
  /** The file has more than 20 MiB. */
  | "sound_too_large"
  /** It lasts longer than 10 minutes. */
  | "sound_too_long"
  /** It is neither WAV nor MP3, or has an encoding, a sample rate or a number of channels that is not played. */
  | "sound_unsupported"
  /** The workspace prepares too many sounds at the moment. */
  | "sounds_busy"
  /** The sounds that are being played leave no room for another. */
  | "sounds_full"
  /** It could not be made or stored. */
  | "sound_failed"
