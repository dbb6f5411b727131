import Accounts
import Foundation
import Logging
import PhotolalaAPI
import PhotolalaTesting
import SMTP
import Synchronization
import UseCases

@testable import SecurityMail

/// A mail server that records messages, and refuses some.
final class RecordingMailServer: MailTransport {
    private struct State {
        var accepted: [MailMessage] = []
        var refusal: (@Sendable (MailMessage) -> SMTPError?)?
    }

    private let state = Mutex(State())

    var accepted: [MailMessage] { state.withLock { $0.accepted } }

    /// Sets why each following message is refused; `nil` if it is accepted.
    func setRefusal(_ refusal: (@Sendable (MailMessage) -> SMTPError?)?) {
        state.withLock { $0.refusal = refusal }
    }

    func send(_ messages: [MailMessage]) async -> [SMTPError?] {
        state.withLock { state in
            messages.map { message in
                let refusal = state.refusal?(message)
                if refusal == nil { state.accepted.append(message) }
                return refusal
            }
        }
    }
}

/// Passes events to a sender that needs the service to which it belongs.
private final class LateMailer: SecurityMailer {
    private let sender = Mutex<SecurityMailSender?>(nil)

    func set(_ sender: SecurityMailSender) { self.sender.withLock { $0 = sender } }

    func send(
        _ event: AccountEvent, of account: AccountDocument, to addresses: [String]
    ) async -> [MailOutcome] {
        await sender.withLock { $0 }?.send(event, of: account, to: addresses) ?? []
    }
}

/// A service that sends security e-mails.
struct MailFixture {
    let service: TestService
    let server = RecordingMailServer()

    static func make(
        _ change: (inout TestService.Options) -> Void = { _ in }, from: String = "Photos <photos@example.org>"
    ) async throws -> MailFixture {
        let mailer = LateMailer()
        var options = TestService.Options()
        options.mailer = mailer
        options.hasPlainTokens = true
        change(&options)
        let fixture = MailFixture(service: try await .make(options))
        guard let from = Mailbox(from) else { throw ConformanceFailure("no mailbox") }
        let devices = fixture.service.components.sessions.devices
        let accounts = fixture.service.components.accounts
        mailer.set(
            try SecurityMailSender(
                settings: SecurityMailSettings(
                    from: from, service: "Photos", publicURL: "https://photos.example/", providers: [.google: "Google"]),
                server: fixture.server,
                deviceName: { device, user in (try? await devices.device(device, of: user))?.value.name },
                methods: { accounts.maskedMethods(of: $0) },
                now: { [clock = fixture.service.clock] in clock.now },
                logger: Logger(label: "mail") { _ in SwiftLogNoOpLogHandler() }))
        return fixture
    }

    /// Sends the e-mails that are due, and returns all so far as `recipient: subject`.
    func send(after seconds: TimeInterval = 61) async throws -> [String] {
        service.clock.advance(by: seconds)
        try await service.services.mailDelivery.deliverEvents()
        return server.accepted.map { "\($0.to): \($0.subject)" }
    }
}
