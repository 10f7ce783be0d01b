// Where an actor lives in a cluster. Each process of a cluster has some of the places, and all actors with one of them.
// One byte of a UUID is its place, so an actor can be given an id with the place of another: a workspace's wallet and
// calls are in one process.

/** How many places there are. A process runs any number of them. */
export const placesCount = 256

/** FNV-1a, 32 bits. */
const hashed = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

const uuidLength = 36
const isUuid = (id: string): boolean => id.length === uuidLength && id[8] === "-" && id[23] === "-"

/**
 * Where the byte is: eight of the 62 random bits at the end of a UUID of version 7 (RFC 9562, section 5.7). The legs
 * that a call dials differ from it only after the byte, so they share its place.
 */
const from = 21
const to = 23

/** The place of the actor with this id, from 0 to 255. */
export const placeOf = (id: string): number => {
  const place = isUuid(id) ? Number.parseInt(id.slice(from, to), 16) : Number.NaN
  return Number.isNaN(place) ? hashed(id) % placesCount : place
}

/** The UUID with the place of the actor `of`. It stays unique: 66 of its 74 random bits are left. */
export const placedWith = (of: string, uuid: string): string =>
  `${uuid.slice(0, from)}${placeOf(of).toString(16).padStart(2, "0")}${uuid.slice(to)}`
