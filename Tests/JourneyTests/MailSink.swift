import Foundation
import PhotolalaTesting

/// A third-party mail server: aiosmtpd, which stores what it gets.
struct MailSink {
    /// A received message, parsed by Python's `email`.
    struct Message: Decodable {
        let recipients: [String]
        let from: String
        let subject: String
        let id: String
        let text: String
        let html: String
        /// What the parser found wrong.
        let defects: [String]
        let user: String?
        let isEncrypted: Bool
    }

    let port: Int
    private let process: ChildProcess
    private let folder: URL

    /// Starts the server and waits until it listens.
    /// - Parameters:
    ///   - tls: the certificate and the key; with them, the server demands STARTTLS and the user `photos`.
    ///   - port: the port of an earlier server; a free one otherwise.
    init(in folder: URL, tls: (certificate: URL, key: URL)? = nil, port: Int? = nil) async throws {
        self.port = try port ?? freePort()
        self.folder = folder
        process = try PythonClient.start(
            Self.script,
            [
                "PORT": "\(self.port)", "FOLDER": folder.path, "CERTIFICATE": tls?.certificate.path ?? "",
                "KEY": tls?.key.path ?? "",
            ], in: folder)
        let log = folder.appendingPathComponent("mail.listening").path
        try await waitUntil("the mail server listens") { FileManager.default.fileExists(atPath: log) }
    }

    /// The received messages, in order.
    var messages: [Message] {
        let log = try? Data(contentsOf: folder.appendingPathComponent("mail.log"))
        return (log ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(Message.self, from: Data($0))
        }
    }

    /// Waits until a number of messages arrived, and returns all.
    func wait(for count: Int) async throws -> [Message] {
        try await waitUntil("\(count) messages arrive, not only \(messages.map(\.subject))") {
            messages.count >= count
        }
        return messages
    }

    func stop() { process.kill() }

    private static let script = """
        import email, email.policy, json, os, ssl, time
        from aiosmtpd.controller import Controller
        from aiosmtpd.smtp import AuthResult, SMTP
        folder, certificate = os.environ['FOLDER'], os.environ['CERTIFICATE']

        class Sink:
            async def handle_DATA(self, server, session, envelope):
                message = email.message_from_bytes(envelope.content, policy=email.policy.default)
                part = lambda kind: message.get_body((kind,)).get_content()
                with open(folder + '/mail.log', 'a') as log:
                    log.write(json.dumps({
                        'recipients': envelope.rcpt_tos, 'from': message['From'], 'subject': message['Subject'],
                        'id': message['Message-ID'], 'text': part('plain'), 'html': part('html'),
                        'defects': [str(defect) for part in message.walk() for defect in part.defects],
                        'user': session.auth_data and session.auth_data.login.decode(),
                        'isEncrypted': session.ssl is not None}) + '\\n')
                return '250 2.0.0 stored'

        def authenticate(server, session, envelope, mechanism, data):
            return AuthResult(
                success=data.login == b'photos' and data.password == b'pass/word', handled=False, auth_data=data)

        tls = None
        if certificate:
            tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            tls.load_cert_chain(certificate, os.environ['KEY'])

        class Server(Controller):
            def factory(self):
                return SMTP(self.handler, tls_context=tls, require_starttls=tls is not None,
                            auth_required=tls is not None, authenticator=authenticate)

        server = Server(Sink(), hostname='127.0.0.1', port=int(os.environ['PORT']))
        server.start()
        open(folder + '/mail.listening', 'w').close()
        while True: time.sleep(60)
        """
}
