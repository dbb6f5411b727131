import Accounts
import Foundation
import Logging
import Monitoring
import Operators
import Sessions
import Subscriptions

/// Runs the jobs that every instance runs.
package struct HousekeepingJobs: Sendable {
    let usedMarkers: SingleUseMarkers
    let deviceCodes: DeviceCodes
    let signingKeys: SigningKeys
    let sharedRateLimits: SharedRateLimits
    let operatorLog: OperatorLog
    let trials: Trials
    let now: @Sendable () -> Date
    let logger: Logger

    /// Reads and rotates the access-token signing keys, and logs an error if the clock is earlier than their first use.
    package func maintainSigningKeys() async throws(ServiceError) {
        try await mapServiceErrors { try await signingKeys.maintain() }
        guard let start = signingKeys.startIfClockIsBehind() else { return }
        logger.error(
            .clockBehind, "clock is behind: earlier than the first use of every signing key. Set the clock",
            metadata: ["now": "\(now().ISO8601Format())", "firstUse": "\(start.ISO8601Format())"])
    }

    /// Deletes expired spent marks.
    package func removeExpiredMarkers() async throws(ServiceError) {
        _ = try await mapServiceErrors { try await usedMarkers.removeExpired(at: now()) }
    }

    /// Deletes expired decisions about device codes.
    package func removeExpiredDeviceCodes() async throws(ServiceError) {
        _ = try await mapServiceErrors { try await deviceCodes.removeExpired() }
    }

    /// Deletes operator calls that are older than the log's retention.
    package func removeExpiredOperatorCalls() async throws(ServiceError) {
        _ = try await mapServiceErrors { try await operatorLog.removeExpired(at: now()) }
    }

    /// Deletes trials whose retention is over.
    package func removeExpiredTrials() async throws(ServiceError) {
        try await mapServiceErrors { try await trials.removeExpired() }
    }

    /// Exchanges call counts with the other instances.
    package func shareRateLimits() async throws(ServiceError) {
        try await mapServiceErrors { try await sharedRateLimits.exchange() }
    }
}
