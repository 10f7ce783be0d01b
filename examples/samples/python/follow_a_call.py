"""Prints what happens to a call while it happens, until it is over: follow_a_call.py CALL_ID"""

import http.client
import os
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("TRUNKLINE_URL", "http://127.0.0.1:8080")
KEY = os.environ["TRUNKLINE_API_KEY"]


def events(call_id: str):
    """Reconnects where it was, so that nothing is missed, and returns after the end of the call."""
    last_id = None
    while True:
        request = urllib.request.Request(f"{URL}/v1/calls/{call_id}/stream")
        request.add_header("Authorization", f"Bearer {KEY}")
        if last_id is not None:
            request.add_header("Last-Event-ID", last_id)
        try:
            # The engine sends a comment every 15 seconds, so 40 seconds of silence are a dead connection.
            with urllib.request.urlopen(request, timeout=40) as stream:
                for line in stream:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "id":
                        last_id = value
                    elif field == "event":
                        if value == "end":
                            return
                        yield value
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError):
            pass
        time.sleep(2)


for kind in events(sys.argv[1]):
    print(kind, flush=True)
print("end")
