import styles from "./Brand.module.css"

/** The mark: one line that branches off another. */
export const Mark = ({ size = 28 }: { size?: number }) => (
  <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M7 11h18M16 11v8a3 3 0 0 0 3 3h6" />
    <circle className={styles.near} cx="7" cy="11" r="2.6" />
    <circle className={styles.far} cx="25" cy="22" r="2.6" />
  </svg>
)

export const Brand = () => (
  <span className={styles.brand}>
    <Mark />
    <b>trunkline</b>
  </span>
)
