// The entry of the thread that combines and hashes recordings. RecordingThread.ts starts it.
import { parentPort } from "node:worker_threads"
import type { CombineCommand, CombineReport } from "./RecordingProtocol.ts"
import { RecordingJobs } from "./RecordingJobs.ts"

const send = (report: CombineReport): void => {
  if (report.kind !== "piece") return parentPort?.postMessage(report, [])
  // A buffer of its own can be handed over without a copy in the thread of the actors.
  const bytes = new Uint8Array(report.bytes)
  parentPort?.postMessage({ ...report, bytes }, [bytes.buffer])
}

const jobs = new RecordingJobs(send)
parentPort?.on("message", (command: CombineCommand) => jobs.carryOut(command))
