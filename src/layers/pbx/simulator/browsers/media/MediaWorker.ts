// The entry of the thread that carries the sound of browsers. MediaThread.ts starts it.
import { parentPort } from "node:worker_threads"
import { BrowserParties } from "./BrowserParties.ts"
import type { MediaCommand } from "./MediaProtocol.ts"

const parties = new BrowserParties((report) => parentPort?.postMessage(report, []))
parentPort?.on("message", (command: MediaCommand) => parties.carryOut(command))
