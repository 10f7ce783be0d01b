// The statement that writes a batch. It is one statement, so the batch is written as a whole or not at all, in one
// round trip and without BEGIN and COMMIT. Measured on two cores with 256 entries per batch: 2.7 times as fast as one
// JSON parameter (json_to_recordset), and as fast as pipelined statements for each table between BEGIN and COMMIT,
// which a refused value could leave incomplete.
import { PgTypes } from "@effect/sql-pg"
import type { Batch } from "./JournalBatch.ts"
import type { Section } from "./JournalSections.ts"
import { countedSections, everySection, fanOut, now, rareSections, subscriptionAlarms } from "./JournalWrites.ts"

export interface Statement {
  /** The statement's text. It returns the subscriptions that got deliveries. */
  readonly text: string
  /** Throws if a value of an entry does not have its column's type. */
  readonly parameters: (id: string, written_at: number, batch: Batch) => ReadonlyArray<PgTypes.Parameter>
}

/** A statement that has these sections, which must be in the order of `everySection`. */
const statement = (sections: ReadonlyArray<Section>): Statement => {
  const fansOut = sections.includes(fanOut)
  const firsts = new Map<Section, number>()
  let next = 3
  for (const section of sections) {
    firsts.set(section, next)
    next += section.width
  }
  const conditions = countedSections.flatMap((section) => {
    const first = firsts.get(section)
    return first === undefined
      ? []
      : [`(SELECT count(*) FROM ${section.name}) = cardinality($${first}::${section.counts}[])`]
  })
  // Constraint `journal_batches_fence` refuses the row, and with it the batch, unless every snapshot met its fence, and
  // every hold its condition.
  const ownRow = `INSERT INTO journal_batches (id, status, written_at) SELECT $1::uuid,
    CASE WHEN ${["true", ...conditions].join(" AND ")} THEN 'written' ELSE 'stale' END, ${now}`
  const parts = [...firsts].map(([section, first]) => `${section.name} AS (${section.sql(first, fansOut)})`)
  return {
    text: `WITH ${[...parts, `batch AS (${ownRow})`].join(",\n")}
${fansOut ? "SELECT DISTINCT subscription_id FROM delivered" : "SELECT NULL::text AS subscription_id WHERE false"}`,
    parameters: (id, written_at, batch) => [
      PgTypes.uuid(id),
      PgTypes.timestamptz(written_at),
      ...sections.flatMap((section) => section.parameters(batch))
    ]
  }
}

/** The sections that the batch needs. A fan-out sets alarms of subscriptions even if the batch itself sets none. */
const sectionsOf = (batch: Batch): ReadonlyArray<Section> => {
  const fansOut = fanOut.has(batch)
  return everySection.filter((section) => section.has(batch) || (fansOut && section === subscriptionAlarms))
}

const forAll = statement(everySection)
const forCommon = statement(everySection.filter((section) => !rareSections.has(section)))

/** Each is planned and kept by the server, in some hundred kilobytes. Below what a connection keeps prepared (100). */
const max_statements = 64
const max_shapes_counted = 256

/** Makes the key the last of the map, and leaves out the first ones beyond `max`. */
const keepLast = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key)
  map.set(key, value)
  for (const first of map.keys()) {
    if (map.size <= max) break
    map.delete(first)
  }
}

/**
 * The statements of one connection. The server plans each text once, and executes even a section without rows: a batch
 * of one entry spends most of its time in those. So a shape (the set of sections that a batch needs) that comes often
 * has a statement of its own, and rare shapes share two: one with all sections, one with those of calls, money and
 * webhooks.
 */
export class Statements {
  /** How often shapes came, those of the last batches last. */
  readonly #seen = new Map<string, number>()
  readonly #own = new Map<string, Statement>()
  readonly #often: number

  /** A shape has its own statement from its batch number `often` on. */
  constructor(often: number) {
    this.#often = often
  }

  /** The statement that writes the batch. */
  readonly of = (batch: Batch): Statement => {
    const sections = sectionsOf(batch)
    const shape = sections.map(({ name }) => name).join()
    const own = this.#own.get(shape) ?? this.#earned(shape, sections)
    if (own !== undefined) {
      keepLast(this.#own, shape, own, max_statements)
      return own
    }
    return sections.some((section) => rareSections.has(section)) ? forAll : forCommon
  }

  #earned(shape: string, sections: ReadonlyArray<Section>): Statement | undefined {
    const times = (this.#seen.get(shape) ?? 0) + 1
    if (times >= this.#often) {
      // A shape that loses its statement to others has to come often again.
      this.#seen.delete(shape)
      return statement(sections)
    }
    keepLast(this.#seen, shape, times, max_shapes_counted)
    return undefined
  }
}
