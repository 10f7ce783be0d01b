// CPU time and memory of the processes of a benchmark, as Linux counts them.
import { readdirSync, readFileSync } from "node:fs"

const ticks_per_second = 100

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The fields after the name, which may hold blanks: state, parent, … */
const statOf = (pid: number): ReadonlyArray<string> =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ")

const parentOf = (pid: number): number => Number(statOf(pid)[1])

export const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim()

export const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent)

const threadsOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Microseconds for which their threads have run, as the scheduler counts them: exact also for a short while. */
export const ranFor_us = (pids: ReadonlyArray<number>): number =>
  pids
    .flatMap((pid) =>
      threadsOf(pid).map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]))
    )
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1_000, 0)

/** The process and those that it has started. */
export const familyOf = (pid: number): ReadonlyArray<number> => [pid, ...childrenOf(pid).flatMap(familyOf)]

/** The PostgreSQL server and all its child processes. */
export const serverOf = (backend: number): ReadonlyArray<number> => [
  parentOf(backend),
  ...childrenOf(parentOf(backend))
]

/** CPU seconds of all of them together. */
export const cpuSeconds = (pids: ReadonlyArray<number>): number =>
  pids.reduce((sum, pid) => sum + (Number(statOf(pid)[11]) || 0) + (Number(statOf(pid)[12]) || 0), 0) / ticks_per_second

export const memoryMib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
