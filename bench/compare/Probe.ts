// Is loaded into an engine before its own modules, and says on a loopback port what its heap has been through. It is
// loaded into engines of any age, so that it imports nothing of theirs.
import { createServer } from "node:http"
import { getHeapStatistics } from "node:v8"
import { isMainThread } from "node:worker_threads"

export interface Heap {
  /** Everything that was allocated since the start. */
  readonly allocated_bytes: number
  readonly used_bytes: number
}

/** Typings do not know the first yet. */
const heap = (): Heap => {
  const statistics = getHeapStatistics()
  return {
    allocated_bytes: "total_allocated_bytes" in statistics ? Number(statistics.total_allocated_bytes) : 0,
    used_bytes: statistics.used_heap_size + statistics.external_memory
  }
}

/** Collects until nothing more can be: what is closed is forgotten only after a while. */
const collected = async (): Promise<Heap> => {
  let before = Infinity
  for (let tries = 0; tries < 12 && heap().used_bytes < before * 0.999; tries++) {
    before = heap().used_bytes
    for (let times = 0; times < 3; times++) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  return heap()
}

const port = Number(process.env["PROBE_PORT"])

if (isMainThread && port > 0) {
  createServer((request, response) => {
    const answer = request.url === "/collected" ? collected() : Promise.resolve(heap())
    void answer.then((found) => response.end(JSON.stringify(found)))
  })
    // A process that an engine starts has the same arguments: the port is taken.
    .on("error", () => {})
    .listen(port, "127.0.0.1")
    .unref()
}
