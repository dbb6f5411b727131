import Accounts
import Foundation
import PhotolalaAPI
import UseCases

/// Formats an account's audit log as text or JSON lines.
struct AuditReport {
    let isJSON: Bool

    /// The result of the verification.
    struct Verdict: Encodable {
        let account: UserID
        let entries: Int
        /// Whether the end of the chain is sealed by this service with a configured key.
        let isProven: Bool
        /// The number of entries that are lost or altered or that state that earlier ones failed verification.
        var troubles = 0

        var isIntact: Bool { isProven && troubles == 0 }
    }

    func line(_ line: AuditLine) -> String {
        isJSON ? encode(line) : line.summary
    }

    func line(_ verdict: Verdict) -> String {
        guard !isJSON else { return encode(verdict) }
        let entries = Counted.text(verdict.entries, "entry", plural: "entries")
        guard !verdict.isIntact else { return "\(entries): the audit log is intact" }
        let seal = verdict.isProven ? "" : "; the end of the audit log cannot be verified"
        return "\(entries), \(verdict.troubles) of them with problems\(seal)"
    }

    private func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
