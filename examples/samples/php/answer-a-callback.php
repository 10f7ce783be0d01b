<?php
// Tells an answered call what to do: the page behind a `voice_callback_url`. php -S 127.0.0.1:9090 answer-a-callback.php

$secret = getenv('VOICE_SECRET');
$public_url = getenv('PUBLIC_URL') ?: "http://{$_SERVER['HTTP_HOST']}/";

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

function actions_for(array $question, string $public_url): array
{
    // An empty PHP array would become [] in JSON, and hangup takes an object.
    $hangup = ['hangup' => new stdClass()];
    if ($question['reason'] === 'gather_completed' && $question['result']['digits'] === '1') {
        return [
            ['say' => ['text' => 'I connect you.']],
            ['dial' => ['number' => '+254711000001', 'timeout' => 20]],
            ['say' => ['text' => 'Nobody is there.']],
            $hangup,
        ];
    }
    $prompt = ['say' => ['text' => 'To speak to somebody, press 1.']];
    return [
        ['gather' => ['prompt' => $prompt, 'num_digits' => 1, 'action_url' => $public_url]],
        ['say' => ['text' => 'Goodbye.']],
        $hangup,
    ];
}

$body = file_get_contents('php://input');
if (!verify($body, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $secret)) {
    http_response_code(400);
    return;
}
$question = json_decode($body, true);
error_log($question['reason']);
header('Content-Type: application/json');
echo json_encode(['actions' => actions_for($question, $public_url)]);
