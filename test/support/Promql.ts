// Evaluates the few forms of PromQL that deploy/prometheus/alerts.yml uses, on the text of two scrapes.
import { readFileSync } from "node:fs"

/** The conditions of the alerts in deploy/, by name. */
export const alertRules: ReadonlyMap<string, string> = new Map(
  [
    ...readFileSync(new URL("../../deploy/prometheus/alerts.yml", import.meta.url), "utf8").matchAll(
      /- alert: (\w+)\n\s+expr: (.*)/g
    )
  ].map(([, name = "", condition = ""]) => [name, condition])
)

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = "", value = ""]) => [name, value]))

export const samplesOf = (text: string): ReadonlyArray<Sample> =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = "", labels = "", value = ""]) => ({
    name,
    labels: labelsOf(labels),
    value: Number(value)
  }))

const selected = (samples: ReadonlyArray<Sample>, selector: string): ReadonlyArray<Sample> => {
  const [, name, labels = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? []
  const wanted = Object.entries(labelsOf(labels))
  return samples.filter(
    (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value)
  )
}

/** The values of an expression without a comparison: one for each series. */
export const valuesOf = (expression: string, before: string, after: string): ReadonlyArray<number> => {
  const [dividend, divisor] = expression.split(" / ")
  if (dividend !== undefined && divisor !== undefined) {
    const [over = Number.NaN] = valuesOf(divisor, before, after)
    return valuesOf(dividend, before, after).map((value) => value / over)
  }
  const [, summed] = /^sum\((.*)\)$/.exec(expression) ?? []
  if (summed !== undefined) return [valuesOf(summed, before, after).reduce((sum, value) => sum + value, 0)]
  const [, raised] = /^increase\((.*)\[\d+m\]\)$/.exec(expression) ?? []
  if (raised === undefined) return selected(samplesOf(after), expression).map(({ value }) => value)
  const old = selected(samplesOf(before), raised)
  return selected(samplesOf(after), raised).map(
    ({ labels, value }) =>
      value - (old.find((each) => JSON.stringify(each.labels) === JSON.stringify(labels))?.value ?? 0)
  )
}

/** Whether the condition of an alert holds. `increase` is from the first scrape to the second. */
export const holds = (condition: string, before: string, after: string): boolean => {
  const [, expression = "", comparison, limit = ""] = /^(.*) (>|==|<) (\S+)$/.exec(condition) ?? []
  return valuesOf(expression, before, after).some((value) => {
    if (comparison === ">") return value > Number(limit)
    return comparison === "<" ? value < Number(limit) : value === Number(limit)
  })
}

/** The names of the metrics in an expression. */
export const metricsIn = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/\b((?:trunkline|process|nodejs)_\w+)/g)].flatMap(([, name]) => name ?? [])

/** The metrics in an expression, with the labels that it chooses. */
export const selectorsIn = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/\b(?:trunkline|process|nodejs)_\w+(?:\{[^}]*\})?/g)].map(([selector]) => selector)
