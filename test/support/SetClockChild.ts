// Loaded before a program (`--import`): signals set its wall clock, SIGUSR2 a day forward, SIGWINCH a day back. The
// file TEST_CLOCK_FILE says by how many milliseconds it is wrong when the program starts.
import { existsSync, readFileSync } from "node:fs"

const day_ms = 86_400_000
const now = Date.now
const file = process.env["TEST_CLOCK_FILE"]
let by_ms = file !== undefined && existsSync(file) ? Number(readFileSync(file, "utf8")) : 0
Date.now = () => now() + by_ms
process.on("SIGUSR2", () => (by_ms += day_ms))
process.on("SIGWINCH", () => (by_ms -= day_ms))
