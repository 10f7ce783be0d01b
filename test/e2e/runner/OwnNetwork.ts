// Runs each test file in a process with a network of its own, so that files at once share no port and no address.
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from "vitest/node"

const alone = join(import.meta.dirname, "../../../scripts/e2e/alone")
/** Until a process that was asked to end is killed. */
const patience_ms = 2_000

class OwnNetworkWorker implements PoolWorker {
  readonly name = ownNetwork.name
  readonly cacheFs = true
  readonly #options: PoolOptions
  #child: ChildProcess | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get #process(): ChildProcess {
    if (this.#child === undefined) throw new Error("The process of a test file is not started")
    return this.#child
  }

  on(event: string, callback: (...args: ReadonlyArray<unknown>) => void): void {
    this.#process.on(event, callback)
  }

  off(event: string, callback: (...args: ReadonlyArray<unknown>) => void): void {
    this.#process.off(event, callback)
  }

  send(message: WorkerRequest): void {
    this.#process.send(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async start(): Promise<void> {
    const { distPath, env, execArgv, project } = this.#options
    const child = fork(join(distPath, "workers/forks.js"), [], {
      env,
      // `alone` runs the command that follows.
      execPath: alone,
      execArgv: [process.execPath, ...execArgv],
      stdio: "pipe",
      serialization: "advanced"
    })
    const { errorStream, outputStream } = project.vitest.logger
    child.stdout!.on("data", (chunk: Buffer) => void outputStream.write(chunk))
    child.stderr!.on("data", (chunk: Buffer) => void errorStream.write(chunk))
    this.#child = child
  }

  async stop(): Promise<void> {
    const child = this.#process
    const ended = new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(undefined)
      else child.once("exit", resolve)
    })
    const timer = setTimeout(() => child.kill("SIGKILL"), patience_ms)
    child.kill()
    await ended
    clearTimeout(timer)
    this.#child = undefined
  }
}

/** The pool for vitest's configuration. */
export const ownNetwork: PoolRunnerInitializer = {
  name: "own-network",
  createPoolWorker: (options) => new OwnNetworkWorker(options)
}
