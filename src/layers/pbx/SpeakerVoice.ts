// The voices of espeak-ng, which speaks for both PBXs in this process.

/** espeak-ng's suffixes for kinds of voices. */
const variants: Readonly<Record<string, string>> = { female: "+f3", woman: "+f3", male: "+m3", man: "+m3" }

/** The espeak-ng voice of a language tag (`en-US`, `sw`) and a kind of voice. Unknown languages are read as English. */
export const voiceOf = (voice: string | undefined, language: string | undefined): string => {
  const code = (language ?? "en-US").toLowerCase()
  const known = /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/.test(code) ? code : "en-us"
  const base = known.startsWith("en-") ? known : known.replace(/-.*$/, "")
  return base + (variants[voice?.toLowerCase() ?? ""] ?? "")
}
