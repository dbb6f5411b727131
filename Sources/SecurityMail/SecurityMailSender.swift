import Accounts
import Foundation
import Logging
import Monitoring
import PhotolalaAPI
import SMTP

/// Sends e-mails about sign-ins and changes to the verified addresses of an account's sign-in methods.
package struct SecurityMailSender: SecurityMailer {
    /// Returns the name of an account's device; `nil` if it is not known.
    package typealias DeviceNames = @Sendable (DeviceID, UserID) async -> String?
    /// Returns the sign-in methods of an account, by which its owner recognizes it.
    package typealias Methods = @Sendable (AccountDocument) -> [MaskedMethod]

    private let settings: SecurityMailSettings
    private let server: any MailTransport
    private let deviceName: DeviceNames
    private let methods: Methods
    private let writer: SecurityMailWriter
    private let limits = SecurityMailLimits()
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// After this time an e-mail is no news. In seconds.
    static let longestDelay: TimeInterval = 3 * 86_400

    /// - Throws: if the texts or templates are malformed.
    package init(
        settings: SecurityMailSettings, server: any MailTransport, deviceName: @escaping DeviceNames,
        methods: @escaping Methods, now: @escaping @Sendable () -> Date, logger: Logger
    ) throws {
        (self.settings, self.server, self.deviceName, self.methods) = (settings, server, deviceName, methods)
        (self.now, self.logger) = (now, logger)
        writer = try SecurityMailWriter(settings)
    }

    package func send(
        _ event: AccountEvent, of account: AccountDocument, to addresses: [String]
    ) async -> [MailOutcome] {
        let all = { (outcome: MailOutcome) in Array(repeating: outcome, count: addresses.count) }
        guard !Self.isTransfer(event, account), !Self.isForOperator(event) else { return all(.dropped) }
        guard event.at > now().addingTimeInterval(-Self.longestDelay) else {
            logger.error(.mailNotSent, "security e-mail dropped after 3 days", metadata: metadata(event))
            return all(.dropped)
        }
        let decision = limits.consume(event, at: now())
        guard decision != .refused else {
            logger.warning(.mailNotSent, "security e-mail omitted: too many today", metadata: metadata(event))
            return all(.dropped)
        }
        let device: String? = if let id = event.device { await deviceName(id, event.user) } else { nil }
        let language = writer.language(of: account)
        let text = writer.text(
            about: event, device: device, methods: methods(account), in: language, isLast: decision == .last)
        guard let text else {
            logger.error(.mailNotSent, "no text for the event", metadata: metadata(event))
            return all(.dropped)
        }
        let recipients = addresses.map { MailAddress($0) }
        let messages = recipients.compactMap(\.self).map { recipient in
            MailMessage(
                from: settings.from, to: recipient, subject: text.subject, date: now(), id: event.id,
                language: language, text: text.text, html: text.html)
        }
        var outcomes = await outcomes(of: messages, event)[...]
        // An address that no message can have is left out.
        return recipients.map { $0 == nil ? .dropped : outcomes.popFirst() ?? .dropped }
    }

    private func outcomes(of messages: [MailMessage], _ event: AccountEvent) async -> [MailOutcome] {
        guard !messages.isEmpty else { return [] }
        let answers = await server.send(messages)
        // What a server refuses for every recipient is not about the recipients.
        let isGeneral = answers.count > 1 && answers.allSatisfy { $0 != nil && $0 == answers.first }
        return answers.map { error in
            guard let error else { return .sent }
            guard error.isOfRecipient, !isGeneral else { return .postponed(EventRejection("\(error)")) }
            var metadata = metadata(event)
            metadata["reason"] = "\(error)"
            logger.warning(.mailNotSent, "security e-mail refused for an address", metadata: metadata)
            return .dropped
        }
    }

    /// Returns whether an operator exported the data, which the owner cannot download.
    private static func isForOperator(_ event: AccountEvent) -> Bool {
        event.type == .accountExported && event.actor == .support
    }

    /// Returns whether an identity got another id in a move of the app to another Apple developer team. For the owner,
    /// nothing changed.
    private static func isTransfer(_ event: AccountEvent, _ account: AccountDocument) -> Bool {
        guard let link = event.link else { return false }
        return switch event.type {
        case .providerLinked: account.link(link)?.transfer != nil
        case .providerUnlinked: account.isReplaced(link)
        default: false
        }
    }

    private func metadata(_ event: AccountEvent) -> Logger.Metadata {
        ["account": "\(event.user)", "sequence": "\(event.sequence)", "type": "\(event.type.rawValue)"]
    }
}
