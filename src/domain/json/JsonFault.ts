// Says where a text stops being JSON (RFC 8259). JSON.parse does not always tell.

export interface JsonFault {
  /** The first has number 1. */
  readonly line: number
  /** In characters, from 1. */
  readonly column: number
  readonly expected: string
}

const space = /[ \t\r\n]*/y
const literal =
  /"(?:(?!["\\])[ -\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

type Expecting = "value" | "value or ]" | "name" | "name or }" | "colon" | "rest" | "end"

const descriptions: Readonly<Record<Expecting, string>> = {
  value: "a value",
  "value or ]": "a value or `]`",
  name: "a name in double quotes",
  "name or }": "a name in double quotes or `}`",
  colon: "`:`",
  rest: "`,` or the end of the list or object",
  end: "the end of the document"
}

/** Reads token by token, with the open brackets on a stack. */
class Scanner {
  private at = 0
  private readonly open: Array<"{" | "["> = []
  private expecting: Expecting = "value"

  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  private afterValue(): true {
    this.expecting = this.open.length === 0 ? "end" : "rest"
    return true
  }

  private value(char: string | undefined): boolean {
    if (char === "{" || char === "[") {
      this.at++
      this.open.push(char)
      this.expecting = char === "{" ? "name or }" : "value or ]"
      return true
    }
    return this.take(literal) !== undefined && this.afterValue()
  }

  private close(): true {
    this.at++
    this.open.pop()
    return this.afterValue()
  }

  /** Whether the next token is one that may stand here. */
  private step(): boolean {
    const char = this.text[this.at]
    const inside = this.open.at(-1)
    switch (this.expecting) {
      case "value":
        return this.value(char)
      case "value or ]":
        return char === "]" ? this.close() : this.value(char)
      case "name or }":
        if (char === "}") return this.close()
        return this.name(char)
      case "name":
        return this.name(char)
      case "colon":
        if (char !== ":") return false
        this.at++
        this.expecting = "value"
        return true
      case "rest":
        if (char === (inside === "{" ? "}" : "]")) return this.close()
        if (char !== ",") return false
        this.at++
        this.expecting = inside === "{" ? "name" : "value"
        return true
      case "end":
        return false
    }
  }

  private name(char: string | undefined): boolean {
    if (char !== '"' || this.take(literal) === undefined) return false
    this.expecting = "colon"
    return true
  }

  fault(): JsonFault | undefined {
    do this.take(space)
    while (this.step())
    if (this.expecting === "end" && this.at === this.text.length) return undefined
    const before = this.text.slice(0, this.at).split("\n")
    const column = (before.at(-1) ?? "").length + 1
    return { line: before.length, column, expected: descriptions[this.expecting] }
  }
}

/** The first fault of the text; undefined if it is JSON. */
export const jsonFault = (text: string): JsonFault | undefined => new Scanner(text).fault()
