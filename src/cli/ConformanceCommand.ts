// `trunkline conformance`: plays the promises of the interface against a deployment, from outside.
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { defaultNumber } from "./CallCommands.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { callPromises } from "./conformance/CallPromises.ts"
import { requestPromises } from "./conformance/RequestPromises.ts"
import { type Kept, makeAsk, type World } from "./conformance/World.ts"
import { connectionOf } from "./Connection.ts"
import { type Context, withKey } from "./Handler.ts"

const promises: ReadonlyArray<Kept & { readonly id: string }> = [
  ...Map.groupBy([...callPromises, ...requestPromises], ({ area }) => area)
].flatMap(([area, kept]) => kept.map((promise, index) => ({ ...promise, id: `${area}.${index + 1}` })))

interface Result {
  readonly id: string
  readonly says: string
  /** Null: the promise is kept. */
  readonly fault: string | null
}

const check = async ({ check, id, says }: (typeof promises)[number], world: World): Promise<Result> => {
  try {
    return { id, says, fault: (await check(world)) ?? null }
  } catch (error) {
    if (world.signal.aborted) throw error
    return { id, says, fault: (error as Error).message }
  }
}

const areaOf = (id: string): string => id.replace(/\.\d+$/, "")

const print = ({ out }: Context, results: ReadonlyArray<Result>, took_ms: number): void => {
  const areas = [...Map.groupBy(results, ({ id }) => areaOf(id))]
  out.line(
    areas.map(([area, of]) => `${area} ${of.filter(({ fault }) => fault === null).length}/${of.length}`).join("   ")
  )
  for (const { fault, id, says } of results) if (fault !== null) out.line(`✗ ${id}  ${says}: ${fault}`)
  const kept = results.filter(({ fault }) => fault === null).length
  out.line(`${kept} of ${results.length} promises kept in ${Math.round(took_ms / 1000)} s`)
}

/** Throws CommandFailure for a key that spends money which nobody offered. */
const worldOf = async (context: Context, live: boolean): Promise<World> => {
  const { apiKey, baseUrl, client, signal } = context
  const { env } = await client.keys.current()
  if (env === "live" && !live)
    throw new CommandFailure({
      exit: "usage",
      message: "This key is live, and the calls cost money. Use a test key, or --live.",
      help: "trunkline keys create conformance --mode test --scopes …"
    })
  return {
    baseUrl,
    client,
    signal,
    key: apiKey,
    from: await defaultNumber(client),
    ask: makeAsk(baseUrl, apiKey, signal)
  }
}

export const conformance = Command.make(
  "conformance",
  {
    baseUrl: Flag.String("base-url").pipe(
      Flag.withDescription("The deployment; default: as for all commands"),
      Flag.optional
    ),
    only: Flag.String("only").pipe(Flag.withDescription("One area, or one promise: money, money.3"), Flag.optional),
    list: Flag.Boolean("list").pipe(Flag.withDescription("List the promises"), Flag.withDefault(false)),
    live: Flag.Boolean("live").pipe(Flag.withDescription("Use a live key, and its money"), Flag.withDefault(false))
  },
  ({ baseUrl, list, live, only }) =>
    withKey(async (given) => {
      const found = Option.map(baseUrl, (url) => connectionOf({ url }, process.env).asKey())
      const context: Context = { ...given, ...Option.getOrElse(found, () => ({})) }
      const { out } = context
      const chosen = promises.filter(({ id }) => Option.isNone(only) || id === only.value || areaOf(id) === only.value)
      if (list) return chosen.forEach(({ id, says }) => out.line(`${id.padEnd(11)}  ${says}`))
      if (chosen.length === 0)
        throw new CommandFailure({
          exit: "usage",
          message: "No promise has this name.",
          help: "trunkline conformance --list"
        })
      const world = await worldOf(context, live)
      const began = performance.now()
      const results: Array<Result> = []
      for (const promise of chosen) {
        const result = await check(promise, world)
        results.push(result)
        if (out.json) out.line(JSON.stringify(result))
      }
      if (!out.json) print(context, results, performance.now() - began)
      return results.every(({ fault }) => fault === null)
    })
).pipe(
  Command.withDescription("Check from outside whether a deployment keeps the promises of the interface"),
  Command.withExamples([
    { command: "trunkline conformance --base-url https://voice.example.com", description: "With a test key" }
  ])
)
