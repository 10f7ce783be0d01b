// Where an actor lives in a cluster. Each process of a cluster has some of the places, and all actors with one of them.
// The last byte of a UUID is its place, so an actor can be given an id with the place of another.

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

/** The place of the actor with this id, from 0 to 255. */
export const placeOf = (id: string): number => {
  const last = isUuid(id) ? Number.parseInt(id.slice(-2), 16) : Number.NaN
  return Number.isNaN(last) ? hashed(id) % placesCount : last
}
