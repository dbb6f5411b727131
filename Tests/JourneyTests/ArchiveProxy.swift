import Foundation
import PhotolalaTesting

/// A photo store with an archive: a proxy for the single-machine S3 endpoint that responds like S3 for objects that a
/// test has moved to S3 Glacier. It forwards all other requests.
struct ArchiveProxy {
    let address: String
    private let process: ChildProcess
    private let folder: URL

    /// Starts the proxy and waits until it listens.
    /// - Parameter upstream: the port of the store behind it.
    init(before upstream: Int, in folder: URL) async throws {
        let port = try freePort()
        address = "http://127.0.0.1:\(port)"
        self.folder = folder
        try Data().write(to: folder.appendingPathComponent("archived"))
        process = try PythonClient.start(
            Self.script, ["PORT": "\(port)", "UPSTREAM": "\(upstream)", "FOLDER": folder.path], in: folder)
        try await waitUntil("the proxy listens") { lines.first == "listening" }
    }

    /// Archives the objects with these MD5s, and removes all others from the archive.
    func archive(_ digests: [String]) throws {
        let text = digests.joined(separator: "\n")
        try Data(text.utf8).write(to: folder.appendingPathComponent("archived"), options: .atomic)
    }

    /// Completes all requested restores.
    func completeRestores() throws { try Data().write(to: folder.appendingPathComponent("back")) }

    /// The documents of the accepted restore requests.
    var requests: [String] { Array(lines.dropFirst()) }

    private var lines: [String] {
        let log = try? String(contentsOf: folder.appendingPathComponent("proxy.log"), encoding: .utf8)
        return log?.split(separator: "\n").map(String.init) ?? []
    }

    func stop() { process.kill() }

    private static let script = """
        import http.client, os, threading
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        folder, asked, lock = os.environ['FOLDER'], set(), threading.Lock()

        def note(line):
            with open(folder + '/proxy.log', 'a') as log: log.write(line + '\\n')

        def error(status, code):
            return status, [('Content-Type', 'application/xml')], ('<Error><Code>%s</Code></Error>' % code).encode()

        class Proxy(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def answer(self):
                body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                path, _, query = self.path.partition('?')
                digest = path.rsplit('/', 1)[-1][:32]
                archived = '/photos/' in path and digest in open(folder + '/archived').read().split()
                back = os.path.exists(folder + '/back') and digest in asked
                if archived and self.command == 'POST' and query == 'restore=':
                    with lock:
                        known = digest in asked
                        if not known: note(body.decode())
                        asked.add(digest)
                    return (202, [], b'') if not known else error(409, 'RestoreAlreadyInProgress')
                if archived and self.command == 'GET' and not back: return error(403, 'InvalidObjectState')
                status, headers, body = self.forward(body)
                if archived and self.command == 'HEAD' and status == 200:
                    headers.append(('x-amz-storage-class', 'GLACIER'))
                    if digest in asked:
                        word = 'false", expiry-date="Mon, 21 Dec 2099 00:00:00 GMT' if back else 'true'
                        headers.append(('x-amz-restore', 'ongoing-request="%s"' % word))
                return status, headers, body

            def forward(self, body):
                store = http.client.HTTPConnection('127.0.0.1', int(os.environ['UPSTREAM']))
                store.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items(): store.putheader(name, value)
                store.endheaders(body or None)
                answer = store.getresponse()
                content = answer.read()
                hop = ['transfer-encoding', 'connection', 'content-length', 'date', 'server']
                headers = [(n, v) for n, v in answer.getheaders() if n.lower() not in hop]
                length = answer.getheader('Content-Length') if self.command == 'HEAD' else str(len(content))
                if answer.status != 204: headers.append(('Content-Length', length))
                store.close()
                return answer.status, headers, content

            def handle_one(self):
                status, headers, body = self.answer()
                self.send_response(status)
                for name, value in headers: self.send_header(name, value)
                if status != 204 and 'content-length' not in [n.lower() for n, _ in headers]:
                    self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                if self.command != 'HEAD': self.wfile.write(body)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one

            def log_message(self, *_): pass

        server = ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Proxy)
        note('listening')
        server.serve_forever()
        """
}
