/** A number of ITU-T recommendation E.164, with its plus sign. */
export const e164 = /^\+[1-9]\d{6,14}$/
