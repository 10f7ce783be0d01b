// Finds members that are declared twice: as members of an interface and as fields of a schema.
import { parseSync, Visitor } from "oxc-parser"

export interface Shape {
  readonly path: string
  readonly line: number
  readonly members: ReadonlySet<string>
}

export interface Shapes {
  readonly interfaces: ReadonlyArray<Shape>
  readonly schemas: ReadonlyArray<Shape>
}

interface Node {
  readonly start: number
  readonly end: number
}
interface Member extends Node {
  readonly type: string
  readonly key?: { readonly type: string; readonly name?: unknown; readonly value?: unknown } | undefined
}

const nameOf = ({ key }: Member): ReadonlyArray<string> => {
  const name = key?.type === "Identifier" ? key.name : key?.value
  return typeof name === "string" ? [name] : []
}

/** The interfaces and schemas that a file declares, nested ones too. Those with fewer than two members are left out. */
export const shapesOf = (path: string, text: string): Shapes => {
  const interfaces: Array<Shape> = []
  const schemas: Array<Shape> = []
  const add = (list: Array<Shape>, { start }: Node, members: ReadonlyArray<unknown>) => {
    const names = new Set((members as ReadonlyArray<Member>).flatMap(nameOf))
    if (names.size > 1) list.push({ path, line: text.slice(0, start).split("\n").length, members: names })
  }
  const source = ({ end, start }: Node): string => text.slice(start, end)
  const visitor = new Visitor({
    TSInterfaceBody: (node) => add(interfaces, node, node.body),
    TSTypeLiteral: (node) => add(interfaces, node, node.members),
    CallExpression: (node) => {
      const [fields] = node.arguments
      if (fields?.type === "ObjectExpression" && /(?:^|\.)Struct$/.test(source(node.callee))) {
        add(schemas, fields, fields.properties)
      }
    },
    // A table of schemas: `{ … } satisfies Record<…, Schema.Top>`.
    TSSatisfiesExpression: ({ expression, typeAnnotation }) => {
      if (expression.type === "ObjectExpression" && /\bSchema\b/.test(source(typeAnnotation))) {
        add(schemas, expression, expression.properties)
      }
    }
  })
  visitor.visit(parseSync(path, text).program)
  return { interfaces, schemas }
}

export interface Twin {
  readonly interface: Shape
  readonly schema: Shape
  /** How many members both have. */
  readonly shared: number
}

/** An interface that shares so much of its members with a schema states the same fact as the schema. */
const sameFact = 0.7

/** The interfaces that repeat a schema of the same area, each with the schema that it shares the most with. */
export const twinsOf = ({ interfaces, schemas }: Shapes): ReadonlyArray<Twin> =>
  interfaces.flatMap((shape) =>
    schemas
      .map((schema) => ({
        interface: shape,
        schema,
        shared: [...shape.members].filter((name) => schema.members.has(name)).length
      }))
      .filter(
        ({ schema, shared }) =>
          shared > 1 && shared >= sameFact * shape.members.size && 2 * shared >= sameFact * schema.members.size
      )
      .sort((a, b) => b.shared - a.shared)
      .slice(0, 1)
  )
