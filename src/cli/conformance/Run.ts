// Checks promises one after the other, and says what became of each.
import { type InterfacePromise, slow } from "./Promises.ts"
import { SetUpFailed, Skipped, type World } from "./World.ts"

export interface Result {
  readonly id: string
  readonly area: string
  readonly sentence: string
  readonly status: "kept" | "broken" | "skipped"
  /** What was seen, or why the promise was skipped. Null: it is kept. */
  readonly seen: string | null
  /** Whether the promise was judged, and not only what it needs. */
  readonly judged: boolean
}

const resultOf = async ({ area, check, id, sentence }: InterfacePromise, world: World): Promise<Result> => {
  const named = { id, area, sentence }
  try {
    const seen = (await check(world)) ?? null
    return { ...named, status: seen === null ? "kept" : "broken", seen, judged: true }
  } catch (error) {
    if (world.signal.aborted) throw error
    const { message } = error as Error
    if (error instanceof Skipped) return { ...named, status: "skipped", seen: message, judged: false }
    return { ...named, status: "broken", seen: message, judged: !(error instanceof SetUpFailed) }
  }
}

/** Begins at once what takes long by itself. Whoever needs it waits for it, and sees its failure. */
export const beginSlow = (chosen: ReadonlyArray<InterfacePromise>, world: World): void => {
  const needed = new Set(chosen.map(({ area }) => area))
  for (const [areas, begin] of slow) if (areas.some((area) => needed.has(area))) begin(world).catch(() => {})
}

/** `mayGoOn` is asked before each promise. If it returns a reason, that promise is skipped with it. */
export const run = async (
  chosen: ReadonlyArray<InterfacePromise>,
  world: World,
  onResult: (result: Result) => void = () => {},
  mayGoOn: () => Promise<string | undefined> = async () => undefined
): Promise<ReadonlyArray<Result>> => {
  const results: Array<Result> = []
  for (const promise of chosen) {
    const { area, id, sentence } = promise
    const stop = await mayGoOn()
    const result: Result =
      stop === undefined
        ? await resultOf(promise, world)
        : { id, area, sentence, status: "skipped", seen: stop, judged: false }
    results.push(result)
    onResult(result)
  }
  return results
}
