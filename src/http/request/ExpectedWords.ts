// Says in a client's words what a request's schema expected: schemas have names that clients do not know.
import { SchemaAST, SchemaIssue } from "effect"

/** What a value of this schema looks like in JSON. Undefined: the schema's own description is as good. */
const wordsFor = (schema: SchemaAST.AST): string | undefined => {
  const ast = SchemaAST.toEncoded(schema)
  if (SchemaAST.isObjects(ast)) return "an object"
  if (SchemaAST.isArrays(ast)) return "a list"
  if (SchemaAST.isString(ast)) return "a string"
  if (SchemaAST.isNumber(ast)) return "a number"
  if (SchemaAST.isBoolean(ast)) return "true or false"
  if (SchemaAST.isNull(ast)) return "null"
  if (SchemaAST.isLiteral(ast)) return JSON.stringify(ast.literal)
  if (!SchemaAST.isUnion(ast)) return undefined
  const parts = ast.types.map((type) => wordsFor(type))
  return parts.every((part) => part !== undefined) ? [...new Set(parts)].join(" or ") : undefined
}

export const missingKey = "Missing key"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    const words = issue._tag === "InvalidType" ? wordsFor(issue.ast) : undefined
    return words === undefined ? SchemaIssue.defaultLeafHook(issue) : `Expected ${words}`
  }
})

const pattern = /^Expected a string matching the RegExp (.*)$/s

/** The name of a schema in the project. Bodies are objects; within them, the named ones are lists of allowed values. */
const schemaName = /^Expected [A-Z]\w*$/

const inWords = (message: string, path: ReadonlyArray<unknown>): string =>
  schemaName.test(message)
    ? path.length === 0
      ? "Expected an object"
      : "Expected one of the documented values"
    : message
        .replace(pattern, "Expected a string that matches the pattern $1")
        .replace(/^Expected (string|object|number)$/, (_, type: string) =>
          type === "object" ? "Expected an object" : `Expected a ${type}`
        )

const asSentence = (message: string): string => (message.endsWith(".") ? message : `${message}.`)

/** The faults of a request, each with its path. The message of a missing member is `missingKey`. */
export const requestFaults = (issue: SchemaIssue.Issue) =>
  format(issue).issues.map(({ message, path = [] }) => ({
    path,
    message: message === missingKey ? message : asSentence(inWords(message, path))
  }))
