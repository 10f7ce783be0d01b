// The phones of a simulation, as its request describes them.
import { isTestNumber } from "../../domain/kit/Sandbox.ts"
import type { SimulatedPhone } from "../../domain/calls/views/Simulation.ts"
import { machine, type Phone, phoneOf, refusing, type Step } from "../../layers/pbx/simulator/Phones.ts"

const rings: Step = { kind: "rings", after_ms: 100 }

const person = ({ after_seconds = 2, talks_seconds }: SimulatedPhone): Phone => ({
  steps: [
    rings,
    { kind: "answers", after_ms: after_seconds * 1_000 - rings.after_ms },
    ...(talks_seconds === undefined ? [] : [{ kind: "hangs_up" as const, after_ms: talks_seconds * 1_000 }])
  ]
})

const refusals: Readonly<Record<Exclude<NonNullable<SimulatedPhone["answers"]>, "person">, Phone>> = {
  machine,
  no_answer: { steps: [rings] },
  busy: refusing(500, 486, 17, "callee"),
  declined: refusing(500, 603, 21, "callee"),
  unreachable: refusing(200, 503, 38, "carrier")
}

/** What it presses and says when it is asked. */
export const answersOf = ({ keys, says }: SimulatedPhone = {}): Pick<Phone, "presses" | "says"> => ({
  ...(keys !== undefined && { presses: keys }),
  ...(says !== undefined && { says })
})

/** The phone behind a number. Without a description a test number does what it always does. */
export const simulatedPhone = (to: string, described: SimulatedPhone | undefined): Phone => {
  const { after_seconds, answers, talks_seconds } = described ?? {}
  const isDescribed = answers !== undefined || after_seconds !== undefined || talks_seconds !== undefined
  const phone = !isDescribed && isTestNumber(to) ? phoneOf(to) : undefined
  const isPerson = answers === undefined || answers === "person"
  return { ...(phone ?? (isPerson ? person(described ?? {}) : refusals[answers])), ...answersOf(described) }
}
