import Foundation
import SigV4

/// Temporary keys and their end.
package struct ExpiringCredentials: Sendable, Equatable {
    package let credentials: AWSCredentials
    package let expiresAt: Date

    package init(_ credentials: AWSCredentials, expiresAt: Date) {
        self.credentials = credentials
        self.expiresAt = expiresAt
    }
}

/// Renews temporary keys before they end: five minutes before, or when two thirds of a shorter life are over. However
/// many requests wait, one renewal is under way.
package actor RenewingCredentials: CredentialSource {
    package typealias Fetch = @Sendable () async throws(CredentialError) -> ExpiringCredentials

    /// Keys this young are not asked for again, whatever the clock or the service says.
    private static let minimumAge = 30.0
    private static let margin = 300.0
    /// After a renewal that failed, keys that hold are used for so long before the next one.
    private static let retryInterval = 10.0

    private let fetch: Fetch
    private let now: @Sendable () -> Date
    private var current: (keys: ExpiringCredentials, fetchedAt: Date)?
    private var failedAt: Date?
    private var renewal: Task<Result<ExpiringCredentials, CredentialError>, Never>?

    /// - Parameter initial: keys that are there already.
    package init(
        initial: ExpiringCredentials? = nil, now: @escaping @Sendable () -> Date, fetch: @escaping Fetch
    ) {
        self.fetch = fetch
        self.now = now
        current = initial.map { ($0, now()) }
    }

    package func credentials() async throws(CredentialError) -> AWSCredentials {
        guard let current else { return try await renew().credentials }
        let moment = now()
        let life = current.keys.expiresAt.timeIntervalSince(current.fetchedAt)
        let renewAt = current.keys.expiresAt - min(Self.margin, max(0, life) / 3)
        guard moment >= max(renewAt, current.fetchedAt + Self.minimumAge) else { return current.keys.credentials }
        // Keys that hold are used while another caller renews them, and for a while after a renewal failed.
        if moment < current.keys.expiresAt, renewal != nil || hasJustFailed(at: moment) {
            return current.keys.credentials
        }
        do {
            return try await renew().credentials
        } catch {
            // What still holds is better than nothing while the service cannot be reached.
            guard case .unavailable = error, moment < current.keys.expiresAt else { throw error }
            failedAt = now()
            return current.keys.credentials
        }
    }

    package func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? {
        if let current {
            if current.keys.credentials != refused { return current.keys.credentials }
            // A clock that was set back makes the age negative; then it tells nothing.
            if (0..<Self.minimumAge).contains(now().timeIntervalSince(current.fetchedAt)) { return nil }
        }
        return try await renew().credentials
    }

    private func hasJustFailed(at moment: Date) -> Bool {
        failedAt.map { abs(moment.timeIntervalSince($0)) < Self.retryInterval } ?? false
    }

    /// The renewal runs in a task of its own, so that one caller's cancellation does not take it from the others.
    private func renew() async throws(CredentialError) -> ExpiringCredentials {
        let fetch = fetch
        let task =
            renewal
            ?? Task {
                do throws(CredentialError) { return .success(try await fetch()) } catch { return .failure(error) }
            }
        renewal = task
        let result = await task.value
        if renewal == task {
            renewal = nil
            if case .success(let keys) = result { current = (keys, now()) }
        }
        return try result.get()
    }
}
