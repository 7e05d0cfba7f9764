"""The page that leaving in a hurry leads to, where nobody asks for another."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class Neutre(BaseHTTPRequestHandler):
    """With a link to `?vers=`."""

    def do_GET(self) -> None:  # the library's own name
        vers = parse_qs(urlsplit(self.path).query).get("vers", [""])[0]
        lien = f'<p><a href="{vers}">Y aller</a>' if vers else ""
        corps = f"<!doctype html><title>Neutre</title><p>Neutre{lien}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(corps)))
        self.end_headers()
        self.wfile.write(corps)

    def log_message(self, *dit: Any) -> None:
        pass


@contextmanager
def site_neutre() -> Iterator[str]:
    """Its address, while it answers."""
    serveur = ThreadingHTTPServer(("127.0.0.1", 0), Neutre)
    threading.Thread(target=serveur.serve_forever, daemon=True).start()
    yield f"http://localhost:{serveur.server_port}"
    serveur.shutdown()
