// The entry of the thread that makes the guides. GuideFiles.ts starts it.
import { parentPort } from "node:worker_threads"
import { readGuides } from "./GuideFiles.ts"

parentPort?.postMessage(await readGuides(), [])
