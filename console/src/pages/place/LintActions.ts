// Faults of the document: of its JSON from the parser, of its actions from the engine, which knows every rule.
import type { Diagnostic } from "@codemirror/lint"
import { syntaxTree } from "@codemirror/language"
import type { EditorView } from "@codemirror/view"
import { ApiError, request } from "../../api/Request.ts"
import { rangeAt } from "./DocumentTree.ts"
import { stepsOf } from "./SchemaPath.ts"

export interface Fault {
  /** A JSON pointer, or empty. */
  readonly pointer: string
  readonly message: string
}

interface Verdict {
  readonly valid: boolean
  readonly errors?: ReadonlyArray<Fault>
}

const parserFaults = (view: EditorView): ReadonlyArray<Diagnostic> => {
  const faults: Array<Diagnostic> = []
  syntaxTree(view.state).iterate({
    enter: ({ from, to, type }) => {
      if (!type.isError || faults.length > 0) return
      const line = view.state.doc.lineAt(from)
      faults.push({
        from: Math.min(from, line.to),
        to: Math.max(to, Math.min(from + 1, line.to)),
        severity: "error",
        message: "The JSON breaks off or goes wrong here."
      })
    }
  })
  return faults
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const judge = async (value: unknown): Promise<ReadonlyArray<Fault>> => {
  try {
    const { errors = [] } = await request<Verdict>("POST", "/v1/voice-actions/validate", { body: value })
    return errors
  } catch (error) {
    // A document that is not even an object is refused as a request.
    if (error instanceof ApiError && error.status === 400) return [{ pointer: "", message: error.message }]
    throw error
  }
}

/** `onFaults` is told after each look, so that the page can say whether the document can be sent. */
export const lintActions =
  (onFaults: (faults: ReadonlyArray<Fault>) => void) =>
  async (view: EditorView): Promise<ReadonlyArray<Diagnostic>> => {
    const document = parsed(view.state.doc.toString())
    if (document === undefined) {
      const faults = parserFaults(view)
      onFaults([{ pointer: "", message: "This is not JSON yet." }])
      return faults
    }
    const faults = await judge(document.value)
    onFaults(faults)
    return faults.map(({ message, pointer }) => ({
      ...rangeAt(stepsOf(pointer), view.state),
      severity: "error" as const,
      message: pointer === "" ? message : `${pointer}: ${message}`
    }))
  }
