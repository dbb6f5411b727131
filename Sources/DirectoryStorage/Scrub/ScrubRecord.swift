import Foundation
import ObjectStorage

/// The progress of reading all stored files, and the findings. All processes of a folder share one record.
package struct ScrubRecord: VersionedDocument {
    /// The maximum number of findings stored individually.
    package static let maximumFindings = 100

    package var version: Int
    package var startedAt: Date
    /// `nil` while the pass is running.
    package var finishedAt: Date?
    /// The last object that was checked; `nil` before the first.
    package var position: String?
    package var files: Int
    package var bytes: Int64
    /// Keys of files that are missing or differ from what was acknowledged, and findings in the databases.
    package var findings: [String]
    package var findingCount: Int
    /// The number of findings of the previous pass.
    package var findingCountBefore: Int

    package init(startedAt: Date, findingCountBefore: Int = 0) {
        version = 1
        self.startedAt = startedAt
        (files, bytes, findings, findingCount) = (0, 0, [], 0)
        self.findingCountBefore = findingCountBefore
    }

    /// Whether damage is known. While a pass is running, the findings of the previous one count too.
    package var hasFindings: Bool { findingCount > 0 || finishedAt == nil && findingCountBefore > 0 }

    mutating func add(_ finding: String) {
        findingCount += 1
        if findings.count < Self.maximumFindings { findings.append(finding) }
    }
}
