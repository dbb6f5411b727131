import Foundation

/// The result of one check of `doctor`.
struct Finding: Encodable, Equatable {
    enum Level: String, Encodable {
        case ok
        /// The service works, and will fail if nothing is done.
        case warning
        case problem
    }

    let check: String
    let level: Level
    let detail: String
    /// What the operator can do; `nil` if there is nothing to do.
    let remedy: String?

    init(_ check: String, _ level: Level, _ detail: String, remedy: String? = nil) {
        (self.check, self.level, self.detail, self.remedy) = (check, level, detail, remedy)
    }

    var text: String {
        let name = check.padding(toLength: max(12, check.count), withPad: " ", startingAt: 0)
        let level = (level == .ok ? "ok" : level.rawValue.uppercased()).padding(
            toLength: 8, withPad: " ", startingAt: 0)
        return "\(level) \(name) \(detail)" + (remedy.map { ". \($0)" } ?? "")
    }
}
