import Accounts
import Foundation

/// The session that downloads an export. A download can take days, and must end with its session.
actor ExportAccess {
    private let export: PreparedExport
    private var current: Caller
    private var checkedAt: Date
    private let authenticator: CallerAuthenticator
    private let now: @Sendable () -> Date

    /// How long a session that has ended can still read, in seconds.
    private static let interval: TimeInterval = 60

    init(
        to export: PreparedExport, caller: Caller, authenticator: CallerAuthenticator,
        now: @escaping @Sendable () -> Date
    ) {
        (self.export, current, self.authenticator, self.now) = (export, caller, authenticator, now)
        checkedAt = now()
    }

    /// Returns the caller, whose session was checked at most a minute ago.
    /// - Throws: `sessionEnded`.
    func caller() async throws(ServiceError) -> Caller {
        // The clock may be set back.
        guard abs(now().timeIntervalSince(checkedAt)) > Self.interval else { return current }
        return try await checkedCaller()
    }

    /// Checks that the session and the export still stand, before something of the export is stored. Two reads.
    /// - Throws: `sessionEnded`, `notFound`.
    func checkExport() async throws(ServiceError) {
        guard try await checkedCaller().account.value.export?.id == export.id, export.expiresAt > now() else {
            throw .notFound
        }
    }

    private func checkedCaller() async throws(ServiceError) -> Caller {
        current = try await authenticator.refreshed(current)
        checkedAt = now()
        return current
    }
}
