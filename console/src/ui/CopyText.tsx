import { useState } from "react"
import { Icon } from "./Icon.tsx"
import styles from "./CopyText.module.css"

/** A text in typewriter face that a click copies. `label`: what it is. Without clipboard it can still be selected. */
export const CopyText = ({ label, shown, text }: { text: string; label: string; shown?: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {}
    )
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button type="button" className={styles.copy} onClick={() => void copy()} title={`Copy the ${label}`}>
      <span className={styles.text}>{shown ?? text}</span>
      <Icon name={copied ? "check" : "copy"} size={13} />
      <span className="unseen" aria-live="polite">
        {copied ? `The ${label} is copied` : `Copy the ${label}`}
      </span>
    </button>
  )
}
