import Foundation
import ObjectStorage

/// How far the reading of all stored files has come, and what it found. One for all processes of a folder.
package struct ScrubRecord: VersionedDocument {
    /// How many findings are kept one by one.
    package static let mostFindings = 100

    package var version: Int
    package var startedAt: Date
    /// `nil` while the pass is under way.
    package var finishedAt: Date?
    /// The last object that was checked; `nil` before the first.
    package var position: String?
    package var files: Int
    package var bytes: Int64
    /// Keys of files that are missing or differ from what was acknowledged, and what is wrong with the databases.
    package var findings: [String]
    package var findingCount: Int
    /// Of the pass before.
    package var findingCountBefore: Int

    package init(startedAt: Date, findingCountBefore: Int = 0) {
        version = 1
        self.startedAt = startedAt
        (files, bytes, findings, findingCount) = (0, 0, [], 0)
        self.findingCountBefore = findingCountBefore
    }

    /// Whether anything of what is known now is damaged: a pass under way has not looked at everything yet.
    package var hasFindings: Bool { findingCount > 0 || finishedAt == nil && findingCountBefore > 0 }

    mutating func add(_ finding: String) {
        findingCount += 1
        if findings.count < Self.mostFindings { findings.append(finding) }
    }
}
