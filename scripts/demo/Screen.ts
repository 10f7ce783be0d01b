// What the demo prints: plain lines, one for each thing that happens, with colours where the terminal has them.
import { styleText } from "node:util"

type Style = Parameters<typeof styleText>[0]

const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

const label_width = 10

/** `KES 10,000.00`: 100 minor units make 1.00 of every currency. */
export const money = (amount_minor: number, currency: string): string =>
  `${currency} ${(amount_minor / 100).toLocaleString("en", { minimumFractionDigits: 2 })}`

export const print = (text = ""): void => console.log(text)

export const heading = (text: string): void => print(`\n  ${paint("bold", text)}\n`)

/** A fact and its name. */
export const fact = (name: string, value: string): void => print(`  ${paint("dim", name.padEnd(18))}${value}`)

/** Something that happened, `since_ms` after the call was placed. */
export const moment = (since_ms: number, label: string, text: string, style: Style = "bold"): void =>
  print(
    `  ${paint("dim", `${(since_ms / 1000).toFixed(2).padStart(6)} s`)}  ${paint(style, label.padEnd(label_width))}  ${text}`
  )

export const verdict = (ok: boolean, text: string): void =>
  print(`  ${ok ? paint("green", "ok") : paint("red", "NOT")}  ${text}`)
