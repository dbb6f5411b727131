import Accounts
import Foundation
import Synchronization
import Transport

/// The endpoints in an issuer's discovery document. Fetched at the first sign-in and cached for an hour; an expired
/// document is used while the issuer is slow or unreachable. All callers share one fetch at a time.
final class DiscoveredEndpoints: Sendable {
    private static let lifetime: TimeInterval = 3600
    /// How long an issuer is not asked again after a failure, in seconds.
    private static let retryDelay: TimeInterval = 10
    /// How long a caller waits while an expired document can be used, and while there is none.
    private static let (waitWithDocument, waitWithout) = (Duration.seconds(2), Duration.seconds(10))

    private let issuer: String
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date
    private let cached = Mutex(CachedDocument())
    private let shared: SharedRefresh

    private struct CachedDocument {
        var document: DiscoveryDocument?
        /// When the next fetch is due.
        var until = Date.distantPast
    }

    init(
        issuer: String, transport: any HTTPTransport, now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.issuer = issuer
        self.transport = transport
        self.now = now
        shared = SharedRefresh(sleep: sleep)
    }

    func document() async throws(ProviderTokenError) -> DiscoveryDocument {
        var known = cached.withLock { $0 }
        if now() >= known.until {
            let hasDocument = known.document != nil
            _ = await shared.run(
                waitingAtMost: hasDocument ? Self.waitWithDocument : Self.waitWithout, isOptional: hasDocument
            ) {
                await self.refresh()
            }
            known = cached.withLock { $0 }
        }
        guard let document = known.document else { throw .unavailable("discovery document unavailable") }
        return document
    }

    private func refresh() async {
        let time = now()
        // Another refresh may have ended since the caller found that one is due.
        guard time >= cached.withLock({ $0.until }) else { return }
        do {
            let document = try await DiscoveryDocument.fetch(of: issuer, transport)
            cached.withLock { $0 = CachedDocument(document: document, until: time.addingTimeInterval(Self.lifetime)) }
        } catch {
            let ended = now()
            cached.withLock { $0.until = ended.addingTimeInterval(Self.retryDelay) }
        }
    }
}
