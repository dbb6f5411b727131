import Foundation
import PhotolalaAPI
import PhotolalaClient

/// The result of one check of `doctor`.
struct Finding: Encodable, Equatable {
    enum Level: String, Encodable {
        case ok
        /// Photolala works, with less than it could do, or until something else happens.
        case warning
        case problem
    }

    let check: String
    let level: Level
    let detail: String
    /// What the user can do; `nil` if there is nothing to do.
    let remedy: String?

    init(_ check: String, _ level: Level, _ detail: String, remedy: String? = nil) {
        (self.check, self.level, self.detail, self.remedy) = (check, level, detail, remedy)
    }

    /// Creates a problem from an error, with the advice that other commands print.
    init(_ check: String, _ error: any Error) {
        let failure = CommandFailure.wrapping(error)
        let advice = failure.advice.map { $0.split(separator: " ").joined(separator: " ") }
        self.init(
            check, .problem, failure.error.detail, remedy: advice.isEmpty ? nil : advice.joined(separator: "; "))
    }

    var text: String {
        let name = check.padding(toLength: max(12, check.count), withPad: " ", startingAt: 0)
        let level = (level == .ok ? "ok" : level.rawValue.uppercased()).padding(
            toLength: 8, withPad: " ", startingAt: 0)
        let end = remedy.map { detail.hasSuffix(".") ? " \($0)" : ". \($0)" } ?? ""
        return "\(level) \(name) \(Terminal.sanitized(detail + end))"
    }
}
