"""Receives Parcelwren webhooks and puts delivered parcels on a queue."""

import hashlib
import hmac
import json
import os
import queue
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 300
MAX_BODY_BYTES = 1_000_000

deliveries: "queue.Queue[dict]" = queue.Queue()
seen_event_ids: "set[str]" = set()


def is_valid(body: bytes, header: str, secret: str) -> bool:
    """Returns whether one of the header's v1 signatures matches the raw body."""
    fields = [part.split("=", 1) for part in header.split(",") if "=" in part]
    sent_at = next((value for key, value in fields if key == "t"), "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE_S:
        return False
    signed = sent_at.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return any(key == "v1" and hmac.compare_digest(value, expected) for key, value in fields)


def handle_event(event: dict) -> None:
    """Queues a delivery once, even if the event arrives several times."""
    if event["id"] in seen_event_ids:
        return
    seen_event_ids.add(event["id"])
    if event["type"] == "tracking.delivered":
        deliveries.put(event["data"])


class WebhookHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if length > MAX_BODY_BYTES:
            self.send_error(413)
            return
        body = self.rfile.read(length)
        signature = self.headers.get("Parcelwren-Signature", "")
        if not is_valid(body, signature, os.environ["PARCELWREN_WEBHOOK_SECRET"]):
            self.send_error(400, "bad signature")
            return
        handle_event(json.loads(body))
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 3000), WebhookHandler).serve_forever()
