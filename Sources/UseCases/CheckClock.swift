import Foundation
import PhotolalaAPI

extension Services {
    /// Reads and rotates the access-token signing keys, and logs an error if the clock is earlier than their first use.
    package func maintainSigningKeys() async throws(ServiceError) {
        try await mapServiceErrors { try await signingKeys.maintain() }
        guard let start = signingKeys.startIfClockIsBehind() else { return }
        logger.error(
            "clock is behind: earlier than the first use of every signing key. Set the clock",
            metadata: ["now": "\(now().ISO8601Format())", "firstUse": "\(start.ISO8601Format())"])
    }

    /// Checks that this instance can serve: its clock is not known to be behind, and the store answers. At most one
    /// read.
    /// - Throws: `clockIsBehind`, or the error that keeps the store from answering or accounts from being written.
    @discardableResult
    package func checkReadiness() async throws(ServiceError) -> ReadyReport {
        guard signingKeys.startIfClockIsBehind() == nil else { throw .clockIsBehind }
        return try await readiness.check()
    }
}
