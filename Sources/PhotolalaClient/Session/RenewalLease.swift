import Foundation
import PhotolalaAPI

/// `renewal.json`: which process renews the session's tokens, and until when others wait for it. Not a file lock: iOS ends
/// an app that is suspended while it holds one in a folder that it shares with its extensions.
struct RenewalLease: Codable, Equatable, Sendable {
    let owner: UUID
    /// When the first process began to use the stored tokens and did not finish.
    let startedAt: Date
    let expiresAt: Date

    /// In seconds. After this time another process repeats a renewal with the same refresh token. The server returns the
    /// same successor for 30 seconds.
    static let renewalDuration: TimeInterval = 10
    /// Of one attempt, which ends before its lease. Three fit into the server's 30 seconds.
    static let attemptTimeout = Duration.seconds(8)
    /// In seconds. Authenticating again uses no refresh token, so a longer lease risks nothing.
    static let maximumDuration: TimeInterval = 60
    /// How long a process waits for others.
    static let patience = Duration.seconds(90)
}

extension PhotolalaSession {
    /// Makes a call whose response replaces the session's tokens, one process at a time.
    /// - Parameters:
    ///   - duration: How long others wait for this process, in seconds.
    ///   - usesRefreshToken: The call uses the stored refresh token up.
    func withRenewalLease<Result>(
        for duration: TimeInterval, usesRefreshToken: Bool = false,
        _ call: (RenewalLease) async throws(PhotolalaError) -> Result
    ) async throws(PhotolalaError) -> Result {
        let (owner, start) = (randomness.uuid(), ContinuousClock.now)
        while true {
            if let lease = try takeRenewalLease(owner, for: duration) {
                let isLater = lease.startedAt < lease.expiresAt - duration
                do throws(PhotolalaError) {
                    let result = try await call(lease)
                    profile.releaseRenewalLease(lease, isTokenInUse: isLater && !usesRefreshToken)
                    return result
                } catch {
                    let isInUse = isLater || usesRefreshToken && error.code == .noResponse
                    profile.releaseRenewalLease(lease, isTokenInUse: isInUse && error.code != .sessionEnded)
                    throw error
                }
            }
            guard ContinuousClock.now - start < RenewalLease.patience else {
                throw PhotolalaError(
                    local: SecretStorageError(detail: "Timed out waiting for another process to renew the session."))
            }
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else {
                throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
            }
        }
    }

    private func takeRenewalLease(
        _ owner: UUID, for duration: TimeInterval
    ) throws(PhotolalaError) -> RenewalLease? {
        do throws(SecretStorageError) {
            return try profile.takeRenewalLease(owner, for: duration, at: now())
        } catch {
            throw PhotolalaError(local: error)
        }
    }
}

extension ProfileDirectory {
    /// Takes the lease, unless another process has it.
    /// - Parameter duration: In seconds. A lease that ends later than this was written by a clock that has been set back
    ///   since, and has expired.
    func takeRenewalLease(
        _ owner: UUID, for duration: TimeInterval, at time: Date
    ) throws(SecretStorageError) -> RenewalLease? {
        try sessionLock.withLock { () throws(SecretStorageError) in
            let found = try folder.read(Self.renewalFile).flatMap {
                try? WireJSON.decoder().decode(RenewalLease.self, from: $0)
            }
            if let found, found.expiresAt > time, found.expiresAt <= time + RenewalLease.maximumDuration { return nil }
            let lease = RenewalLease(
                owner: owner, startedAt: min(found?.startedAt ?? time, time), expiresAt: time + duration)
            guard let bytes = try? WireJSON.encoder().encode(lease) else {
                throw SecretStorageError(detail: "Cannot store the lease of a renewal.")
            }
            try folder.replace(Self.renewalFile, with: bytes)
            return lease
        }
    }

    /// Gives the lease back, unless it has expired and another process has it. A failure is left to its expiry.
    /// - Parameter isTokenInUse: The server may have used up the refresh token, and the successor was not received.
    func releaseRenewalLease(_ lease: RenewalLease, isTokenInUse: Bool = false) {
        try? sessionLock.withLock { () throws(SecretStorageError) in
            let found = try folder.read(Self.renewalFile).flatMap {
                try? WireJSON.decoder().decode(RenewalLease.self, from: $0)
            }
            guard found?.owner == lease.owner else { return }
            let ended = RenewalLease(owner: lease.owner, startedAt: lease.startedAt, expiresAt: lease.startedAt)
            guard isTokenInUse, let bytes = try? WireJSON.encoder().encode(ended) else {
                return try folder.remove(Self.renewalFile)
            }
            try folder.replace(Self.renewalFile, with: bytes)
        }
    }
}
