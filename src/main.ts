// The program: `npm start`. Node's module compile cache halves the time of a start. It lies in the system's temporary
// folder; if that cannot be written, modules are compiled again.
import { enableCompileCache } from "node:module"

enableCompileCache()
const { start } = await import("./app/Start.ts")
await start()
