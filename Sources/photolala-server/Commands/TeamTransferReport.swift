import AccountMaintenance
import Foundation
import Synchronization

/// Formats the results of an Apple team transfer as text or JSON.
struct TeamTransferReport {
    let isJSON: Bool

    private struct Finding: Encodable {
        let finding: String
        let serviceUserID: String
        let linkID: String?
    }

    private struct Summary: Encodable {
        let links: Int
        let prepared: Int
        let completed: Int
        let settled: Int
    }

    func line(_ finding: TeamTransferFinding) -> String {
        guard !isJSON else {
            return encoded(
                Finding(
                    finding: finding.kind.rawValue, serviceUserID: "\(finding.user)", linkID: finding.link?.description)
            )
        }
        let problem =
            switch finding.kind {
            case .unknownToProvider: "unknown to Apple, or the 60 days have passed"
            case .subjectTaken: "the new id already has its own account"
            case .subjectUnreadable: "the id is sealed with a key that is not configured"
            case .accountFailed: "account damaged or changed concurrently. Run repair, then this command again"
            }
        return "account \(finding.user)\(finding.link.map { ", link \($0)" } ?? ""): \(problem)"
    }

    func line(_ summary: TeamTransferSummary) -> String {
        guard !isJSON else {
            return encoded(
                Summary(
                    links: summary.links, prepared: summary.prepared, completed: summary.completed,
                    settled: summary.settled))
        }
        return """
            \(Counted.text(summary.links, "identity", plural: "identities")) of the old team: \(summary.prepared) prepared, \(summary.completed) with \
            the new id linked beside the old one. \(summary.settled) already moved.
            """
    }

    private func encoded(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Prints findings as they occur and counts them.
final class TeamTransferFindings: Sendable {
    private let report: TeamTransferReport
    private let found = Mutex(0)

    init(_ report: TeamTransferReport) { self.report = report }

    var count: Int { found.withLock { $0 } }

    func add(_ finding: TeamTransferFinding) {
        found.withLock { $0 += 1 }
        print(report.line(finding))
    }
}
