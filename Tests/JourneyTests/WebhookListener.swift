import Foundation
import PhotolalaTesting

/// The operator's service, made of third-party parts: Python's http.server, and the signature verifier of the Standard
/// Webhooks project.
struct WebhookListener {
    /// The response to a request.
    enum Mode: String {
        case take
        /// Responds with 500.
        case refuse
        /// Does not respond until another mode is set.
        case hang
    }

    let url: String
    private let process: ChildProcess
    private let folder: URL

    /// Starts the listener and waits until it listens.
    /// - Parameter secret: the secret that it knows.
    init(secret: String, in folder: URL) async throws {
        let port = try freePort()
        url = "http://127.0.0.1:\(port)/hooks"
        self.folder = folder
        try Data(Mode.take.rawValue.utf8).write(to: folder.appendingPathComponent("mode"))
        process = try PythonClient.start(
            Self.script, ["PORT": "\(port)", "SECRET": secret, "FOLDER": folder.path], in: folder)
        try await wait { $0.contains("listening") }
    }

    func set(_ mode: Mode) throws {
        try Data(mode.rawValue.utf8).write(to: folder.appendingPathComponent("mode"), options: .atomic)
    }

    /// The recorded lines: `took`, `refused` or `hung`, with type and id of each event with a valid signature; `forged`
    /// for others.
    var lines: [String] {
        let log = try? String(contentsOf: folder.appendingPathComponent("listener.log"), encoding: .utf8)
        return log?.split(separator: "\n").map(String.init) ?? []
    }

    /// Waits until the recorded lines satisfy a condition.
    func wait(_ isThere: ([String]) -> Bool) async throws {
        try await waitUntil("the listener has recorded the event, not only \(lines)") { isThere(lines) }
    }

    func stop() { process.kill() }

    private static let script = """
        import json, os, threading, time
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        from standardwebhooks.webhooks import Webhook, WebhookVerificationError
        folder, secret = os.environ['FOLDER'], Webhook(os.environ['SECRET'])
        lock = threading.Lock()

        def note(line):
            with lock, open(folder + '/listener.log', 'a') as log: log.write(line + '\\n')

        def mode(): return open(folder + '/mode').read()

        class Listener(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                try: event = secret.verify(body, dict(self.headers))
                except WebhookVerificationError as error:
                    note('forged ' + str(error))
                    return self.answer(400)
                about = event['type'] + ' ' + self.headers['webhook-id'] + ' ' + str(event['data']['sequence'])
                if mode() == 'hang':
                    note('hung ' + about)
                    while mode() == 'hang': time.sleep(0.05)
                    return
                note(('took ' if mode() == 'take' else 'refused ') + about)
                self.answer(204 if mode() == 'take' else 500)

            def answer(self, status):
                self.send_response(status)
                self.send_header('Content-Length', '0')
                self.end_headers()

            def log_message(self, *_): pass

        server = ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Listener)
        note('listening')
        server.serve_forever()
        """
}
