// What is read of the attempts of a delivery `d`.

/**
 * One row for each attempt, without what the receiver answered, which may be long. PostgreSQL cannot read members of
 * JSON in which there is a NUL character, as an answer may have, so NULs are replaced first.
 */
export const attemptsOf = (log: string): string => `
  SELECT json_build_object('at', a -> 'at', 'duration_ms', a -> 'duration_ms',
    'http_status', a -> 'http_status', 'error', a -> 'error')
  FROM json_array_elements(replace(${log}::text, '\\u0000', '\\ufffd')::json) WITH ORDINALITY AS attempt (a, n) ORDER BY n`

export const listedAttempts = `coalesce((
  SELECT json_agg(listed) FROM (${attemptsOf("d.attempt_log")}) AS attempts (listed)
), '[]'::json) AS attempt_log`
