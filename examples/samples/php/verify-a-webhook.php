<?php
// Receives webhooks and verifies who sent them: php -S 127.0.0.1:9091 verify-a-webhook.php

$secret = getenv('WEBHOOK_SECRET');

function verify(string $body, string $header, string $secret): bool
{
    $t = null;
    $candidates = [];
    foreach (explode(',', $header) as $member) {
        [$name, $value] = array_pad(explode('=', trim($member), 2), 2, '');
        if ($name === 't') { $t = $value; }
        if ($name === 'v1') { $candidates[] = $value; }
    }
    if ($t === null || !ctype_digit($t) || abs(time() - (int) $t) > 300) { return false; }
    $expected = hash_hmac('sha256', $body . '.' . $t, $secret);
    $matches = false;
    foreach ($candidates as $candidate) { $matches = hash_equals($expected, $candidate) || $matches; }
    return $matches;
}

// The signature covers the bytes as they came: verify before you parse.
$body = file_get_contents('php://input');
if (!verify($body, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $secret)) {
    http_response_code(400);
    return;
}
// Store the id together with what you do for the event: the same event may come again.
$event = json_decode($body, true);
error_log("{$event['event_kind']} {$event['id']}");
http_response_code(204);
