// µ-law, the 8-bit code of telephone audio (ITU-T G.711).

/** What silence is encoded as. */
export const muLawSilence = 0xff

/** Encodes a 16-bit sample. */
export const muLawOf = (sample: number): number => {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_635) + 0x84
  const exponent = Math.max(0, 24 - Math.clz32(magnitude))
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff
}

const decoded = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const magnitude = (((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 0x07)
  return (bits & 0x80) === 0 ? magnitude - 0x84 : 0x84 - magnitude
})

/** Decodes a byte into a 16-bit sample. */
export const sampleOf = (code: number): number => decoded[code & 0xff] ?? 0
