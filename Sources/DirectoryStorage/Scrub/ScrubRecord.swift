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
    /// The last object that was checked, or a text between it and the next one; `nil` before the first object and after
    /// a pass.
    package var position: String?
    package var files: Int
    package var bytes: Int64
    /// Keys of files that are missing or differ from what was acknowledged, and findings in the databases.
    package var findings: [String]
    package var findingCount: Int
    /// The number of findings of the previous pass.
    package var findingCountBefore: Int
    /// How often the erasure of an account replaced the record; `nil` if never.
    package private(set) var erasures: Int?

    package init(startedAt: Date, findingCountBefore: Int = 0) {
        version = 1
        self.startedAt = startedAt
        (files, bytes, findings, findingCount) = (0, 0, [], 0)
        self.findingCountBefore = findingCountBefore
    }

    /// Returns the record of a pass after this one.
    func nextPass(startedAt time: Date) -> ScrubRecord {
        var next = ScrubRecord(startedAt: time, findingCountBefore: findingCount)
        next.erasures = erasures
        return next
    }

    /// Whether damage is known. While a pass is running, the findings of the previous one count too.
    package var hasFindings: Bool { findingCount > 0 || finishedAt == nil && findingCountBefore > 0 }

    /// Removes what names objects below prefixes, and counts the erasure.
    /// - Parameter next: Returns the first key that is not below a prefix that the position is below.
    mutating func forget(
        below prefixes: [String], next: (String) async throws(ObjectStoreError) -> String?
    ) async throws(ObjectStoreError) {
        erasures = (erasures ?? 0) + 1
        let remaining = findings.filter { finding in !prefixes.contains { finding.utf8.starts(with: $0.utf8) } }
        findingCount -= findings.count - remaining.count
        findings = remaining
        guard let position, let prefix = prefixes.first(where: { position.utf8.starts(with: $0.utf8) }) else { return }
        // No stored key is between a key without its last character and the key.
        let folder = prefix.prefix { $0 != "/" }
        self.position = try await next(prefix).map { String($0.dropLast()) } ?? "\(folder)0"
    }

    /// Takes over the number of erasures. The names of findings are dropped if an account was erased since the pass
    /// began: they may be of its objects.
    /// - Parameters:
    ///   - initial: The stored record when the pass began.
    ///   - current: The stored record.
    mutating func takeErasures(since initial: ScrubRecord, from current: ScrubRecord) {
        if initial.erasures != current.erasures { findings = [] }
        erasures = current.erasures
    }

    mutating func add(_ finding: String) {
        findingCount += 1
        if findings.count < Self.maximumFindings { findings.append(finding) }
    }
}
