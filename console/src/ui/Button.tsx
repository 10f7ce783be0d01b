import { Link, type LinkProps } from "@tanstack/react-router"
import type { ButtonHTMLAttributes, ReactNode } from "react"
import styles from "./Button.module.css"
import { Icon, type IconName } from "./Icon.tsx"

interface Looks {
  readonly kind?: "main" | "danger" | "bare" | undefined
  readonly small?: boolean | undefined
  readonly wide?: boolean | undefined
  readonly icon?: IconName | undefined
}

const classOf = ({ kind, small, wide }: Looks, iconOnly: boolean): string =>
  [styles.button, kind && styles[kind], small && styles.small, wide && styles.wide, iconOnly && styles.square]
    .filter(Boolean)
    .join(" ")

type Rest = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className">

/**
 * A button that cannot be used now says why: it stays reachable, so that a reader hears the reason. `why` is shown
 * beside it by its form.
 */
export const Button = ({
  children,
  disabled = false,
  icon,
  kind,
  onClick,
  small,
  wide,
  ...rest
}: Looks & Rest & { readonly children: ReactNode }) => (
  <button
    type="button"
    {...rest}
    className={classOf({ kind, small, wide }, false)}
    aria-disabled={disabled || undefined}
    onClick={(event) => {
      if (disabled) event.preventDefault()
      else onClick?.(event)
    }}
  >
    {icon && <Icon name={icon} size={small ? 14 : 16} />}
    {children}
  </button>
)

export const IconButton = ({
  icon,
  kind,
  label,
  small,
  ...rest
}: Omit<Looks, "wide"> & Rest & { readonly icon: IconName; readonly label: string }) => (
  <button type="button" title={label} aria-label={label} {...rest} className={classOf({ kind, small }, true)}>
    <Icon name={icon} size={small ? 14 : 16} />
  </button>
)

export const ButtonLink = ({
  children,
  icon,
  kind,
  small,
  wide,
  ...rest
}: Looks & LinkProps & { readonly children: ReactNode }) => (
  <Link {...rest} className={classOf({ kind, small, wide }, false)}>
    {icon && <Icon name={icon} size={small ? 14 : 16} />}
    {children}
  </Link>
)
