import PhotolalaAPI
import Synchronization

/// The account of the request that a task serves: that of the last valid token or cookie, or of the session that was
/// opened. The request's line in the log names it by its hash.
package final class RequestAccount: Sendable {
    /// The request of this task; `nil` in jobs and commands.
    @TaskLocal package static var current: RequestAccount?

    private let known = Mutex<UserID?>(nil)

    package init() {}

    /// `nil` for a request without a valid token.
    package var user: UserID? { known.withLock(\.self) }

    func set(_ user: UserID) { known.withLock { $0 = user } }
}
