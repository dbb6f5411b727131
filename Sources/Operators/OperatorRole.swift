/// What an operator's key permits. Each role permits what the roles before it do.
package enum OperatorRole: String, Codable, Sendable, CaseIterable, Comparable {
    /// Look up and read accounts and jobs.
    case read
    /// End sessions, disable and enable accounts, count usage.
    case support
    /// Delete and export accounts, place legal holds, start jobs, read the operator log.
    case admin

    package static func < (left: OperatorRole, right: OperatorRole) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .read: 0
        case .support: 1
        case .admin: 2
        }
    }
}
