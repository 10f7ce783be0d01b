// One history: turns as they are chosen, then time runs on until nothing is left to happen.
import type { Choices } from "./Choices.ts"
import { scripts, termination, updateOf } from "./Customer.ts"
import { Rules } from "./Rules.ts"
import { World } from "./World.ts"

/** More than any history needs to come to rest. */
const steps_max = 20_000
/** Legs that are dialled come on top. */
const calls_max = 3

type Turn = (world: World, choices: Choices, rules: Rules) => void

/** The order in which a world without accidents takes its steps. False when nothing is left to do now. */
const runOn = (world: World): boolean => {
  const { agenda, pbx } = world
  if (!agenda.idle) agenda.take()
  else if (pbx.inbox.length > 0 && pbx.connected) world.deliverCommand()
  else if (pbx.outbox.length > 0 && pbx.connected) world.deliverEvent()
  else return false
  return true
}

const goOn: Turn = (world, _choices, rules) => {
  if (runOn(world)) return
  rules.checkAtRest()
  world.agenda.advance(0)
}

const people: Turn = (world, choices) => {
  const calls = [...world.calls.values()]
  const wish = choices.below(5)
  if (wish < 2) return calls.length < calls_max ? (wish === 0 ? world.place() : world.dialIn()) : undefined
  if (wish === 3) return world.credit(choices.of([300, 1, 7, 1_000]))
  const cell = calls[choices.below(Math.max(1, calls.length))]
  if (cell === undefined) return
  world.demand(cell, wish === 2 ? termination : updateOf(choices.of(scripts), choices.below(3)))
}

/** What a turn can be, the uneventful first, and how often in 64 it is in a calm and in a wild history. */
const turns: ReadonlyArray<readonly [Turn, calm: number, wild: number]> = [
  [goOn, 58, 20],
  [(world) => world.deliverEvent(), 1, 12],
  [(world) => world.deliverCommand(), 1, 8],
  [(world, choices) => void world.agenda.advance(choices.of([1, 0, 700, 5_000])), 1, 6],
  [people, 1, 10],
  [(world) => world.fail(), 0, 4],
  [(world, choices) => world.disconnect(choices.of([3_000, 100_000, 300_000])), 1, 2],
  [(world, choices) => world.crash(choices.of([1_000, 0, 15_000, 100_000, 400_000])), 1, 2]
]

const mood = (column: 1 | 2): ReadonlyArray<Turn> =>
  turns.flatMap((row) => Array.from({ length: row[column] }, () => row[0]))
const moods = [mood(1), mood(2)]

/** Plays a history. Throws an Error that names the rule that was broken. */
export const play = (choices: Choices): World => {
  const world = new World(choices)
  const rules = new Rules(world)
  const chosen = choices.of(moods)
  world.place()
  while (!choices.spent) {
    choices.of(chosen)(world, choices, rules)
    rules.check()
  }
  let steps = 0
  do {
    while (runOn(world)) {
      rules.check()
      if (++steps > steps_max) throw new Error("The history comes to no rest")
    }
    rules.checkAtRest()
  } while (world.agenda.advance(0))
  rules.checkAtTheEnd()
  return world
}
