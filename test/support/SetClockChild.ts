// Loaded before a program (`--import`): signals set its wall clock, SIGUSR2 a day forward, SIGWINCH a day back.
const day_ms = 86_400_000
const now = Date.now
let by_ms = 0
Date.now = () => now() + by_ms
process.on("SIGUSR2", () => (by_ms += day_ms))
process.on("SIGWINCH", () => (by_ms -= day_ms))
