// The program: `npm start`. What its many modules compile to is kept from one start to the next, which takes half the
// time (Node's module compile cache, in the system's folder for temporary files; nothing is missed where it cannot be).
import { enableCompileCache } from "node:module"

enableCompileCache()
const { start } = await import("./app/Start.ts")
await start()
