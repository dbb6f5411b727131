import Sessions

/// Checks whether this instance can serve.
package struct ReadinessCheck: Sendable {
    let signingKeys: SigningKeys
    let readiness: Readiness

    /// Checks that this instance can serve: its clock is not known to be behind, and the store answers. At most one
    /// read.
    /// - Throws: `clockIsBehind`, or the error that keeps the store from answering or accounts from being written.
    @discardableResult
    package func check() async throws(ServiceError) -> ReadyReport {
        guard signingKeys.startIfClockIsBehind() == nil else { throw .clockIsBehind }
        return try await readiness.check()
    }
}
