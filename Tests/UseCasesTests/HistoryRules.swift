import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing

/// The invariants of audit logs: each recorded event is in the chain or pending on its device, once and in order.
struct HistoryRules {
    let service: TestService

    /// One audit event, wherever it is stored.
    struct Act: Hashable {
        let act: AuditAction
        let device: DeviceID?
        let target: DeviceID?
    }

    /// An entry with the bytes whose digest the next entry contains.
    private struct StoredEntry {
        let entry: AuditEntry
        let bytes: Data
    }

    /// Checks one account and returns its audit events: those of the chain, then those pending on devices.
    /// - Parameter isSettled: whether no event is pending; only then is the content of each entry checked, as entries
    ///   never change.
    func check(_ account: AccountDocument, isSettled: Bool = false) async throws -> [Act] {
        let stored = try await entries(of: account)
        checkChain(stored, account)
        if isSettled { try stored.forEach { try expectHarmless($0.bytes) } }
        let entries = stored.map(\.entry)
        var last: [DeviceID: (sequence: Int, act: AuditAction)] = [:]
        for entry in entries {
            guard let sequence = entry.deviceSequence, let device = entry.target ?? entry.device else { continue }
            expect(sequence, follows: last[device], of: device)
            last[device] = (sequence, entry.act)
        }
        var events = entries.map { Act(act: $0.act, device: $0.device, target: $0.target) }
        for record in try await service.components.sessions.devices.devices(of: account.serviceUserID) {
            let noted = DeviceAuditEvents(record.id, record)
            for act in account.audit.unflushedEvents(noted) {
                expect(act.sequence, follows: last[record.id], of: record.id)
                last[record.id] = (act.sequence, act.action)
                events.append(Act(act: act.action, device: act.device, target: act.target))
            }
            let isNew = record.notedActs == 0 && Self.mayBegin(after: last[record.id])
            #expect(isNew || record.notedActs == last[record.id]?.sequence, "acts of \(record.id) are lost")
            #expect(record.acts.count <= PendingAuditEvent.limit + 2)
            let isWaiting = !record.acts.isEmpty || record.removedAt != nil
            #expect(!isSettled || !account.isUsable || !isWaiting, "\(record.id) waits")
        }
        #expect(account.audit.entries.count <= 18 && account.audit.folded.count <= 8)
        return events
    }

    private func expect(_ sequence: Int, follows last: (sequence: Int, act: AuditAction)?, of device: DeviceID) {
        let isNext = sequence == (last?.sequence ?? 0) + 1
        #expect(
            isNext || (sequence == 1 && Self.mayBegin(after: last)), "act \(sequence) of \(device) after \(last as Any)"
        )
    }

    private static func mayBegin(after last: (sequence: Int, act: AuditAction)?) -> Bool {
        last == nil || [.deviceRemoved, .deviceForgotten, .deviceDisplaced].contains(last?.act)
    }

    private func checkChain(_ entries: [StoredEntry], _ account: AccountDocument) {
        var previous = String(repeating: "0", count: 64)
        for (index, stored) in entries.enumerated() {
            #expect(stored.entry.sequence == index + 1 && stored.entry.previousHash == previous)
            previous = AuditEntry.hash(of: stored.bytes)
        }
        #expect(previous == account.audit.hash && service.components.accounts.hasAuthenticAuditHead(account))
    }

    /// Returns the entries; only those of the last change may exist in the account document alone.
    private func entries(of account: AccountDocument) async throws -> [StoredEntry] {
        var entries: [StoredEntry] = []
        for sequence in 1...account.audit.sequence {
            let key = ObjectKey(known: StorageLayout.auditEntry(account.serviceUserID, sequence: sequence))
            if let object = try await service.store.get(key) {
                let bytes = Data(object.bytes.readableBytesView)
                entries.append(StoredEntry(entry: try #require(AuditEntry.decode(bytes)), bytes: bytes))
            } else {
                let found = account.audit.entries.first { $0.sequence == sequence }
                let own = try #require(found, "audit entry \(sequence) is missing")
                entries.append(StoredEntry(entry: own, bytes: try own.encoded()))
            }
        }
        return entries
    }

    /// Expects that no member has the form of an e-mail address, token, name or subject.
    private func expectHarmless(_ entry: Data) throws {
        let text = String(decoding: entry, as: UTF8.self)
        let found = try Self.harmless.get().firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
        #expect(found != nil, "\(text)")
    }

    /// Compiled once: it is used hundreds of thousands of times.
    private static let harmless = Result {
        let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        let members = [
            "\"(sequence|deviceSequence)\":[0-9]+", "\"(at|effectiveAt)\":\"[-0-9]+T[:0-9]+Z\"",
            "\"act\":\"(account|provider|session|device|audit)\\.[a-z_]+\"", "\"actor\":\"(user|service|provider)\"",
            "\"provider\":\"(apple|google)\"", "\"(link|device|target)\":\"\(uuid)\"",
            "\"isNewDevice\":true",
            "\"previousHash\":\"[0-9a-f]{64}\"",
        ]
        let member = "(\(members.joined(separator: "|")))"
        return try NSRegularExpression(pattern: "^\\{\(member)(,\(member))*\\}$")
    }
}
