"""A proxy for all requests of a browser, which can be stopped: without it the browser has no connection."""
import http.client, http.server, threading, time, urllib.parse

HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "te", "upgrade"}


class Relay:
    def __init__(self):
        self.port = 0
        self.requests = []
        # Returns for a method and a path how the request fails: `silent` without an answer until this changes, `lost` after
        # the server has answered, `foreign` with an answer of another server, `busy` and a time with a refusal because of too
        # many requests, or `None`.
        self.failure = lambda method, path: None
        self.start()

    def start(self):
        """Starts to relay, at the same port as before."""
        relay = self
        self.is_stopped = False

        class Handler(http.server.BaseHTTPRequestHandler):
            def relay(self):
                relay.handle(self)

            do_GET = do_HEAD = do_POST = do_PUT = do_OPTIONS = do_DELETE = relay

            def log_message(self, *_):
                pass

        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def stop(self):
        self.is_stopped = True
        self.server.shutdown()
        self.server.server_close()

    def handle(self, request):
        url = urllib.parse.urlsplit(request.path)
        body = request.rfile.read(int(request.headers.get("content-length", 0)))
        if self.is_stopped:
            # A connection that the browser opened before.
            return
        self.requests.append((request.command, url.netloc, url.path))
        failure = self.failure
        if failure(request.command, url.path) == "silent":
            while self.failure is failure:
                time.sleep(0.05)
            return
        try:
            status, headers, content = 404, [("content-type", "application/json")], b'{"detail": "Not Found"}'
            kind, _, wait = (failure(request.command, url.path) or "").partition(" ")
            if kind == "busy":
                status, headers, content = 429, [("retry-after", wait), ("content-type", "text/html")], b"<h1>Busy</h1>"
            elif kind != "foreign":
                status, headers, content = self.ask(request.command, url, dict(request.headers.items()), body)
        except OSError:
            # The browser's own requests to other servers.
            status, headers, content = 502, [], b""
        if failure(request.command, url.path) == "lost":
            return
        request.send_response_only(status)
        for name, value in headers:
            if name.lower() not in HOP_BY_HOP | {"content-length"}:
                request.send_header(name, value)
        request.send_header("content-length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)

    def ask(self, method, url, headers, body):
        connection = http.client.HTTPConnection(url.netloc, timeout=30)
        sent = {name: value for name, value in headers.items() if name.lower() not in HOP_BY_HOP}
        connection.request(method, url.path + ("?" + url.query if url.query else ""), body or None, sent)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.getheaders(), b"" if method == "HEAD" else content
