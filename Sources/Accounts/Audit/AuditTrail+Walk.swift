import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

/// A position in an audit log, as found while walking the log from its end.
package struct AuditChainPosition: Sendable {
    /// The state of the stored entry.
    package enum State: String, Sendable, Equatable {
        /// Matches the hash in the following entry or, for the last entry, in the account.
        case proven
        /// Matches, but is stored only in the account document so far.
        case unwritten
        /// Does not match the hash in the following entry.
        case changed
        /// Matches, but the account document holds a different entry for this sequence.
        case otherThanAccount = "other_than_account"
        /// Neither the object nor the account document has the entry.
        case lost
    }

    package let sequence: Int
    package let key: ObjectKey
    package let entry: AuditEntry?
    package let state: State

    /// Whether an operator must investigate.
    package var needsAttention: Bool { state != .proven && state != .unwritten || entry?.act == .logUnverified }
}

extension AuditTrail {
    /// Walks an audit log from its end to its beginning, one entry at a time, and verifies each entry against the
    /// following one. Entries before a lost one are verified only against each other.
    package func walk(
        _ account: AccountDocument, _ visit: (AuditChainPosition) async throws(AccountError) -> Void
    ) async throws(AccountError) {
        let head = account.audit
        var expected: String? = head.hash
        for sequence in (1...max(1, head.sequence)).reversed() {
            let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: sequence))
            let stored = try await readBounded(key)
            let own = head.entries.first { $0.sequence == sequence }.flatMap { try? $0.encoded() }
            let step = Self.classify(sequence, key, stored: stored, own: own, expected: expected)
            try await visit(step)
            expected = step.entry?.previousHash
        }
    }

    /// Returns a page of an audit log, newest first. Lost and malformed entries are omitted.
    /// - Parameter before: only entries with a smaller sequence.
    func entries(
        of account: AccountDocument, before: Int?, limit: Int
    ) async throws(AccountError) -> [AuditEntry] {
        let last = min(account.audit.sequence, max(before ?? .max, 1) - 1)
        guard last > 0, limit > 0 else { return [] }
        let sequences = Array(max(1, last - limit + 1)...last)
        var found: [AuditEntry] = []
        for start in stride(from: 0, to: sequences.count, by: Self.readConcurrency) {
            let some = sequences[start..<min(start + Self.readConcurrency, sequences.count)]
            found += try await load(some, of: account)
        }
        return found.sorted { $0.sequence > $1.sequence }
    }

    private static let readConcurrency = 16

    private func load(
        _ sequences: ArraySlice<Int>, of account: AccountDocument
    ) async throws(AccountError) -> [AuditEntry] {
        let found = await withTaskGroup(of: Result<AuditEntry?, AccountError>.self) { group in
            for sequence in sequences {
                group.addTask {
                    do throws(AccountError) {
                        return .success(try await load(sequence, of: account))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var entries: [AuditEntry] = []
        for result in found {
            if let entry = try result.get() { entries.append(entry) }
        }
        return entries
    }

    private func load(_ sequence: Int, of account: AccountDocument) async throws(AccountError) -> AuditEntry? {
        if let own = account.audit.entries.first(where: { $0.sequence == sequence }) { return own }
        let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: sequence))
        return try await readBounded(key).flatMap { AuditEntry.decode(Data($0.readableBytesView)) }
    }

    /// Treats a damaged object, and one too large for an entry, as malformed instead of failing.
    private func readBounded(_ key: ObjectKey) async throws(AccountError) -> ByteBuffer? {
        do throws(AccountError) {
            return try await read(key)
        } catch .store(.tooLarge) {
            return ByteBuffer()
        } catch .corrupted {
            return ByteBuffer()
        }
    }

    private static func classify(
        _ sequence: Int, _ key: ObjectKey, stored: ByteBuffer?, own: Data?, expected: String?
    ) -> AuditChainPosition {
        let bytes = stored.map { Data($0.readableBytesView) }
        guard let content = bytes ?? own else {
            return AuditChainPosition(sequence: sequence, key: key, entry: nil, state: .lost)
        }
        let entry = AuditEntry.decode(content)
        let fits = sequence > 1 || entry?.previousHash == AuditHead.genesisHash
        let isProven =
            entry?.sequence == sequence && fits && (expected == nil || AuditEntry.hash(of: content) == expected)
        let state: AuditChainPosition.State =
            if !isProven {
                .changed
            } else if bytes == nil {
                .unwritten
            } else {
                own == nil || own == bytes ? .proven : .otherThanAccount
            }
        return AuditChainPosition(sequence: sequence, key: key, entry: entry, state: state)
    }
}
