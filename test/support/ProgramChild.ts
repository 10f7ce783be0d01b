// The program on a clock that runs TEST_CLOCK_SPEED times as fast as real time, from TEST_CLOCK_EPOCH (epoch
// milliseconds) on: a minute of talk passes in seconds, and time also passes while the program is down.
import { fastTime } from "./FastTime.ts"

const speed = Number(process.env["TEST_CLOCK_SPEED"])
const now = fastTime({ speed, epoch_ms: Number(process.env["TEST_CLOCK_EPOCH"]) }, Date.now)

globalThis.Date = new Proxy(Date, {
  construct: (date, given) => Reflect.construct(date, given.length === 0 ? [now()] : given) as object,
  get: (date, name) => (name === "now" ? now : (Reflect.get(date, name) as unknown))
})

// The engine compares both clocks to find out whether the wall clock was set, also between two of its processes.
process.hrtime.bigint = () => BigInt(Math.round(now() * 1_000_000))

type Timer = (run: () => void, delay_ms?: number, ...rest: ReadonlyArray<unknown>) => NodeJS.Timeout

const faster = <T extends Timer>(timer: T): T =>
  new Proxy(timer, {
    apply: (target, self, [run, delay_ms, ...rest]: Parameters<Timer>) =>
      Reflect.apply(target, self, [run, (delay_ms ?? 0) / speed, ...rest]) as NodeJS.Timeout
  })

globalThis.setTimeout = faster(setTimeout as Timer) as typeof setTimeout
globalThis.setInterval = faster(setInterval as Timer) as typeof setInterval

await import("../../src/main.ts")
