// A process that reserves a number in a folder, says whether it got it, and lives until its standard input ends.
import { makeReservations } from "./Reservations.ts"

const [folder = "", wanted = ""] = process.argv.slice(2)
process.stdout.write(`${makeReservations(folder).reserve(Number(wanted))}\n`)
process.stdin.resume()
