// The output of the demo: one line per step, with colours if the terminal has them.
import { styleText } from "node:util"

type Style = Parameters<typeof styleText>[0]

const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

const label_width = 10

/** Formats minor units as `KES 10,000.00`: 100 are 1.00 of every currency. */
export const money = (amount_minor: number, currency: string): string =>
  `${currency} ${(amount_minor / 100).toLocaleString("en", { minimumFractionDigits: 2 })}`

export const print = (text = ""): void => console.log(text)

export const heading = (text: string): void => print(`\n  ${paint("bold", text)}\n`)

/** Prints a name and its value. */
export const fact = (name: string, value: string): void => print(`  ${paint("dim", name.padEnd(18))}${value}`)

/** Prints a step that happened `since_ms` after the call was placed. */
export const moment = (since_ms: number, label: string, text: string, style: Style = "bold"): void =>
  print(
    `  ${paint("dim", `${(since_ms / 1000).toFixed(2).padStart(6)} s`)}  ${paint(style, label.padEnd(label_width))}  ${text}`
  )

export const verdict = (ok: boolean, text: string): void =>
  print(`  ${ok ? paint("green", "ok") : paint("red", "NOT")}  ${text}`)
