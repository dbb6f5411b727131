import Foundation
import NIOSSL
import PhotolalaTesting
import SMTP
import Testing

/// Security e-mails from a real server to a third-party mail server.
@Suite(.serialized, .enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
struct MailJourneyTests {
    @Test func `Bob hears of a new device, also if the mail server was down then`() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            let sink = try await MailSink(in: folder)
            let settings = [
                "PHOTOLALA_MAIL_URL": "smtp://127.0.0.1:\(sink.port)",
                "PHOTOLALA_MAIL_FROM": "Bob's photos <photos@photos.example>",
            ]
            let server = try await ServerProcess(data: data, transport: transport, variables: settings)
            let bob = Person(1, transport: transport)
            let token = try await bob.token(at: server.address, email: "bob@photos.example")
            _ = try #require(try await bob.signUp(at: server.address, token: token))
            _ = try await bob.onDevice(2).signIn(at: server.address)
            let message = try #require(try await sink.wait(for: 1).first)
            #expect(message.subject == "New sign-in to Photolala" && message.defects.isEmpty, "\(message)")
            #expect(
                message.from == "Bob's photos <photos@photos.example>" && message.recipients == ["bob@photos.example"])
            #expect(message.id.hasSuffix("@photos.example>") && message.text.contains("Device: "), "\(message)")
            #expect(message.html.contains("\(server.address)/account/devices"), "\(message.html)")

            sink.stop()
            _ = try await bob.onDevice(3).signIn(at: server.address)
            try await expectPending(data)
            let again = try await MailSink(in: folder, port: sink.port)
            defer { again.stop() }
            #expect(try OperatorCommand.run("events", "retry", "--mail", on: data).status == 0)
            #expect(try await again.wait(for: 2).map(\.subject).last == "New sign-in to Photolala")
            #expect(server.stop() == 0)
            let rest = try OperatorCommand.run("events", "list", "--mail", on: data)
            #expect(rest.status == 0 && rest.output.hasPrefix("0 accounts with pending e-mails"), "\(rest.output)")
        }
    }

    /// Waits until the failure is recorded.
    private func expectPending(_ data: URL) async throws {
        var text = ""
        try await waitUntil("an e-mail is pending", every: .milliseconds(100)) {
            let listed = try OperatorCommand.run("events", "list", "--mail", "--json", on: data)
            text = listed.output
            return listed.status == 1
        }
        #expect(text.contains("\"type\":\"device.added\"") && text.contains("connection failed"), "\(text)")
    }

    @Test func `a test e-mail of an operator arrives, and fails if the mail server is down`() async throws {
        try await withTemporaryFolder { folder, _ in
            let sink = try await MailSink(in: folder)
            let settings = [
                "PHOTOLALA_MAIL_URL": "smtp://127.0.0.1:\(sink.port)",
                "PHOTOLALA_MAIL_FROM": "photos@photos.example",
            ]
            let data = folder.appendingPathComponent("data")
            let test = { (variables: [String: String]) in
                try OperatorCommand.run(
                    "doctor", ["--mail-to", "eve@photos.example"], data: data, variables: variables)
            }
            let sent = try test(settings)
            #expect(sent.status == 0 && sent.output.contains("ok       mail send"), "\(sent.output)")
            let message = try #require(try await sink.wait(for: 1).first)
            #expect(message.recipients == ["eve@photos.example"] && message.subject == "Test e-mail from Photolala")
            #expect(message.defects.isEmpty && message.text.hasPrefix("This is a test"), "\(message)")
            sink.stop()
            let failed = try test(settings)
            #expect(failed.status == 1 && failed.output.contains("PROBLEM  mail connect"), "\(failed.output)")
            #expect(try test([:]).status == 1)
        }
    }

    @Test func `a server that demands TLS and a password gets both`() async throws {
        try await withTemporaryFolder { folder, _ in
            let files = TestTLSFiles(in: folder, now: Date())
            let certificate = try NIOSSLCertificate(bytes: Array(try files.write().utf8), format: .pem)
            let sink = try await MailSink(in: folder, tls: (files.certificate, files.key))
            defer { sink.stop() }
            let client = { (password: String) in
                let url = "smtp://photos:\(password)@127.0.0.1:\(sink.port)"
                return try SMTPClient(
                    server: try #require(MailServer(url: url, allowsPlainText: false)), name: "photos.example",
                    trustRoots: [certificate])
            }
            let message = MailMessage(
                from: try #require(Mailbox("写真 <photos@photos.example>")),
                to: try #require(MailAddress("bob@photos.example")),
                subject: "新しいサインイン 👩‍👩‍👧‍👦 \(String(repeating: "é", count: 100))", date: Date(), id: "evt_1",
                language: "ja", text: ".\nこんにちは\n", html: "<p>こんにちは</p>\n")
            #expect(try await client("pass%2Fword").send([message, message]) == [nil, nil])
            let sender = try #require(MailAddress("photos@photos.example"))
            try await client("pass%2Fword").check(sender)
            let received = try await sink.wait(for: 2)
            #expect(received.allSatisfy { $0.isEncrypted && $0.user == "photos" && $0.defects.isEmpty }, "\(received)")
            #expect(received.allSatisfy { $0.subject == message.subject && $0.text == message.text }, "\(received)")
            #expect(received.allSatisfy { $0.from == "写真 <photos@photos.example>" })
            await #expect(throws: SMTPError.authenticationFailed(code: 535, status: "5.7.8")) {
                try await client("wrong").check(sender)
            }
        }
    }
}
