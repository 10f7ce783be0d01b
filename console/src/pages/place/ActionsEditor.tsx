// An editor for the document of voice actions: completion from its schema, faults marked where they are. It stands in a
// shadow root, where CodeMirror adopts a style sheet; elsewhere it would write a style element, which is not allowed.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { json } from "@codemirror/lang-json"
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language"
import { linter, lintKeymap } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { EditorView, keymap, lineNumbers } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { useEffect, useRef } from "react"
import { completeActions } from "./CompleteActions.ts"
import { type Fault, lintActions } from "./LintActions.ts"
import styles from "./Place.module.css"
import type { JsonSchema } from "./SchemaPath.ts"

/** How long after the last key faults are looked for. */
const lintDelay_ms = 350

const theme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", minHeight: "220px" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--ink-3)", borderRight: "1px solid var(--line)" },
  ".cm-line": { padding: "0 12px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--live-bg)"
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "0",
    borderRadius: "6px",
    boxShadow: "var(--e-2)",
    fontFamily: "var(--sans)"
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--live-bg)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad-solid)", padding: "6px 10px" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad-solid) 1.5px",
    textUnderlineOffset: "3px"
  }
})

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--ink-2)" },
    { tag: tags.string, color: "var(--good-fg)" },
    { tag: tags.number, color: "var(--live-fg)" },
    { tag: [tags.bool, tags.null], color: "var(--ask-fg)" },
    { tag: tags.punctuation, color: "var(--ink-3)" }
  ])
)

interface Props {
  readonly value: string
  readonly schema: JsonSchema | undefined
  readonly onChange: (value: string) => void
  /** Told after each look for faults. */
  readonly onFaults: (faults: ReadonlyArray<Fault>) => void
}

const ActionsEditor = ({ onChange, onFaults, schema, value }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const initial = useRef(value)
  const told = useRef({ onChange, onFaults })
  useEffect(() => {
    told.current = { onChange, onFaults }
  })
  useEffect(() => {
    if (host.current === null) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" })
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          lineNumbers(),
          history(),
          json(),
          EditorView.lineWrapping,
          colours,
          theme,
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ override: schema === undefined ? [] : [completeActions(schema)], icons: false }),
          linter(
            lintActions((faults) => told.current.onFaults(faults)),
            { delay: lintDelay_ms }
          ),
          keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "Actions, as JSON" }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return
            initial.current = state.doc.toString()
            told.current.onChange(initial.current)
          })
        ]
      })
    })
    return () => view.destroy()
  }, [schema])
  return <div className={styles.editor} ref={host} />
}

export default ActionsEditor
