import Foundation
import S3Protocol

/// Temporary credentials and their expiry.
package struct ExpiringCredentials: Sendable, Equatable {
    package let credentials: AWSCredentials
    package let expiresAt: Date

    package init(_ credentials: AWSCredentials, expiresAt: Date) {
        self.credentials = credentials
        self.expiresAt = expiresAt
    }
}

/// Renews temporary credentials before they expire: five minutes before, or after two thirds of a shorter lifetime.
/// Concurrent requests share one renewal.
package actor RenewingCredentials: CredentialSource {
    package typealias Fetch = @Sendable () async throws(CredentialError) -> ExpiringCredentials

    /// The minimum age of credentials, in seconds, before a replacement is requested.
    private static let minimumAge = 30.0
    private static let margin = 300.0
    /// After a failed renewal, valid credentials are used for this many seconds before the next attempt.
    private static let retryInterval = 10.0

    private let fetch: Fetch
    private let now: @Sendable () -> Date
    private var current: (keys: ExpiringCredentials, fetchedAt: Date)?
    private var failedAt: Date?
    private var renewal: Task<Result<ExpiringCredentials, CredentialError>, Never>?

    /// - Parameter initial: Credentials that are already available.
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
        // Valid credentials are used while another caller renews them, and for some time after a failed renewal.
        if moment < current.keys.expiresAt, renewal != nil || hasJustFailed(at: moment) {
            return current.keys.credentials
        }
        do {
            return try await renew().credentials
        } catch {
            // Valid credentials are still used while the service cannot be reached.
            guard case .unavailable = error, moment < current.keys.expiresAt else { throw error }
            failedAt = now()
            return current.keys.credentials
        }
    }

    package func replacement(for refused: AWSCredentials) async throws(CredentialError) -> AWSCredentials? {
        if let current {
            if current.keys.credentials != refused { return current.keys.credentials }
            // A clock that was set back makes the age negative; it is ignored then.
            if (0..<Self.minimumAge).contains(now().timeIntervalSince(current.fetchedAt)) { return nil }
        }
        return try await renew().credentials
    }

    private func hasJustFailed(at moment: Date) -> Bool {
        failedAt.map { abs(moment.timeIntervalSince($0)) < Self.retryInterval } ?? false
    }

    /// The renewal runs in a separate task, so that the cancellation of one caller does not affect the others.
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
