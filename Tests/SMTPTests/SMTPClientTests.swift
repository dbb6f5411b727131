import Foundation
import NIOSSL
import Testing

@testable import SMTP

/// Sessions with mail servers that behave well and badly.
@Suite struct SMTPClientTests {
    private static let credentials = MailServer.Credentials(user: "user", password: "pass")

    private func message(to address: String = "bob@example.org") throws -> MailMessage {
        MailMessage(
            from: Mailbox(name: "Photos", address: try #require(MailAddress("photos@example.org"))),
            to: try #require(MailAddress(address)), subject: "Hello", date: Date(timeIntervalSince1970: 0), id: "evt_1",
            language: "en", text: "Hello", html: "<p>Hello</p>")
    }

    private func client(
        _ port: Int, _ security: MailServer.Security = .none, _ credentials: MailServer.Credentials? = nil,
        trusting certificate: NIOSSLCertificate? = nil, timeout: Duration = .seconds(60)
    ) throws -> SMTPClient {
        try SMTPClient(
            server: MailServer(host: "127.0.0.1", port: port, security: security, credentials: credentials),
            name: "example.org", trustRoots: certificate.map { [$0] } ?? [], timeout: timeout)
    }

    private func error(
        _ steps: [ScriptedServer.Step], _ security: MailServer.Security = .none,
        _ credentials: MailServer.Credentials? = nil, _ identity: ServerIdentity? = nil, isTrusted: Bool = true,
        timeout: Duration = .seconds(60)
    ) async throws -> SMTPError? {
        try await ScriptedServer.with(tls: identity?.context, isImplicit: security == .implicitTLS, steps) { _, port in
            let client = try client(
                port, security, credentials, trusting: isTrusted ? identity?.certificate : nil, timeout: timeout)
            return await client.send([try message()]).first ?? nil
        }
    }

    @Test func `messages are sent one after another over one connection`() async throws {
        let accepted: [ScriptedServer.Step] = [
            .send("250 ok"), .send("250 ok"), .send("354 go on"), .message("250 2.0.0 ok"),
        ]
        try await ScriptedServer.with(
            [.send("220 ready"), .send("250-hi\r\n250 8BITMIME")] + accepted + accepted + [.send("221 bye")]
        ) { server, port in
            let messages = [try message(), try message(to: "bob@example.com")]
            #expect(try await client(port).send(messages) == [nil, nil])
            let commands = server.lines.filter { ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"].contains($0.prefix(4)) }
            #expect(
                commands == [
                    "EHLO example.org", "MAIL FROM:<photos@example.org>", "RCPT TO:<bob@example.org>", "DATA",
                    "MAIL FROM:<photos@example.org>", "RCPT TO:<bob@example.com>", "DATA", "QUIT",
                ])
            #expect(server.lines.filter { $0 == "." }.count == 2)
            #expect(server.lines.contains("To: <bob@example.com>"))
        }
    }

    @Test func `a refused recipient does not stop the other messages`() async throws {
        let steps: [ScriptedServer.Step] = [
            .send("220 ready"), .send("250 hi"), .send("250 ok"), .send("550 5.1.1 unknown"), .send("250 reset"),
            .send("250 ok"), .send("250 ok"), .send("354 go on"), .message("250 ok"), .send("221 bye"),
        ]
        try await ScriptedServer.with(steps) { server, port in
            let refusal = SMTPError.refused(command: "RCPT", code: 550, status: "5.1.1")
            let messages = [try message(to: "eve@example.org"), try message()]
            #expect(try await client(port).send(messages) == [refusal, nil])
            #expect(refusal.isOfRecipient && server.lines.contains("RSET"))
        }
    }

    @Test(
        arguments: [
            ("RCPT", 550, "5.1.1", true), ("RCPT", 550, nil, true), ("RCPT", 553, nil, true),
            ("RCPT", 552, "5.2.2", true),
            ("message", 552, "5.2.2", true), ("RCPT", 451, nil, false), ("RCPT", 450, "4.1.1", false),
            ("RCPT", 554, "5.7.1", false), ("RCPT", 554, nil, false), ("message", 554, nil, false),
            ("MAIL", 550, nil, false),
            ("message", 550, "5.7.26", false),
        ] as [(String, Int, String?, Bool)])
    func `only the refusal of a mailbox is final`(command: String, code: Int, status: String?, isFinal: Bool) {
        #expect(SMTPError.refused(command: command, code: code, status: status).isOfRecipient == isFinal)
    }

    @Test(arguments: [MailServer.Security.implicitTLS, .startTLS], [["PLAIN", "LOGIN"], ["LOGIN"]])
    func `user and password are sent over TLS`(security: MailServer.Security, methods: [String]) async throws {
        let identity = try ServerIdentity()
        let offer = ScriptedServer.Step.send("250-hi\r\n250 AUTH \(methods.joined(separator: " "))")
        let encrypt: [ScriptedServer.Step] = [.send("250-hi\r\n250 STARTTLS"), .startTLS("220 go"), offer]
        let authenticate: [ScriptedServer.Step] =
            methods.contains("PLAIN")
            ? [.send("235 ok")] : [.send("334 VXNlcm5hbWU6"), .send("334 UGFzc3dvcmQ6"), .send("235 ok")]
        let steps =
            [.send("220 ready")] + (security == .startTLS ? encrypt : [offer]) + authenticate
            + [.send("250 ok"), .send("250 ok"), .send("221 bye")]
        try await ScriptedServer.with(tls: identity.context, isImplicit: security == .implicitTLS, steps) {
            server, port in
            let client = try client(port, security, Self.credentials, trusting: identity.certificate)
            try await client.check(try #require(MailAddress("photos@example.org")))
            let sent =
                methods.contains("PLAIN") ? ["AUTH PLAIN AHVzZXIAcGFzcw=="] : ["AUTH LOGIN", "dXNlcg==", "cGFzcw=="]
            #expect(server.lines.suffix(sent.count + 3) == sent + ["MAIL FROM:<photos@example.org>", "RSET", "QUIT"])
            #expect(server.lines.first == "EHLO example.org")
        }
    }

    @Test func `nothing is sent to a server without STARTTLS, or without a method to authenticate`() async throws {
        let identity = try ServerIdentity()
        let plain = try await error([.send("220 ready"), .send("250 hi")], .startTLS, Self.credentials)
        #expect(plain == .noTLS)
        let steps: [ScriptedServer.Step] = [.send("220 ready"), .send("250-hi\r\n250 AUTH CRAM-MD5")]
        #expect(try await error(steps, .implicitTLS, Self.credentials, identity) == .noAuthentication)
    }

    @Test func `a server whose certificate is not trusted gets no command`() async throws {
        let identity = try ServerIdentity()
        let failure = try await error([.send("220 ready")], .implicitTLS, Self.credentials, identity, isTrusted: false)
        #expect(failure == .tls("the certificate is not trusted"))
    }

    @Test func `wrong credentials are reported with the codes only`() async throws {
        let identity = try ServerIdentity()
        let failure = try await error(
            [.send("220 ready"), .send("250-hi\r\n250 AUTH PLAIN"), .send("535 5.7.8 user pass wrong")], .implicitTLS,
            Self.credentials, identity)
        #expect(failure == .authenticationFailed(code: 535, status: "5.7.8"))
        #expect(failure.map { "\($0)" } == "authentication refused: 535 5.7.8")
    }

    @Test(arguments: ["220 go\r\n250 injected", "220 go\r\n250-inj", "220 go\r\n250-half\r\n"])
    func `text before TLS does not answer commands after it`(lines: String) async throws {
        let identity = try ServerIdentity()
        let failure = try await error(
            [.send("220 ready"), .send("250-hi\r\n250 STARTTLS"), .startTLS(lines), .send("250 hi")], .startTLS, nil,
            identity)
        #expect(failure == .malformedReply)
    }

    @Test(
        arguments: [
            ([.send("554 no service")], SMTPError.refused(command: "greeting", code: 554, status: nil)),
            ([.send("220 ready"), .send("500 what")], .refused(command: "EHLO", code: 500, status: nil)),
            (
                [.send("220 ready"), .send("250 hi"), .send("451 later"), .send("250 ok"), .send("221 bye")],
                .refused(command: "MAIL", code: 451, status: nil)
            ),
            (
                [
                    .send("220 ready"), .send("250 hi"), .send("250 ok"), .send("250 ok"), .send("354 go on"),
                    .message("554 spam"), .send("221 bye"),
                ], .refused(command: "message", code: 554, status: nil)
            ),
            ([.send("220 ready"), .close], .closed), ([.close], .closed),
            ([.send("HTTP/1.1 400 Bad Request")], .malformedReply),
            ([.send(String(repeating: "x", count: 5000))], .malformedReply),
            ([.send("220 ready"), .send("250 hi\r\n250 again")], .malformedReply),
        ] as [([ScriptedServer.Step], SMTPError)])
    func `each failure has its error`(steps: [ScriptedServer.Step], expected: SMTPError) async throws {
        #expect(try await error(steps) == expected)
    }

    @Test func `a silent server is left at the deadline`() async throws {
        for steps in [[ScriptedServer.Step.nothing], [.send("220 ready"), .nothing], [.send("220-slow"), .nothing]] {
            #expect(try await error(steps, timeout: .milliseconds(50)) == .timedOut)
        }
    }

    @Test func `a port without a server is a failed connection`() async throws {
        let port = try await ScriptedServer.with([]) { _, port in port }
        #expect(try await client(port).send([try message()]) == [.notConnected("refused")])
    }
}
