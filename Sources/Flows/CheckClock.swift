import Foundation
import PhotolalaAPI

extension Services {
    /// Reads and rotates the keys of access tokens, and says in the log that the clock is behind them.
    package func maintainSigningKeys() async throws(FlowError) {
        try await step { try await signingKeys.maintain() }
        guard let start = signingKeys.startIfClockIsBehind() else { return }
        logger.error(
            "the clock is behind: it is earlier than the first use of every signing key. Set the clock",
            metadata: ["now": "\(now().ISO8601Format())", "firstUse": "\(start.ISO8601Format())"])
    }

    /// Whether this instance can serve: its clock is not known to be behind, and the store answers. One read at most.
    /// - Throws: `clockIsBehind`, and what keeps the store from answering or from taking accounts' writes.
    @discardableResult
    package func checkReadiness() async throws(FlowError) -> ReadyReport {
        guard signingKeys.startIfClockIsBehind() == nil else { throw .clockIsBehind }
        return try await readiness.check()
    }
}
