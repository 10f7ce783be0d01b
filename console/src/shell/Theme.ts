// Light or dark: as the system has it, until the viewer chooses. The choice is kept in a cookie, not in storage.
import { useState } from "react"

export type Theme = "light" | "dark"

const year_s = 31_536_000

const chosen = (): Theme | undefined => {
  const [, value] = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie) ?? []
  return value === "light" || value === "dark" ? value : undefined
}

export const applyTheme = (): void => {
  const theme = chosen()
  if (theme !== undefined) document.documentElement.dataset["theme"] = theme
}

const current = (): Theme => chosen() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")

export const useTheme = (): readonly [Theme, () => void] => {
  const [theme, setTheme] = useState(current)
  const turn = () => {
    const next = theme === "dark" ? "light" : "dark"
    document.cookie = `theme=${next}; path=/; max-age=${year_s}; samesite=strict`
    applyTheme()
    setTheme(next)
  }
  return [theme, turn]
}
