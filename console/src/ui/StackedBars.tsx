// Stacked bars over time, in SVG. Each series has a pattern of its own beside its colour. Arrow keys read the bars.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react"
import { countText } from "./Format.ts"
import styles from "./StackedBars.module.css"

export type SeriesLook = "plain" | "hollow" | "solid" | "hatched"

export interface Series {
  readonly key: string
  readonly word: string
  readonly look: SeriesLook
}

export interface Bar {
  /** What the bar is about: a time or a day. */
  readonly title: string
  /** Below the axis; only some bars have one. */
  readonly label?: string | undefined
  readonly values: Readonly<Record<string, number>>
}

/** The next round number at or above: 1, 2, 5, 10, 20 … */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

const totalOf = (bar: Bar, series: ReadonlyArray<Series>): number =>
  series.reduce((sum, { key }) => sum + (bar.values[key] ?? 0), 0)

const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

export const Legend = (props: { series: ReadonlyArray<Series>; bars: ReadonlyArray<Bar> }) => (
  <div className={styles.legend}>
    {props.series.map(({ key, look, word }) => (
      <span key={key}>
        <i className={`${styles.swatch} ${styles[look]}`} />
        {word}
        <b>{countText(props.bars.reduce((sum, bar) => sum + (bar.values[key] ?? 0), 0))}</b>
      </span>
    ))}
  </div>
)

const axisWidth = 34
const axisHeight = 20

const Stack = (props: {
  readonly bar: Bar
  readonly series: ReadonlyArray<Series>
  readonly x: number
  readonly width: number
  readonly y: (value: number) => number
  readonly hatch: string
}) => {
  let from = 0
  return props.series.map(({ key, look }) => {
    const value = props.bar.values[key] ?? 0
    if (value === 0) return null
    const [bottom, top] = [props.y(from), props.y((from += value))]
    const inset = look === "hollow" ? 0.5 : 0
    return (
      <rect
        key={key}
        className={styles[`${look}Bar`]}
        x={props.x + inset}
        y={top + 0.5 + inset}
        width={Math.max(1, props.width - 2 * inset)}
        height={Math.max(0.5, bottom - top - 1 - 2 * inset)}
        rx={Math.min(1.5, props.width / 3)}
        fill={look === "hatched" ? `url(#${props.hatch})` : undefined}
      />
    )
  })
}

const Reading = ({ bar, series, x }: { bar: Bar; series: ReadonlyArray<Series>; x: number }) => (
  <div className={styles.reading} style={{ insetInlineStart: x }}>
    <div>
      <b>{bar.title}</b> · {countText(totalOf(bar, series))}
    </div>
    {series.map(({ key, look, word }) => (
      <div key={key} className="row">
        <i className={`${styles.swatch} ${styles[look]}`} />
        {word}
        <span className="grow" />
        <b className="num">{bar.values[key] ?? 0}</b>
      </div>
    ))}
  </div>
)

const sentenceOf = (bar: Bar, series: ReadonlyArray<Series>): string =>
  `${bar.title}: ${series.map(({ key, word }) => `${bar.values[key] ?? 0} ${word}`).join(", ")}`

const reading_px = 170

const Grid = ({ height, most, width, y }: { width: number; height: number; most: number; y: (n: number) => number }) =>
  [0, most / 2, most].map((value) => (
    <g key={value}>
      <line className={value === 0 ? styles.axis : styles.grid} x1={axisWidth} x2={width} y1={y(value)} y2={y(value)} />
      {Number.isInteger(value) && (
        <text x={axisWidth - 8} y={Math.min(y(value) + 4, height)} textAnchor="end">
          {countText(value)}
        </text>
      )}
    </g>
  ))

const Drawing = (props: {
  readonly bars: ReadonlyArray<Bar>
  readonly series: ReadonlyArray<Series>
  readonly width: number
  readonly height: number
  readonly step: number
  readonly barWidth: number
  readonly most: number
  readonly y: (value: number) => number
  readonly at: number | undefined
  readonly onAt: (index: number) => void
}) => {
  const { at, barWidth, bars, height, most, onAt, series, step, width, y } = props
  const hatch = useId()
  return (
    <svg width={width} height={height} aria-hidden="true">
      <defs>
        <pattern id={hatch} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={styles.hatchGround} width={4} height={4} />
          <rect className={styles.hatchLine} width={1.3} height={4} />
        </pattern>
      </defs>
      <Grid width={width} height={height} most={most} y={y} />
      {bars.map((bar, index) => (
        <g key={bar.title}>
          <Stack
            bar={bar}
            series={series}
            x={axisWidth + index * step + (step - barWidth) / 2}
            width={barWidth}
            y={y}
            hatch={hatch}
          />
          {bar.label !== undefined && (
            <text
              x={axisWidth + (index + 0.5) * step}
              y={height - 4}
              textAnchor={index === bars.length - 1 ? "end" : index === 0 ? "start" : "middle"}
            >
              {bar.label}
            </text>
          )}
          <rect
            className={styles.hit}
            x={axisWidth + index * step}
            y={0}
            width={step}
            height={height - axisHeight}
            onMouseEnter={() => onAt(index)}
          />
        </g>
      ))}
      {at !== undefined && (
        <line
          className={styles.cursor}
          x1={axisWidth + (at + 0.5) * step}
          x2={axisWidth + (at + 0.5) * step}
          y1={0}
          y2={height - axisHeight}
        />
      )}
    </svg>
  )
}

/** `label`: what the plot shows, for readers. */
export const StackedBars = (props: {
  readonly label: string
  readonly series: ReadonlyArray<Series>
  readonly bars: ReadonlyArray<Bar>
  readonly height?: number
}): ReactNode => {
  const { bars, height = 220, label, series } = props
  const { element, width } = useWidth()
  const [at, setAt] = useState<number>()
  const most = roundUp(Math.max(1, ...bars.map((bar) => totalOf(bar, series))))
  const step = Math.max(1, (width - axisWidth) / Math.max(1, bars.length))
  const barWidth = Math.max(2, step - (step > 10 ? 4 : step > 4 ? 1.5 : 0.5))
  const y = (value: number) => 6 + (height - axisHeight - 6) * (1 - value / most)
  const current = at === undefined ? undefined : bars[at]
  const x = at === undefined ? 0 : axisWidth + (at + 0.5) * step
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (move === undefined) return
    event.preventDefault()
    setAt((before = bars.length) => Math.max(0, Math.min(bars.length - 1, before + move)))
  }
  return (
    <div
      className={styles.plot}
      ref={element}
      role="application"
      aria-roledescription="plot"
      tabIndex={0}
      aria-label={`${label}. Arrow keys read each bar.`}
      onKeyDown={onKeyDown}
      onBlur={() => setAt(undefined)}
      onMouseLeave={() => setAt(undefined)}
      style={{ blockSize: height }}
    >
      {width > 0 && <Drawing {...{ bars, series, width, height, step, barWidth, most, y, at, onAt: setAt }} />}
      {current && <Reading bar={current} series={series} x={Math.max(0, Math.min(x + 12, width - reading_px))} />}
      <span className="unseen" aria-live="polite">
        {current && sentenceOf(current, series)}
      </span>
    </div>
  )
}
