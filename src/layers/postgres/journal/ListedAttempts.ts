// What is read of the attempts of a delivery `d`.

/**
 * The attempts without what the receiver answered, which may be long. PostgreSQL cannot read members of JSON in which
 * there is a NUL character, as an answer may have, so NULs are replaced first.
 */
export const listedAttempts = `coalesce((
  SELECT json_agg(json_build_object('at', a -> 'at', 'duration_ms', a -> 'duration_ms',
    'http_status', a -> 'http_status', 'error', a -> 'error') ORDER BY n)
  FROM json_array_elements(replace(d.attempt_log::text, '\\u0000', '\\ufffd')::json) WITH ORDINALITY AS attempt (a, n)
), '[]'::json) AS attempt_log`
