import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "../../../../src/domain/journal/Rows.ts"
import { toBatch } from "../../../../src/layers/postgres/journal/JournalBatch.ts"
import { type Statement, Statements } from "../../../../src/layers/postgres/journal/JournalStatement.ts"
import { call, counter, hold, wallet } from "../../../contract/JournalProbe.ts"
import { workspaceId } from "../../../support/Ids.ts"

const id = "0197a3a0-0000-7000-8000-000000000001"
const workspace_id = workspaceId("0197a3a0-0000-7000-8000-000000000002")

const count = (more: Partial<Entry> = {}) => toBatch([counter(id, 1, more)])
const shared = new Statements(Infinity)
const sections = ({ text }: Statement) => [...text.matchAll(/(\w+) AS \(/g)].map(([, name]) => name)
const parametersOf = (statement: Statement, batch: ReturnType<typeof toBatch>) =>
  statement.parameters(id, 0, batch).length

/** Kinds of rows that a batch may have or not, so that the batches of all subsets have as many shapes. */
const kinds: ReadonlyArray<Entry> = [
  counter(id, 1),
  counter(id, 2),
  call(workspace_id, id, 1),
  call(workspace_id, id, 2),
  wallet(workspace_id, 1),
  wallet(workspace_id, 2),
  wallet(workspace_id, 2, { holds: [hold(workspace_id)] })
].map((entry, index) => ({ ...entry, actor_id: `${id.slice(0, -1)}${index}` }))

const shapes = Array.from({ length: 2 ** kinds.length }, (_, bits) =>
  toBatch(kinds.filter((_, index) => (bits >> index) % 2 === 1))
)

describe("the statements of a connection", () => {
  it("leave out of a shape that comes often what its batches never write", () => {
    const statements = new Statements(3)
    const [first, second, third] = [1, 2, 3].map(() => statements.of(count()))
    assert.strictEqual(first, shared.of(count()))
    assert.strictEqual(second, first)
    assert.deepStrictEqual(sections(third!), ["actors_inserted", "batch"])
    assert.isBelow(parametersOf(third!, count()), parametersOf(first!, count()) / 5)
    assert.strictEqual(statements.of(count()), third)
  })

  it("tell shapes apart by kinds of rows, not by their number", () => {
    const statements = new Statements(1)
    const two = toBatch([counter(id, 1), counter(workspace_id, 1)])
    assert.strictEqual(statements.of(two), statements.of(count()))
    assert.notStrictEqual(statements.of(count({ alarm: 5 })), statements.of(count()))
  })

  it("refuse a batch whose counted rows are not all met, in every shape", () => {
    const needed = toBatch([call(workspace_id, id, 1, { needs_hold: id })])
    for (const statement of [new Statements(1).of(needed), shared.of(needed)]) {
      assert.match(statement.text, /count\(\*\) FROM holds_used\) = cardinality/)
    }
  })

  it("are bounded, and keep those of the shapes that came last", () => {
    const statements = new Statements(1)
    const own = shapes.map(statements.of)
    const again = [...shapes].reverse().map(statements.of).reverse()
    const kept = new Set(own.filter((statement, index) => statement === again[index])).size
    assert.isAtLeast(kept, 40)
    assert.isAtMost(kept, 64)
  })
})
