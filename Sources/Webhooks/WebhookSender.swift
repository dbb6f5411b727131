import Accounts
import Foundation
import HTTPTypes
import NIOCore
import Transport

/// The destination and the signing secrets of webhooks.
package struct WebhookSettings: Sendable {
    package let url: String
    /// Each secret adds a signature, so that a receiver can verify with any one of them.
    package let secrets: [WebhookSecret]

    package init(url: String, secrets: [WebhookSecret]) {
        self.url = url
        self.secrets = secrets
    }
}

/// Sends events as signed webhooks (Standard Webhooks 1.0). The operator configures the URL, so any address is allowed.
/// Redirects are not followed, and response bodies are not read.
package struct WebhookSender: EventReceiver {
    private let settings: WebhookSettings
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    package init(settings: WebhookSettings, transport: any HTTPTransport, now: @escaping @Sendable () -> Date) {
        self.settings = settings
        self.transport = transport
        self.now = now
    }

    package func receive(_ event: AccountEvent) async throws(EventRejection) {
        guard let body = try? WebhookPayload(event).bytes() else { throw EventRejection("encoding failed") }
        let response: TransportResponse
        do {
            response = try await transport.send(
                TransportRequest(
                    method: .post, url: settings.url, headers: headers(event.id, body),
                    body: .bytes(ByteBuffer(bytes: body)), timeout: .seconds(20)
                )
            )
        } catch {
            throw EventRejection(Self.reason(error))
        }
        guard !(200..<300).contains(response.status) else { return }
        throw EventRejection(
            "status \(response.status)", retryAfter: retryAfter(response.headers), isGone: response.status == 410)
    }

    private func headers(_ id: String, _ body: Data) -> HTTPFields {
        let timestamp = Int(now().timeIntervalSince1970)
        let signatures = settings.secrets.map { $0.signature(of: id, timestamp, body) }.joined(separator: " ")
        var headers: HTTPFields = [.contentType: "application/json", .userAgent: "photolala-server"]
        for (name, value) in [("id", id), ("timestamp", "\(timestamp)"), ("signature", signatures)] {
            guard let name = HTTPField.Name("webhook-\(name)") else { continue }
            headers[name] = value
        }
        return headers
    }

    private static func reason(_ error: TransportError) -> String {
        switch error {
        case .notSent(let reason), .serverNotTrusted(let reason): "connection failed: \(reason.prefix(200))"
        case .connectionLost(let reason): "connection lost: \(reason.prefix(200))"
        case .noResponse(let time): "no response for \(time)"
        case .tooLarge: "response too large"
        }
    }

    /// Parses seconds or a date (RFC 9110 section 10.2.3).
    private func retryAfter(_ headers: HTTPFields) -> TimeInterval? {
        guard let text = headers[.retryAfter] else { return nil }
        if let seconds = UInt32(text) { return TimeInterval(seconds) }
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = TimeZone(secondsFromGMT: 0)
        form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return form.date(from: text).map { max(0, $0.timeIntervalSince(now())) }
    }
}
