// The entry of a thread that relays media streams. RelayPool.ts starts it.
import { parentPort, workerData } from "node:worker_threads"
import type { RelayCommand, RelayThreadOptions } from "./RelayProtocol.ts"
import { RelayStreams } from "./RelayStreams.ts"

const streams = new RelayStreams({
  ...(workerData as RelayThreadOptions),
  report: (report) => parentPort?.postMessage(report, [])
})
parentPort?.on("message", (command: RelayCommand) => streams.carryOut(command))
