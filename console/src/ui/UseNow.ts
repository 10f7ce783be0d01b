import { useEffect, useState } from "react"

/** The present, in epoch milliseconds, which moves on by itself every so many milliseconds; false: it stands still. */
export const useNow = (every_ms: number | false): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (every_ms === false) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), every_ms)
    return () => clearInterval(timer)
  }, [every_ms])
  return now
}
