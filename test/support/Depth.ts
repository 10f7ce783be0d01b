// How much is run of what could be repeated without end: random histories, simulations, kills. `npm test` takes seconds
// for each; `npm run test:all` sets TEST_DEPTH=full.

export const isFull = process.env["TEST_DEPTH"] === "full"

/** The count of a quick run, or that of a full one. */
export const depth = (quick: number, full: number): number => (isFull ? full : quick)
