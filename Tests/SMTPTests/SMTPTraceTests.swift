import Foundation
import NIOSSL
import Testing

@testable import SMTP

/// The steps of a test message.
@Suite struct SMTPTraceTests {
    private func trace(
        _ steps: [ScriptedServer.Step], _ security: MailServer.Security, _ identity: ServerIdentity,
        isTrusted: Bool = true
    ) async throws -> SMTPTrace {
        try await ScriptedServer.with(tls: identity.context, isImplicit: security == .implicitTLS, steps) { _, port in
            let server = MailServer(
                host: "127.0.0.1", port: port, security: security,
                credentials: security == .none ? nil : .init(user: "user", password: "pass"))
            let client = try SMTPClient(
                server: server, name: "example.org", trustRoots: isTrusted ? [identity.certificate] : [],
                timeout: .seconds(60))
            let message = MailMessage(
                from: Mailbox(name: "", address: try #require(MailAddress("photos@example.org"))),
                to: try #require(MailAddress("bob@example.org")), subject: "Test",
                date: Date(timeIntervalSince1970: 0), id: "test-1", language: "en", text: "Hello", html: "<p>Hello</p>")
            return await client.trace(message)
        }
    }

    private let sent: [ScriptedServer.Step] = [
        .send("250 ok"), .send("250 ok"), .send("354 go on"), .message("250 ok"), .send("221 bye"),
    ]
    private let offer = ScriptedServer.Step.send("250-hi\r\n250 AUTH PLAIN")
    private let connected = SMTPStep.connected(address: "127.0.0.1")

    @Test func `each step is recorded, in the order of the kind of TLS`() async throws {
        let identity = try ServerIdentity()
        let login = [.send("235 ok")] + sent
        let implicit = try await trace([.send("220 ready"), offer] + login, .implicitTLS, identity)
        #expect(implicit.steps == [connected, .encrypted, .greeted, .authenticated, .accepted])
        let upgrade: [ScriptedServer.Step] = [.send("220 ready"), .send("250-hi\r\n250 STARTTLS"), .startTLS("220 go")]
        let upgraded = try await trace(upgrade + [offer] + login, .startTLS, identity)
        #expect(upgraded.steps == [connected, .greeted, .encrypted, .authenticated, .accepted])
        let plain = try await trace([.send("220 ready"), .send("250 hi")] + sent, .none, identity)
        #expect(plain == SMTPTrace(steps: [connected, .greeted, .accepted], failure: nil))
        #expect(implicit.failure == nil && upgraded.failure == nil)
    }

    @Test func `the steps end with the one that failed`() async throws {
        let identity = try ServerIdentity()
        let untrusted = try await trace([.send("220 ready")], .implicitTLS, identity, isTrusted: false)
        #expect(untrusted == SMTPTrace(steps: [connected], failure: .tls("the certificate is not trusted")))
        let refused = try await trace([.send("220 ready"), offer, .send("535 5.7.8 no")], .implicitTLS, identity)
        #expect(refused.steps == [connected, .encrypted, .greeted])
        #expect(refused.failure == .authenticationFailed(code: 535, status: "5.7.8"))
        let recipient = try await trace(
            [.send("220 ready"), .send("250 hi"), .send("250 ok"), .send("550 5.1.1 unknown"), .send("250 reset")],
            .none,
            identity)
        #expect(recipient.steps == [connected, .greeted])
        #expect(recipient.failure == .refused(command: "RCPT", code: 550, status: "5.1.1"))
    }
}
