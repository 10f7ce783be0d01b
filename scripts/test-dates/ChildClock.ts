// Loaded before every process of `npm run test:dates` (NODE_OPTIONS). A process may start another one with an
// environment of its own: the engine starts its PostgreSQL so, and tests start programs. That one gets the same clock.
import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"

type Environment = Readonly<Record<string, string | undefined>>

const preload = `--import=${import.meta.url}`
const passed = ["LD_PRELOAD", "DATEFUDGE", "TZ"].flatMap((name) => {
  const value = process.env[name]
  return value === undefined ? [] : [[name, value] as const]
})

/** The environment with the faked clock, and with the options of Node that it already has. */
const withClock = (env: Environment): Environment => {
  const options = env["NODE_OPTIONS"] ?? ""
  return {
    ...Object.fromEntries(passed),
    ...env,
    NODE_OPTIONS: options.includes(preload) ? options : `${preload} ${options}`.trim()
  }
}

interface Spawned {
  envPairs?: ReadonlyArray<string>
}

const split = (pair: string): readonly [string, string] => {
  const at = pair.indexOf("=")
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** Every asynchronous function of node:child_process starts its process here. */
const child = childProcess.ChildProcess.prototype as unknown as { spawn: (options: Spawned) => unknown }
const spawn = child.spawn
child.spawn = function (options) {
  const env = withClock(Object.fromEntries((options.envPairs ?? []).map(split)))
  return spawn.call(this, { ...options, envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`) })
}

const isOptions = (argument: unknown): argument is { readonly env: Environment } =>
  typeof argument === "object" && argument !== null && "env" in argument && typeof argument.env === "object"

/** The same function, whose options get the faked clock. */
const faked = <Run extends (...args: never) => unknown>(run: Run): Run =>
  new Proxy(run, {
    apply: (target, self, args: ReadonlyArray<unknown>) =>
      Reflect.apply(
        target,
        self,
        args.map((argument) => (isOptions(argument) ? { ...argument, env: withClock(argument.env) } : argument))
      ) as unknown
  })

childProcess.spawnSync = faked(childProcess.spawnSync)
childProcess.execSync = faked(childProcess.execSync)
childProcess.execFileSync = faked(childProcess.execFileSync)
syncBuiltinESMExports()
