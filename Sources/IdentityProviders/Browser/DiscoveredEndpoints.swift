import Accounts
import Foundation
import Synchronization
import Transport

/// Where an issuer's discovery document says that people sign in. It is asked for when somebody does, and kept for an hour;
/// while the issuer is away, for longer.
final class DiscoveredEndpoints: Sendable {
    private static let lifetime: TimeInterval = 3600
    /// So long an issuer that did not answer is left alone.
    private static let pause: TimeInterval = 10

    private let issuer: String
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date
    private let kept = Mutex(Kept())

    private struct Kept {
        var document: DiscoveryDocument?
        /// Until then nobody asks.
        var until = Date.distantPast
    }

    init(issuer: String, transport: any HTTPTransport, now: @escaping @Sendable () -> Date) {
        self.issuer = issuer
        self.transport = transport
        self.now = now
    }

    func document() async throws(ProviderTokenError) -> DiscoveryDocument {
        let time = now()
        let known = kept.withLock { $0 }
        if time >= known.until {
            do {
                let document = try await DiscoveryDocument.fetch(of: issuer, transport)
                kept.withLock { $0 = Kept(document: document, until: time.addingTimeInterval(Self.lifetime)) }
                return document
            } catch {
                kept.withLock { $0.until = time.addingTimeInterval(Self.pause) }
            }
        }
        guard let document = known.document else { throw .unavailable("the issuer gives no discovery document") }
        return document
    }
}
